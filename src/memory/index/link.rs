//! The links on one line: Markdown links, wiki links, and code spans or table cells that name a file.
//!
//! Works on bytes, so that places are right in damaged lines too. Not its job: which lines count (see [`super::parse`]).

use std::ops::Range;

use super::Entry;
use super::target::{is_bare_name, resolved};
use crate::memory::lines::{slice, text, text_lines};
use crate::memory::names::is_markdown;

/// How far a title, target or code span is followed: a line of nothing but brackets must not cost its length squared.
const REACH: usize = 1_000;

/// What was found, with places counted from the line's start.
struct Found {
    span: Range<usize>,
    title: Range<usize>,
    target: Range<usize>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Link,
    Definition,
    Wiki,
    Code,
    Bare,
}

/// The entries on the line at `range`; `base` is the directory of the file.
pub(super) fn entries(bytes: &[u8], range: Range<usize>, base: &str) -> Vec<Entry> {
    let line = slice(bytes, range.clone());
    // Most lines of prose have none of these.
    if !line.iter().any(|byte| matches!(byte, b'[' | b'`')) && !names_a_file(line) {
        return Vec::new();
    }
    let mut found = definition(line).map_or_else(|| scan(line), |one| vec![one]);
    let has_links = found.iter().any(|found| matches!(found.form, Form::Link | Form::Wiki));
    if has_links {
        found.retain(|found| found.form != Form::Code);
    } else {
        found.extend(bare_names(line, &found));
        found.sort_by_key(|found| found.span.start);
    }
    let is_table = is_table_row(line);
    let mut entries: Vec<Entry> = Vec::with_capacity(found.len());
    for (at, one) in found.iter().enumerate() {
        let raw = text(line, one.target.clone());
        let wiki = one.form == Form::Wiki;
        let target = if wiki {
            raw.split('#').next().unwrap_or_default().trim().to_owned()
        } else {
            resolved(&raw, base).unwrap_or_default()
        };
        if target.is_empty() {
            continue;
        }
        let until = found.get(at + 1).map_or(line.len(), |next| next.span.start);
        let hook = hook(line, one.span.end..until, is_table);
        // A name in the middle of prose, or a definition of one, counts as reached, but is no entry of its own.
        let mention = matches!(one.form, Form::Code | Form::Bare | Form::Definition)
            && !is_table
            && !is_lead(slice(line, 0..one.span.start));
        entries.push(Entry {
            title: text(line, one.title.clone()).trim().to_owned(),
            target,
            raw_target: raw,
            hook: text(line, hook.clone()).trim().to_owned(),
            wiki,
            mention,
            span: shifted(&one.span, range.start),
            target_span: shifted(&one.target, range.start),
            hook_span: shifted(&hook, range.start),
        });
    }
    entries
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn names_a_file(line: &[u8]) -> bool {
    memchr::memchr_iter(b'.', line).any(|dot| slice(line, dot + 1..dot + 3).eq_ignore_ascii_case(b"md"))
}

/// Whether a line is a row of a table.
pub(super) fn is_table_row(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"|")
}

/// How many bytes a list marker takes at the start of a line, indentation and blank after it included.
pub(super) fn bullet_length(line: &[u8]) -> Option<usize> {
    let rest = line.trim_ascii_start();
    let indent = line.len() - rest.len();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let marker = match rest.get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let after = rest.get(marker..)?;
    let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (blanks > 0).then_some(indent + marker + blanks)
}

/// Whether what stands before a link makes the link the head of its line: a bullet, a heading mark, a check box, bold.
pub(super) fn is_lead(before: &[u8]) -> bool {
    let rest = bullet_length(before).map_or(before, |length| slice(before, length..before.len()));
    let is_bullet = rest.len() < before.len();
    let rest = rest.trim_ascii();
    let rest = [&b"[ ]"[..], b"[x]", b"[X]"].into_iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
    is_bullet && rest.iter().all(|byte| matches!(byte, b'*' | b'_' | b' ' | b'~'))
}

/// The part of a line that is looked at from a place on.
fn ahead(line: &[u8], at: usize) -> &[u8] {
    slice(line, at..line.len().min(at + REACH))
}

