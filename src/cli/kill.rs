//! `kill`: ends a live run; because it worked on a copy, nothing was changed.

use super::args::Kill;
use super::context::Context;
use super::exit;
use super::output::Failure;
use super::runs;
use crate::run::journal::RunBook;
use crate::run::kill::{self, KillError};

/// Kills. A beginning of the id will do when it fits one live run only.
pub(super) fn run(context: &Context, arguments: &Kill) -> Result<u8, Failure> {
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
    let view = kill::kill(&context.state, &id, &context.clock).map_err(|error| match error {
        KillError::Unknown(_) => Failure::not_found(error),
        KillError::Over(..) => Failure::not_found(error),
        KillError::Io { .. } => Failure::failed(error),
    })?;
    context.output.answer(&view.to_json(), |page| runs::print(page, &view))?;
    Ok(exit::DONE)
}
