//! Edits of single lines: adding, dropping and renaming entries. Every other byte stays.

use super::link::{bullet_length, is_lead, is_table_row};
use super::target::{is_plain, written};
use super::{ENTRY_CHARACTERS, Entry, Index, Line, NewEntry};
use crate::memory::Kind;
use crate::memory::hidden;
use crate::memory::lines::{ending, replaced, slice};
use crate::memory::links::{names_file, stem};

impl Index {
    fn line_bytes(&self, line: &Line) -> &[u8] {
        slice(&self.bytes, line.range.clone())
    }

    /// Where the line after `at` begins.
    pub(super) fn after(&self, at: usize) -> usize {
        self.lines.get(at + 1).map_or(self.bytes.len(), |next| next.range.start)
    }

    /// How far a line is indented; `None` for a blank one.
    pub(super) fn indent(&self, at: usize) -> Option<usize> {
        let content = self.line_bytes(self.lines.get(at)?);
        let rest = content.trim_ascii_start();
        (!rest.is_empty()).then_some(content.len() - rest.len())
    }

    /// Whether more-indented lines hang below a line.
    fn has_nested(&self, at: usize) -> bool {
        matches!((self.indent(at), self.indent(at + 1)), (Some(own), Some(next)) if next > own)
    }

    /// The last line that hangs below a line, or the line itself.
    pub(super) fn last_nested(&self, at: usize) -> usize {
        let Some(own) = self.indent(at) else { return at };
        let mut last = at;
        while self.indent(last + 1).is_some_and(|next| next > own) {
            last += 1;
        }
        last
    }

    /// Whether a line is nothing but its entries: a bullet that begins with a link, or a row of a table.
    pub(super) fn is_own_line(&self, line: &Line) -> bool {
        let content = self.line_bytes(line);
        let before = line.entries.first().map_or(0, |entry| entry.span.start - line.range.start);
        is_table_row(content) || is_lead(slice(content, 0..before))
    }

    /// The bytes without one line. A file without a final newline keeps that habit.
    pub(super) fn range_without(&self, at: usize) -> std::ops::Range<usize> {
        let Some(line) = self.lines.get(at) else { return 0..0 };
        let end = self.after(at);
        let is_unended = line.range.end == end;
        let start = match at.checked_sub(1).and_then(|before| self.lines.get(before)) {
            Some(before) if is_unended => before.range.end,
            _ => line.range.start,
        };
        start..end
    }
}

/// Whether an entry means a file.
pub(super) fn points_to(entry: &Entry, file: &str) -> bool {
    if entry.wiki { names_file(&entry.target, file) } else { entry.target == file }
}

/// A text for one line of an index.
pub(super) fn flat(text: &str) -> String {
    text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A memory's text for a line of an index, which everybody loads: what nobody sees stays behind.
fn seen(text: &str) -> String {
    let hidden = hidden::in_line(text);
    flat(&text.chars().filter(|c| !hidden.contains(c)).collect::<String>())
}

/// See [`Index::without_where`].
pub(super) fn without(index: &Index, drop: &dyn Fn(usize, &Entry) -> bool) -> Vec<u8> {
    let mut edits = Vec::new();
    for (at, line) in index.lines.iter().enumerate() {
        let own = || line.entries.iter().filter(|entry| !entry.mention);
        let goes = |entry: &&Entry| drop(at + 1, entry);
        if !own().any(|entry| goes(&entry)) {
            continue;
        }
        if own().all(|entry| goes(&entry)) && index.is_own_line(line) && !index.has_nested(at) {
            edits.push((index.range_without(at), Vec::new()));
        } else {
            let links = own().filter(goes).filter(|entry| entry.span != entry.target_span);
            edits.extend(links.map(|entry| (entry.span.clone(), entry.title.clone().into_bytes())));
        }
    }
    replaced(&index.bytes, edits)
}

/// See [`Index::relinked`].
pub(super) fn relinked(index: &Index, pick: &dyn Fn(usize, &Entry) -> Option<String>) -> Vec<u8> {
    let entries =
        (1..).zip(&index.lines).flat_map(|(number, line)| line.entries.iter().map(move |entry| (number, entry)));
    let edits = entries.filter_map(|(number, entry)| {
        let to = pick(number, entry)?;
        let raw = entry.raw_target.as_str();
        let anchor = |marks: &[char]| raw.find(marks).and_then(|at| raw.get(at..)).unwrap_or_default();
        let new = if entry.wiki {
            format!("{to}{}", anchor(&['#']))
        } else if index.bytes.get(entry.span.start) == Some(&b'[') {
            let prefix = if raw.starts_with("./") && !to.starts_with("../") { "./" } else { "" };
            format!("{prefix}{}{}", written(&to), anchor(&['#', '?']))
        } else {
            to
        };
        Some((entry.target_span.clone(), new.into_bytes()))
    });
    replaced(&index.bytes, edits.collect())
}

/// The entry of a file.
fn entry_of<'a>(index: &'a Index, file: &str) -> Option<&'a Entry> {
    index.lines.iter().flat_map(|line| &line.entries).find(|entry| !entry.mention && points_to(entry, file))
}

