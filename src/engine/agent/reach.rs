//! What the tools of a run may reach beyond its working copy. Not its job: holding them to it (`tools`, `shell`).

use std::path::{Path, PathBuf};

use crate::config::{Config, ShellPolicy};
use crate::environment::Environment;
use crate::secret::place::holds_secrets;

/// What the tools may reach.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Directories that commands may read: the project, its sessions. The working copy always may.
    pub roots: Vec<PathBuf>,
    /// Whether commands may run.
    pub policy: ShellPolicy,
    /// Files that are known to hold a credential although their names say nothing, as they are named and where they really
    /// lie.
    pub closed: Vec<PathBuf>,
}

impl Reach {
    /// What the tools of a run may reach: not the files that the configuration names for keys and tokens.
    #[must_use]
    pub fn of(roots: Vec<PathBuf>, config: &Config, environment: &Environment) -> Self {
        let named =
            [&config.models.anthropic.api_key_file, &config.models.openai.api_key_file, &config.team.token_file];
        let named = named.into_iter().flatten().map(|file| environment.expand(file));
        let closed = named.flat_map(|file| [file.canonicalize().ok(), Some(file)]).flatten().collect();
        Self { roots, policy: config.bash, closed }
    }

    /// Whether a path is one where credentials lie: by its name, or because the configuration says so.
    #[must_use]
    pub fn is_closed(&self, path: &Path) -> bool {
        holds_secrets(path) || self.closed.iter().any(|file| file == path)
    }
}
