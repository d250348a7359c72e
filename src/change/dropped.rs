//! What a person rejected last, as it waited: so that it can wait again.
//!
//! The contents lie among the images, where they are kept as long as this says so. Not its job: rejecting (see
//! [`super::review`]), and that the same change is not asked again (see [`super::rejected`]).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::inbox::Inbox;
use super::stored::Stored;
use super::workshop::Workshop;
use super::{DoorError, let_go, rejected, settled};
use crate::state::files;

/// So many rejections can be taken back, the latest.
const MOST: usize = 20;

/// One rejection that can be taken back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Dropped {
    /// When.
    pub(super) at: DateTime<Utc>,
    /// The files.
    files: BTreeSet<String>,
    /// The entry as it was before.
    pub(super) entry: Stored,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct List {
    dropped: Vec<Dropped>,
}

/// The rejections that can be taken back, oldest first. What cannot be read was not kept.
pub(super) fn read(workshop: &Workshop) -> Vec<Dropped> {
    files::read::<List>(&workshop.dropped()).dropped
}

fn write(workshop: &Workshop, dropped: Vec<Dropped>) -> Result<(), DoorError> {
    let path = workshop.dropped();
    files::write(&path, "dropped", &List { dropped }).map_err(|source| DoorError::Io {
        what: "cannot write",
        path,
        source,
    })
}

/// Remembers a rejection. Under the lock of the store.
pub(super) fn remember(
    workshop: &Workshop,
    entry: &Stored,
    files: &BTreeSet<String>,
    at: DateTime<Utc>,
) -> Result<(), DoorError> {
    if files.is_empty() {
        return Ok(());
    }
    let mut all = read(workshop);
    all.push(Dropped { at, files: files.clone(), entry: entry.clone() });
    let surplus = all.len().saturating_sub(MOST);
    all.drain(..surplus);
    write(workshop, all)
}

/// Forgets the rejections that `is_gone` picks. Under the lock of the store.
pub(super) fn forget(workshop: &Workshop, is_gone: &dyn Fn(&Stored) -> bool) -> Result<(), DoorError> {
    let mut all = read(workshop);
    let before = all.len();
    all.retain(|one| !is_gone(&one.entry));
    if all.len() == before { Ok(()) } else { write(workshop, all) }
}

/// Lets the latest that was rejected of an inbox entry wait again; the files. `None`: nothing of it can.
pub(super) fn take_back(workshop: &Workshop, id: &str) -> Result<Option<BTreeSet<String>>, DoorError> {
    let _lock = workshop.lock()?;
    let mut all = read(workshop);
    let Some(at) = all.iter().rposition(|one| one.entry.id == id) else { return Ok(None) };
    let Dropped { files, entry, at } = all.remove(at);
    let index_waits = Inbox::of(workshop).wait_again(&entry, &files)?;
    rejected::forget(workshop, &entry.rejected(&files))?;
    let_go::record::take_back(workshop, id, at)?;
    settled::forget(workshop, id, &files, index_waits)?;
    write(workshop, all)?;
    Ok(Some(files))
}
