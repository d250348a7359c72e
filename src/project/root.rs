//! Which store a person means: the order of design 6.

use std::path::PathBuf;

use super::{ClaudeHome, Settings};
use crate::environment::Environment;
use crate::memory::Store;

/// What the command line asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `--project DIR`.
    pub project: Option<PathBuf>,
    /// `--memory-dir DIR`.
    pub memory_dir: Option<PathBuf>,
    /// `--sessions DIR`.
    pub sessions: Option<PathBuf>,
    /// `--claude-dir DIR`.
    pub claude_dir: Option<PathBuf>,
}

/// What decided on the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `--memory-dir`.
    Flag,
    /// `autoMemoryDirectory`.
    Setting,
    /// The slug of the git root (of the main worktree).
    GitRoot,
    /// The slug of the working directory, because only that store exists.
    WorkingDirectory,
}

/// The store to work on and everything about its project.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The store; it need not exist.
    pub store: Store,
    /// What decided it.
    pub decision: Decision,
    /// The project's checkout: the git root, else the working directory. `None` with `--memory-dir` alone when nothing in
    /// the folder's transcripts names a path that exists.
    pub checkout: Option<PathBuf>,
    /// What to call the project on the screen.
    pub title: String,
    /// The directories where its transcripts lie.
    pub sessions: Vec<PathBuf>,
    /// The Claude home, if there is one.
    pub home: Option<ClaudeHome>,
    /// Claude Code's settings.
    pub settings: Settings,
    /// What a person should know.
    pub notices: Vec<String>,
}

/// Why no store could be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChooseError {
    /// Neither `HOME` nor any flag.
    #[error(
        "neither HOME nor CLAUDE_CONFIG_DIR is set; name the memory directory with --memory-dir DIR, or look around in the sample with `dreamtop demo`"
    )]
    NoHome,
    /// A flag names something that is not a directory.
    #[error("{flag} {path}: {why}")]
    BadFlag {
        /// The flag.
        flag: &'static str,
        /// Its value.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// Chooses the store for a request.
///
/// # Errors
/// When there is nothing to choose from.
pub fn choose(request: &Request, environment: &Environment) -> Result<Choice, ChooseError> {
    let _ = (request, environment);
    todo!()
}

/// The choice for a project folder of a Claude home, as the project switcher makes it.
#[must_use]
pub fn choice_of(project: &super::Project, home: &ClaudeHome, environment: &Environment) -> Choice {
    let _ = (project, home, environment);
    todo!()
}

/// The root of the git work tree that holds `dir`, the main one for a linked worktree; `None` outside git. Reads `.git`
/// files itself, runs nothing.
#[must_use]
pub fn git_root(dir: &std::path::Path) -> Option<PathBuf> {
    let _ = dir;
    todo!()
}
