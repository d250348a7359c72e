//! What the records of runs add up to.

use ratatui::text::Line;

use super::wrap;
use crate::run::stats::{Record, Sums};
use crate::text::{count, fit, visible};
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
    let Some(stats) = &state.stats else { return say("Reading the records…", Meaning::Dim) };
    if stats.records.is_empty() {
        return say("No record yet: the first run makes one.", Meaning::Dim);
    }
    let mut lines = Vec::new();
    for (what, sums) in [("Dreams", stats.dream), ("Extractions", stats.extract)] {
        lines.extend(say(what, Meaning::Heading));
        lines.extend(self::sums(sums).iter().flat_map(|text| say(text, Meaning::Text)));
        lines.push(Line::default());
    }
    lines.extend(say("The newest first", Meaning::Heading));
    lines.extend(stats.records.iter().map(|one| record(one, width, theme)));
    lines
}

fn sums(sums: Sums) -> [String; 2] {
    let Sums { fired, completed, failed, skipped, sessions_reviewed, cache_read, cache_created, output } = sums;
    let sessions = count(usize::try_from(sessions_reviewed).unwrap_or(usize::MAX), "session", "sessions");
    [
        format!("  {fired} started · {completed} completed · {failed} failed or killed · {skipped} skipped"),
        format!("  {sessions} reviewed · {output} tokens written · cache {cache_read} read, {cache_created} written"),
    ]
}

fn record(record: &Record, width: usize, theme: Theme) -> Line<'static> {
    let at = record.at.map(moment).unwrap_or_default();
    let meaning = match record.verb() {
        "failed" => Meaning::Bad,
        "completed" => Meaning::Ok,
        "skipped" => Meaning::Dim,
        _ => Meaning::Text,
    };
    let mut text = format!("{at}  {}", visible(&record.event));
    if let Some(hours) = record.hours_since {
        text.push_str(&format!(" · {hours}h since the last success"));
    }
    if let Some(sessions) = record.sessions_since {
        text.push_str(&format!(" · {sessions} sessions since"));
    }
    if let Some(reason) = record.reason.as_deref().filter(|reason| !reason.is_empty()) {
        text.push_str(&format!(" · {}", visible(reason)));
    }
    Line::styled(fit(&text, width).into_owned(), theme.style(meaning))
}
