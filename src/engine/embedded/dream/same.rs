//! Memories that say the same become one; links follow.
//!
//! Not its job: what counts as the same (`crate::memory::likeness`), and how two bodies become one (see
//! [`super::super::merge`]).

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::super::merge;
use super::super::note::Note;
use crate::memory::Kind;
use crate::memory::likeness::{candidates, measured};

/// Files of open memories, and which two of them are of one type and worth comparing. Names stay out of the pairs: of
/// two thousand memories there are two million.
pub(super) fn pairs(desk: &Desk<'_>) -> (Vec<String>, Vec<(usize, usize)>) {
    let open: Vec<&Note> = desk
        .notes
        .values()
        .filter(|note| {
            note.is_open && note.kind.is_some() && !note.shape.is_empty() && !measured::is_listing(&note.body)
        })
        .collect();
    let marks: Vec<(Option<Kind>, Vec<u64>)> = open.iter().map(|note| (note.kind, note.shape.marks())).collect();
    let mut pairs = Vec::new();
    candidates::visit(&marks, &mut |one, other| pairs.push((one, other)));
    pairs.sort_unstable();
    (open.into_iter().map(|note| note.file.clone()).collect(), pairs)
}

/// The two memories of a pair, as long as both are there.
pub(super) fn both<'a>(desk: &'a Desk<'_>, files: &[String], pair: (usize, usize)) -> Option<(&'a Note, &'a Note)> {
    let note = |at: usize| desk.notes.get(files.get(at)?);
    Some((note(pair.0)?, note(pair.1)?))
}

pub(super) async fn merge(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let (files, pairs) = pairs(desk);
    for (at, pair) in pairs.into_iter().enumerate() {
        if at % 256 == 0 {
            desk.breathe().await?;
        }
        let Some((one, other)) = both(desk, &files, pair) else { continue };
        if !measured::is_same(one, other) {
            continue;
        }
        let (kept, gone) = if merge::keeps_first(one, other) { (one, other) } else { (other, one) };
        let Some(topic) = merge::merged(kept, gone) else {
            desk.say(format!("{} and {} say the same, but their frontmatter differs; both stay", kept.file, gone.file));
            continue;
        };
        let (kept, gone) = (kept.file.clone(), gone.file.clone());
        desk.say(format!("{gone} says what {kept} says: merged"));
        desk.rewrite(&kept, topic, &format!("merged with {gone}"), Vec::new())?;
        relink(desk, &gone, &kept)?;
        desk.remove_merged(&gone, &kept)?;
    }
    Ok(())
}

/// Lets links to a memory that goes point to the one that stays; both are still there.
pub(super) fn relink(desk: &mut Desk<'_>, from: &str, to: &str) -> Result<(), EngineError> {
    let (Some(old), Some(new)) = (from.strip_suffix(".md"), to.strip_suffix(".md")) else { return Ok(()) };
    let name = |file: &str| desk.notes.get(file).and_then(|note| note.topic.frontmatter.name.clone());
    let mut changes = vec![(format!("]({from})"), format!("]({to})"))];
    for old in [Some(old.to_owned()), name(from)].into_iter().flatten() {
        let new = if old.contains('_') { new.to_owned() } else { name(to).unwrap_or_else(|| new.to_owned()) };
        for end in ["]]", "|"] {
            changes.push((format!("[[{old}{end}"), format!("[[{new}{end}")));
        }
    }
    let linking: Vec<String> = desk
        .notes
        .values()
        .filter(|note| note.is_open && note.file != from && changes.iter().any(|(old, _)| note.body.contains(old)))
        .map(|note| note.file.clone())
        .collect();
    for file in linking {
        let Some(note) = desk.notes.get(&file) else { continue };
        let body = changes.iter().fold(note.body.clone(), |body, (old, new)| body.replace(old, new));
        let topic = note.topic.with_body(&body);
        desk.rewrite(&file, topic, &format!("its link to {from} leads to {to} now"), Vec::new())?;
    }
    Ok(())
}
