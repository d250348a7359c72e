//! The page about one held file: why it waits, why it is wanted, its hunks, its sources, what would be lost.

use ratatui::text::{Line, Span};

use super::wrap;
use crate::change::{Account, Disk, Hunk, IndexLines, Loss, Source, hunks};
use crate::memory::INDEX_FILE;
use crate::text::{count, fit, visible};
use crate::tui::layer::review::{ReviewScreen, Verdict};
use crate::tui::theme::{Meaning, Theme};
use crate::tui::view::diff;

/// Unchanged lines shown around a hunk.
const CONTEXT: usize = 2;

/// Lines of one hunk that are shown.
const MOST_LINES: usize = 2_000;

/// The page, and where on it the hunks and the sources begin.
#[derive(Debug, Default)]
pub struct ReviewPage {
    /// The rows.
    pub lines: Vec<Line<'static>>,
    /// The first row of each hunk.
    pub hunk_rows: Vec<usize>,
    /// The first row of each source.
    pub source_rows: Vec<usize>,
}

/// The page about the file under the cursor of a review.
#[must_use]
pub fn review(screen: &ReviewScreen, width: usize, theme: Theme) -> ReviewPage {
    let mut writer = Writer { page: ReviewPage::default(), width: width.max(1), theme };
    let (Some(change), Some(file)) = (screen.change(), screen.file()) else { return writer.page };
    let (own, seen) = match screen.verdict() {
        Some(Verdict::Edited { text, base }) => (Some(text), base.as_deref()),
        _ => (None, None),
    };
    let base = seen.or(change.base.as_deref()).unwrap_or_default();
    let content = own.map(Vec::as_slice).or(change.content.as_deref()).unwrap_or_default();
    let found = match own {
        Some(text) => hunks::between(base, text),
        None => file.hunks.clone(),
    };
    let (removed, added): (usize, usize) =
        found.iter().fold((0, 0), |(removed, added), hunk| (removed + hunk.base.len(), added + hunk.proposed.len()));
    let what = if own.is_some() { "your version" } else { change.op.word() };
    writer.say(&format!("{what} · {} · +{added} −{removed} lines", change.file), Meaning::Heading);
    writer.say(verdict_words(screen), verdict_meaning(screen.verdict()));
    if file.disk != Disk::Same && seen.is_none() {
        writer.say(&format!("⚠ {}", file.disk.sentence(change.op)), Meaning::Warn);
    }
    for reason in &change.reasons {
        writer.say(&format!("⚠ {}: {}", reason.guard, reason.message), Meaning::Warn);
    }
    if change.file == INDEX_FILE {
        writer.say("a line about a file that waits lands with that file", Meaning::Dim);
    }
    writer.gap();
    writer.hunks(screen, &found, base, content);
    writer.index(&file.index);
    if !change.rationale.reason.is_empty() {
        writer.gap();
        writer.say(&format!("Why: {}", change.rationale.reason), Meaning::Text);
    }
    for (at, source) in change.rationale.sources.iter().enumerate() {
        writer.source(source, screen.source == Some(at));
    }
    for other in &file.with {
        writer.say(&format!("lands together with {other}: one says what the other takes away"), Meaning::Dim);
    }
    writer.losses(&file.losses);
    writer.page
}

/// What was decided about the file under the cursor, in words.
fn verdict_words(screen: &ReviewScreen) -> &'static str {
    match screen.verdict() {
        None => "undecided: it goes on waiting",
        Some(Verdict::Accepted) => "✓ accepted",
        Some(Verdict::Hunks(_)) => "◐ the marked hunks are accepted, the others go on waiting",
        Some(Verdict::Edited { .. }) => "✓ accepted in your version",
        Some(Verdict::Rejected) => "✗ rejected: it will be dropped",
    }
}

/// How a verdict is meant.
#[must_use]
pub const fn verdict_meaning(verdict: Option<&Verdict>) -> Meaning {
    match verdict {
        None => Meaning::Dim,
        Some(Verdict::Accepted | Verdict::Edited { .. }) => Meaning::Ok,
        Some(Verdict::Hunks(_)) => Meaning::Accent,
        Some(Verdict::Rejected) => Meaning::Bad,
    }
}

/// The mark of a verdict in a list.
#[must_use]
pub const fn verdict_sign(verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        None => "·",
        Some(Verdict::Accepted) => "✓",
        Some(Verdict::Edited { .. }) => "e",
        Some(Verdict::Hunks(_)) => "◐",
        Some(Verdict::Rejected) => "✗",
    }
}

struct Writer {
    page: ReviewPage,
    width: usize,
    theme: Theme,
}

impl Writer {
    fn say(&mut self, text: &str, meaning: Meaning) {
        let style = self.theme.style(meaning);
        let rows = wrap(text, self.width).into_iter().map(|row| Line::styled(row, style));
        self.page.lines.extend(rows);
    }

    fn gap(&mut self) {
        self.page.lines.push(Line::default());
    }

