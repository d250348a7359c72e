//! `confirm`: memories that were checked and are still true.

use super::args::Confirm;
use super::context::{Context, find_each};
use super::landing;
use super::output::Failure;
use crate::change::{Consent, verdicts};

/// Renews the claims, all or none.
pub(super) fn run(context: &Context, arguments: &Confirm) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let seen = find_each(&snapshot, &arguments.files)?;
    let set = verdicts::still_true(&snapshot, &seen, context.clock.now()).map_err(landing::failure)?;
    let landed = context.door().land(&choice.store, &set, Consent::Person).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}
