//! Setting one field: only the bytes of its value change.
//!
//! Every edit is read back before it is handed out: when the value, another field or the body would come out
//! different from what was meant, the edit is refused instead.

use std::ops::Range;

use super::layout::Item;
use super::read::{Part, whole};
use super::yaml::Typed;
use super::{EditError, Field, Frontmatter, flow, layout, scalar};
use crate::memory::lines::{ByteLine, ending, lines, mark_length, replaced, slice};

/// The bytes of the file with one field set. Only the lines of that field change; a missing field is added where
/// the shape wants it. A file without a block gets none of it changed but the block put before its first byte (after
/// a byte-order mark). Of two blocks that follow one another it makes one first, see [`super::united`].
///
/// # Errors
/// When the block is too damaged for a one-line edit, or the value cannot be written.
pub fn set(bytes: &[u8], field: Field, value: &str) -> Result<Vec<u8>, EditError> {
    if let Some(wrong) = value.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err(EditError::Unwritable(wrong as u32));
    }
    let (before, parts) = whole(bytes);
    let after = match parts.as_slice() {
        [] if before.problems.is_empty() => with_new_block(bytes, field, value),
        [] => return Err(damaged("it is never closed")),
        [part] => in_block(bytes, part, field, value)?,
        // Whoever edits such a file wants one block; a second edit finds it that way.
        _ => return set(&super::united(bytes)?, field, value),
    };
    if reads_back(bytes, &before, parts.first(), &after, field, value) {
        Ok(after)
    } else {
        Err(damaged("the change would not read back"))
    }
}

/// The bytes of the file without one of the fields that stand on a line of their own; unchanged when it has none.
///
/// # Errors
/// When the field stands in a list on one line, or taking it out would change what another field says.
pub fn without(bytes: &[u8], field: Field) -> Result<Vec<u8>, EditError> {
    let (before, parts) = whole(bytes);
    let key = field.key();
    let mut edits: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    for layout in parts.iter().map(|part| &part.layout) {
        let places = layout.top(key).into_iter().chain(layout.metadata().and_then(|metadata| metadata.child(key)));
        edits.extend(places.map(|item| (item.start..item.next, Vec::new())));
    }
    let after = replaced(bytes, edits);
    let read = whole(&after).0;
    let same_body = slice(&after, read.body..after.len()) == slice(bytes, before.body..bytes.len());
    if same_body && all_but(read.clone(), field) == all_but(before, field) && all_but(read.clone(), field) == told(read)
    {
        return Ok(after);
    }
    Err(damaged(format!("{key} cannot be taken out by itself")))
}

pub(super) fn damaged(why: impl Into<String>) -> EditError {
    EditError::Damaged(why.into())
}

impl Field {
    const fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Type => "type",
            Self::OriginSession => "originSessionId",
            Self::Modified => "modified",
        }
    }

    /// Whether it may stand under `metadata`.
    const fn is_typed(self) -> bool {
        matches!(self, Self::Type | Self::OriginSession | Self::Modified)
    }

    /// The value as it is written where there was none.
    fn written(self, value: &str) -> String {
        match self {
            Self::Description => scalar::quoted(value),
            _ => scalar::plain_or_quoted(value),
        }
    }

    fn of_typed(self, typed: &Typed) -> Option<&str> {
        match self {
            Self::Type => typed.type_word.as_deref(),
            Self::OriginSession => typed.origin_session.as_deref(),
            Self::Modified => typed.modified.as_deref(),
            Self::Name | Self::Description => None,
        }
    }

    /// The value at top level and the one under `metadata`.
    fn in_part(self, part: &Part) -> [Option<&str>; 2] {
        match self {
            Self::Name => [part.values.name.as_deref(), None],
            Self::Description => [part.values.description.as_deref(), None],
            _ => [self.of_typed(&part.values.top), part.values.nested.as_ref().and_then(|typed| self.of_typed(typed))],
        }
    }
}

