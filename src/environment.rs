//! What the process was given: variables, home, working directory.
//!
//! Read once in `main` and handed down, so that no test ever touches a real home directory and no module reads
//! `std::env` on its own. Not its job: interpreting the values (see [`crate::config`], [`crate::project`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

/// Set for every process of ours that works on its own, and for what it starts: the hooks of such a process do nothing, so
/// that no run feeds on a run.
pub const CHILD: &str = "DREAMTOP_CHILD";

/// Set for what a run starts, and by inheritance for all that this starts: whose room it works in. By it a run's processes
/// are found when they left its process group.
pub const RUN: &str = "DREAMTOP_RUN";

/// A snapshot of the process environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    current_dir: PathBuf,
}

impl Environment {
    /// The environment of this process. Variables that are not Unicode are left out: none of ours is.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let current_dir = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Self { variables, current_dir }
    }

    /// An environment made of the given variables, for tests and for the demo.
    #[must_use]
    pub fn of(current_dir: &Path, variables: &[(&str, &str)]) -> Self {
        let variables = variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Self { variables, current_dir: current_dir.to_owned() }
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.variables.insert(key.to_owned(), value.to_owned());
        self
    }

    /// A variable's value; unset and empty are the same.
    #[must_use]
    pub fn variable(&self, key: &str) -> Option<&str> {
        self.variables.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Every variable, for a child process.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether a switch variable is on: set, and neither `0`, `false`, `no` nor `off`.
    #[must_use]
    pub fn switch(&self, key: &str) -> Option<bool> {
        self.variable(key).map(|value| !matches!(value.to_ascii_lowercase().as_str(), "0" | "false" | "no" | "off"))
    }

    /// The home directory, from `HOME` (`USERPROFILE` on Windows).
    #[must_use]
    pub fn home(&self) -> Option<PathBuf> {
        let key = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.variable(key).map(PathBuf::from)
    }

    /// The directory the process was started in.
    #[must_use]
    pub fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    /// Claude Code's configuration directory: `CLAUDE_CONFIG_DIR` in its composed Unicode form, which is the one Claude
    /// Code uses, else `~/.claude`. `None` without a home.
    #[must_use]
    pub fn claude_dir(&self) -> Option<PathBuf> {
        self.variable("CLAUDE_CONFIG_DIR")
            .map(|path| self.expand(&path.nfc().collect::<String>()))
            .or_else(|| Some(self.home()?.join(".claude")))
    }

    /// Our configuration file: `$XDG_CONFIG_HOME/dreamtop/config.yaml`, else `~/.config/dreamtop/config.yaml`.
    #[must_use]
    pub fn config_file(&self) -> Option<PathBuf> {
        let base = self.base_dir("XDG_CONFIG_HOME").or_else(|| Some(self.home()?.join(".config")))?;
        Some(base.join("dreamtop").join("config.yaml"))
    }

    /// Our state directory: `$XDG_STATE_HOME/dreamtop`, else the platform's place. `None` without a home.
    #[must_use]
    pub fn state_dir(&self) -> Option<PathBuf> {
        if let Some(base) = self.base_dir("XDG_STATE_HOME") {
            return Some(base.join("dreamtop"));
        }
        let home = self.home()?;
        Some(if cfg!(target_os = "macos") {
            home.join("Library/Application Support/dreamtop")
        } else if cfg!(windows) {
            home.join("AppData").join("Local").join("dreamtop")
        } else {
            home.join(".local/state/dreamtop")
        })
    }

    /// An XDG base directory. Relative ones do not count, as the specification says: they would move with the work.
    fn base_dir(&self, key: &str) -> Option<PathBuf> {
        self.variable(key).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// An absolute path for what a person typed: `~/` is the home, anything relative starts at the working directory.
    #[must_use]
    pub fn expand(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), self.home()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ if path == "~" => self.home().unwrap_or_else(|| PathBuf::from(path)),
            _ => self.current_dir.join(path),
        }
    }

    /// Like [`Environment::expand`], for a path that need not be Unicode.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        path.to_str().map_or_else(|| self.current_dir.join(path), |path| self.expand(path))
    }
}

/// Whether a path is a file that may be run.
#[cfg(unix)]
#[must_use]
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether a path is a file that may be run, as far as that can be told here.
#[cfg(not(unix))]
#[must_use]
pub fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        variables
            .iter()
            .fold(Environment::of(Path::new("/work"), &[(home, "/home/me")]), |all, (key, value)| all.with(key, value))
    }

    #[test]
    fn unset_and_empty_variables_are_the_same() {
        let given = environment(&[("A", ""), ("B", "x")]);
        assert_eq!((given.variable("A"), given.variable("B"), given.variable("C")), (None, Some("x"), None));
    }

    #[test]
    fn a_switch_is_on_unless_its_value_says_no() {
        for (value, on) in [("1", true), ("true", true), ("0", false), ("False", false), ("no", false), ("OFF", false)]
        {
            assert_eq!(environment(&[("S", value)]).switch("S"), Some(on), "{value}");
        }
        assert_eq!(environment(&[("S", "")]).switch("S"), None);
    }

    #[test]
    fn what_a_person_typed_becomes_an_absolute_path() {
        let given = environment(&[]);
        for (typed, path) in
            [("~", "/home/me"), ("~/a", "/home/me/a"), ("a/b", "/work/a/b"), ("/x", "/x"), ("~a", "/work/~a")]
        {
            assert_eq!(given.expand(typed), Path::new(path));
            assert_eq!(given.absolute(Path::new(typed)), Path::new(path));
        }
        let homeless = Environment::of(Path::new("/work"), &[]);
        assert_eq!(homeless.expand("~/a"), Path::new("/work/~/a"));
        assert!(homeless.claude_dir().is_none() && homeless.config_file().is_none() && homeless.state_dir().is_none());
    }

    #[test]
    fn the_directories_follow_their_variables() {
        let given = environment(&[]);
        assert_eq!(given.claude_dir(), Some("/home/me/.claude".into()));
        assert_eq!(given.config_file(), Some("/home/me/.config/dreamtop/config.yaml".into()));
        let set =
            environment(&[("CLAUDE_CONFIG_DIR", "~/cafe\u{301}"), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")]);
        assert_eq!(set.claude_dir(), Some("/home/me/caf\u{E9}".into()));
        assert_eq!(set.config_file(), Some("/c/dreamtop/config.yaml".into()));
        assert_eq!(set.state_dir(), Some("/s/dreamtop".into()));
        let relative = environment(&[("XDG_CONFIG_HOME", "c"), ("XDG_STATE_HOME", "s")]);
        assert_eq!((relative.config_file(), relative.state_dir()), (given.config_file(), given.state_dir()));
    }
}
