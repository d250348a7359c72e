//! Places that hold secrets: never read for a model, whoever asks.
//!
//! Judged by name and place, before anything is opened. Not its job: credentials inside ordinary files
//! ([`crate::secret`] masks those in what is sent).

use std::path::Path;

/// Directories of the home that hold keys and logins, and what they are.
const HOME_DIRECTORIES: [(&str, &str); 14] = [
    (".ssh", "keys of ssh"),
    (".gnupg", "keys of GnuPG"),
    (".aws", "logins of AWS"),
    (".azure", "logins of Azure"),
    (".config/gcloud", "logins of Google Cloud"),
    (".config/gh", "a login of GitHub"),
    (".config/op", "a password store"),
    (".kube", "logins of Kubernetes"),
    (".docker", "logins of Docker"),
    (".password-store", "a password store"),
    (".local/share/keyrings", "a key ring"),
    (".mozilla", "a browser's profile"),
    (".config/google-chrome", "a browser's profile"),
    ("Library/Keychains", "a key chain"),
];

/// Names that hold secrets wherever they lie.
const NAMES: [&str; 20] = [
    ".netrc",
    "_netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".vault-token",
    ".credentials.json",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "application_default_credentials.json",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
];

/// Endings of key files.
const ENDINGS: [&str; 8] = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];

/// Files of the system that are nobody's to read.
const SYSTEM: [&str; 5] = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private", "/proc"];

/// What secrets a path holds, in words; `None`: none that its name tells. `home`: the person's, for the stores in it.
#[must_use]
pub(super) fn private(path: &Path, home: Option<&Path>) -> Option<&'static str> {
    if SYSTEM.iter().any(|place| path.starts_with(place)) || path.starts_with("/dev") && path != Path::new("/dev/null")
    {
        return Some("a file of the system");
    }
    if let Some(home) = home {
        for (place, what) in HOME_DIRECTORIES {
            if path.starts_with(home.join(place)) {
                return Some(what);
            }
        }
    }
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    if NAMES.contains(&name.as_str()) {
        return Some("a file of keys or logins");
    }
    if ENDINGS.iter().any(|ending| name.ends_with(ending)) && name.len() > 4 {
        return Some("a file of keys");
    }
    let is_environment = name == ".env" || name == ".envrc" || name.starts_with(".env.") || name.ends_with(".env");
    let is_example = [".example", ".sample", ".template", ".dist"].iter().any(|ending| name.ends_with(ending));
    (is_environment && !is_example).then_some("a file of secrets for an environment")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn stores_of_secrets_are_known_by_place_and_name() {
        let home = Path::new("/home/ada");
        for path in [
            "/home/ada/.ssh/config",
            "/home/ada/.ssh/id_ed25519",
            "/home/ada/.aws/credentials",
            "/home/ada/.config/gcloud/legacy/x",
            "/home/ada/.kube/config",
            "/home/ada/.claude/.credentials.json",
            "/srv/app/.env",
            "/srv/app/.ENV",
            "/srv/app/.env.production",
            "/srv/app/prod.env",
            "/srv/app/.envrc",
            "/srv/app/tls/server.key",
            "/srv/app/tls/server.PEM",
            "/srv/app/id_rsa",
            "/srv/app/.npmrc",
            "/proc/self/environ",
            "/dev/sda",
            "/etc/shadow",
        ] {
            assert!(private(Path::new(path), Some(home)).is_some(), "{path}");
        }
    }

    #[test]
    fn ordinary_files_are_not() {
        let home = Path::new("/home/ada");
        for path in [
            "/home/ada/src/app/README.md",
            "/home/ada/.claude/projects/x/memory/feedback_keys.md",
            "/home/ada/.config/dreamtop",
            "/srv/app/.env.example",
            "/srv/app/.env.sample",
            "/srv/app/src/environment.rs",
            "/srv/app/id_rsa.pub",
            "/srv/app/docs/credentials.md",
            "/srv/app/keys.rs",
            "/dev/null",
        ] {
            assert_eq!(private(Path::new(path), Some(home)), None, "{path}");
        }
    }
}
