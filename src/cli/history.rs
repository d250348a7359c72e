//! `history`: what changed the store, newest first.

use serde_json::json;

use super::context::Context;
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::text;

/// Lists.
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    let choice = context.choose()?;
    let history = context.door().history(&choice.store).map_err(landing::failure)?;
    let damage = context.door().history_damage(&choice.store).map_err(landing::failure)?;
    context.output.answer(&json!({ "history": history, "damaged": damage }), |page| {
        if let Some(damage) = &damage {
            page.line(page.paint(&format!("⚠ {}", damage.sentence()), Meaning::Bad))?;
        } else if history.is_empty() {
            return page.line("nothing was changed here by dreamtop yet");
        }
        for entry in &history {
            let at = entry.at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M");
            let undone = match (&entry.undone_by, &entry.undone_in_part_by) {
                (Some(_), _) => page.paint(" undone", Meaning::Dim),
                (None, Some(by)) => page.paint(&format!(" undone in part by {by}"), Meaning::Dim),
                (None, None) => String::new(),
            };
            let id = page.paint(&entry.id, Meaning::Strong);
            page.line(format!("{id}  {at}  {:<7} {}{undone}", entry.origin.word(), text::visible(&entry.title)))?;
            for file in &entry.files {
                let gone = file.not_kept.as_ref().map(|why| format!("  (cannot be restored: {})", text::visible(why)));
                page.line(format!(
                    "    {:<7} {}  {}{}",
                    file.op.word(),
                    text::visible(&file.file),
                    text::visible(&file.rationale.reason),
                    page.paint(&gone.unwrap_or_default(), Meaning::Dim)
                ))?;
            }
        }
        Ok(())
    })?;
    Ok(if history.is_empty() || damage.is_some() { exit::FINDINGS } else { exit::DONE })
}
