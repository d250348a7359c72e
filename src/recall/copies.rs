//! One memory, however often it lies there: links to one file and copies of one content.

use std::collections::HashMap;
use std::path::PathBuf;

use super::rank::Scored;
use crate::memory::ContentHash;

/// Equal memories: the best of them, and where all of them lie.
pub(super) struct Group<'a> {
    pub(super) first: Scored<'a>,
    pub(super) places: Vec<PathBuf>,
}

/// The memories in their order, each content once. Near-equal scores of different contents are different memories.
pub(super) fn grouped(all: Vec<Scored<'_>>) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut by_content: HashMap<ContentHash, usize> = HashMap::new();
    for scored in all {
        let path = scored.from.snapshot.store.path(&scored.memory.file);
        match by_content.get(&scored.memory.hash).and_then(|at| groups.get_mut(*at)) {
            Some(group) => group.places.push(path),
            None => {
                by_content.insert(scored.memory.hash, groups.len());
                groups.push(Group { first: scored, places: vec![path] });
            }
        }
    }
    for group in &mut groups {
        // A link and what it leads to are one place.
        let mut real: Vec<PathBuf> = Vec::new();
        if group.places.len() > 1 {
            group.places.retain(|place| {
                let path = std::fs::canonicalize(place).unwrap_or_else(|_| place.clone());
                let is_new = !real.contains(&path);
                real.push(path);
                is_new
            });
        }
    }
    groups
}
