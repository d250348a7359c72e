//! `team sync`: take what the team changed, then send what was changed here. By hand, or started by a hook.

use super::super::args::TeamSync;
use super::super::context::Context;
use super::super::exit;
use super::super::output::Failure;
use super::{Shared, taking};
use crate::team::client::settle::settle;
use crate::team::client::status::is_due;
use crate::team::client::sync::Wish;

/// Does both.
pub(super) fn run(context: &Context, arguments: &TeamSync) -> Result<u8, Failure> {
    let shared = Shared::open(context)?;
    if arguments.settle {
        if arguments.trigger != "hand"
            && !is_due(&shared.choice, &context.config.team, &context.environment, &context.state)
        {
            return Ok(exit::DONE);
        }
        settle(shared.choice.store.root(), &std::thread::sleep);
    }
    let wish = Wish { push: true, retry: arguments.retry, by: arguments.trigger.clone(), ..taking(&arguments.take) };
    shared.sync(context, &wish)
}
