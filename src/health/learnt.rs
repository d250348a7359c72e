//! What was learnt of each memory, by its content, so that the next look at a store reads only what changed since.
//!
//! Everything in it follows from bytes alone: what depends on the index, the checkout or the day is worked out anew or is
//! part of what is compared. Not its job: looking (the other modules of [`crate::health`]), and keeping it on a disk.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;

use super::documents::Documents;
use super::evidence::{self, Citation};
use super::pairs::{self, Pair};
use super::{Finding, body, fix};
use crate::clock::local_day;
use crate::memory::{ContentHash, Kind, Memory, Snapshot};

/// So many compared pairs are remembered.
const MOST_PAIRS: usize = 100_000;

/// What earlier looks at one store learnt.
#[derive(Debug, Default)]
pub struct Learnt {
    /// For which day, documents and kind of store it holds.
    about: Option<(NaiveDate, ContentHash, bool)>,
    memories: HashMap<String, Learned>,
    pairs: HashMap<(ContentHash, ContentHash), Pair>,
    /// How many bodies were read so far.
    read: usize,
}

/// What was learnt of one memory.
#[derive(Debug)]
pub(super) struct Learned {
    hash: ContentHash,
    kind: Option<Kind>,
    /// What is wrong with its text.
    own: Vec<Finding>,
    /// What it cites of the project.
    pub(super) cited: Vec<Citation>,
    /// Its words, when there is something to compare, and the type they are of.
    pub(super) says: Option<(Option<Kind>, Vec<u64>)>,
}

impl Learnt {
    /// How many bodies were read for it since it was made.
    #[must_use]
    pub const fn read(&self) -> usize {
        self.read
    }

    /// Takes note of which day, documents and store is looked at: for others nothing holds. Forgets what is gone.
    pub(super) fn begin(&mut self, snapshot: &Snapshot, documents: &Documents) {
        let about = (local_day(snapshot.scanned_at), documents.mark(), snapshot.store.kind().has_types());
        if self.about.replace(about) != Some(about) {
            self.memories.clear();
        }
        if self.memories.len() > snapshot.memories.len() {
            let there: HashSet<&str> = snapshot.memories.iter().map(|memory| memory.file.as_str()).collect();
            self.memories.retain(|file, _| there.contains(file.as_str()));
        }
        if self.pairs.len() > MOST_PAIRS {
            self.pairs.clear();
        }
    }

    /// What is known of a memory, read now unless it is as it was. `None`: there is nothing to read.
    pub(super) fn of(&mut self, snapshot: &Snapshot, memory: &Memory, documents: &Documents) -> Option<&Learned> {
        let is_known =
            self.memories.get(&memory.file).is_some_and(|known| known.hash == memory.hash && known.kind == memory.kind);
        if !is_known {
            self.memories.remove(&memory.file);
            // A file that cannot be read has its finding from the scan.
            let topic = body::read(snapshot, memory)?;
            self.read += 1;
            let mut own = body::findings(snapshot, memory, &topic);
            own.extend(documents.finding(memory, &topic));
            let (cited, says) = (evidence::citations(memory, &topic), pairs::saying(memory, &topic));
            // What is on the disk by now may be another text than the one that was scanned.
            let hash = topic.hash();
            self.memories.insert(memory.file.clone(), Learned { hash, kind: memory.kind, own, cited, says });
        }
        self.memories.get(&memory.file)
    }

    /// The findings about a memory's own text; whether one can be repaired is for the store as it is now.
    pub(super) fn findings(&self, snapshot: &Snapshot, file: &str) -> Vec<Finding> {
        let mut own = self.memories.get(file).map(|known| known.own.clone()).unwrap_or_default();
        own.iter_mut().for_each(|finding| finding.fixable = fix::is_fixable(snapshot, finding));
        own
    }

    /// What a memory cites.
    pub(super) fn cited(&self, file: &str) -> &[Citation] {
        self.memories.get(file).map(|known| known.cited.as_slice()).unwrap_or_default()
    }

    /// The content that was learnt of a file.
    pub(super) fn hash(&self, file: &str) -> Option<ContentHash> {
        self.memories.get(file).map(|known| known.hash)
    }

    /// What two contents are to each other; compared once.
    pub(super) fn pair(
        &mut self,
        one: ContentHash,
        other: ContentHash,
        compare: impl FnOnce() -> Option<Pair>,
    ) -> Pair {
        if let Some(known) = self.pairs.get(&(one, other)) {
            return known.clone();
        }
        match compare() {
            Some(pair) => {
                self.pairs.insert((one, other), pair.clone());
                pair
            }
            // One of them cannot be read now.
            None => Pair::Apart,
        }
    }
}
