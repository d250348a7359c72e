//! The lines of a block, key by key: which bytes belong to which field.
//!
//! This is no YAML reader: it only knows enough of YAML's form to say where a value begins and ends, so that an edit
//! can replace one value and nothing else. What the values *mean* is strict YAML's word (see [`super::yaml`]).

use std::ops::Range;

use crate::memory::lines::{ByteLine, lines, slice};

/// One key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The key, without quotes.
    pub(super) key: String,
    /// The line of the key, counted from 1 in the file.
    pub(super) line: usize,
    /// Where the key's line begins.
    pub(super) start: usize,
    /// How far the key is indented.
    pub(super) indent: usize,
    /// Right after the colon.
    pub(super) colon: usize,
    /// The value as written, from its first character to its last, over all its lines. Empty when there is none.
    pub(super) value: Range<usize>,
    /// The end of the value's last line, without the ending.
    pub(super) end: usize,
    /// Where the line after the value begins.
    pub(super) next: usize,
    /// The keys under it.
    pub(super) children: Vec<Self>,
}

/// A block's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The keys at top level.
    pub(super) items: Vec<Item>,
    /// The first line that belongs to no key.
    pub(super) stray: Option<usize>,
}

/// A key at the beginning of a line.
pub(super) struct Key {
    /// The key, without quotes.
    pub(super) text: String,
    /// The place right after the colon, in the line.
    pub(super) colon: usize,
}

/// Whether a key is one that memories have.
pub(super) fn is_known(key: &str) -> bool {
    matches!(key, "name" | "description" | "metadata" | "type" | "originSessionId" | "modified" | "node_type")
}

/// The key a line begins with, if it begins with one at column 0.
pub(super) fn key_of(line: &[u8]) -> Option<Key> {
    let first = *line.first()?;
    let quote = matches!(first, b'"' | b'\'').then_some(first);
    if quote.is_none() && !(first.is_ascii_alphanumeric() || first == b'_' || first >= 0x80) {
        return None;
    }
    let mut at = 0;
    if let Some(quote) = quote {
        at = 1 + line.get(1..)?.iter().position(|byte| *byte == quote)? + 1;
    }
    let colon = at + line.get(at..)?.iter().position(|byte| *byte == b':')?;
    let key = line.get(..colon)?;
    // `https://…` is no key: a key's colon is followed by a blank or by nothing.
    if line.get(colon + 1).is_some_and(|after| !matches!(after, b' ' | b'\t')) || key.contains(&b'#') {
        return None;
    }
    let text = String::from_utf8_lossy(key).trim().trim_matches(['"', '\'']).to_owned();
    Some(Key { text, colon: colon + 1 })
}

/// Whether a key has no value on its own line.
fn is_empty_value(value: &[u8]) -> bool {
    value.is_empty() || value.starts_with(b"#")
}

impl Layout {
    /// The keys of the lines in `inner`, the first of which is line `first_line` of the file.
    pub(super) fn of(bytes: &[u8], inner: Range<usize>, first_line: usize) -> Self {
        let all: Vec<(usize, ByteLine)> = (first_line..).zip(lines(bytes, inner)).collect();
        let mut layout = Self { items: Vec::new(), stray: None };
        layout.items = items(bytes, &all, 0, &mut layout.stray);
        layout
    }

    /// The item of a key at top level.
    pub(super) fn top(&self, key: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.key == key)
    }

    /// The item `metadata`, whatever it holds.
    pub(super) fn metadata(&self) -> Option<&Item> {
        self.top("metadata")
    }
}

impl Item {
    /// The value's bytes as written.
    pub(super) fn raw<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        slice(bytes, self.value.clone())
    }

    /// A key under this one.
    pub(super) fn child(&self, key: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.key == key)
    }
}

/// What is remembered of an item while its lines are walked.
struct Open {
    /// Whether the key's own line has no value, so that keys or a list may follow.
    is_empty: bool,
    /// The lines that follow it, as places in the list of lines.
    own: Range<usize>,
}

/// The items among some lines whose keys stand at column `indent`.
fn items(bytes: &[u8], all: &[(usize, ByteLine)], indent: usize, stray: &mut Option<usize>) -> Vec<Item> {
    let mut found: Vec<(Item, Open)> = Vec::new();
    for (at, (number, line)) in all.iter().enumerate() {
        let content = slice(bytes, line.range.clone());
        let rest = content.trim_ascii_start();
        let depth = content.len() - rest.len();
        if rest.is_empty() {
            continue;
        }
        let value_end = line.range.start + content.trim_ascii_end().len();
        if let Some((item, open)) = found.last_mut() {
            let is_block_text = matches!(item.raw(bytes).first(), Some(b'|' | b'>'));
            if rest.starts_with(b"#") && !(is_block_text && depth > indent) {
                continue;
            }
            let is_list = depth == indent && open.is_empty && (rest == b"-" || rest.starts_with(b"- "));
            if depth > indent || is_list {
                if is_empty_value(item.raw(bytes)) {
                    item.value.start = line.range.start + depth;
                }
                item.value.end = value_end;
                (item.end, item.next) = (line.range.end, line.next);
                open.own.end = at + 1;
                continue;
            }
        } else if rest.starts_with(b"#") {
            continue;
        }
        let Some(key) = (depth == indent).then(|| key_of(rest)).flatten() else {
            stray.get_or_insert(*number);
            continue;
        };
        let colon = line.range.start + depth + key.colon;
        let value_end = value_end.max(colon);
        let after = slice(bytes, colon..value_end);
        let value = value_end - after.trim_ascii_start().len()..value_end;
        let is_empty = is_empty_value(slice(bytes, value.clone()));
        let item = Item {
            key: key.text,
            line: *number,
            start: line.range.start,
            indent: depth,
            colon,
            value,
            end: line.range.end,
            next: line.next,
            children: Vec::new(),
        };
        found.push((item, Open { is_empty, own: at + 1..at + 1 }));
    }
    found
        .into_iter()
        .map(|(mut item, open)| {
            let own = all.get(open.own).unwrap_or_default();
            let depth = own.iter().find_map(|(_, line)| depth_of_content(bytes, line));
            if let Some(depth) = depth.filter(|_| item.key == "metadata" && open.is_empty) {
                item.children = items(bytes, own, depth, stray);
            }
            item
        })
        .collect()
}

/// How far a line is indented; nothing for blank lines and comments.
fn depth_of_content(bytes: &[u8], line: &ByteLine) -> Option<usize> {
    let content = slice(bytes, line.range.clone());
    let rest = content.trim_ascii_start();
    (!rest.is_empty() && !rest.starts_with(b"#")).then(|| content.len() - rest.len())
}
