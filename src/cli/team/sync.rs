//! `team sync`: take what the team changed, then send what was changed here. By hand, or started by a hook.

use super::super::args::TeamSync;
use super::super::context::Context;
use super::super::exit;
use super::super::output::Failure;
use super::{exchange, open, taking};
use crate::team::client::settle::settle;
use crate::team::client::sync::Wish;

/// Does both.
pub(super) fn run(context: &Context, arguments: &TeamSync) -> Result<u8, Failure> {
    let shared = open(context)?;
    if arguments.settle {
        if arguments.trigger != "hand" && !shared.is_due(context.config.team.sync) {
            return Ok(exit::DONE);
        }
        settle(shared.store.root(), &std::thread::sleep);
    }
    let wish = Wish { push: true, retry: arguments.retry, by: arguments.trigger.clone(), ..taking(&arguments.take) };
    exchange(context, &shared, &wish)
}