/// See [`Index::with_title`].
pub(super) fn with_title(index: &Index, file: &str, title: &str) -> Vec<u8> {
    let place = entry_of(index, file).filter(|entry| !entry.wiki).and_then(|entry| {
        let before = slice(&index.bytes, entry.span.start..entry.target_span.start);
        let end = memchr::memmem::rfind(before, b"](").filter(|_| before.starts_with(b"["))?;
        Some(entry.span.start + 1..entry.span.start + end)
    });
    let Some(place) = place else { return index.bytes.clone() };
    let title: String = seen(title).chars().filter(|c| !matches!(c, '[' | ']' | '(' | ')' | '|')).collect();
    replaced(&index.bytes, vec![(place, title.into_bytes())])
}

/// See [`Index::with_hook`].
pub(super) fn with_hook(index: &Index, file: &str, hook: &str) -> Vec<u8> {
    let Some(entry) = entry_of(index, file) else { return index.bytes.clone() };
    let between = slice(&index.bytes, entry.span.end..entry.hook_span.start);
    let hook = seen(hook);
    let new = if !entry.hook_span.is_empty() || hook.is_empty() {
        hook
    } else if between.contains(&b'|') {
        format!("{} ", hook.replace('|', "\\|"))
    } else if between.trim_ascii_end().iter().all(|byte| matches!(byte, b'*' | b'_' | b' ')) {
        format!(" — {hook}")
    } else {
        hook
    };
    replaced(&index.bytes, vec![(entry.hook_span.clone(), new.into_bytes())])
}

/// See [`Index::with_entry`].
pub(super) fn with_entry(index: &Index, entry: &NewEntry) -> Vec<u8> {
    // A wiki word means the file that is not in a folder first.
    let is_linked =
        |known: &Entry| !known.mention && points_to(known, &entry.file) && !(known.wiki && entry.file.contains('/'));
    if index.lines.iter().flat_map(|line| &line.entries).any(is_linked) {
        return index.bytes.clone();
    }
    let neighbours = || {
        index.lines.iter().enumerate().rev().filter_map(|(at, line)| {
            let known = line.entries.iter().find(|entry| !entry.mention)?;
            index.is_own_line(line).then_some((at, line, known))
        })
    };
    let wanted = group(&entry.file);
    let neighbour = neighbours().find(|(_, _, known)| group(&known.target) == wanted).or_else(|| neighbours().next());
    let newline = ending(&index.bytes);
    let (place, mut text) = match neighbour {
        Some((at, line, known)) => (Some(index.last_nested(at)), in_form_of(index, line, known, entry)),
        None => {
            let last = (0..index.lines.len()).rev().find(|at| index.indent(*at).is_some());
            let text = fitted("- ", &link(entry), " — ", entry);
            let is_list = last
                .and_then(|at| index.lines.get(at))
                .is_none_or(|line| bullet_length(index.line_bytes(line)).is_some());
            (last, if is_list { text } else { format!("{newline}{text}") })
        }
    };
    let at = match place {
        Some(last) => {
            let next = index.after(last);
            let is_unended = index.lines.get(last).is_some_and(|line| line.range.end == next);
            text = if is_unended { format!("{newline}{text}") } else { format!("{text}{newline}") };
            next
        }
        None => {
            text.push_str(newline);
            index.bytes.len()
        }
    };
    replaced(&index.bytes, vec![(at..at, text.into_bytes())])
}

