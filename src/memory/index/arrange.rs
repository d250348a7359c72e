//! Lines of an index moved, set and dropped by hand. Every other line keeps its bytes.

use std::ops::RangeInclusive;

use super::Index;
use super::edit::flat;
use crate::memory::lines::{ending, replaced, slice};

/// A line and what hangs below it, by places from 0.
fn block(index: &Index, at: usize) -> RangeInclusive<usize> {
    at..=index.last_nested(at)
}

/// The block that a line from 0 belongs to as its first or as one below.
fn block_ending(index: &Index, last: usize) -> RangeInclusive<usize> {
    let owner = (0..=last).rev().find(|at| {
        let is_beside = index.indent(*at).is_none_or(|indent| indent == 0);
        is_beside || *at == last && index.indent(*at).is_none()
    });
    owner.filter(|owner| index.last_nested(*owner) >= last).unwrap_or(last)..=last
}

/// Whether a session could see the line: what is stripped before loading stays where it is.
fn is_movable(index: &Index, at: usize) -> bool {
    index.lines.get(at).is_some_and(|line| line.loaded.is_some())
}

/// See [`Index::moved`].
pub(super) fn moved(index: &Index, number: usize, is_up: bool) -> Option<(Vec<u8>, usize)> {
    let at = number.checked_sub(1)?;
    let own = block(index, at);
    let (other, goes_to) = if is_up {
        let above = at.checked_sub(1)?;
        let is_nested = index.indent(at).is_some_and(|indent| indent > 0);
        let other = if is_nested { above..=above } else { block_ending(index, above) };
        let goes_to = *other.start();
        (other, goes_to)
    } else {
        let below = *own.end() + 1;
        let other = block(index, below);
        let goes_to = at + other.clone().count();
        (other, goes_to)
    };
    if !own.clone().chain(other.clone()).all(|at| is_movable(index, at)) {
        return None;
    }
    let (first, second) = if is_up { (own, other) } else { (other, own) };
    let start = (*first.start()).min(*second.start());
    let end = (*first.end()).max(*second.end());
    let order = (0..start).chain(first).chain(second).chain(end + 1..index.lines.len());
    Some((in_order(index, order, None), goes_to + 1))
}

/// See [`Index::pinned`].
pub(super) fn pinned(index: &Index, number: usize) -> Option<(Vec<u8>, usize)> {
    let at = number.checked_sub(1)?;
    let is_entry = |at: usize| {
        is_movable(index, at) && index.is_entry_line(at + 1) && {
            index.lines.get(at).is_some_and(|line| line.entries.iter().any(|entry| !entry.mention))
        }
    };
    let first = (0..index.lines.len()).find(|at| is_entry(*at))?;
    // A row of a table is at home in its table.
    let is_row = |at: usize| index.lines.get(at).is_some_and(|line| line.text.trim_start().starts_with('|'));
    if at == first || !is_entry(at) || is_row(at) || is_row(first) {
        return None;
    }
    let own = block(index, at);
    let others = |from: usize, to: usize| (from..to).filter(|at| !own.contains(at)).collect::<Vec<_>>();
    let order = others(0, first).into_iter().chain(own.clone()).chain(others(first, index.lines.len()));
    let dedent = index.indent(at).filter(|indent| *indent > 0).map(|indent| (own.clone(), indent));
    Some((in_order(index, order, dedent.as_ref()), first + 1))
}

/// The lines in another order; those of a block may lose an indent. A file without a final newline keeps that habit.
fn in_order(
    index: &Index,
    order: impl Iterator<Item = usize>,
    dedent: Option<&(RangeInclusive<usize>, usize)>,
) -> Vec<u8> {
    let newline = ending(&index.bytes).as_bytes();
    let is_ended = index.bytes.last().is_none_or(|last| *last == b'\n');
    let order: Vec<usize> = order.collect();
    let mut out = Vec::with_capacity(index.bytes.len() + newline.len());
    // What stands before the first line, a byte-order mark, stays before it.
    let head = index.lines.first().map_or(0, |line| line.range.start);
    out.extend_from_slice(slice(&index.bytes, 0..head));
    for (place, at) in order.iter().enumerate() {
        let Some(line) = index.lines.get(*at) else { continue };
        let content = slice(&index.bytes, line.range.clone());
        let cut = dedent.filter(|(block, _)| block.contains(at)).map_or(0, |(_, indent)| *indent);
        out.extend_from_slice(content.get(cut..).unwrap_or(content));
        let own = slice(&index.bytes, line.range.end..index.after(*at));
        let is_last = place + 1 == order.len();
        match (own.is_empty(), is_last) {
            // A blank line without an ending would be none.
            (_, true) if !is_ended && !content.is_empty() => {}
            (true, _) => out.extend_from_slice(newline),
            (false, _) => out.extend_from_slice(own),
        }
    }
    out
}

/// See [`Index::with_line`].
pub(super) fn with_line(index: &Index, number: usize, text: &str) -> Vec<u8> {
    let Some(line) = number.checked_sub(1).and_then(|at| index.lines.get(at)) else { return index.bytes.clone() };
    if line.text == text {
        return index.bytes.clone();
    }
    let text = text.trim_end();
    let indent: String = text.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let text = format!("{indent}{}", flat(text));
    replaced(&index.bytes, vec![(line.range.clone(), text.into_bytes())])
}