fn scan(line: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        let rest = slice(line, at..line.len());
        let next = match byte {
            b'\\' => Some(at + 2),
            b'`' => Some(code(line, at, &mut found)),
            b'<' if rest.starts_with(b"<!--") => memchr::memmem::find(ahead(line, at), b"-->").map(|end| at + end + 3),
            b'!' if rest.starts_with(b"![") => link(line, at + 1).map(|image| image.span.end),
            b'[' if rest.starts_with(b"[[") => wiki(line, at).map(|one| keep(&mut found, one)),
            b'[' => link(line, at).map(|one| keep(&mut found, one)),
            _ => None,
        };
        at = next.unwrap_or(at + 1);
    }
    found
}

fn keep(found: &mut Vec<Found>, one: Found) -> usize {
    let end = one.span.end;
    found.push(one);
    end
}

/// A code span; kept when it names a Markdown file and nothing else.
fn code(line: &[u8], at: usize, found: &mut Vec<Found>) -> usize {
    let ticks = slice(line, at..line.len()).iter().take_while(|byte| **byte == b'`').count();
    let open = at + ticks;
    let Some(length) = memchr::memmem::find_iter(ahead(line, open), &vec![b'`'; ticks]).find(|length| {
        let close = open + length;
        line.get(close + ticks) != Some(&b'`') && line.get(close.wrapping_sub(1)) != Some(&b'`')
    }) else {
        return open;
    };
    let content = open..open + length;
    let end = content.end + ticks;
    if is_bare_name(&text(line, content.clone())) {
        found.push(Found { span: at..end, title: content.clone(), target: content, form: Form::Code });
    }
    end
}

fn wiki(line: &[u8], at: usize) -> Option<Found> {
    let open = at + 2;
    let length = memchr::memmem::find(ahead(line, open), b"]]")?;
    let inner = slice(line, open..open + length);
    let word = memchr::memchr(b'|', inner).unwrap_or(inner.len());
    // A bar inside a table cell is written `\|`.
    let word_end = if word > 0 && inner.get(word - 1) == Some(&b'\\') { word - 1 } else { word };
    let title = if word < inner.len() { open + word + 1..open + length } else { open..open + length };
    let is_word = crate::memory::links::is_word(&text(inner, 0..word_end));
    is_word.then_some(Found { span: at..open + length + 2, title, target: open..open + word_end, form: Form::Wiki })
}

/// `[title](target)`, the bracket at `at`.
fn link(line: &[u8], at: usize) -> Option<Found> {
    let line = slice(line, 0..line.len().min(at + 2 * REACH));
    let mut depth = 0_usize;
    let mut close = at;
    loop {
        if close > at + REACH {
            return None;
        }
        match line.get(close)? {
            b'\\' => close += 1,
            b'[' => depth += 1,
            b']' if depth == 1 => break,
            b']' => depth -= 1,
            _ => {}
        }
        close += 1;
    }
    if line.get(close + 1) != Some(&b'(') {
        return None;
    }
    let open = close + 2;
    let mut end = open;
    let mut depth = 0_usize;
    loop {
        match line.get(end)? {
            b'\\' => end += 1,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        end += 1;
    }
    let inside = slice(line, open..end);
    let lead = inside.len() - inside.trim_ascii_start().len();
    let mut inside = inside.trim_ascii();
    // A title in quotes after the target.
    if let Some(quote) = [&b" \""[..], b" '"].iter().find_map(|quote| memchr::memmem::find(inside, quote)) {
        inside = slice(inside, 0..quote).trim_ascii_end();
    }
    let start = open + lead;
    let target = start..start + inside.len();
    let target =
        if inside.starts_with(b"<") && inside.ends_with(b">") { target.start + 1..target.end - 1 } else { target };
    Some(Found { span: at..end + 1, title: at + 1..close, target, form: Form::Link })
}

/// `[label]: target`, which links elsewhere in the text name by their label.
fn definition(line: &[u8]) -> Option<Found> {
    let indent = line.len() - line.trim_ascii_start().len();
    if indent > 3 || line.get(indent) != Some(&b'[') || matches!(line.get(indent + 1), Some(b'[' | b']' | b'^')) {
        return None;
    }
    let label = memchr::memmem::find(ahead(line, indent), b"]:")? + indent;
    let after = slice(line, label + 2..line.len());
    let start = label + 2 + (after.len() - after.trim_ascii_start().len());
    let rest = slice(line, start..line.len());
    let target = match rest.strip_prefix(b"<") {
        Some(inside) => start + 1..start + 1 + memchr::memchr(b'>', inside)?,
        None => start..start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()),
    };
    let is_label = !slice(line, indent + 1..label).iter().any(|byte| matches!(byte, b'[' | b']'));
    let span = indent..target.end;
    (is_label && !target.is_empty()).then_some(Found { span, title: indent + 1..label, target, form: Form::Definition })
}

