//! Claude Code's own settings, as far as they decide something here.

use std::path::PathBuf;

use crate::environment::Environment;

/// A value and what decided it, in words: `settings.json, autoMemoryEnabled`, `CLAUDE_CODE_DISABLE_AUTO_MEMORY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided<T> {
    /// The value.
    pub value: T,
    /// What decided it.
    pub by: String,
}

/// What the settings and variables say.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether memory is on at all.
    pub auto_memory: Decided<bool>,
    /// `autoDreamEnabled`, when set.
    pub auto_dream: Option<Decided<bool>>,
    /// `autoMemoryDirectory` from user or policy settings.
    pub memory_directory: Option<Decided<PathBuf>>,
    /// Whether the session is remote (`CLAUDE_CODE_REMOTE`).
    pub remote: bool,
    /// Whether Claude Code runs bare (`CLAUDE_CODE_SIMPLE`).
    pub bare: bool,
    /// What a person should know: unreadable settings files, a repository that tries to redirect the memory.
    pub notices: Vec<String>,
}

/// Reads user settings (`<base>/settings.json`), policy settings and, for notices only, the project's. Never fails.
#[must_use]
pub fn read(environment: &Environment, base: Option<&std::path::Path>, project: Option<&std::path::Path>) -> Settings {
    let _ = (environment, base, project);
    todo!()
}
