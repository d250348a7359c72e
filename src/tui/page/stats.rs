//! What the records of runs add up to.

use ratatui::text::Line;

use super::wrap;
use crate::run::records::{Happened, RunRecord};
use crate::text::{count, figure, fit, visible};
use crate::tui::page::moment;
use crate::tui::state::State;
use crate::tui::theme::{Meaning, Theme};

/// The rows, none wider than `width`.
#[must_use]
pub fn stats(state: &State, width: usize) -> Vec<Line<'static>> {
    let theme = state.theme;
    let say = |text: &str, meaning: Meaning| -> Vec<Line<'static>> {
        wrap(text, width).into_iter().map(|row| Line::styled(row, theme.style(meaning))).collect()
    };
    let stats = match &state.stats {
        None => return say("Reading the records…", Meaning::Dim),
        Some(Err(error)) => return say(&visible(error), Meaning::Bad),
        Some(Ok(ledger)) => ledger,
    };
    if stats.records.is_empty() {
        return say("No record yet: the first run makes one.", Meaning::Dim);
    }
    let mut lines = Vec::new();
    for (what, stats) in [("Dreams", &stats.stats.dream), ("Extractions", &stats.stats.extract)] {
        lines.extend(say(what, Meaning::Heading));
        lines.extend(
            stats.all.sentences(stats.unfinished).iter().flat_map(|text| say(&format!("  {text}"), Meaning::Text)),
        );
        lines.extend(say(&format!("  last seven days: {}", stats.week.sentences(0)[0]), Meaning::Text));
        for by in &stats.skipped_by {
            lines.extend(say(&format!("    {} × {}", figure(by.count), visible(&by.latest)), Meaning::Dim));
        }
        lines.push(Line::default());
    }
    lines.extend(say("The newest first", Meaning::Heading));
    lines.extend(stats.records.iter().map(|one| record(one, width, theme)));
    lines
}

fn record(record: &RunRecord, width: usize, theme: Theme) -> Line<'static> {
    let at = moment(record.at);
    let meaning = match record.happened() {
        Some(Happened::Failed) => Meaning::Bad,
        Some(Happened::Completed) => Meaning::Ok,
        Some(Happened::Skipped | Happened::Coalesced) => Meaning::Dim,
        _ => Meaning::Text,
    };
    let mut text = format!("{at}  {}", record.words());
    if let Some(hours) = record.hours_since {
        text.push_str(&format!(" · {hours}h since the last success"));
    }
    if let Some(sessions) = record.sessions_since {
        text.push_str(&format!(" · {} since", count(sessions, "session", "sessions")));
    }
    if !record.reason.is_empty() {
        text.push_str(&format!(" · {}", visible(&record.reason)));
    }
    Line::styled(fit(&text, width).into_owned(), theme.style(meaning))
}
