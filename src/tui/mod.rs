//! The screen.
//!
//! One loop (`app`) owns the terminal and the [`state::State`]. Whatever happens becomes an [`event::AppEvent`];
//! [`update::update`] is pure and answers with [`effect::Effect`]s; [`effects`] carries those out on other threads;
//! [`view::draw`] reads the state and draws it. Not its job: running engines (a run is a process, see [`crate::run`]) and
//! writing to stores (see [`crate::change`]).

mod app;
mod background;
mod caret;
pub mod command;
mod doubtful;
pub mod effect;
pub mod effects;
pub mod event;
mod external_editor;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod fixture_runs;
pub mod keymap;
mod keys;
pub mod layer;
pub mod layout;
pub mod page;
pub mod sign;
mod signals;
mod sixteen;
pub mod state;
mod terminal;
pub mod theme;
pub mod update;
pub mod view;
mod watch;

use std::path::PathBuf;

use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::project::Choice;
use crate::state::StateDir;

/// What the screen opens on.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store and its project.
    pub choice: Choice,
    /// The configuration; `engine` is the word that counts.
    pub config: Config,
    /// Where it is, or would be.
    pub config_file: Option<PathBuf>,
    /// The engine that `--engine` named, which goes before the configuration's.
    pub engine_flag: Option<String>,
    /// Our state directory.
    pub state: StateDir,
    /// The time.
    pub clock: Clock,
    /// The environment editors and workers are started with.
    pub environment: Environment,
    /// Our own binary, to start workers.
    pub executable: PathBuf,
    /// Whether this is the throw-away copy of the sample.
    pub demo: bool,
    /// The global options workers need.
    pub worker_arguments: Vec<String>,
}

/// Opens the screen and runs it until it is left; the exit code. The terminal is as it was afterwards, whatever happened.
///
/// # Errors
/// When the terminal cannot be taken, read or written.
pub fn run(options: Options) -> std::io::Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(app::run(options));
    // A read that hangs on a dead mount must not keep the program from ending.
    runtime.shutdown_timeout(std::time::Duration::from_millis(100));
    code
}
