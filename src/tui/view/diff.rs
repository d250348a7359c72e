//! What changed between two contents, line by line, with the changed words marked.
//!
//! Signs as well as colours: `+` and `-` stand before each line. Not its job: where the contents come from.

use std::ops::Range;
use std::time::Duration;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use similar::DiffOp;

use super::wrap::Wrapper;
use crate::difference;
use crate::text::visible;
use crate::tui::theme::{Meaning, Theme};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 2;

/// A diff of huge contents is cut after this many rows, and says so.
const MAX_ROWS: usize = 5_000;

/// Finding the shortest diff of huge contents is given up after this long for one that is merely right.
const PATIENCE: Duration = Duration::from_millis(150);

/// Words are compared only in lines up to this many bytes.
const WORDS_UP_TO: usize = 4_000;

/// The rows of a diff, none wider than `width`. `None` is a file that is not there.
pub(in crate::tui) fn rows(
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    width: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let old = String::from_utf8_lossy(before.unwrap_or_default());
    let new = String::from_utf8_lossy(after.unwrap_or_default());
    let mut page = Page { rows: Vec::new(), width, theme };
    match (before, after) {
        (None, None) => page.note("not there, before and after"),
        _ if before == after => page.note("no difference"),
        _ if before.unwrap_or_default() == after.unwrap_or_default() => page.note("an empty file"),
        _ => page.compare(&old, &new),
    }
    page.rows
}

/// The rows of one hunk: the lines that go, the lines that come, and which words differ.
pub(in crate::tui) fn hunk_rows(
    removed: &[String],
    added: &[String],
    width: usize,
    theme: Theme,
) -> Vec<Line<'static>> {
    let mut page = Page { rows: Vec::new(), width, theme };
    let (removed, added): (Vec<&str>, Vec<&str>) =
        (removed.iter().map(String::as_str).collect(), added.iter().map(String::as_str).collect());
    if removed.len() == added.len() {
        page.pairs(&removed, &added);
    } else {
        removed.iter().for_each(|line| page.plain('-', line));
        added.iter().for_each(|line| page.plain('+', line));
    }
    page.rows
}

/// The rows of lines that stay.
pub(in crate::tui) fn context_rows(lines: &[&str], width: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut page = Page { rows: Vec::new(), width, theme };
    lines.iter().for_each(|line| page.plain(' ', line));
    page.rows
}

/// How many lines a diff adds and removes.
pub(in crate::tui) fn figures(before: Option<&[u8]>, after: Option<&[u8]>) -> (usize, usize) {
    let old = String::from_utf8_lossy(before.unwrap_or_default());
    let new = String::from_utf8_lossy(after.unwrap_or_default());
    let operations = difference::within(PATIENCE, &lines(&old), &lines(&new));
    operations
        .iter()
        .filter(|one| !matches!(one, DiffOp::Equal { .. }))
        .fold((0, 0), |(added, removed), one| (added + one.new_range().len(), removed + one.old_range().len()))
}

/// The lines of a text with their endings.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The words of a line and what stands between them, in turns.
fn words(line: &str) -> Vec<&str> {
    let mut rest = line;
    let mut words = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_space = first.is_whitespace();
        let end = rest.find(|letter: char| letter.is_whitespace() != is_space).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

/// As many lines as are shown of one change.
fn first<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    lines.get(..MAX_ROWS).unwrap_or(lines)
}

/// Two lines compared word by word.
struct Compared<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    operations: Vec<DiffOp>,
}

impl<'a> Compared<'a> {
    /// `None`: they are long, or have next to nothing in common and are easier read as a whole.
    fn of(old: &'a str, new: &'a str) -> Option<Self> {
        if old.len() + new.len() > WORDS_UP_TO {
            return None;
        }
        let (old, new) = (words(old), words(new));
        let operations = difference::within(PATIENCE, &old, &new);
        (difference::share(&operations, old.len(), new.len()) > 0.4).then_some(Self { old, new, operations })
    }

    /// The words of one side, each with whether the other side lacks it.
    fn pieces(&self, side: &[&'a str], range: impl Fn(&DiffOp) -> Range<usize>) -> Vec<(&'a str, bool)> {
        let of = |operation: &DiffOp| {
            let is_other = !matches!(operation, DiffOp::Equal { .. });
            side.get(range(operation)).unwrap_or_default().iter().map(move |word| (*word, is_other)).collect::<Vec<_>>()
        };
        self.operations.iter().flat_map(of).collect()
    }
}

struct Page {
    rows: Vec<Line<'static>>,
    width: usize,
    theme: Theme,
}

impl Page {
    fn note(&mut self, text: &str) {
        self.rows.push(Line::styled(crate::text::fit(text, self.width).into_owned(), self.theme.style(Meaning::Dim)));
    }

    fn compare(&mut self, old: &str, new: &str) {
        let (olds, news) = (lines(old), lines(new));
        let operations = difference::within(PATIENCE, &olds, &news);
        for (at, group) in difference::grouped(operations, CONTEXT).iter().enumerate() {
            if at > 0 {
                self.note("⋯");
            }
            for op in group {
                let removed = first(olds.get(op.old_range()).unwrap_or_default());
                let added = first(news.get(op.new_range()).unwrap_or_default());
                match op {
                    DiffOp::Equal { .. } => removed.iter().for_each(|line| self.plain(' ', line)),
                    DiffOp::Replace { .. } if removed.len() == added.len() => self.pairs(removed, added),
                    _ => {
                        removed.iter().for_each(|line| self.plain('-', line));
                        added.iter().for_each(|line| self.plain('+', line));
                    }
                }
                let left = op.old_range().len().max(op.new_range().len()).saturating_sub(MAX_ROWS);
                if left > 0 || self.rows.len() > MAX_ROWS {
                    self.note("… more changes not shown");
                    return;
                }
            }
        }
    }

