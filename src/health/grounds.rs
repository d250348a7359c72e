//! What findings are held against besides the store itself.
//!
//! Not its job: looking (see [`super::evidence`] and [`super::documents`]).

use std::path::{Path, PathBuf};

use super::evidence;
use super::recall_use::RecallUse;
use crate::environment::Environment;
use crate::project::{Choice, ClaudeHome};
use crate::state::StateDir;

/// Where evidence comes from. What is missing gives no findings, never wrong ones.
#[derive(Clone, Debug, Default)]
pub struct Grounds {
    /// The project's directory, for drift.
    pub checkout: Option<PathBuf>,
    /// The person's home, for paths with `~`.
    pub home: Option<PathBuf>,
    /// Claude Code's directory, whose CLAUDE.md and rules every session loads.
    pub claude_dir: Option<PathBuf>,
    /// The git program.
    pub git: Option<PathBuf>,
    /// Where answers are kept for the next time.
    pub state: Option<StateDir>,
    /// Which memories sessions used.
    pub recall: Option<RecallUse>,
}

impl Grounds {
    /// Everything there is for a choice.
    #[must_use]
    pub fn of(choice: &Choice, environment: &Environment, state: &StateDir) -> Self {
        let claude = choice.home.as_ref().map(ClaudeHome::base);
        let recall = Some(RecallUse::of(choice, state));
        Self { recall, ..Self::of_project(choice.checkout.as_deref(), claude, environment, state) }
    }

    /// Everything but the sessions, for a project that may be gone.
    #[must_use]
    pub fn of_project(
        checkout: Option<&Path>,
        claude: Option<&Path>,
        environment: &Environment,
        state: &StateDir,
    ) -> Self {
        Self {
            checkout: checkout.filter(|path| path.is_dir()).map(Path::to_owned),
            home: environment.home(),
            claude_dir: claude.map(Path::to_owned),
            git: environment.variable("PATH").and_then(evidence::git::program),
            state: Some(state.clone()),
            recall: None,
        }
    }

    /// A checkout alone.
    #[must_use]
    pub fn at(checkout: &Path) -> Self {
        Self { checkout: Some(checkout.to_owned()), ..Self::default() }
    }

    /// The same with the git program found in a `PATH`.
    #[must_use]
    pub fn with_git(mut self, path: &str) -> Self {
        self.git = evidence::git::program(path);
        self
    }
}