/// What makes files neighbours: the directory and the type, else the first word of the name.
fn group(file: &str) -> (&str, &str) {
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    let word = Kind::from_file_name(name).map(Kind::word);
    (directory, word.unwrap_or_else(|| name.split(['_', '-', '.']).next().unwrap_or(name)))
}

fn title(entry: &NewEntry) -> String {
    seen(&entry.title).replace('[', "(").replace(']', ")")
}

fn link(entry: &NewEntry) -> String {
    format!("[{}]({})", title(entry), written(&entry.file))
}

/// A line in the form the neighbour has: its marker, bold, kind of link and dash.
fn in_form_of(index: &Index, line: &Line, known: &Entry, entry: &NewEntry) -> String {
    let content = index.line_bytes(line);
    let before = slice(&index.bytes, line.range.start..known.span.start);
    let link = match index.bytes.get(known.span.start) {
        Some(b'[') if !known.wiki => link(entry),
        _ if !is_plain(&entry.file) => link(entry),
        _ if known.wiki => format!("[[{}]]", stem(&entry.file)),
        Some(b'`') => format!("`{}`", entry.file),
        _ => entry.file.clone(),
    };
    if is_table_row(content) {
        let bars = |part: &[u8]| part.iter().filter(|byte| **byte == b'|').count();
        let ahead = bars(before).saturating_sub(1);
        let behind = bars(content).saturating_sub(ahead + 3);
        let mut cells = vec![String::new(); ahead];
        if let Some(first) = cells.first_mut() {
            *first = title(entry).replace('|', "\\|");
        }
        cells.push(link.replace('|', "\\|"));
        cells.push(seen(&entry.hook).replace('|', "\\|"));
        cells.extend(vec![String::new(); behind]);
        return format!("| {} |", cells.join(" | "));
    }
    let marker = String::from_utf8_lossy(slice(before, 0..bullet_length(before).unwrap_or(0))).into_owned();
    let is_bold = before.ends_with(b"**");
    let link = if is_bold { format!("**{link}**") } else { link };
    let between = String::from_utf8_lossy(slice(&index.bytes, known.span.end..known.hook_span.start)).into_owned();
    let dash = between.trim_start_matches("**");
    let is_dash = !dash.trim().is_empty() && !dash.starts_with("**") && dash.ends_with(' ') && !dash.contains('â');
    fitted(&numbered(&marker), &link, if is_dash { dash } else { " — " }, entry)
}

/// The marker of the next item: `3. ` after `2. `; others stay.
fn numbered(marker: &str) -> String {
    let digits: String = marker.chars().filter(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(number) => marker.replace(&digits, &(number + 1).to_string()),
        Err(_) => marker.to_owned(),
    }
}

/// The line, its hook cut between words so that the whole stays short.
fn fitted(marker: &str, link: &str, dash: &str, entry: &NewEntry) -> String {
    let hook = seen(&entry.hook);
    let head = format!("{marker}{link}");
    let room = ENTRY_CHARACTERS.saturating_sub(head.chars().count() + dash.chars().count() + 1);
    if hook.is_empty() || room < 8 {
        return head;
    }
    if hook.chars().count() <= room {
        return format!("{head}{dash}{hook}");
    }
    let short: String = hook.chars().take(room - 1).collect();
    // Scripts without blanks are cut between characters.
    let short = short.rsplit_once(' ').map_or(short.as_str(), |(whole, _)| whole);
    format!("{head}{dash}{}…", short.trim_end_matches([',', ';', ':', '.', ' ']))
}