/// A file without a block gets one in the newest form.
fn with_new_block(bytes: &[u8], field: Field, value: &str) -> Vec<u8> {
    let mark = mark_length(bytes);
    let newline = ending(bytes);
    let body = slice(bytes, mark..bytes.len());
    let line = format!("{}: {}", field.key(), field.written(value));
    let (top, nested) = if field.is_typed() { (None, Some(format!("  {line}"))) } else { (Some(line), None) };
    let fixed = [Some("---".to_owned()), top, Some("metadata: ".to_owned()), Some("  node_type: memory".to_owned())];
    let mut block = Vec::new();
    for line in fixed.into_iter().chain([nested, Some("---".to_owned())]).flatten() {
        block.extend_from_slice(line.as_bytes());
        block.extend_from_slice(newline.as_bytes());
    }
    let first = lines(body, 0..body.len()).next();
    if first.is_some_and(|line| !slice(body, line.range).trim_ascii().is_empty()) {
        block.extend_from_slice(newline.as_bytes());
    }
    replaced(bytes, vec![(mark..mark, block)])
}

/// Where a field's value stands.
enum Place<'a> {
    /// On lines of its own.
    Lines(&'a Item),
    /// Inside `metadata: {…}`.
    Flow(Range<usize>),
}

fn in_block(bytes: &[u8], part: &Part, field: Field, value: &str) -> Result<Vec<u8>, EditError> {
    if let Some(line) = part.layout.stray {
        return Err(damaged(format!("line {line} belongs to no field")));
    }
    let key = field.key();
    if part.layout.items.iter().filter(|item| item.key == key).count() > 1 {
        return Err(damaged(format!("{key} stands there twice")));
    }
    let mut places: Vec<Place<'_>> = part.layout.top(key).map(Place::Lines).into_iter().collect();
    if let Some(metadata) = part.layout.metadata().filter(|_| field.is_typed()) {
        places.extend(metadata.child(key).map(Place::Lines));
        let flow = flow::read(bytes, metadata.value.clone()).map(|flow| flow.pairs).unwrap_or_default();
        places.extend(flow.into_iter().find(|pair| pair.key == key).map(|pair| Place::Flow(pair.value)));
    }
    if let Some(line) = places.iter().find_map(|place| swallowed(bytes, part, place)) {
        return Err(damaged(format!("line {line} looks like a field of its own, and YAML cannot read it")));
    }
    if places.is_empty() {
        return added(bytes, part, field, value);
    }
    // What any YAML reader takes for this text already stays as it is, to the byte.
    let are_texts = places.iter().all(|place| match place {
        Place::Lines(item) => scalar::is_text(item.raw(bytes)),
        Place::Flow(range) => scalar::is_text(slice(bytes, range.clone())),
    });
    if are_texts && part.refusal.is_none() && field.in_part(part).into_iter().flatten().all(|now| now == value) {
        return Ok(bytes.to_vec());
    }
    let edits = places.into_iter().map(|place| match place {
        Place::Lines(item) => line_edit(bytes, item, field, value),
        Place::Flow(range) => {
            let written = in_style_of(slice(bytes, range.clone()), field, value);
            let blank = if bytes.get(range.start.wrapping_sub(1)) == Some(&b':') { " " } else { "" };
            (range, format!("{blank}{written}").into_bytes())
        }
    });
    Ok(replaced(bytes, edits.collect()))
}

/// In a block that YAML refuses: the further line of a value that reads like a key. Replacing the value would take it along.
fn swallowed(bytes: &[u8], part: &Part, place: &Place<'_>) -> Option<usize> {
    let Place::Lines(item) = place else { return None };
    part.refusal.as_ref()?;
    let further = lines(bytes, item.colon..item.end).enumerate().skip(1);
    let is_key = |line: &ByteLine| layout::key_of(slice(bytes, line.range.clone()).trim_ascii_start()).is_some();
    further.into_iter().find(|(_, line)| is_key(line)).map(|(at, _)| item.line + at)
}

/// The value quoted where the old one was, and in any case where it has to be.
fn in_style_of(old: &[u8], field: Field, value: &str) -> String {
    if matches!(old.first(), Some(b'"' | b'\'')) { scalar::quoted(value) } else { field.written(value) }
}

