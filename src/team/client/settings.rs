//! Which server, which repository, with which token: from the configuration, the environment and the checkout.
//!
//! Claude Code's own credentials are never looked for. Not its job: reading the configuration file (`crate::config`).

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::config::TeamConfig;
use crate::environment::Environment;
use crate::net::client::{is_loopback, proxy};
use crate::net::credential::{KeySource, Secret, Told};
use crate::project::git::git_root;
use crate::project::identity::Identity;
use crate::team::repository::Repository;

/// The variable that holds the token, where nothing else is said.
pub const TOKEN: &str = "DREAMTOP_TEAM_TOKEN";

/// All that is needed to ask a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the server is, without a slash at its end.
    pub url: String,
    /// The repository.
    pub repository: Repository,
    /// Whether the checkout's own remote says so, and not only a line that counts for every folder.
    pub is_proven: bool,
    /// Where the token comes from.
    pub key: KeySource,
    /// Through which proxy; `None`: none.
    pub proxy: Option<String>,
}

/// Why nothing is shared from here.
#[derive(Debug, thiserror::Error)]
pub enum NotSet {
    /// Nobody set a server.
    #[error(
        "no team is set up: name its server as team.url in config.yaml, and give the token in the variable {TOKEN} or with team.token_file or team.token_command"
    )]
    NoServer,
    /// It is set in a way that cannot be right.
    #[error("{0}")]
    Wrong(String),
}

impl Settings {
    /// The settings for a checkout.
    ///
    /// # Errors
    /// When there is no server, no repository, or the way to the server is open to everybody. A token is asked for when it is
    /// needed.
    pub fn of(config: &TeamConfig, environment: &Environment, checkout: Option<&Path>) -> Result<Self, NotSet> {
        let url = config.url.as_deref().ok_or(NotSet::NoServer)?.trim_end_matches('/').to_owned();
        if !url.starts_with("https://") && !is_loopback(&url) && !config.insecure {
            return Err(NotSet::Wrong(format!(
                "team.url is {url}: over http:// anybody on the way reads memories and token; use https://, or set team.insecure to true"
            )));
        }
        let (repository, is_proven) = repository(config, checkout)?;
        let told = Told {
            command: ("token_command", &config.token_command),
            file: ("token_file", config.token_file.as_deref()),
            variable: ("token_env", config.token_env.as_deref()),
            usual: TOKEN,
        };
        let key = KeySource::of(&told, environment).map_err(|error| NotSet::Wrong(error.to_string()))?;
        let proxy = proxy(config.proxy.as_deref(), &url, environment);
        Ok(Self { url, repository, is_proven, key, proxy })
    }

    /// A digest that tells these credentials from others, as far as that can be told without running a command, and gives
    /// nothing away. A credential begins with it.
    #[must_use]
    pub fn source(&self) -> String {
        let own = [self.url.clone().into_bytes(), self.repository.folded().into_bytes()];
        digest(own.into_iter().chain(self.key.traits()))
    }

    /// A digest that tells these credentials with this token from others. A token that a command gives may be another one
    /// the next time.
    #[must_use]
    pub fn credential(&self, token: &Secret) -> String {
        let source = self.source();
        let own = digest([source.clone().into_bytes(), token.reveal().as_bytes().to_vec()]);
        format!("{source}:{own}")
    }
}

fn digest(parts: impl IntoIterator<Item = Vec<u8>>) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        // With its length before it, so that no two lists of parts are the same bytes.
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The repository whose memories a checkout shares, and whether its own remote says so. One configuration serves every project,
/// so that a repository named in it is never taken for that of a checkout which says otherwise.
fn repository(config: &TeamConfig, checkout: Option<&Path>) -> Result<(Repository, bool), NotSet> {
    let wrong = |words: String| Err(NotSet::Wrong(words));
    let parsed = |named: &str| named.parse().map_err(|error| NotSet::Wrong(format!("{error}")));
    let identity = checkout.map(identity).unwrap_or_default();
    let Some(origin) = identity.path_there() else {
        return match &config.repository {
            Some(named) => Ok((parsed(named)?, false)),
            None => wrong(
                "this checkout has no remote origin that says where it belongs; name its repository as team.repository in config.yaml"
                    .to_owned(),
            ),
        };
    };
    let named = config.repository.as_deref().filter(|named| !named.eq_ignore_ascii_case(origin));
    let seen = crate::text::visible(origin);
    match (config.repositories.get(&origin.to_ascii_lowercase()), named, identity.repository()) {
        (Some(mapped), _, _) => Ok((parsed(mapped)?, true)),
        (None, Some(named), _) => wrong(format!(
            "the remote origin of this checkout is {seen}, and team.repository says {named}: if they share memories, say so as `{seen}: {named}` under team.repositories in config.yaml"
        )),
        (None, None, Some(repository)) => Ok((parsed(repository)?, true)),
        (None, None, None) => wrong(format!(
            "the remote origin of this checkout is {seen}, and a team's repository is called owner/name: say which one this is as `{seen}: OWNER/NAME` under team.repositories in config.yaml"
        )),
    }
}

