//! What the process was given: variables, home, working directory.
//!
//! Read once in `main` and handed down, so that no test ever touches a real home directory and no module reads
//! `std::env` on its own. Not its job: interpreting the values (see [`crate::config`], [`crate::project`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

    /// Claude Code's configuration directory: `CLAUDE_CONFIG_DIR`, else `~/.claude`. `None` without a home.
    #[must_use]
    pub fn claude_dir(&self) -> Option<PathBuf> {
        self.variable("CLAUDE_CONFIG_DIR").map(|path| self.expand(path)).or_else(|| Some(self.home()?.join(".claude")))
    }

    /// Our configuration file: `$XDG_CONFIG_HOME/dreamtop/config.yaml`, else `~/.config/dreamtop/config.yaml`.
    #[must_use]
    pub fn config_file(&self) -> Option<PathBuf> {
        let base =
            self.variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| Some(self.home()?.join(".config")))?;
        Some(base.join("dreamtop").join("config.yaml"))
    }

    /// Our state directory: `$XDG_STATE_HOME/dreamtop`, else the platform's place. `None` without a home.
    #[must_use]
    pub fn state_dir(&self) -> Option<PathBuf> {
        if let Some(base) = self.variable("XDG_STATE_HOME") {
            return Some(PathBuf::from(base).join("dreamtop"));
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

    /// An absolute path for what a person typed: `~/` is the home, anything relative starts at the working directory.
    #[must_use]
    pub fn expand(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), self.home()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ if path == "~" => self.home().unwrap_or_else(|| PathBuf::from(path)),
            _ => self.current_dir.join(path),
        }
    }
}
