//! Breaking styled text into rows of a width, counted in terminal columns.
//!
//! Breaks at spaces, beside wide characters (CJK has no spaces), and inside a word only when it is wider than a row. Not
//! its job: escaping; text comes in [`crate::text::visible`] already.

use std::borrow::Cow;

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Collects styled text and gives it back in rows.
#[derive(Debug)]
pub(in crate::tui) struct Wrapper {
    width: usize,
    rows: Vec<Vec<Span<'static>>>,
    row: Vec<Span<'static>>,
    row_width: usize,
    word: Vec<Span<'static>>,
    word_width: usize,
    spaces: Vec<Span<'static>>,
    spaces_width: usize,
}

impl Wrapper {
    /// A wrapper for rows of `width` columns, at least one.
    pub(in crate::tui) fn new(width: usize) -> Self {
        Self {
            width: width.max(1),
            rows: Vec::new(),
            row: Vec::new(),
            row_width: 0,
            word: Vec::new(),
            word_width: 0,
            spaces: Vec::new(),
            spaces_width: 0,
        }
    }

    /// Adds text.
    pub(in crate::tui) fn push(&mut self, text: &str, style: Style) {
        if text.is_ascii() {
            self.push_ascii(text, style);
            return;
        }
        for cluster in text.graphemes(true) {
            let columns = cluster.width();
            if cluster == " " {
                self.end_word();
                append(&mut self.spaces, " ", style);
                self.spaces_width += 1;
            } else if columns >= 2 {
                self.end_word();
                self.add(cluster, columns, style);
                self.end_word();
            } else {
                self.add(cluster, columns, style);
            }
        }
    }

    /// The same for text where a byte is a column, which nearly all is.
    fn push_ascii(&mut self, text: &str, style: Style) {
        for (at, word) in text.split(' ').enumerate() {
            if at > 0 {
                self.end_word();
                append(&mut self.spaces, " ", style);
                self.spaces_width += 1;
            }
            let mut rest = word;
            while let Some((piece, after)) =
                rest.split_at_checked((self.width - self.word_width.min(self.width)).max(1))
            {
                if self.word_width + piece.len() > self.width {
                    self.end_word();
                }
                self.add(piece, piece.len(), style);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            if !rest.is_empty() {
                self.add(rest, rest.len(), style);
            }
        }
    }

    /// Ends the row, even an empty one.
    pub(in crate::tui) fn break_row(&mut self) {
        self.end_word();
        self.next_row();
    }

    /// The rows; none when nothing was added.
    pub(in crate::tui) fn finish(mut self) -> Vec<Vec<Span<'static>>> {
        self.end_word();
        if !self.row.is_empty() {
            self.next_row();
        }
        self.rows
    }

    fn add(&mut self, text: &str, columns: usize, style: Style) {
        if self.word_width + columns > self.width {
            self.end_word();
        }
        append(&mut self.word, text, style);
        self.word_width += columns;
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let needed = self.row_width + self.spaces_width + self.word_width;
        if needed > self.width && self.row_width > 0 {
            self.next_row();
        }
        // Spaces at the beginning of a paragraph stay, those at a break go.
        if self.row_width > 0 || self.rows.is_empty() && self.spaces_width + self.word_width <= self.width {
            self.row_width += self.spaces_width;
            for span in self.spaces.drain(..) {
                append(&mut self.row, &span.content, span.style);
            }
        }
        self.spaces.clear();
        self.spaces_width = 0;
        self.row_width += std::mem::take(&mut self.word_width);
        for span in self.word.drain(..) {
            match self.row.last_mut() {
                Some(last) if last.style == span.style => last.content.to_mut().push_str(&span.content),
                _ => self.row.push(span),
            }
        }
    }

    fn next_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
        self.row_width = 0;
        self.spaces.clear();
        self.spaces_width = 0;
    }
}

fn append(spans: &mut Vec<Span<'static>>, text: &str, style: Style) {
    match spans.last_mut() {
        Some(last) if last.style == style => last.content.to_mut().push_str(text),
        _ => spans.push(Span { content: Cow::Owned(text.to_owned()), style }),
    }
}

/// Breaks text at the column, wherever that is: for code, whose spaces mean something.
pub(in crate::tui) fn break_columns(text: &str, width: usize) -> Vec<&str> {
    let width = width.max(1);
    let mut rows = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = if rest.is_ascii() {
            width.min(rest.len())
        } else {
            let mut used = 0;
            rest.grapheme_indices(true)
                .find(|(at, cluster)| {
                    used += cluster.width();
                    used > width && *at > 0
                })
                .map_or(rest.len(), |(at, _)| at)
        };
        let Some((row, after)) = rest.split_at_checked(end) else { break };
        rows.push(row);
        rest = after;
    }
    if rows.is_empty() {
        rows.push("");
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;
    use crate::text::width;

    fn rows(text: &str, columns: usize) -> Vec<String> {
        let mut wrapper = Wrapper::new(columns);
        wrapper.push(text, Style::new());
        wrapper.finish().iter().map(|row| row.iter().map(|span| span.content.as_ref()).collect()).collect()
    }

    #[test]
    fn words_move_to_the_next_row_whole_and_the_space_at_the_break_goes() {
        assert_eq!(rows("real databases in integration tests", 14), ["real databases", "in integration", "tests"]);
    }

    #[test]
    fn a_word_wider_than_the_row_is_cut_and_nothing_of_it_is_lost() {
        assert_eq!(rows("ab abcdefghij kl", 4), ["ab", "abcd", "efgh", "ij", "kl"]);
        assert_eq!(rows("naïvenaïve", 4), ["naïv", "enaï", "ve"]);
    }

    #[test]
    fn cjk_breaks_without_spaces_and_never_in_the_middle_of_a_character() {
        assert_eq!(rows("統合テストは実際のデータ", 7), ["統合テ", "ストは", "実際の", "データ"]);
        assert_eq!(rows("a統", 1), ["a", "統"]);
    }

    #[test]
    fn fc_109_no_row_is_wider_than_asked_for_and_the_letters_stay() {
        let text = "Merge freeze 🇩🇪 👨‍👩‍👧 каждый 각 결 e\u{301}te\u{301} 統合 x\u{200d}y `cargo test --workspace`";
        for columns in 2..=120 {
            let rows = rows(text, columns);
            assert!(rows.iter().all(|row| width(row) <= columns), "{columns}: {rows:?}");
            assert_eq!(rows.concat().replace(' ', ""), text.replace(' ', ""), "{columns}");
        }
    }

    #[test]
    fn styles_change_inside_a_word_without_a_break() {
        let bold = Style::new().bold();
        let mut wrapper = Wrapper::new(6);
        wrapper.push("un", Style::new());
        wrapper.push("fold", bold);
        wrapper.push("ed it", Style::new());
        let texts: Vec<String> =
            wrapper.finish().iter().map(|row| row.iter().map(|span| span.content.as_ref()).collect()).collect();
        assert_eq!(texts, ["unfold", "ed it"]);
    }

    #[test]
    fn code_is_broken_at_the_column_and_keeps_its_spaces() {
        assert_eq!(break_columns("  a  b", 4), ["  a ", " b"]);
        assert_eq!(break_columns("統合テ", 3), ["統", "合", "テ"]);
        assert_eq!(break_columns("統", 1), ["統"]);
        assert_eq!(break_columns("", 4), [""]);
    }
}
