//! Where the block is: from a `---` on line 1 (after a byte-order mark) to the next lone `---`.
//!
//! A `---` further down is a rule in the body. Not its job: what the block says.

use std::ops::Range;

use super::layout;
use crate::memory::lines::{ByteLine, lines, slice};

/// The place of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The first `-` of the opening line.
    pub(super) start: usize,
    /// The lines between the two fences.
    pub(super) inner: Range<usize>,
    /// Right after the closing line.
    pub(super) end: usize,
}

/// What stands at a place where a block could begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No block.
    Nothing,
    /// A block with both fences.
    Closed(Span),
    /// An opening fence and keys, but no closing fence; the lines up to the first blank one.
    Unclosed(Range<usize>),
}

fn is_rule(bytes: &[u8], line: &ByteLine) -> bool {
    slice(bytes, line.range.clone()).trim_ascii_end() == b"---"
}

/// Looks for a block that opens exactly at `start`.
pub(super) fn find(bytes: &[u8], start: usize) -> Found {
    // Most bodies do not begin with a dash: do not walk their lines.
    if !slice(bytes, start..bytes.len()).starts_with(b"---") {
        return Found::Nothing;
    }
    let mut all = lines(bytes, start..bytes.len());
    let Some(opening) = all.next().filter(|line| is_rule(bytes, line)) else {
        return Found::Nothing;
    };
    let mut first_key: Option<String> = None;
    let mut blank_at = None;
    for line in all {
        if is_rule(bytes, &line) {
            let inner = opening.next..line.range.start;
            return Found::Closed(Span { start, inner, end: line.next });
        }
        let content = slice(bytes, line.range.clone());
        let is_blank = content.trim_ascii().is_empty();
        if is_blank {
            blank_at.get_or_insert(line.range.start);
        } else if first_key.is_none() && !content.trim_ascii_start().starts_with(b"#") {
            match layout::key_of(content) {
                Some(key) => first_key = Some(key.text),
                // The first thing after the rule is prose: a rule, not a block.
                None => return Found::Nothing,
            }
        }
    }
    match first_key {
        Some(key) if layout::is_known(&key) => Found::Unclosed(opening.next..blank_at.unwrap_or(bytes.len())),
        _ => Found::Nothing,
    }
}

/// The place of the first line at or after `from` that is not blank.
pub(crate) fn skip_blank(bytes: &[u8], from: usize) -> usize {
    lines(bytes, from..bytes.len())
        .find(|line| !slice(bytes, line.range.clone()).trim_ascii().is_empty())
        .map_or(bytes.len(), |line| line.range.start)
}