fn line_edit(bytes: &[u8], item: &Item, field: Field, value: &str) -> (Range<usize>, Vec<u8>) {
    let raw = item.raw(bytes);
    let lead = slice(bytes, item.colon..item.value.start);
    let mut new = if lead.is_empty() || lead.contains(&b'\n') { b" ".to_vec() } else { lead.to_vec() };
    new.extend_from_slice(in_style_of(raw, field, value).as_bytes());
    // A comment after a quoted value stays; after a plain one nobody can tell it from the value.
    if let Some(end) = scalar::quoted_end(raw) {
        let tail = slice(raw, end..raw.len());
        let is_comment = tail.trim_ascii_start().starts_with(b"#") && tail.starts_with(b" ");
        if is_comment && !tail.contains(&b'\n') {
            new.extend_from_slice(tail);
        }
    }
    (item.colon..item.end, new)
}

/// The block with a field that was missing.
fn added(bytes: &[u8], part: &Part, field: Field, value: &str) -> Result<Vec<u8>, EditError> {
    let layout = &part.layout;
    let line = format!("{}: {}", field.key(), field.written(value));
    let after = |item: Option<&Item>| item.map(|item| item.next);
    let (at, indent) = match field {
        Field::Name => (part.span.inner.start, 0),
        Field::Description => (after(layout.top("name")).unwrap_or(part.span.inner.start), 0),
        _ => match layout.metadata() {
            Some(metadata) if !metadata.children.is_empty() => {
                let first = metadata.children.first();
                let after_key = match field {
                    Field::Type => metadata.child("node_type"),
                    Field::OriginSession => metadata.child("type").or(metadata.children.last()),
                    _ => metadata.children.last(),
                };
                let at = after(after_key).or(first.map(|child| child.start));
                (at.unwrap_or(metadata.next), first.map_or(2, |child| child.indent))
            }
            Some(metadata) if metadata.raw(bytes).is_empty() => (metadata.next, 2),
            Some(metadata) => {
                let flow = flow::read(bytes, metadata.value.clone())
                    .ok_or_else(|| damaged(format!("metadata on line {} is no list of keys", metadata.line)))?;
                let comma = if flow.pairs.is_empty() { "" } else { ", " };
                return Ok(replaced(bytes, vec![(flow.close..flow.close, format!("{comma}{line}").into_bytes())]));
            }
            None => {
                let neighbour = match field {
                    Field::Type => layout.top("description").or(layout.top("name")),
                    _ => None,
                };
                (after(neighbour.or(layout.items.last())).unwrap_or(part.span.inner.end), 0)
            }
        },
    };
    let newline = ending(slice(bytes, part.span.start..bytes.len()));
    Ok(replaced(bytes, vec![(at..at, format!("{}{line}{newline}", " ".repeat(indent)).into_bytes())]))
}

/// Whether the edited file says what was meant and nothing else changed its meaning.
fn reads_back(
    bytes: &[u8],
    before: &Frontmatter,
    part: Option<&Part>,
    edited: &[u8],
    field: Field,
    value: &str,
) -> bool {
    let (after, parts) = whole(edited);
    let [new_part] = parts.as_slice() else { return false };
    let is_strict = new_part.refusal.is_none();
    let was_strict = part.is_none_or(|part| part.refusal.is_none());
    let mut said = field.in_part(new_part).into_iter().flatten().peekable();
    let has_value = said.peek().is_some() && said.all(|now| now == value);
    // A file without a block gets a blank line between the new one and its body.
    let body = slice(edited, after.body..edited.len());
    let same_body = match part {
        Some(_) => body == slice(bytes, before.body..bytes.len()),
        None => body.ends_with(slice(bytes, before.body..bytes.len())),
    };
    (is_strict || !was_strict) && has_value && same_body && all_but(before.clone(), field) == all_but(after, field)
}

/// What a block says, but for one field.
fn all_but(mut frontmatter: Frontmatter, field: Field) -> Told {
    let slot = match field {
        Field::Name => &mut frontmatter.name,
        Field::Description => &mut frontmatter.description,
        Field::Type => &mut frontmatter.type_word,
        Field::OriginSession => &mut frontmatter.origin_session,
        Field::Modified => &mut frontmatter.modified,
    };
    *slot = None;
    told(frontmatter)
}

/// All that a block says: its fields, and the keys we do not know.
type Told = ([Option<String>; 5], Vec<(String, String)>);

fn told(read: Frontmatter) -> Told {
    ([read.name, read.description, read.type_word, read.origin_session, read.modified], read.others)
}
