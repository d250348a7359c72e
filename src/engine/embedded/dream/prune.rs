//! The index in order: nothing dangles, nothing is missing, nothing stands twice, no line is too long.
//!
//! Hand-written lines stay. Not its job: which memories there are.

use std::collections::BTreeSet;

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::overflow;
use crate::memory::index::{Entry, LONG_LINE, Limit, shorten};
use crate::memory::names::is_markdown;
use crate::text;

pub(super) async fn run(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    desk.breathe().await?;
    drop_dangling(desk);
    drop_doubled(desk)?;
    shorten(desk)?;
    desk.save_index()?;
    adopt_orphans(desk)?;
    overflow::fit(desk)?;
    let measure = desk.index.measure.clone();
    if let Some(limit) = measure.binds {
        let figure = match limit {
            Limit::Lines => format!("{} lines", measure.lines),
            Limit::Bytes => format!("{} bytes", measure.bytes),
        };
        let cut = text::count(measure.cut.len(), "entry is", "entries are");
        desk.say(format!("The index is over its limit ({figure}): {cut} not loaded"));
        desk.verdict.left_out.push(format!("the index is over its limit; {cut} not loaded"));
    }
    Ok(())
}

/// Entries whose file is not there go; links to other places stay.
fn drop_dangling(desk: &mut Desk<'_>) {
    let dangling: BTreeSet<String> = desk
        .index
        .entries()
        .filter(|(_, entry, _)| {
            !entry.wiki && !entry.target.contains("..") && !entry.target.starts_with('/') && is_markdown(&entry.target)
        })
        .map(|(_, entry, _)| entry.target.clone())
        .filter(|target| !desk.path(target).exists())
        .collect();
    for target in dangling {
        desk.say(format!("The index points to {target}, which is not there: entry dropped"));
        desk.reindex(desk.index.without(&target));
    }
}

/// Of several entries for one file the first stays. What another one says besides moves into the memory; one with a link to
/// elsewhere in it, or of a memory that cannot be written, stays as well.
fn drop_doubled(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let mut seen = BTreeSet::new();
    let mut doubled: Vec<(usize, String, Option<String>)> = Vec::new();
    for (number, line) in desk.index.lines.iter().enumerate() {
        let [entry] = line.entries.as_slice() else {
            seen.extend(line.entries.iter().map(|entry| entry.target.clone()));
            continue;
        };
        if seen.insert(entry.target.clone()) || !is_plain_entry(&line.text) {
            continue;
        }
        let hook = entry.hook.trim();
        let more = (!says_no_more(desk, number, entry)).then(|| hook.to_owned());
        let is_movable = !hook.contains("[[") && !hook.contains("](");
        if more.is_none() || is_movable && desk.notes.get(&entry.target).is_some_and(|note| note.is_open) {
            doubled.push((number, entry.target.clone(), more));
        }
    }
    if doubled.is_empty() {
        return Ok(());
    }
    let gone: BTreeSet<usize> = doubled.iter().map(|(number, ..)| *number).collect();
    let mut bytes = Vec::with_capacity(desk.index.bytes.len());
    let mut at = 0;
    for (number, line) in desk.index.lines.iter().enumerate() {
        let next = desk.index.lines.get(number + 1).map_or(desk.index.bytes.len(), |next| next.range.start);
        if gone.contains(&number) {
            bytes.extend_from_slice(desk.index.bytes.get(at..line.range.start).unwrap_or_default());
            at = next;
        }
    }
    bytes.extend_from_slice(desk.index.bytes.get(at..).unwrap_or_default());
    for (_, target, more) in doubled {
        if let Some(hook) = more {
            take_in(desk, &target, &hook, "what a second index entry said of it moved here")?;
        }
        desk.say(format!("The index had {target} twice: one entry stays"));
    }
    desk.reindex(bytes);
    Ok(())
}

/// Whether an entry tells nothing that a line above it for the same file, or that file itself, does not tell as well.
fn says_no_more(desk: &Desk<'_>, number: usize, entry: &Entry) -> bool {
    let hook = entry.hook.trim();
    let above = desk.index.lines.iter().take(number);
    let mut above = above.filter(|line| line.entries.iter().any(|other| other.target == entry.target));
    hook.is_empty()
        || above.any(|line| line.text.to_lowercase().contains(&hook.to_lowercase()))
        || desk.notes.get(&entry.target).is_some_and(|note| shorten::says(&note.description, &note.body, hook))
}

/// Adds what the index said of a memory to its body, unless it says so already.
fn take_in(desk: &mut Desk<'_>, file: &str, hook: &str, reason: &str) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(file).filter(|note| !shorten::says(&note.description, &note.body, hook)) else {
        return Ok(());
    };
    let topic = note.topic.with_body(&format!("{}\n\n{hook}\n", note.body.trim_end()));
    desk.rewrite(file, topic, reason, Vec::new())
}

/// `- [Title](file.md) — hook`, nothing before the link.
fn is_plain_entry(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start().trim_start_matches("**");
    rest.starts_with('[')
}

/// Long lines: the hook is cut at a sentence or word, and what it said moves into the memory if it is not there already.
fn shorten(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let long: Vec<usize> = desk
        .index
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| {
            line.text.chars().count() > LONG_LINE && line.loaded.is_some() && is_plain_entry(&line.text)
        })
        .map(|(at, _)| at + 1)
        .collect();
    for line in long {
        let Some(short) = desk.index.shortened(line) else { continue };
        if !desk.notes.get(&short.file).is_some_and(|note| note.is_open) {
            continue;
        }
        take_in(desk, &short.file, &short.hook, "the long text of its index entry moved here")?;
        desk.say(format!("The index entry of {} shortened", short.file));
        desk.reindex(short.index);
    }
    Ok(())
}

/// Files that the index does not reach get an entry.
fn adopt_orphans(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let snapshot = desk.scan()?;
    let orphans: Vec<(String, String, String)> = snapshot
        .memories
        .iter()
        .filter(|memory| !memory.indexed && !memory.file.contains('/'))
        .map(|memory| (memory.file.clone(), memory.name.clone(), memory.description.clone()))
        .collect();
    for (file, name, description) in orphans {
        desk.say(format!("{file} was not in the index: entry added"));
        let one_line = description.split_whitespace().collect::<Vec<_>>().join(" ");
        desk.enter(&file, &name, &one_line);
    }
    Ok(())
}