/// See [`Index::without_line`].
pub(super) fn without_line(index: &Index, number: usize) -> Vec<u8> {
    match number.checked_sub(1).filter(|at| *at < index.lines.len()) {
        Some(at) => replaced(&index.bytes, vec![(index.range_without(at), Vec::new())]),
        None => index.bytes.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Index {
        Index::read(text.as_bytes().to_vec())
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    const INDEX: &str = "# Index\n\nProse.\n\n- [A](a.md) — a\n  - [B](b.md) — b\n- [C](c.md) — c\n- [D](d.md) — d";

    #[test]
    fn a_line_moves_with_what_hangs_below_it_and_past_what_hangs_below_its_neighbour() {
        let (bytes, at) = read(INDEX).moved(7, true).unwrap();
        assert_eq!(at, 5);
        assert!(text(bytes).contains("Prose.\n\n- [C](c.md) — c\n- [A](a.md) — a\n  - [B](b.md) — b\n- [D](d.md) — d"));
        let (bytes, at) = read(INDEX).moved(5, false).unwrap();
        assert_eq!(at, 6);
        assert!(text(bytes).contains("- [C](c.md) — c\n- [A](a.md) — a\n  - [B](b.md) — b\n- [D]"));
        let (bytes, at) = read(INDEX).moved(7, false).unwrap();
        assert_eq!(at, 8);
        assert!(text(bytes).ends_with("- [D](d.md) — d\n- [C](c.md) — c"), "no final newline stays none");
        assert_eq!(read(INDEX).moved(1, true), None);
        assert_eq!(read(INDEX).moved(8, false), None);
    }

    #[test]
    fn a_blank_line_that_comes_last_in_a_file_without_a_final_newline_is_not_lost() {
        let index = read("- [A](a.md)\n\n- [B](b.md)");
        let (bytes, _) = index.pinned(3).unwrap();
        assert_eq!(text(bytes), "- [B](b.md)\n- [A](a.md)\n\n");
    }

    #[test]
    fn moving_back_and_forth_gives_the_same_bytes() {
        let index = read("# A\r\n\r\n- [A](a.md)\r\n- [B](b.md)\r\n- [C](c.md)\r\n");
        let (down, at) = index.moved(3, false).unwrap();
        let (back, at) = Index::read(down).moved(at, true).unwrap();
        assert_eq!((back, at), (index.bytes, 3));
    }

    #[test]
    fn a_pinned_entry_is_the_first_one_and_loses_its_indent() {
        let (bytes, at) = read(INDEX).pinned(8).unwrap();
        assert_eq!(at, 5);
        assert!(text(bytes).starts_with("# Index\n\nProse.\n\n- [D](d.md) — d\n- [A]"));
        let (bytes, _) = read(INDEX).pinned(6).unwrap();
        assert!(text(bytes).contains("\n- [B](b.md) — b\n- [A](a.md) — a\n- [C]"));
        for line in [1, 3, 5, 99] {
            assert_eq!(read(INDEX).pinned(line), None, "line {line}");
        }
    }

    #[test]
    fn what_is_stripped_before_loading_stays_where_it_is() {
        let index = read("---\nname: x\n---\n- [A](a.md)\n<!--\nnote\n-->\n- [B](b.md)\n");
        assert_eq!(index.moved(4, true), None);
        assert_eq!(index.moved(6, true), None);
        assert_eq!(index.moved(4, false), None);
        let (bytes, _) = index.pinned(8).unwrap();
        assert!(text(bytes).contains("---\n- [B](b.md)\n- [A](a.md)\n<!--\nnote\n-->\n"));
    }

    #[test]
    fn a_line_is_set_on_one_line_and_an_unchanged_one_keeps_its_bytes() {
        let index = read("- [A](a.md) — \u{a0}a  \r\n- [B](b.md)\r\n");
        assert_eq!(index.with_line(1, &index.lines.first().unwrap().text), index.bytes);
        assert_eq!(
            text(index.with_line(2, "  - [B](b.md) — two\nlines")),
            "- [A](a.md) — \u{a0}a  \r\n  - [B](b.md) — two lines\r\n"
        );
        assert_eq!(text(index.without_line(1)), "- [B](b.md)\r\n");
    }

    #[test]
    fn a_long_line_is_cut_between_words_and_says_what_it_said() {
        let hook = "integration tests use a real database, because mocks hid a broken migration. ".repeat(3);
        let index = read(&format!("# Index\n- [Testing](feedback_testing.md) — {hook}\n"));
        let short = index.shortened(2).unwrap();
        let line = text(short.index).lines().nth(1).unwrap().to_owned();
        assert!(line.chars().count() <= super::super::ENTRY_CHARACTERS, "{line}");
        assert_eq!((short.file.as_str(), short.hook.as_str()), ("feedback_testing.md", hook.trim()));
        assert_eq!(index.shortened(1), None);
    }

    proptest! {
        #[test]
        fn whatever_moves_no_line_is_lost_or_changed(lines in proptest::collection::vec("( {0,3}- \\[x\\]\\([a-d]\\.md\\)|[a-z#<!-]{0,6}|```|---)\r?", 0..12), at in 1_usize..12, is_up: bool, ended: bool) {
            let whole = lines.join("\n") + if ended { "\n" } else { "" };
            let index = Index::read(whole.clone().into_bytes());
            let sorted = |bytes: &[u8]| {
                let mut lines: Vec<String> = String::from_utf8_lossy(bytes).lines().map(|line| line.trim_end_matches('\r').to_owned()).collect();
                lines.sort();
                lines
            };
            if let Some((moved, to)) = index.moved(at, is_up) {
                prop_assert_eq!(sorted(&moved), sorted(whole.as_bytes()));
                let there = Index::read(moved).lines.get(to - 1).map(|line| line.text.trim_end_matches('\r').to_owned());
                // A stray carriage return at the end of a file becomes part of a line's ending.
                prop_assert_eq!(there, index.lines.get(at - 1).map(|line| line.text.trim_end_matches('\r').to_owned()));
            }
            if let Some((pinned, _)) = index.pinned(at) {
                prop_assert_eq!(sorted(&pinned).len(), index.lines.len());
            }
        }
    }
}
