//! `team pull`: take what the team changed.

use super::super::args::TeamPull;
use super::super::context::Context;
use super::super::output::Failure;
use super::{exchange, open, taking};

/// Takes it.
pub(super) fn run(context: &Context, arguments: &TeamPull) -> Result<u8, Failure> {
    exchange(context, &open(context)?, &taking(&arguments.take))
}
