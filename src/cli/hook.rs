//! `hook`: answers an event of Claude Code's. Whatever goes wrong, it ends with 0 and prints nothing: exit code 2 would
//! erase a prompt or keep a session from ending.

use std::ffi::OsString;
use std::io::{IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::args::Global;
use super::context::Context;
use super::exit;
use super::output::{self, Failure};
use crate::config::TeamSync;
use crate::environment::{CHILD, Environment};
use crate::hook::{self, World, input};
use crate::run::launch;
use crate::state::StateDir;

/// Answers the event on stdin.
pub(super) fn run(global: &Global, environment: Environment) -> u8 {
    // What we started ourselves must not start us.
    if environment.switch(CHILD) == Some(true) {
        return exit::DONE;
    }
    if std::io::stdin().is_terminal() {
        return output::report(&Failure::usage(
            "hook reads an event of Claude Code's from stdin, as JSON; Claude Code calls it, docs/hooks.md says how",
        ));
    }
    start_log(&environment);
    // A panic is told in the log, not on the session's terminal.
    std::panic::set_hook(Box::new(|panic| tracing::error!("hook: {panic}")));
    let answered = catch_unwind(AssertUnwindSafe(|| answer(global, environment)));
    if let Ok(Err(error)) = answered {
        tracing::warn!("hook: {error:#}");
    }
    exit::DONE
}

fn answer(global: &Global, environment: Environment) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(input::MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > input::MOST_BYTES {
        anyhow::bail!("the input is larger than {}; nothing was done", crate::text::bytes(input::MOST_BYTES));
    }
    let context = Context::new(global, environment, false).map_err(Failure::into_error)?;
    let world = World {
        engine: context.engine(),
        options: context.worker_settings(),
        executable: std::env::current_exe()?,
        environment: context.environment,
        config: context.config,
        state: context.state,
        clock: context.clock,
        request: context.request,
    };
    if let Some(said) = hook::answer(&bytes, &world).map_err(anyhow::Error::from_boxed)? {
        if !is_heard() {
            anyhow::bail!("nobody takes what is printed, so nothing was given");
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", said.output)
            .and_then(|()| out.flush())
            .map_err(|error| anyhow::anyhow!("nothing was given: cannot print: {error}"))?;
        said.was_taken();
    }
    if world.config.team.sync == TeamSync::AfterLanding {
        share(&bytes, &world)?;
    }
    Ok(())
}

/// Starts a sync of what the turn changed in `memory/team/`, in a process of its own that looks whether there is anything to
/// send, and waits until nobody writes there: the session waits for neither.
fn share(bytes: &[u8], world: &World) -> anyhow::Result<()> {
    let Some((choice, mut arguments)) = hook::ended_turn(bytes, world).map_err(anyhow::Error::from_boxed)? else {
        return Ok(());
    };
    if world.config.team.url.is_some() && choice.store.team().root().is_dir() {
        arguments.extend(["team", "sync", "--settle", "--quiet", "--trigger", "hook"].map(str::to_owned));
        launch::detached(&world.executable, &arguments, &world.environment)?;
    }
    Ok(())
}

/// Whether what is printed goes anywhere: a closed output has become the null device before `main`.
fn is_heard() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let own = std::io::stdout().as_fd().try_clone_to_owned().and_then(|own| std::fs::File::from(own).metadata());
        if let (Ok(own), Ok(null)) = (own, std::fs::metadata("/dev/null")) {
            return own.rdev() != null.rdev();
        }
    }
    true
}

fn start_log(environment: &Environment) {
    if let Some(state) = environment.state_dir() {
        crate::log::start(&StateDir::at(state));
    }
}

/// Whether a command line that cannot be understood was one of a hook's: the first word is the command.
pub(super) fn is_called(typed: &[OsString]) -> bool {
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let command = typed.windows(2).find_map(|pair| match pair {
        [before, word] if !is_option(word) && !is_option(before) => Some(word),
        [before, word] if word == "hook" && is_option(before) => Some(word),
        _ => None,
    });
    !std::io::stdin().is_terminal() && command.is_some_and(|word| word == "hook")
}

/// A command line of another version's, perhaps: the log has it, the session goes on.
pub(super) fn not_understood(error: &clap::Error, environment: &Environment) -> u8 {
    start_log(environment);
    tracing::warn!("hook: the command line is not understood: {error}");
    exit::DONE
}
