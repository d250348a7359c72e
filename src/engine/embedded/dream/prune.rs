//! The index in order: nothing dangles, nothing is missing, nothing stands twice, no line is too long.
//!
//! Hand-written lines stay. Not its job: which memories there are.

use std::collections::BTreeSet;

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::overflow;
use crate::memory::index::{LONG_LINE, Limit, shorten};
use crate::memory::names::is_markdown;
use crate::text;

pub(super) async fn run(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    desk.breathe().await?;
    drop_dangling(desk);
    drop_doubled(desk);
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

/// Of several entries for one file the first stays, when the others are lines of their own that say no more.
fn drop_doubled(desk: &mut Desk<'_>) {
    let mut seen = BTreeSet::new();
    let mut doubled = Vec::new();
    for (number, line) in desk.index.lines.iter().enumerate() {
        let [entry] = line.entries.as_slice() else {
            seen.extend(line.entries.iter().map(|entry| entry.target.clone()));
            continue;
        };
        if !seen.insert(entry.target.clone()) && is_plain_entry(&line.text) {
            doubled.push((number, entry.target.clone()));
        }
    }
    if doubled.is_empty() {
        return;
    }
    let gone: BTreeSet<usize> = doubled.iter().map(|(number, _)| *number).collect();
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
    for (_, target) in doubled {
        desk.say(format!("The index had {target} twice: one entry stays"));
    }
    desk.reindex(bytes);
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
        let Some(note) = desk.notes.get(&short.file).filter(|note| note.is_open) else { continue };
        if !shorten::says(&note.description, &note.body, &short.hook) {
            let body = format!("{}\n\n{}\n", note.body.trim_end(), short.hook);
            let topic = note.topic.with_body(&body);
            desk.rewrite(&short.file, topic, "the long text of its index entry moved here", Vec::new())?;
        }
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
