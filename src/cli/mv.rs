//! `mv`: another file name for a memory; links and index follow.

use super::args::Mv;
use super::context::{Context, find};
use super::landing;
use super::output::Failure;
use crate::change::{Consent, verbs};
use crate::memory::names::is_markdown;

/// Renames.
pub(super) fn run(context: &Context, arguments: &Mv) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let from = find(&snapshot, &arguments.from)?.file.clone();
    let to = if is_markdown(&arguments.to) { arguments.to.clone() } else { format!("{}.md", arguments.to) };
    let set = verbs::rename(&snapshot, &from, &to).map_err(landing::failure)?;
    let landed = context.door().land(&choice.store, &set, Consent::Person).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}
