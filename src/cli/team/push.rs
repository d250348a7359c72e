//! `team push`: send what was changed here.

use super::super::args::TeamPush;
use super::super::context::Context;
use super::super::output::Failure;
use super::{exchange, keep, open};
use crate::team::client::sync::Wish;

/// Sends it.
pub(super) fn run(context: &Context, arguments: &TeamPush) -> Result<u8, Failure> {
    let wish = Wish {
        push: true,
        keep: keep(arguments.keep),
        retry: arguments.retry,
        by: "hand".to_owned(),
        ..Wish::default()
    };
    exchange(context, &open(context)?, &wish)
}
