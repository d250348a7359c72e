//! What a memory owes to which landing: the part of `show` that says which run made it and which changed it last.

use serde::Serialize;

use super::context::Context;
use super::output::{Meaning, Page};
use crate::change::{Debt, HistoryEntry, Origin};
use crate::memory::Store;
use crate::text;

/// What landed it: the entries of the history that made it and last changed it.
#[derive(Debug, Serialize)]
pub(super) struct Owes {
    created: Option<Landed>,
    changed: Option<Landed>,
}

/// One of them.
#[derive(Debug, Serialize)]
struct Landed {
    history: String,
    run: Option<String>,
    origin: Origin,
    at: chrono::DateTime<chrono::Utc>,
    reason: String,
}

impl Landed {
    fn of(entry: &HistoryEntry, file: &str) -> Self {
        let reason =
            entry.files.iter().find(|changed| changed.file == file).map(|changed| changed.rationale.reason.clone());
        Self {
            history: entry.id.clone(),
            run: entry.run.clone(),
            origin: entry.origin,
            at: entry.at,
            reason: reason.unwrap_or_default(),
        }
    }

    /// `Changed by dream-… (dream, 2026-11-30 09:00): merged into b.md`.
    fn line(&self, verb: &str) -> String {
        let by = self.run.as_deref().unwrap_or(&self.history);
        let at = self.at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M");
        let reason = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{verb} by {by} ({}, {at}){reason}", self.origin.word())
    }
}

impl Owes {
    /// What a file owes. A history that cannot be read costs its line, not the memory.
    pub(super) fn of(context: &Context, store: &Store, file: &str) -> Self {
        let history = context.door().history(store).unwrap_or_default();
        let debt = Debt::of(&history, file);
        let landed = |entry: Option<&HistoryEntry>| entry.map(|entry| Landed::of(entry, file));
        Self { created: landed(debt.created), changed: landed(debt.changed) }
    }

    /// A line each.
    pub(super) fn print(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for (landed, verb) in [(&self.created, "Made"), (&self.changed, "Changed")] {
            if let Some(landed) = landed {
                page.line(page.paint(&text::visible(&landed.line(verb)), Meaning::Dim))?;
            }
        }
        Ok(())
    }
}