    fn hunks(&mut self, screen: &ReviewScreen, found: &[Hunk], base: &[u8], content: &[u8]) {
        let (old, new) = (String::from_utf8_lossy(base).into_owned(), String::from_utf8_lossy(content).into_owned());
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        if found.is_empty() {
            self.say("no difference", Meaning::Dim);
        }
        let mut shown = 0;
        for (at, hunk) in found.iter().enumerate() {
            let before = hunk.base.start.saturating_sub(CONTEXT).max(shown);
            if before > shown && at > 0 {
                self.say("⋯", Meaning::Dim);
            }
            self.context(old.get(before..hunk.base.start));
            self.page.hunk_rows.push(self.page.lines.len());
            self.heading(screen, at, found.len(), hunk);
            let first = |lines: Option<&[&str]>| -> Vec<String> {
                lines.unwrap_or_default().iter().take(MOST_LINES).map(|line| (*line).to_owned()).collect()
            };
            let (removed, added) = (first(old.get(hunk.base.clone())), first(new.get(hunk.proposed.clone())));
            self.page.lines.extend(diff::hunk_rows(&removed, &added, self.width, self.theme));
            if hunk.base.len().max(hunk.proposed.len()) > MOST_LINES {
                self.say("… more lines not shown", Meaning::Dim);
            }
            let next = found.get(at + 1).map_or(old.len(), |next| next.base.start);
            shown = (hunk.base.end + CONTEXT).min(next);
            self.context(old.get(hunk.base.end..shown));
        }
    }

    /// The lines of the index that come and go with the file.
    fn index(&mut self, lines: &IndexLines) {
        if !lines.is_empty() {
            self.say(&format!("with it, in {INDEX_FILE}"), Meaning::Accent);
            self.page.lines.extend(diff::hunk_rows(&lines.removed, &lines.added, self.width, self.theme));
        }
    }

    fn context(&mut self, lines: Option<&[&str]>) {
        self.page.lines.extend(diff::context_rows(lines.unwrap_or_default(), self.width, self.theme));
    }

    /// `▸ [x] hunk 2 of 5  +3 −1`.
    fn heading(&mut self, screen: &ReviewScreen, at: usize, of: usize, hunk: &Hunk) {
        let is_here = at == screen.hunk && screen.source.is_none() && screen.hunk_count() > 0;
        let cursor = if is_here { "▸" } else { " " };
        let taken = match screen.verdict() {
            Some(Verdict::Edited { .. }) => "",
            _ if screen.is_taken(at + 1) => "[x] ",
            _ => "[ ] ",
        };
        let figures = format!("+{} −{}", hunk.proposed.len(), hunk.base.len());
        let text = format!("{cursor}{taken}hunk {} of {of}  {figures}", at + 1);
        let meaning = if is_here { Meaning::Selection } else { Meaning::Accent };
        let text = fit(&text, self.width).into_owned();
        self.page.lines.push(Line::styled(text, self.theme.style(meaning)));
    }

    fn source(&mut self, source: &Source, is_here: bool) {
        self.page.source_rows.push(self.page.lines.len());
        let cursor = if is_here { "▸" } else { " " };
        let session = source.session.as_deref().map_or_else(|| "a session".into(), visible);
        let line = source.line.map(|line| format!(", line {line}")).unwrap_or_default();
        let meaning = if is_here { Meaning::Selection } else { Meaning::Link };
        let text = fit(&format!("{cursor}from {session}{line}"), self.width).into_owned();
        self.page.lines.push(Line::styled(text, self.theme.style(meaning)));
        if let Some(quote) = &source.quote {
            for row in wrap(&format!("“{quote}”"), self.width.saturating_sub(2)) {
                self.page.lines.push(Line::styled(format!("  {row}"), self.theme.style(Meaning::Text)));
            }
        }
    }

    /// Sentences that go, those without an account first.
    fn losses(&mut self, losses: &[Loss]) {
        if losses.is_empty() {
            return;
        }
        self.gap();
        self.say(&format!("{} would go:", count(losses.len(), "sentence", "sentences")), Meaning::Heading);
        let unexplained = |loss: &&Loss| loss.account == Account::Unexplained;
        let (first, rest): (Vec<&Loss>, Vec<&Loss>) = losses.iter().partition(unexplained);
        for loss in first.into_iter().chain(rest) {
            let (sign, meaning) =
                if loss.account == Account::Unexplained { ("⚠", Meaning::Warn) } else { ("·", Meaning::Dim) };
            let word = if loss.account == Account::Unexplained { "lost" } else { loss.account.word() };
            let into = loss.into.as_ref().map(|into| format!(" ({into})")).unwrap_or_default();
            let rows = wrap(&format!("{word}{into}: “{}”", loss.sentence), self.width.saturating_sub(2));
            for (at, row) in rows.into_iter().enumerate() {
                let lead = if at == 0 { sign } else { " " };
                let style = self.theme.style(meaning);
                self.page
                    .lines
                    .push(Line::from(vec![Span::styled(format!("{lead} "), style), Span::styled(row, style)]));
            }
        }
    }
}
