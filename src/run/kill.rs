//! Killing a run: ask the worker, then end its process group.

use super::RunView;
use crate::state::StateDir;

/// Why a run could not be killed.
#[derive(Debug, thiserror::Error)]
pub enum KillError {
    /// No run of that id.
    #[error("there is no run {0:?}; see `dreamtop runs`")]
    Unknown(String),
    /// It is over.
    #[error("run {0} is over: {1}")]
    Over(String, String),
    /// The operating system refuses.
    #[error("cannot kill run {run} (process {pid}): {source}")]
    Io {
        /// The run.
        run: String,
        /// Its process.
        pid: u32,
        /// The operating system's words.
        source: std::io::Error,
    },
}

/// Kills a live run: SIGTERM to the worker, after 2 s SIGKILL to its process group, then cleans up what the dead worker
/// could not (working copy, lock, `ended` event). Blocks up to about 3 s. Returns the run as it ended.
///
/// # Errors
/// When there is no such live run or it cannot be killed.
pub fn kill(state: &StateDir, run: &str, clock: &crate::clock::Clock) -> Result<RunView, KillError> {
    let _ = (state, run, clock);
    todo!()
}
