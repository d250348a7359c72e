//! What tells one repository from another: its first commit and where it is pushed. Read from the files in `.git`, and
//! remembered beside what we keep about a store, because a project that is gone from the disk cannot be asked any more.
//!
//! Nothing is run. The first commit is known only where the log of `HEAD` still begins with it, in a repository that was
//! made on this machine and whose log was not cut; a clone is known by its remote alone. Not its job: deciding what
//! follows from two being the same (see [`super::stores`]).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::git::{git_dir, git_root, physical};
use super::home::recorded_paths;
use super::{Choice, ClaudeHome, Decision};
use crate::memory::Store;
use crate::state::{StateDir, create_private_dir, read_file, write_atomic};

/// A settings file or log of git larger than this is not read.
const MOST: u64 = 64 << 20;

/// What is known of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `origin`, as `host/owner/name`, without user, password and `.git`.
    pub remote: Option<String>,
    /// The first commit's name, in hex.
    pub first_commit: Option<String>,
}

/// What we remember of the project of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The project's path.
    pub path: PathBuf,
    /// The main work tree's root; the path itself outside git.
    pub root: PathBuf,
    /// What its repository was.
    pub identity: Identity,
}

impl Identity {
    /// The identity of the repository with its root here; empty outside git.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let Some(git) = git_dir(root) else { return Self::default() };
        let text = |file: &str| read_small(&git.join(file));
        Self {
            remote: text("config").as_deref().and_then(origin_url).and_then(|url| normal(&url)),
            first_commit: text("logs/HEAD").as_deref().and_then(first_commit),
        }
    }

    /// What the remote is called where it is pushed: `owner/name`; `None`: there is no remote, or its address has other parts
    /// than these two.
    #[must_use]
    pub fn repository(&self) -> Option<&str> {
        let (host, path) = self.remote.as_deref()?.split_once('/')?;
        (!host.is_empty() && path.split('/').count() == 2).then_some(path)
    }

    /// What the remote is called where it is pushed, whatever its parts: `group/sub/name`, `name`, or the path of a directory.
    #[must_use]
    pub fn path_there(&self) -> Option<&str> {
        let remote = self.remote.as_deref()?;
        match remote.split_once('/') {
            Some((host, path)) if !host.is_empty() => Some(path),
            _ => Some(remote),
        }
    }

    /// What makes two repositories the same, in words; `None`: nothing does. Two known first commits that differ say no,
    /// whatever the remotes say.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> Option<&'static str> {
        if let (Some(one), Some(two)) = (&self.first_commit, &other.first_commit) {
            return (one == two).then_some("the same first commit");
        }
        (self.remote.is_some() && self.remote == other.remote).then_some("the same remote")
    }
}

impl Remembered {
    /// What was remembered about the project of a store. A record that cannot be read says nothing.
    #[must_use]
    pub fn read(state: &StateDir, store: &Store) -> Option<Self> {
        serde_json::from_slice(&read_file(&file_of(state, store)).ok()?).ok()
    }

    /// Remembers the project of a store, for the day its directory is gone. Writes only what is new.
    ///
    /// # Errors
    /// When our state directory cannot be written.
    pub fn write(state: &StateDir, store: &Store, path: &Path) -> io::Result<()> {
        let root = git_root(path).unwrap_or_else(|| path.to_owned());
        let record = Self { path: path.to_owned(), identity: Identity::of(&root), root };
        if Self::read(state, store).as_ref() == Some(&record) {
            return Ok(());
        }
        let file = file_of(state, store);
        if let Some(folder) = file.parent() {
            create_private_dir(folder)?;
        }
        write_atomic(&file, &serde_json::to_vec(&record)?)
    }
}

/// Remembers the project of a choice, where the transcripts of its folder name it and no other. What cannot be written
/// is not remembered: nothing else depends on it.
pub fn remember(state: &StateDir, choice: &Choice) {
    let is_place = matches!(choice.decision, Decision::GitRoot | Decision::WorkingDirectory);
    let folder = choice.store.root().parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let (Some(home), Some(folder), true) = (&choice.home, folder, is_place) else { return };
    if let [path] = recorded_paths(&home.folder(&folder)).as_slice()
        && path.is_dir()
    {
        let _ = Remembered::write(state, &choice.store, &physical(path));
    }
}

fn file_of(state: &StateDir, store: &Store) -> PathBuf {
    state.store(store.root()).join("project.json")
}

/// The paths Claude Code itself noted for each repository on GitHub (`githubRepoPaths` in `.claude.json`), with what
/// that says about their identity.
#[must_use]
pub fn noted_by_claude(home: &ClaudeHome) -> Vec<(PathBuf, Identity)> {
    // Beside `~/.claude`, inside a configured home.
    let beside = home.base().parent().map(|above| above.join(".claude.json"));
    let text = read_small(&home.base().join(".claude.json")).or_else(|| read_small(&beside?));
    let Some(Value::Object(all)) = text.and_then(|text| serde_json::from_str(&text).ok()) else { return Vec::new() };
    let Some(Value::Object(repositories)) = all.get("githubRepoPaths") else { return Vec::new() };
    let mut noted = Vec::new();
    for (name, paths) in repositories {
        let identity = Identity { remote: normal(&format!("https://github.com/{name}")), first_commit: None };
        let paths = paths.as_array().into_iter().flatten().filter_map(Value::as_str);
        noted.extend(paths.map(|path| (PathBuf::from(path), identity.clone())));
    }
    noted
}