    /// Lines that replace one another one by one: the words that differ are marked.
    fn pairs(&mut self, removed: &[&str], added: &[&str]) {
        let compared: Vec<Option<Compared<'_>>> =
            removed.iter().zip(added).map(|(old, new)| Compared::of(old, new)).collect();
        for (line, compared) in removed.iter().zip(&compared) {
            self.marked('-', line, compared.as_ref().map(|both| both.pieces(&both.old, DiffOp::old_range)));
        }
        for (line, compared) in added.iter().zip(&compared) {
            self.marked('+', line, compared.as_ref().map(|both| both.pieces(&both.new, DiffOp::new_range)));
        }
    }

    fn plain(&mut self, sign: char, line: &str) {
        let style = self.style(sign);
        self.row(sign, [(line, style)].into_iter());
    }

    /// A line in pieces: which of them the other line has not.
    fn marked(&mut self, sign: char, line: &str, pieces: Option<Vec<(&str, bool)>>) {
        let Some(pieces) = pieces else { return self.plain(sign, line) };
        let style = self.style(sign);
        let mark = style.add_modifier(Modifier::UNDERLINED);
        self.row(sign, pieces.into_iter().map(|(text, is_other)| (text, if is_other { mark } else { style })));
    }

    fn style(&self, sign: char) -> Style {
        self.theme.style(match sign {
            '+' => Meaning::Added,
            '-' => Meaning::Removed,
            _ => Meaning::Dim,
        })
    }

    /// One line of a file: a sign, then the text, wrapped under itself.
    fn row<'a>(&mut self, sign: char, pieces: impl Iterator<Item = (&'a str, Style)>) {
        let style = self.style(sign);
        let mut wrapper = Wrapper::new(self.width.saturating_sub(2));
        for (text, style) in pieces {
            let text = text.strip_suffix('\n').unwrap_or(text);
            // A carriage return is part of the line ending: worth showing only where it is the difference.
            let text = if sign == ' ' { text.strip_suffix('\r').unwrap_or(text) } else { text };
            wrapper.push(&visible(text), style);
        }
        let mut rows = wrapper.finish();
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        for (at, row) in rows.into_iter().enumerate() {
            let lead = if at == 0 { format!("{sign} ") } else { "  ".to_owned() };
            let mut spans = vec![Span::styled(lead, style)];
            spans.extend(row);
            self.rows.push(Line::from(spans));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn texts(before: Option<&str>, after: Option<&str>, width: usize) -> Vec<String> {
        rows(before.map(str::as_bytes), after.map(str::as_bytes), width, Theme::Neutral)
            .iter()
            .map(|line| line.to_string().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn a_changed_line_shows_both_versions_with_two_lines_around() {
        let old = "1\n2\n3\nold words here\n5\n6\n7\n";
        assert_eq!(
            texts(Some(old), Some(&old.replace("old", "new")), 40),
            ["  2", "  3", "- old words here", "+ new words here", "  5", "  6"]
        );
    }

    #[test]
    fn the_words_that_differ_are_marked_and_the_rest_is_not() {
        let rows = rows(Some(b"merge freeze until May"), Some(b"merge freeze until June"), 60, Theme::Neutral);
        let marked: Vec<&str> = rows
            .iter()
            .flat_map(|line| &line.spans)
            .filter(|span| span.style.add_modifier.contains(Modifier::UNDERLINED))
            .map(|span| span.content.as_ref())
            .collect();
        assert_eq!(marked, ["May", "June"]);
    }

    #[test]
    fn made_and_removed_files_are_all_of_one_sign() {
        assert_eq!(texts(None, Some("a\nb\n"), 20), ["+ a", "+ b"]);
        assert_eq!(texts(Some("a\n\nb"), None, 20), ["- a", "-", "- b"]);
        assert_eq!(texts(None, Some(""), 20), ["an empty file"]);
        assert_eq!(texts(Some("a"), Some("a"), 20), ["no difference"]);
    }

    #[test]
    fn changes_far_apart_are_told_apart() {
        let old: String = (0..30).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n3\n", "\nthree\n").replace("\n25\n", "\ntwenty-five\n");
        assert_eq!(texts(Some(&old), Some(&new), 40).iter().filter(|row| *row == "⋯").count(), 1);
    }

    #[test]
    fn long_lines_are_wrapped_under_themselves() {
        assert_eq!(texts(None, Some("one two three four"), 10), ["+ one two", "  three", "  four"]);
    }

    #[test]
    fn a_difference_in_line_endings_alone_is_visible_and_controls_never_pass() {
        assert_eq!(texts(Some("a\r\nb\r\n"), Some("a\r\nb\n"), 20), ["  a", "- b␍", "+ b"]);
        assert_eq!(texts(None, Some("\u{1b}[2Jx\u{202e}"), 40), ["+ ␛[2Jx‹U+202E›"]);
    }

    #[test]
    fn huge_contents_are_compared_in_time_and_cut_with_a_word() {
        let old: String = (0..70_000).map(|line| format!("line {line}\n")).collect();
        let new: String = (0..70_000).map(|line| format!("row {line}\n")).collect();
        let started = std::time::Instant::now();
        let rows = rows(Some(old.as_bytes()), Some(new.as_bytes()), 40, Theme::Neutral);
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        assert!(rows.len() <= 2 * MAX_ROWS + 1, "{}", rows.len());
        assert_eq!(figures(Some(b"a\nb\n"), Some(b"a\nc\nd\n")), (2, 1));
    }
}
