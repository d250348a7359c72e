//! `purge`: erases what the history keeps of a file or an entry, for good.

use serde_json::json;

use super::args;
use super::context::Context;
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::change::{Purge, Purged};
use crate::text;

/// Erases, or says what would go.
pub(super) fn run(context: &Context, arguments: &args::Purge) -> Result<u8, Failure> {
    let choice = context.choose()?;
    context.recover(&choice);
    let what = arguments.what.clone().map_or(Purge::All, Purge::Named);
    if !arguments.dry_run && !arguments.yes && context.output.can_ask() {
        let would = context.door().purge(&choice.store, &what, true).map_err(landing::failure)?;
        if !is_meant(context, &would)? {
            context.output.notice("nothing was erased");
            return Ok(exit::FINDINGS);
        }
    }
    let purged = context.door().purge(&choice.store, &what, arguments.dry_run).map_err(landing::failure)?;
    let object = json!({ "purged": purged, "dry_run": arguments.dry_run });
    context.output.answer(&object, |page| {
        if purged.images == 0 && purged.dropped.is_empty() {
            return page.line("the history keeps nothing to erase");
        }
        let (done, dropped) = if arguments.dry_run { ("would erase", "would drop") } else { ("erased", "dropped") };
        let images = text::count(purged.images, "kept content", "kept contents");
        let entries = text::count(purged.entries.len(), "history entry", "history entries");
        page.line(format!("{done} {images} ({}) of {entries}", text::bytes(purged.bytes)))?;
        for file in &purged.files {
            page.line(format!("  {}", text::visible(file)))?;
        }
        for held in &purged.dropped {
            page.line(format!("{dropped} what waits: {}", text::visible(held)))?;
        }
        for file in &purged.still_in_store {
            let file = text::visible(file);
            page.line(page.paint(&format!("{file} itself is as it is: edit or remove it"), Meaning::Warn))?;
        }
        Ok(())
    })?;
    Ok(if purged.images == 0 && purged.dropped.is_empty() { exit::FINDINGS } else { exit::DONE })
}

/// Asks for the number of what goes: nothing brings it back, so a `y` by habit is not enough.
fn is_meant(context: &Context, would: &Purged) -> Result<bool, Failure> {
    let number = would.images + would.dropped.len();
    if number == 0 {
        return Ok(true);
    }
    let files: Vec<_> = would.files.iter().map(|file| text::visible(file)).collect();
    let images = text::count(would.images, "kept content", "kept contents");
    let dropped = match would.dropped.len() {
        0 => String::new(),
        some => format!(" and {some} of what waits"),
    };
    let question = format!(
        "erase {images}{dropped} of {} for good? Nothing brings them back; type {number} to do it: ",
        files.join(", ")
    );
    Ok(context.output.answers(&question)? == number.to_string())
}