/// The files that the Markdown links and definitions of a text lead to, with their lines from 1; `folder` is where it lies.
/// Examples in code do not count, nor do wiki words.
pub(in crate::memory) fn targets(text: &str, folder: &str) -> Vec<(usize, String)> {
    if !text.contains("](") && !text.contains("]:") {
        return Vec::new();
    }
    let lines = text_lines(text).filter(|(_, line)| line.contains("](") || line.contains("]:"));
    lines
        .flat_map(|(number, line)| {
            let bytes = line.as_bytes();
            let links = entries(bytes, 0..bytes.len(), folder).into_iter();
            links
                .filter(|entry| !entry.wiki && bytes.get(entry.span.start) == Some(&b'['))
                .map(move |entry| (number, entry.target))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// File names without any marks: the first word of a bullet, or a whole cell of a table.
fn bare_names(line: &[u8], found: &[Found]) -> Vec<Found> {
    let name = |range: Range<usize>| {
        let cell = slice(line, range.clone());
        let start = range.start + (cell.len() - cell.trim_ascii_start().len());
        let range = start..start + cell.trim_ascii().len();
        let is_name = is_bare_name(&text(line, range.clone()))
            && !found.iter().any(|one| one.span.start < range.end && range.start < one.span.end);
        is_name.then(|| Found { span: range.clone(), title: range.clone(), target: range, form: Form::Bare })
    };
    if is_table_row(line) {
        return cells(line).into_iter().filter_map(name).collect();
    }
    let Some(start) = bullet_length(line) else { return Vec::new() };
    let marks = slice(line, start..line.len()).iter().take_while(|byte| matches!(byte, b'*' | b'_')).count();
    let start = start + marks;
    let length = slice(line, start..line.len())
        .iter()
        .position(|byte| matches!(byte, b' ' | b'\t' | b'*' | b':' | b','))
        .unwrap_or(line.len() - start);
    name(start..start + length).filter(|_| is_markdown(&text(line, start..start + length))).into_iter().collect()
}

/// The cells of a table row, without their bars.
fn cells(line: &[u8]) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = None;
    for (at, byte) in line.iter().enumerate() {
        if *byte == b'|' && (at == 0 || line.get(at - 1) != Some(&b'\\')) {
            if let Some(start) = start {
                cells.push(start..at);
            }
            start = Some(at + 1);
        }
    }
    if let Some(start) = start.filter(|start| !slice(line, *start..line.len()).trim_ascii().is_empty()) {
        cells.push(start..line.len());
    }
    cells
}

/// What stands after a link, without the dash: in a table the next cell.
fn hook(line: &[u8], after: Range<usize>, is_table: bool) -> Range<usize> {
    let mut range = after;
    if is_table {
        let rest = slice(line, range.clone());
        let start = memchr::memchr(b'|', rest).map_or(range.end, |bar| range.start + bar + 1);
        let end = memchr::memchr(b'|', slice(line, start..range.end)).map_or(range.end, |bar| start + bar);
        return trimmed(line, start..end);
    }
    // Closing bold, then any of the dashes people and broken code pages make.
    const LEADS: [&[u8]; 16] = [
        b"**",
        b"__",
        b"*",
        b"_",
        b" ",
        b"\t",
        "—".as_bytes(),
        "–".as_bytes(),
        "―".as_bytes(),
        b"-",
        b":",
        "：".as_bytes(),
        "·".as_bytes(),
        b"/",
        "â€”".as_bytes(),
        "â€“".as_bytes(),
    ];
    let mut has_dash = false;
    loop {
        let rest = slice(line, range.clone());
        let Some(lead) = LEADS.iter().find(|lead| rest.starts_with(lead)) else { break };
        let is_dash = !lead.iter().all(|byte| matches!(byte, b'*' | b'_' | b' ' | b'\t'));
        // Emphasis after the dash belongs to the hook.
        if has_dash && matches!(lead.first(), Some(b'*' | b'_')) {
            break;
        }
        has_dash |= is_dash;
        range.start += lead.len();
    }
    trimmed(line, range)
}

fn trimmed(line: &[u8], range: Range<usize>) -> Range<usize> {
    let content = slice(line, range.clone());
    let start = range.start + (content.len() - content.trim_ascii_start().len());
    start..start + content.trim_ascii().len()
}
