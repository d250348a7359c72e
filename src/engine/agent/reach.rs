//! What the tools of a run may reach beyond its working copy. Not its job: holding them to it (`tools`, `shell`).

use std::path::PathBuf;

use crate::config::ShellPolicy;

/// What the tools may reach.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Directories that commands may read: the project, its sessions. The working copy always may.
    pub roots: Vec<PathBuf>,
    /// Whether commands may run.
    pub policy: ShellPolicy,
}
