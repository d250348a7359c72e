//! What a person does not want to be asked about before a day: triage leaves it out until then.
//!
//! Kept by file and content: a memory that changes meanwhile is another claim and comes back at once. Not its job: the
//! order of triage (see `crate::health`).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::DoorError;
use super::verdicts::Seen;
use super::workshop::Workshop;
use crate::memory::{ContentHash, Snapshot};
use crate::state::{read_file, write_atomic};

/// One memory that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Snooze {
    content: ContentHash,
    until: DateTime<Utc>,
}

/// Until when a file waited before; `None`: it did not.
pub type Before = Vec<(Seen, Option<DateTime<Utc>>)>;

/// A record that cannot be read is none: a question too many is better than one that never comes.
fn read(workshop: &Workshop) -> BTreeMap<String, Snooze> {
    read_file(&workshop.snoozed()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Lets each memory wait until its instant, or not any more. Returns how it was before.
pub(super) fn set(
    workshop: &Workshop,
    wanted: &[(Seen, Option<DateTime<Utc>>)],
    now: DateTime<Utc>,
) -> Result<Before, DoorError> {
    let _lock = workshop.lock()?;
    let mut all = read(workshop);
    // What is over needs no record.
    all.retain(|_, snooze| snooze.until > now);
    let mut before = Vec::with_capacity(wanted.len());
    for (seen, until) in wanted {
        let known = all.get(&seen.file).filter(|snooze| snooze.content == seen.hash).map(|snooze| snooze.until);
        before.push((seen.clone(), known));
        match until {
            Some(until) => all.insert(seen.file.clone(), Snooze { content: seen.hash, until: *until }),
            None => all.remove(&seen.file),
        };
    }
    let path = workshop.snoozed();
    serde_json::to_vec(&all)
        .map_err(std::io::Error::from)
        .and_then(|bytes| write_atomic(&path, &bytes))
        .map_err(|source| DoorError::Io { what: "cannot write", path, source })?;
    Ok(before)
}

/// Marks the memories of a snapshot that wait at the time it was made.
pub(super) fn mark(workshop: &Workshop, snapshot: &mut Snapshot) {
    let all = read(workshop);
    let now = snapshot.scanned_at;
    for memory in &mut snapshot.memories {
        let waits = |snooze: &&Snooze| snooze.content == memory.hash && snooze.until > now;
        memory.snoozed_until = all.get(&memory.file).filter(waits).map(|snooze| snooze.until);
    }
}
