//! `show`: one memory, whole.

use serde::Serialize;

use super::args::Show;
use super::context::{Context, find, read_topic};
use super::output::{Failure, Meaning};
use super::row::Row;
use super::{exit, row};
use crate::change::{Debt, HistoryEntry, Origin};
use crate::health;
use crate::memory::freshness;
use crate::text;
use crate::project::origin::{Whereabouts, whereabouts};

/// The JSON: the `ls` row plus body, origin and evidence.
#[derive(Debug, Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    body: String,
    origin: Option<&'a str>,
    source: Option<&'static str>,
    evidence: Vec<health::Finding>,
    owes: Owes,
}

/// What landed it: the entries of the history that made it and last changed it.
#[derive(Debug, Serialize)]
struct Owes {
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
        let reason = entry.files.iter().find(|changed| changed.file == file).map(|changed| changed.rationale.reason.clone());
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

/// Shows.
pub(super) fn run(context: &Context, arguments: &Show) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let memory = find(&snapshot, &arguments.file)?;
    let topic = read_topic(&snapshot, &memory.file)?;
    let evidence = health::check_memory(&snapshot, memory, choice.checkout.as_deref());
    let origin = memory.origin_session.as_deref();
    let (source, said) = match origin.map(|id| whereabouts(&choice, id)) {
        Some(Whereabouts::Here(_)) => (Some("here"), String::new()),
        Some(Whereabouts::Elsewhere(path)) => (Some("elsewhere"), format!(", which lies in {}", path.display())),
        Some(Whereabouts::Gone) => (Some("gone"), " (source no longer on disk)".to_owned()),
        None => (None, String::new()),
    };
    // A history that cannot be read costs its line, not the memory.
    let history = context.door().history(&choice.store).unwrap_or_default();
    let debt = Debt::of(&history, &memory.file);
    let landed = |entry: Option<&HistoryEntry>| entry.map(|entry| Landed::of(entry, &memory.file));
    let owes = Owes { created: landed(debt.created), changed: landed(debt.changed) };
    let whole = Whole { row: Row::from(memory), body: topic.body(), origin, source, evidence, owes };
    context.output.answer(&whole, |page| {
        row::print(page, &whole.row)?;
        let note = freshness::note(memory.age_days);
        if !note.is_empty() {
            page.line(page.paint(&note, Meaning::Dim))?;
        }
        page.line("")?;
        page.text(&whole.body, "")?;
        if let Some(origin) = whole.origin {
            page.line(page.paint(&format!("From session {origin}{said}"), Meaning::Dim))?;
        }
        for (landed, verb) in [(&whole.owes.created, "Made"), (&whole.owes.changed, "Changed")] {
            if let Some(landed) = landed {
                page.line(page.paint(&text::visible(&landed.line(verb)), Meaning::Dim))?;
            }
        }
        for finding in
            whole.evidence.iter().filter(|finding| !memory.problems.iter().any(|known| known.code == finding.code))
        {
            page.line(page.paint(&format!("⚠ {}: {}", finding.code, finding.message), Meaning::Warn))?;
        }
        Ok(())
    })?;
    Ok(exit::DONE)
}
