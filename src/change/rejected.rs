//! What a person rejected: the same change of the same file is not asked again until one of the two is another.
//!
//! Hashes only, no contents. Not its job: what waits (see [`super::inbox`]).

use std::collections::BTreeSet;
use std::io;

use serde::{Deserialize, Serialize};

use super::workshop::Workshop;
use super::{Change, ChangeSet, DoorError};
use crate::memory::ContentHash;
use crate::state::{read_file, write_atomic};

/// So many are remembered, the latest.
const MOST: usize = 2000;

/// A rejected change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rejected {
    pub(super) file: String,
    /// What it was based on; `None`: there was no such file.
    pub(super) base: Option<ContentHash>,
    /// What it would have become; `None`: it would have gone.
    pub(super) content: Option<ContentHash>,
}

impl Rejected {
    fn is(&self, change: &Change) -> bool {
        let hash = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(ContentHash::of);
        self.file == change.file && self.base == hash(&change.base) && self.content == hash(&change.content)
    }
}

/// What cannot be read was not rejected: it is asked once more.
fn read(workshop: &Workshop) -> Vec<Rejected> {
    read_file(&workshop.rejected()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Remembers what was rejected. Under the lock of the store.
pub(super) fn remember(workshop: &Workshop, rejected: Vec<Rejected>) -> Result<(), DoorError> {
    if rejected.is_empty() {
        return Ok(());
    }
    let mut all = read(workshop);
    all.retain(|known| !rejected.contains(known));
    all.extend(rejected);
    let surplus = all.len().saturating_sub(MOST);
    all.drain(..surplus);
    write(workshop, &all)
}

fn write(workshop: &Workshop, all: &[Rejected]) -> Result<(), DoorError> {
    let path = workshop.rejected();
    let bytes = serde_json::to_vec_pretty(all).map_err(io::Error::from);
    bytes.and_then(|bytes| write_atomic(&path, &bytes)).map_err(|source| DoorError::Io {
        what: "cannot write",
        path,
        source,
    })
}

/// These were rejected and are not any more. Under the lock of the store.
pub(super) fn forget(workshop: &Workshop, taken_back: &[Rejected]) -> Result<(), DoorError> {
    let mut all = read(workshop);
    all.retain(|known| !taken_back.contains(known));
    write(workshop, &all)
}

/// The files of a change set whose very change was rejected.
pub(super) fn among(workshop: &Workshop, set: &ChangeSet) -> BTreeSet<String> {
    let all = read(workshop);
    let rejected = set.changes.iter().filter(|change| all.iter().any(|known| known.is(change)));
    rejected.map(|change| change.file.clone()).collect()
}
