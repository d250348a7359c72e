//! What a held or landed change says: who wants it, why, on what evidence, and the difference it makes.

use ratatui::text::Line;

use super::wrap;
use crate::change::{HeldChange, HistoryEntry, HistoryFile, InboxEntry, Rationale};
use crate::text::{count, visible};
use crate::tui::layer::run::Images;
use crate::tui::theme::{Meaning, Theme};
use crate::tui::view::diff;

/// The moment of an entry as people write it, in their own time zone.
#[must_use]
pub fn moment(at: chrono::DateTime<chrono::Utc>) -> String {
    at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M").to_string()
}

struct Text {
    lines: Vec<Line<'static>>,
    width: usize,
    theme: Theme,
}

impl Text {
    fn new(width: usize, theme: Theme) -> Self {
        Self { lines: Vec::new(), width, theme }
    }

    fn say(&mut self, text: &str, meaning: Meaning) {
        let style = self.theme.style(meaning);
        for line in text.lines() {
            self.lines.extend(wrap(&visible(line), self.width).into_iter().map(|row| Line::styled(row, style)));
        }
    }

    fn gap(&mut self) {
        self.lines.push(Line::default());
    }

    fn rationale(&mut self, rationale: &Rationale) {
        self.say(&rationale.reason, Meaning::Text);
        for source in &rationale.sources {
            let mut place = source.session.clone().unwrap_or_else(|| "a session".to_owned());
            if let Some(line) = source.line {
                place.push_str(&format!(", line {line}"));
            }
            self.say(&format!("from {place}"), Meaning::Dim);
            if let Some(quote) = &source.quote {
                self.say(&format!("“{quote}”"), Meaning::Dim);
            }
        }
    }
}

/// An entry of the inbox as a whole.
#[must_use]
pub fn inbox_entry(entry: &InboxEntry, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut text = Text::new(width, theme);
    text.say(&entry.title, Meaning::Heading);
    text.say(&format!("{} · {}", entry.origin.word(), moment(entry.at)), Meaning::Dim);
    text.say(&format!("{} for you", count(entry.waiting(), "change waits", "changes wait")), Meaning::Text);
    for change in &entry.changes {
        text.gap();
        text.say(&format!("{} {}", change.op.word(), change.file), Meaning::Accent);
        reasons(&mut text, change);
    }
    text.lines
}

fn reasons(text: &mut Text, change: &HeldChange) {
    for reason in &change.reasons {
        text.say(&format!("⚠ {}: {}", reason.guard, reason.message), Meaning::Warn);
    }
}

/// A held change: why it waits, why it is wanted, what it would do.
#[must_use]
pub fn held_change(change: &HeldChange, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut text = Text::new(width, theme);
    let (base, content) = (change.base.as_deref(), change.content.as_deref());
    text.say(&format!("{} {} · {}", change.op.word(), change.file, lines(base, content)), Meaning::Heading);
    reasons(&mut text, change);
    text.rationale(&change.rationale);
    text.gap();
    text.lines.extend(diff::rows(base, content, width, theme));
    text.lines
}

/// An entry of the history as a whole.
#[must_use]
pub fn history_entry(entry: &HistoryEntry, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut text = Text::new(width, theme);
    text.say(&entry.title, Meaning::Heading);
    let run = entry.run.as_ref().map(|run| format!(" · run {run}")).unwrap_or_default();
    text.say(&format!("{} · {}{run}", entry.origin.word(), moment(entry.at)), Meaning::Dim);
    if entry.undone_by.is_some() {
        text.say("taken back", Meaning::Warn);
    } else if entry.undone_in_part_by.is_some() {
        text.say("taken back in part: the rest had changed since and was left as it is", Meaning::Warn);
    }
    for file in &entry.files {
        text.gap();
        text.say(&format!("{} {}", file.op.word(), file.file), Meaning::Accent);
        text.rationale(&file.rationale);
    }
    text.lines
}

/// One file of a landing. `images`: the contents, once they were read.
#[must_use]
pub fn history_file(
    file: &HistoryFile,
    images: Option<&Result<Images, String>>,
    width: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let mut text = Text::new(width, theme);
    text.say(&format!("{} {}", file.op.word(), file.file), Meaning::Heading);
    text.rationale(&file.rationale);
    text.gap();
    match images {
        None => text.say("reading…", Meaning::Dim),
        Some(Err(error)) => text.say(error, Meaning::Bad),
        Some(Ok((before, after))) => {
            text.say(&lines(before.as_deref(), after.as_deref()), Meaning::Dim);
            text.lines.extend(diff::rows(before.as_deref(), after.as_deref(), width, theme));
        }
    }
    text.lines
}

/// `+3 −1 lines`.
fn lines(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let (added, removed) = diff::figures(before, after);
    format!("+{added} −{removed} lines")
}