fn read_small(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MOST {
        return None;
    }
    crate::state::read_file(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// `url` of `[remote "origin"]` in a git configuration; the last one counts.
fn origin_url(config: &str) -> Option<String> {
    let mut in_origin = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            let section: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            in_origin = section.starts_with("[remote\"origin\"]");
        } else if in_origin
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("url")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found.filter(|url| !url.is_empty())
}

/// A remote's address without what differs between ways to reach the same place: scheme, user, password, port, `.git`.
fn normal(url: &str) -> Option<String> {
    let url = url.trim().trim_end_matches('/');
    let url = url.strip_suffix(".git").unwrap_or(url).trim_end_matches('/');
    let (host, path) = match url.split_once("://") {
        Some(("file", path)) => ("", path),
        Some((_, rest)) => rest.split_once('/')?,
        None if url.starts_with(['/', '.']) => ("", url),
        // `git@host:owner/name`; a single letter before the colon is a drive.
        None => match url.split_once(':') {
            Some((host, path)) if host.len() > 1 && !host.contains('/') => (host, path),
            _ => ("", url),
        },
    };
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    // A relative path names another place in every checkout.
    if path.is_empty() || (host.is_empty() && !path.starts_with('/')) {
        return None;
    }
    // GitHub does not tell the cases of a name apart; others may.
    let path = if host == "github.com" { path.to_ascii_lowercase() } else { path.to_owned() };
    Some(if host.is_empty() { path } else { format!("{host}/{}", path.trim_start_matches('/')) })
}

/// The commit a log of `HEAD` begins with, when it is the repository's first.
fn first_commit(log: &str) -> Option<String> {
    let (names, what) = log.lines().next()?.split_once('\t')?;
    let mut names = names.split(' ');
    let (before, after) = (names.next()?, names.next()?);
    let is_first = before.chars().all(|c| c == '0') && what.starts_with("commit (initial)");
    let is_name = after.len() >= 40 && after.chars().all(|c| c.is_ascii_hexdigit());
    (is_first && is_name).then(|| after.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_remote_is_the_same_by_every_way_to_it_and_never_holds_a_password() {
        for url in [
            "git@github.com:Me/App.git",
            "https://github.com/me/app",
            "https://user:secret@github.com/me/app.git/",
            "ssh://git@GitHub.com:22/me/app.git",
        ] {
            assert_eq!(normal(url).as_deref(), Some("github.com/me/app"), "{url}");
        }
        assert_eq!(normal("/srv/git/app.git").as_deref(), Some("/srv/git/app"));
        assert_eq!(normal("file:///srv/git/app").as_deref(), Some("/srv/git/app"));
        assert_eq!(normal("host.example:a/B").as_deref(), Some("host.example/a/B"));
        for relative in ["../app.git", "", "https://host"] {
            assert_eq!(normal(relative), None, "{relative:?}");
        }
    }

    #[test]
    fn origin_is_read_from_the_configuration_and_no_other_remote_is() {
        let config = "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = /x\n[remote \"origin\"]\n\turl = /y\n\tfetch = +a\n[branch \"m\"]\n\turl = /z\n";
        assert_eq!(origin_url(config).as_deref(), Some("/y"));
        assert_eq!(origin_url("[remote \"fork\"]\nurl = /x\n"), None);
    }

    #[test]
    fn a_repository_is_an_owner_and_a_name_on_some_host() {
        for (url, repository) in [
            ("https://git.example/Acme/app.git", Some("Acme/app")),
            ("git@git.example:acme/app.git", Some("acme/app")),
            ("ssh://git@git.example:22/acme/app/", Some("acme/app")),
            ("https://git.example/group/acme/app.git", None),
            ("https://git.example/app", None),
            ("/srv/app.git", None),
            ("../app", None),
        ] {
            let identity = Identity { remote: normal(url), first_commit: None };
            assert_eq!(identity.repository(), repository, "{url}");
        }
        assert_eq!(Identity::default().repository(), None);
    }

    #[test]
    fn a_log_that_begins_with_the_first_commit_names_it_and_a_clones_does_not() {
        let (zero, one) = ("0".repeat(40), "1".repeat(40));
        let log = |what: &str| format!("{zero} {one} Me <me@example> 1 +0000\t{what}\n");
        assert_eq!(first_commit(&log("commit (initial): begin")), Some(one.clone()));
        assert_eq!(first_commit(&log("clone: from https://host/x")), None);
        assert_eq!(first_commit(&format!("{one} {one} Me\tcommit (initial): x")), None);
        assert_eq!(first_commit(""), None);
    }

    #[test]
    fn two_first_commits_that_differ_say_no_whatever_the_remotes_say() {
        let of = |remote: Option<&str>, first: Option<&str>| Identity {
            remote: remote.map(str::to_owned),
            first_commit: first.map(str::to_owned),
        };
        assert_eq!(of(Some("a"), Some("1")).same_as(&of(Some("a"), Some("2"))), None);
        assert_eq!(of(Some("a"), Some("1")).same_as(&of(Some("b"), Some("1"))), Some("the same first commit"));
        assert_eq!(of(Some("a"), None).same_as(&of(Some("a"), Some("2"))), Some("the same remote"));
        assert_eq!(of(None, None).same_as(&of(None, None)), None);
    }
}
