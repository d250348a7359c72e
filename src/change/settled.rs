//! What a person made of what waited, file by file: kept when an entry of the inbox is gone, for whoever tells of it.
//!
//! Names of files and of history entries only, no contents. Not its job: what still waits (see [`super::inbox`]), and that
//! the same change is not asked again (see [`super::rejected`]).

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use super::DoorError;
use super::workshop::Workshop;
use crate::memory::INDEX_FILE;
use crate::state::{read_file, write_atomic};

/// So many entries of the inbox are remembered, the latest.
const MOST: usize = 1000;

/// What a person made of the files of one inbox entry so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The files of which something was accepted, with the history entry in which it landed; `None`: the disk was so already.
    pub accepted: BTreeMap<String, Option<String>>,
    /// The files of which something was rejected.
    pub rejected: BTreeSet<String>,
}

/// What was made of each entry, by its id. What cannot be read was not kept.
pub(super) fn read(workshop: &Workshop) -> BTreeMap<String, Settled> {
    read_file(&workshop.settled()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Whether something of a file was accepted.
pub(super) fn is_accepted(workshop: &Workshop, entry: &str, file: &str) -> bool {
    read(workshop).get(entry).is_some_and(|known| known.accepted.contains_key(file))
}

/// Remembers a decision on an entry. Under the lock of the store.
pub(super) fn remember(workshop: &Workshop, entry: &str, decided: Settled) -> Result<(), DoorError> {
    if decided == Settled::default() {
        return Ok(());
    }
    let mut all = read(workshop);
    let known = all.entry(entry.to_owned()).or_default();
    known.accepted.extend(decided.accepted);
    known.rejected.extend(decided.rejected);
    // The ids of entries begin with their time.
    while all.len() > MOST {
        all.pop_first();
    }
    write(workshop, &all)
}

/// The rejection of these files of an entry was taken back; `index_waits`: the index waits with them again. Under the lock of
/// the store.
pub(super) fn forget(
    workshop: &Workshop,
    entry: &str,
    files: &BTreeSet<String>,
    index_waits: bool,
) -> Result<(), DoorError> {
    let mut all = read(workshop);
    if let Some(known) = all.get_mut(entry) {
        known.rejected.retain(|file| !(files.contains(file) || index_waits && file == INDEX_FILE));
        if *known == Settled::default() {
            all.remove(entry);
        }
    }
    write(workshop, &all)
}

fn write(workshop: &Workshop, all: &BTreeMap<String, Settled>) -> Result<(), DoorError> {
    let path = workshop.settled();
    let bytes = serde_json::to_vec_pretty(all).map_err(io::Error::from);
    bytes.and_then(|bytes| write_atomic(&path, &bytes)).map_err(|source| DoorError::Io {
        what: "cannot write",
        path,
        source,
    })
}
