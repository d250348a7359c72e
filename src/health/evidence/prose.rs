//! A body as running text: outside code fences, with the line and the sentence of every place.
//!
//! Not its job: what a sentence means (see [`super::tone`]).

use std::ops::Range;

use crate::memory::text_lines;

/// A body without its fenced blocks; offsets are of [`Prose::text`].
pub(super) struct Prose {
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Prose {
    /// Takes a body. Fenced lines stay as empty ones, so that line numbers hold.
    pub(super) fn of(body: &str) -> Self {
        let mut text = String::with_capacity(body.len());
        let mut starts = Vec::new();
        for (number, line) in text_lines(body) {
            while starts.len() < number {
                if !starts.is_empty() {
                    text.push('\n');
                }
                starts.push(text.len());
            }
            text.push_str(line);
        }
        Self { text, starts }
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line of an offset, from 1.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    /// The text of a line.
    pub(super) fn line(&self, number: usize) -> &str {
        let start = self.starts.get(number.saturating_sub(1)).copied().unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default().trim()
    }

    /// The text before and behind a place, on its own line and a little beyond.
    pub(super) fn around(&self, place: &Range<usize>) -> (&str, &str) {
        self.beside(place, AROUND)
    }

    /// At most so many characters on either side of a place.
    fn beside(&self, place: &Range<usize>, characters: usize) -> (&str, &str) {
        let before = self.text.get(..place.start).unwrap_or_default();
        let after = self.text.get(place.end..).unwrap_or_default();
        let start = before.char_indices().rev().nth(characters).map_or(0, |(at, _)| at);
        let end = after.char_indices().nth(characters).map_or(after.len(), |(at, _)| at);
        (before.get(start..).unwrap_or_default(), after.get(..end).unwrap_or_default())
    }

    /// The sentence or clause around a place: up to the next full stop, semicolon, list item or empty line.
    pub(super) fn sentence(&self, place: &Range<usize>) -> &str {
        // No sentence is longer; a body of megabytes must not be searched for each of its places.
        let (before, after) = self.beside(place, LONGEST);
        let start = ENDS
            .iter()
            .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
            .chain(BLOCKS.iter().filter_map(|block| before.rfind(block).map(|at| at + 1)))
            .max()
            .unwrap_or_default();
        let end = ENDS.iter().chain(BLOCKS).filter_map(|end| after.find(end)).min().unwrap_or(after.len());
        let start = place.start - (before.len() - start);
        self.text.get(start..place.end + end).unwrap_or_default()
    }
}

/// How many characters of a sentence are looked at before and behind a place.
const LONGEST: usize = 500;

/// How many characters count as right beside a place.
const AROUND: usize = 40;

/// What ends a sentence or clause. A full stop inside a word (`v1.2`, `a.rs`) does not.
const ENDS: &[&str] = &[". ", ".\n", "! ", "!\n", "? ", "?\n", "; ", ";\n", "。", "；", "！", "？", ".** ", ".) "];

/// What begins another block.
const BLOCKS: &[&str] = &["\n\n", "\n- ", "\n* ", "\n#", "\n|", "\n> ", "\n  - ", "\n**"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_its_line_and_its_sentence_and_fences_are_no_text() {
        let prose = Prose::of("One `a.rs` here. Two\nlines `b`; three\n```\n`c`\n```\n- item `d`\n- next\n");
        let place = |word: &str| {
            let at = prose.text().find(word).unwrap_or_default();
            at..at + word.len()
        };
        assert_eq!(prose.line_of(place("`d`").start), 6);
        assert_eq!(prose.line(2), "lines `b`; three");
        assert_eq!(prose.sentence(&place("`b`")), "Two\nlines `b`");
        assert_eq!(prose.sentence(&place("`a.rs`")), "One `a.rs` here");
        assert_eq!(prose.sentence(&place("`d`")), "- item `d`");
        assert!(!prose.text().contains("`c`"));
    }
}
