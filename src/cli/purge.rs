//! `purge`: erases what the history keeps of a file or an entry, for good.

use serde_json::json;

use super::args;
use super::context::Context;
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::change::Purge;
use crate::text;

/// Erases, or says what would go.
pub(super) fn run(context: &Context, arguments: &args::Purge) -> Result<u8, Failure> {
    let choice = context.choose()?;
    context.recover(&choice);
    let what = arguments.what.clone().map_or(Purge::All, Purge::Named);
    let purged = context.door().purge(&choice.store, &what, arguments.dry_run).map_err(landing::failure)?;
    let object = json!({ "purged": purged, "dry_run": arguments.dry_run });
    context.output.answer(&object, |page| {
        if purged.images == 0 && purged.entries.is_empty() {
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
            page.line(format!("{dropped} from the inbox: {}", text::visible(held)))?;
        }
        for file in &purged.still_in_store {
            let file = text::visible(file);
            page.line(page.paint(&format!("{file} itself is as it is: edit or remove it"), Meaning::Warn))?;
        }
        Ok(())
    })?;
    Ok(if purged.images == 0 && purged.entries.is_empty() { exit::FINDINGS } else { exit::DONE })
}
