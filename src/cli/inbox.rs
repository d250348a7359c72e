//! `inbox`: changes that wait for a person: list, accept, reject.

use serde_json::json;

use super::args::{Inbox, InboxPick, InboxVerb};
use super::context::Context;
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::change::{HeldChange, InboxEntry};
use crate::text;

/// Lists or decides.
pub(super) fn run(context: &Context, arguments: &Inbox) -> Result<u8, Failure> {
    match &arguments.verb {
        None => list(context),
        Some(InboxVerb::Accept(pick)) => accept(context, pick),
        Some(InboxVerb::Reject(pick)) => reject(context, pick),
    }
}

fn list(context: &Context) -> Result<u8, Failure> {
    let choice = context.choose()?;
    let entries = context.door().inbox(&choice.store).map_err(landing::failure)?;
    let object = json!({ "held": entries.iter().map(entry_json).collect::<Vec<_>>() });
    context.output.answer(&object, |page| {
        if entries.is_empty() {
            return page.line("nothing waits for you");
        }
        for entry in &entries {
            page.line(format!("{}  {}", page.paint(&entry.id, Meaning::Strong), text::visible(&entry.title)))?;
            for change in &entry.changes {
                page.line(format!("  {:<7} {}", change.op.word(), text::visible(&change.file)))?;
                for reason in &change.reasons {
                    page.line(page.paint(&format!("      {}: {}", reason.guard, reason.message), Meaning::Warn))?;
                }
                for line in diff(change).lines() {
                    let meaning = match line.as_bytes().first() {
                        Some(b'+') => Meaning::Good,
                        Some(b'-') => Meaning::Bad,
                        _ => Meaning::Dim,
                    };
                    page.line(format!("      {}", page.paint(line, meaning)))?;
                }
            }
        }
        page.line("accept with `dreamtop inbox accept ID [FILE…]`, drop with `dreamtop inbox reject ID [FILE…]`")
    })?;
    Ok(if entries.is_empty() { exit::DONE } else { exit::PERSON })
}

fn entry_json(entry: &InboxEntry) -> serde_json::Value {
    let changes: Vec<_> = entry
        .changes
        .iter()
        .map(|change| {
            json!({
                "op": change.op,
                "file": change.file,
                "reason": change.rationale.reason,
                "sources": change.rationale.sources,
                "reasons": change.reasons,
                "diff": diff(change),
            })
        })
        .collect();
    json!({ "id": entry.id, "at": entry.at, "origin": entry.origin, "run": entry.run, "title": entry.title, "changes": changes })
}

fn diff(change: &HeldChange) -> String {
    let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let (before, after) = (text(&change.base), text(&change.content));
    similar::TextDiff::from_lines(&before, &after).unified_diff().context_radius(2).to_string()
}

fn accept(context: &Context, pick: &InboxPick) -> Result<u8, Failure> {
    let choice = context.choose()?;
    context.recover(&choice);
    let landed = context.door().accept(&choice.store, &pick.id, &pick.files).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}

fn reject(context: &Context, pick: &InboxPick) -> Result<u8, Failure> {
    let choice = context.choose()?;
    let dropped = context.door().reject(&choice.store, &pick.id, &pick.files).map_err(landing::failure)?;
    context.output.answer(&json!({ "rejected": dropped }), |page| {
        dropped.iter().try_for_each(|file| page.line(format!("rejected {}", text::visible(file))))
    })?;
    Ok(exit::DONE)
}
