//! `context`: the memory section a session of this project starts with.

use super::context::Context;
use super::exit;
use super::output::Failure;
use crate::recall::prompt::section;

/// Prints it. An empty store still has instructions; only a missing one is "nothing found".
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    let (_, snapshot) = context.scan()?;
    let section = section(&snapshot);
    context.output.answer(&section, |page| page.text(&section.text, ""))?;
    Ok(if snapshot.memories.is_empty() && !snapshot.has_index { exit::FINDINGS } else { exit::DONE })
}