fn identity(checkout: &Path) -> Identity {
    git_root(checkout).map(|root| Identity::of(&root)).unwrap_or_default()
}

/// The repository that the remote of a checkout names; `None`: it names none.
pub(super) fn named_by_origin(config: &TeamConfig, checkout: &Path) -> Option<Repository> {
    let config = TeamConfig { repository: None, ..config.clone() };
    repository(&config, Some(checkout)).ok().map(|(repository, _)| repository)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn checkout(origin: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".git")).unwrap();
        let config = format!("[remote \"origin\"]\n\turl = https://git.example/{origin}.git\n");
        std::fs::write(dir.path().join(".git/config"), config).unwrap();
        dir
    }

    fn config(url: &str) -> TeamConfig {
        TeamConfig { url: Some(url.to_owned()), ..TeamConfig::default() }
    }

    fn of(config: &TeamConfig, checkout: Option<&Path>, variables: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::of(config, &Environment::of(Path::new("/"), variables), checkout).map_err(|error| error.to_string())
    }

    #[test]
    fn a_checkout_shares_what_its_origin_names_and_never_what_another_project_is_set_to() {
        let (app, token) = (checkout("acme/app"), [(TOKEN, "t")]);
        let mut config = config("https://memory.example/");
        let got = of(&config, Some(app.path()), &token).unwrap();
        assert_eq!((got.url.as_str(), got.repository.as_str()), ("https://memory.example", "acme/app"));
        assert!(of(&config, None, &token).unwrap_err().contains("team.repository"));
        config.repository = Some("acme/other".to_owned());
        assert_eq!(of(&config, None, &token).unwrap().repository.as_str(), "acme/other");
        let error = of(&config, Some(app.path()), &token).unwrap_err();
        assert!(error.contains("acme/app: acme/other"), "{error}");
        config.repositories.insert("acme/app".to_owned(), "acme/other".to_owned());
        assert_eq!(of(&config, Some(app.path()), &token).unwrap().repository.as_str(), "acme/other");
    }

    #[test]
    fn what_is_missing_or_open_to_everybody_is_named() {
        let app = checkout("acme/app");
        assert!(of(&TeamConfig::default(), Some(app.path()), &[]).unwrap_err().contains("team.url"));
        let settings = of(&config("https://x.example"), Some(app.path()), &[]).unwrap();
        let error = super::super::http::HttpRemote::open(&settings, &crate::clock::Clock::System).err().unwrap();
        assert!(error.contains(TOKEN), "{error}");
        let open = of(&config("http://x.example"), Some(app.path()), &[(TOKEN, "t")]).unwrap_err();
        assert!(open.contains("insecure"), "{open}");
        let insecure = TeamConfig { insecure: true, ..config("http://x.example") };
        assert!(of(&insecure, Some(app.path()), &[(TOKEN, "t")]).is_ok());
        assert!(of(&config("http://127.0.0.1:9"), Some(app.path()), &[(TOKEN, "t")]).is_ok());
    }

    #[test]
    fn another_token_is_another_credential_and_none_is_shown() {
        let app = checkout("acme/app");
        let digest = |token: &str| {
            let settings = of(&config("https://x.example"), Some(app.path()), &[(TOKEN, token)]).unwrap();
            assert!(!format!("{settings:?}").contains(token));
            settings.source()
        };
        assert_eq!(digest("hush-one"), digest("hush-one"));
        assert_ne!(digest("hush-one"), digest("hush-two"));
    }
}
