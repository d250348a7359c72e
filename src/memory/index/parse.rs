//! From bytes to lines, entries and the measure.

use std::collections::HashSet;
use std::ops::Range;

use super::{Entry, Index, Limit, Line, MAX_BYTES, MAX_LINES, Measure, link};
use crate::memory::frontmatter;
use crate::memory::lines::{ByteLine, Fences, lines, mark_length, slice, text};

/// How a line counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Of the frontmatter or a block comment: stripped before loading.
    Stripped,
    /// A fence or inside one: loaded, but its links are examples.
    Code,
    /// Anything else.
    Text,
}

/// Understands an index; `base` is the directory it lies in, `""` or `sub/`.
pub(in crate::memory) fn read(bytes: Vec<u8>, base: &str) -> Index {
    understood(bytes, base, &mut |_, _| None)
}

/// See [`Index::edited`].
pub(super) fn read_edited(old: Index, bytes: Vec<u8>) -> Index {
    let ranges: Vec<Range<usize>> = lines(&bytes, mark_length(&bytes)..bytes.len()).map(|line| line.range).collect();
    let (known, mut kept) = (old.bytes, old.lines);
    let is_kept =
        |(line, range): &(&Line, &Range<usize>)| slice(&known, line.range.clone()) == slice(&bytes, (*range).clone());
    let ahead = kept.iter().zip(&ranges).take_while(is_kept).count();
    let rest = kept.len().min(ranges.len()) - ahead;
    let behind = kept.iter().rev().zip(ranges.iter().rev()).take(rest).take_while(is_kept).count();
    let (old_count, new_count) = (kept.len(), ranges.len());
    understood(bytes, "", &mut |at, start| {
        let place = match at {
            at if at < ahead => at,
            at if at + behind >= new_count => at + old_count - new_count,
            _ => return None,
        };
        let mut line = std::mem::take(kept.get_mut(place)?);
        let by = |place: &mut usize| *place = *place + start - line.range.start;
        for entry in &mut line.entries {
            for span in [&mut entry.span, &mut entry.target_span, &mut entry.hook_span] {
                by(&mut span.start);
                by(&mut span.end);
            }
        }
        Some((line.text, line.entries))
    })
}

/// Understands the bytes, taking the text and the entries of a line (its number from 0, its start) from `known` if it has them.
fn understood(
    bytes: Vec<u8>,
    base: &str,
    known: &mut dyn FnMut(usize, usize) -> Option<(String, Vec<Entry>)>,
) -> Index {
    // A byte-order mark belongs to no line: an entry may stand right behind it.
    let all: Vec<ByteLine> = lines(&bytes, mark_length(&bytes)..bytes.len()).collect();
    let classes = classes(&bytes, &all);
    let mut lines: Vec<Line> = all
        .iter()
        .zip(&classes)
        .enumerate()
        .map(|(at, (line, class))| {
            let (text, entries) =
                known(at, line.range.start).unwrap_or_else(|| (text(&bytes, line.range.clone()), Vec::new()));
            let entries = match class {
                // A line without entries may have been an example before.
                Class::Text if entries.is_empty() => link::entries(&bytes, line.range.clone(), base),
                Class::Text => entries,
                Class::Code | Class::Stripped => Vec::new(),
            };
            Line { range: line.range.clone(), text, entries, loaded: (*class != Class::Stripped).then_some(true) }
        })
        .collect();
    let measure = measure(&all, &mut lines);
    Index { bytes, lines, measure }
}

fn classes(bytes: &[u8], all: &[ByteLine]) -> Vec<Class> {
    let body = frontmatter::read(bytes).body;
    let mut fences = Fences::default();
    let mut comment_until = 0;
    let last_close = memchr::memmem::rfind(bytes, b"-->").unwrap_or(0);
    let mut classes = Vec::with_capacity(all.len());
    for line in all {
        let content = slice(bytes, line.range.clone());
        let class = if line.range.start < body || line.next <= comment_until {
            Class::Stripped
        } else if fences.covers(content) {
            Class::Code
        } else if let Some(end) = (line.range.start < last_close).then(|| comment(bytes, line)).flatten() {
            comment_until = end;
            if line.next <= end { Class::Stripped } else { Class::Text }
        } else {
            Class::Text
        };
        classes.push(class);
    }
    classes
}

/// Where the block comment that a line opens ends: after its last line when nothing follows the `-->` there, else at
/// the beginning of that line. A comment that is never closed is none.
fn comment(bytes: &[u8], line: &ByteLine) -> Option<usize> {
    let content = slice(bytes, line.range.clone());
    let indent = content.len() - content.trim_ascii_start().len();
    if indent > 3 || !content.trim_ascii_start().starts_with(b"<!--") {
        return None;
    }
    let start = line.range.start + indent;
    let end = start + memchr::memmem::find(slice(bytes, start..bytes.len()), b"-->")? + 3;
    let last = lines(bytes, end..bytes.len()).next().unwrap_or(ByteLine { range: end..end, next: end });
    let is_alone = slice(bytes, last.range).trim_ascii().is_empty();
    Some(if is_alone { last.next } else { line_start(bytes, end) })
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', slice(bytes, 0..at)).map_or(0, |newline| newline + 1)
}

/// Measures, and marks the lines that are not loaded.
fn measure(all: &[ByteLine], lines: &mut [Line]) -> Measure {
    let mut measure = Measure::default();
    let mut is_full = false;
    let mut named = HashSet::new();
    for (place, line) in all.iter().zip(lines.iter_mut()) {
        let size = |range: Range<usize>| range.end - range.start;
        if line.loaded.is_none() {
            continue;
        }
        measure.lines += 1;
        measure.bytes += size(place.whole());
        if !is_full && measure.lines > MAX_LINES {
            measure.binds = Some(Limit::Lines);
            is_full = true;
        }
        if !is_full && measure.loaded_bytes + size(place.whole()) > MAX_BYTES {
            measure.binds = Some(Limit::Bytes);
            is_full = true;
        }
        line.loaded = Some(!is_full);
        if is_full {
            for entry in line.entries.iter().filter(|entry| !entry.mention) {
                if named.insert(entry.target.clone()) {
                    measure.cut.push(entry.target.clone());
                }
            }
        } else {
            measure.loaded_lines += 1;
            measure.loaded_bytes += size(place.whole());
        }
    }
    measure
}
