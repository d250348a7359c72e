//! Opening the screen: what it is opened on, and how it is left. Drawing it is `crate::tui`'s.

use std::io::IsTerminal;
use std::path::PathBuf;

use super::context::Context;
use super::exit;
use super::output::{self, Failure};
use super::sample::Demo;
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::project::Choice;
use crate::state::StateDir;

/// Everything the screen needs to open.
#[derive(Debug)]
pub struct Screen {
    /// The store and its project.
    pub choice: Choice,
    /// The configuration, with the engine's word as the options have it.
    pub config: Config,
    /// Where the configuration is, or would be.
    pub config_file: Option<PathBuf>,
    /// The engine that `--engine` named.
    pub engine_flag: Option<String>,
    /// Our state directory.
    pub state: StateDir,
    /// The time.
    pub clock: Clock,
    /// The environment workers are started with.
    pub environment: Environment,
    /// Our own binary, to start workers.
    pub executable: PathBuf,
    /// The global options workers need.
    pub worker_arguments: Vec<String>,
    /// The throw-away copy of the sample, which lives as long as the screen.
    pub demo: Option<Demo>,
}

/// The screen on the store that is meant.
pub(super) fn open(context: &Context) -> Result<Screen, Failure> {
    require_terminal("list the memories without one: `dreamtop ls`")?;
    let choice = context.choose()?;
    on(context, choice, None)
}

/// The screen on a chosen store.
pub(super) fn on(context: &Context, choice: Choice, demo: Option<Demo>) -> Result<Screen, Failure> {
    let engine = context.engine();
    // A word that was typed is put right now. What the configuration says is no reason to show nothing: a run that cannot
    // begin says why.
    if context.global.engine.is_some() {
        crate::engine::by_name(&engine, &context.config, &context.environment).map_err(Failure::usage)?;
    }
    Ok(Screen {
        choice,
        config: Config { engine, ..context.config.clone() },
        config_file: context.config_file(),
        engine_flag: context.global.engine.clone(),
        state: context.state.clone(),
        clock: context.clock.clone(),
        environment: context.environment.clone(),
        executable: std::env::current_exe()?,
        worker_arguments: context.worker_arguments(),
        demo,
    })
}

/// A failure unless both ends are a terminal.
pub(super) fn require_terminal(instead: &str) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::usage(format!("the screen needs a terminal; {instead}")))
}

/// The exit code after the screen was left; a failure is said now that the terminal is back.
#[must_use]
pub fn finish(screen: &Screen, left: std::io::Result<u8>) -> u8 {
    if let Some(demo) = &screen.demo {
        demo.end(&screen.state, &screen.clock);
    }
    match left {
        Ok(code) => code,
        Err(error) => output::report(&Failure::failed(error)).max(exit::FAILED),
    }
}
