//! The worker: one run from start to end, in its own process.

use std::path::PathBuf;

use super::RunView;
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::project::Choice;
use crate::state::StateDir;

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// A dream. `force`: only the lock gate counts.
    Dream {
        /// Skip every gate but the lock.
        force: bool,
    },
    /// An extraction of one transcript from its cursor on.
    Extract {
        /// The transcript.
        transcript: PathBuf,
    },
}

/// A run to be done in this process.
#[derive(Clone, Debug)]
pub struct Order {
    /// The run's id; `None`: a new one.
    pub run: Option<String>,
    /// What to do.
    pub task: Task,
    /// Show what would land, land nothing, leave schedule and cursor as they are.
    pub dry_run: bool,
    /// The engine's word.
    pub engine: String,
    /// What started it: `hand`, `screen`, `hook`.
    pub trigger: String,
    /// The store and its project.
    pub choice: Choice,
    /// The configuration.
    pub config: Config,
}

/// Does a run and returns how it stands at its end. Blocks; makes its own single-threaded runtime; SIGTERM and SIGINT kill
/// the run. Every way out leaves an `ended` event.
///
/// # Errors
/// Only when not even the journal can be written.
pub fn run(order: &Order, state: &StateDir, clock: &Clock, environment: &Environment) -> std::io::Result<RunView> {
    let _ = (order, state, clock, environment);
    todo!()
}
