//! An index over its limits: blank lines between entries go first, then the entries with the oldest claims move into a
//! sub-index that the index links, so that every memory is still reached.
//!
//! Hand-written lines stay. Not its job: entries that are too long (see [`super::prune`]).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::super::super::EngineError;
use super::super::desk::Desk;
use crate::memory::index::{Limit, MAX_BYTES, MAX_LINES};
use crate::memory::likeness::measured;
use crate::memory::{Draft, Index, Kind};
use crate::text;

/// The name of the sub-index.
const NAME: &str = "more-memories";
/// What an index that was over a limit is brought down to, so that the next few memories fit.
const LINES_AIMED_AT: usize = MAX_LINES - 10;
/// See [`LINES_AIMED_AT`].
const BYTES_AIMED_AT: usize = MAX_BYTES - 1_250;

/// Brings an index that is over a limit under both.
pub(super) fn fit(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    drop_dangling(desk)?;
    if desk.index.measure.binds == Some(Limit::Lines) {
        close_up(desk);
    }
    if desk.index.measure.binds.is_some() {
        move_oldest(desk)?;
    }
    Ok(())
}

/// Drops blank lines that stand between two entries.
fn close_up(desk: &mut Desk<'_>) {
    let index = &desk.index;
    let is_entry = |at: Option<usize>| at.is_some_and(|at| index.is_entry_line(at + 1));
    let is_blank = |at: usize| index.lines.get(at).is_some_and(|line| line.text.trim().is_empty());
    let mut bytes = Vec::with_capacity(index.bytes.len());
    let mut at = 0;
    let mut dropped = 0_usize;
    for (number, line) in index.lines.iter().enumerate() {
        let end = index.lines.get(number + 1).map_or(index.bytes.len(), |next| next.range.start);
        let after = (number..index.lines.len()).find(|next| !is_blank(*next));
        if is_blank(number) && is_entry(number.checked_sub(1)) && is_entry(after) {
            bytes.extend_from_slice(index.bytes.get(at..line.range.start).unwrap_or_default());
            at = end;
            dropped += 1;
        }
    }
    bytes.extend_from_slice(index.bytes.get(at..).unwrap_or_default());
    if dropped > 0 {
        desk.say(format!(
            "The index was over its limit: {} between entries dropped",
            text::count(dropped, "blank line", "blank lines")
        ));
        desk.reindex(bytes);
    }
}

/// Moves the entries with the oldest claims into the sub-index until the rest fits.
fn move_oldest(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let own =
        desk.notes.values().find(|note| is_ours(note.topic.frontmatter.name.as_deref())).map(|note| note.file.clone());
    let mut movable: Vec<(Option<DateTime<Utc>>, usize, String, String)> = desk
        .index
        .lines
        .iter()
        .enumerate()
        .filter(|(at, line)| {
            line.loaded.is_some() && line.text.starts_with(['-', '*', '+']) && desk.index.is_entry_line(at + 1)
        })
        .filter_map(|(at, line)| match line.entries.as_slice() {
            [entry] if !entry.wiki && !entry.mention && own.as_ref() != Some(&entry.target) => {
                let note = desk.notes.get(&entry.target)?;
                // A sub-index of the person's own keeps its place.
                (!measured::is_listing(&note.body)).then(|| (note.claimed, at, entry.target.clone(), line.text.clone()))
            }
            _ => None,
        })
        .collect();
    movable.sort();
    let (lines, bytes) = (desk.index.measure.lines + 1, desk.index.measure.bytes + 150);
    let (mut fewer_lines, mut fewer_bytes) = (0, 0);
    let moving: Vec<(usize, String, String)> = movable
        .into_iter()
        .take_while(|(_, _, _, text)| {
            let is_over = lines - fewer_lines > LINES_AIMED_AT || bytes.saturating_sub(fewer_bytes) > BYTES_AIMED_AT;
            fewer_lines += 1;
            fewer_bytes += text.len() + 1;
            is_over
        })
        .map(|(_, at, target, text)| (at, target, text))
        .collect();
    if moving.is_empty() {
        return Ok(());
    }
    let mut in_order = moving.clone();
    in_order.sort();
    let entries: Vec<String> = in_order.into_iter().map(|(_, _, text)| text.trim_end().to_owned()).collect();
    let reason = format!("the index is over its limit: {} moved here", text::count(moving.len(), "entry", "entries"));
    match own {
        Some(file) => {
            let Some(note) = desk.notes.get(&file) else { return Ok(()) };
            let topic = note.topic.with_body(&format!("{}\n{}\n", note.body.trim_end(), entries.join("\n")));
            desk.rewrite(&file, topic, &reason, Vec::new())?;
        }
        None => {
            let draft = Draft {
                name: NAME.to_owned(),
                description: "Entries that do not fit into the index, oldest claims".to_owned(),
                kind: Kind::Reference,
                body: format!("# More memories\n\n{}", entries.join("\n")),
                origin_session: None,
                modified: desk.now(),
            };
            desk.create(&draft, &reason, Vec::new())?;
        }
    }
    let targets: BTreeSet<&str> = moving.iter().map(|(_, target, _)| target.as_str()).collect();
    let is_moving = |line: usize, target: &str| targets.contains(target) && desk.index.is_entry_line(line);
    let bytes = desk.index.without_where(&|line, entry| is_moving(line, &entry.target));
    desk.reindex(bytes);
    desk.say(format!(
        "The index was over its limit: {} moved into a sub-index",
        text::count(moving.len(), "entry", "entries")
    ));
    Ok(())
}

/// Entries of the sub-index whose file is not there any more go.
fn drop_dangling(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let Some(note) = desk.notes.values().find(|note| note.is_open && is_ours(note.topic.frontmatter.name.as_deref()))
    else {
        return Ok(());
    };
    let file = note.file.clone();
    let listed = Index::read(note.body.clone().into_bytes());
    let bytes = listed.without_where(&|line, entry| {
        listed.is_entry_line(line)
            && entry.target.ends_with(".md")
            && !desk.notes.contains_key(&entry.target)
            && !desk.path(&entry.target).exists()
    });
    let topic = note.topic.with_body(&String::from_utf8_lossy(&bytes));
    desk.rewrite(&file, topic, "entries dropped whose file is gone", Vec::new())
}

fn is_ours(name: Option<&str>) -> bool {
    name == Some(NAME)
}
