//! `kill`: ends a live run. It worked on a copy: before its changes land nothing has changed, and one that got them landed
//! first is told as it ended.

use super::args::Kill;
use super::context::Context;
use super::exit;
use super::output::Failure;
use super::runs;
use crate::run::Outcome;
use crate::run::journal::RunBook;
use crate::run::kill::{self, KillError};
use crate::run::reap;

/// Kills. A beginning of the id will do when it fits one live run only.
pub(super) fn run(context: &Context, arguments: &Kill) -> Result<u8, Failure> {
    reap::reap(&context.state, &context.clock);
    let mut book = RunBook::new(context.state.clone());
    book.refresh()?;
    let fitting: Vec<_> =
        book.runs().iter().filter(|run| run.is_live() && run.id.starts_with(&arguments.run)).collect();
    let id = match fitting.as_slice() {
        [one] => one.id.clone(),
        [] => arguments.run.clone(),
        many => {
            return Err(Failure::usage(format!(
                "{:?} fits {} live runs; write more of the id, see `dreamtop runs`",
                arguments.run,
                many.len()
            )));
        }
    };
    let view = kill::kill(&context.state, &id, &context.clock, "command").map_err(|error| match error {
        KillError::Unknown(_) => Failure::not_found(error),
        KillError::Over(..) => Failure::not_found(error),
        KillError::Io { .. } => Failure::failed(error),
    })?;
    context.output.answer(&view.to_json(), |page| runs::print(page, &view))?;
    if view.outcome != Some(Outcome::Killed) {
        let undo = if view.history.is_some() { format!("; `dreamtop undo {id}` takes it back") } else { String::new() };
        context.output.notice(&format!("{id} ended before the kill reached it{undo}"));
        return Ok(exit::FINDINGS);
    }
    Ok(exit::DONE)
}
