//! Memories that say the same become one; links follow.
//!
//! Not its job: what counts as the same (`crate::memory::likeness`), and how two bodies become one (see
//! [`super::super::merge`]).

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::super::merge;
use super::super::note::Note;
use crate::memory::likeness::{candidates, measured};
use crate::memory::links::{Resolver, stem, wiki_links};
use crate::memory::{Following, Kind};

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

/// Lets links to a memory that goes lead to the one that stays; both are still there. They follow in every file that can
/// be read, also in one that a dream changes in nothing else.
pub(super) fn relink(desk: &mut Desk<'_>, from: &str, to: &str) -> Result<(), EngineError> {
    let name = |note: &Note| {
        let name = note.topic.frontmatter.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        name.unwrap_or_else(|| stem(&note.file)).to_owned()
    };
    let Some(gone) = desk.notes.get(from).map(name) else { return Ok(()) };
    // Of thousands of memories few link anywhere, and what a link means is worked out for all of them.
    let only = Resolver::new(std::iter::once((from, gone.as_str())));
    let word = stem(from).to_lowercase();
    let may_link = |note: &&Note| {
        let has_link = ["](", "]:", "`", ".md"].iter().any(|mark| note.body.contains(mark));
        note.file != from
            && (wiki_links(&note.body).iter().any(|link| only.resolve(&link.word).is_some())
                || has_link && (note.body.contains('%') || note.body.to_lowercase().contains(&word)))
    };
    let anew: Vec<(String, Vec<u8>)> = {
        let linking: Vec<&Note> = desk.notes.values().filter(may_link).collect();
        if linking.is_empty() {
            return Ok(());
        }
        let names: Vec<(&str, String)> = desk.notes.values().map(|note| (note.file.as_str(), name(note))).collect();
        let pairs = names.iter().map(|(file, name)| (*file, name.as_str()));
        let following = Following::new(pairs, &[(from, to)]);
        let text = |note: &Note| following.text(note.topic.bytes.clone(), &note.file, &note.file);
        linking.into_iter().map(|note| (note.file.clone(), text(note))).collect()
    };
    for (file, bytes) in anew {
        desk.relinked(&file, bytes, &format!("its link to {from} leads to {to} now"))?;
    }
    Ok(())
}
