//! Our record of "still true": when the person last confirmed a content that does not date itself.
//!
//! A file's own time says the same until a copy or a checkout resets it; this survives that. Not its job: judging ages
//! (see `crate::memory::store`).

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::beyond;
use super::commit::{Action, Step};
use super::workshop::Workshop;
use super::{ChangeSet, Mtime, Op, Origin};
use crate::memory::{ContentHash, frontmatter};
use crate::state::write_atomic;

/// The most that is remembered of one store; the oldest go first.
const MOST: usize = 5_000;

/// One confirmation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Confirmation {
    content: ContentHash,
    at: DateTime<Utc>,
    /// The landing it came with.
    entry: String,
}

/// The latest confirmation of each content.
pub(super) fn read(workshop: &Workshop) -> HashMap<ContentHash, DateTime<Utc>> {
    let mut latest: HashMap<ContentHash, DateTime<Utc>> = HashMap::new();
    for one in all(workshop) {
        let at = latest.entry(one.content).or_insert(one.at);
        *at = one.at.max(*at);
    }
    latest
}

/// A record that cannot be read is none: the file's own time tells the age then.
fn all(workshop: &Workshop) -> Vec<Confirmation> {
    crate::state::read_file(&workshop.confirmed())
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

fn write(workshop: &Workshop, mut all: Vec<Confirmation>) {
    all.sort_by_key(|one| one.at);
    let surplus = all.len().saturating_sub(MOST);
    all.drain(..surplus);
    let written = serde_json::to_vec(&all).map_err(std::io::Error::from);
    if let Err(error) = written.and_then(|bytes| write_atomic(&workshop.confirmed(), &bytes)) {
        tracing::warn!("a confirmation is not recorded: {error}");
    }
}

/// Records what a landing says about claims: a person's renewal confirms the content; a change that keeps the claim's age
/// takes the confirmation along.
pub(super) fn landed(workshop: &Workshop, set: &ChangeSet, steps: &[Step], entry: &str, now: DateTime<Utc>) {
    let by_person = matches!(set.origin, Origin::Edit | Origin::Triage);
    let mut known: Option<HashMap<ContentHash, DateTime<Utc>>> = None;
    let mut fresh = Vec::new();
    for change in set.changes.iter().filter(|change| change.op == Op::Replace && !beyond::is_beyond(&change.file)) {
        let Some(step) = steps.iter().find(|step| step.file == change.file) else { continue };
        let Action::Put { bytes, .. } = &step.action else { continue };
        if frontmatter::read(bytes).modified.is_some() {
            continue;
        }
        let at = match change.mtime {
            Mtime::Now if by_person => Some(now),
            Mtime::Keep => {
                let known = known.get_or_insert_with(|| read(workshop));
                step.before.as_ref().and_then(|before| known.get(&before.hash()).copied())
            }
            _ => None,
        };
        let content = ContentHash::of(bytes);
        fresh.extend(at.map(|at| Confirmation { content, at, entry: entry.to_owned() }));
    }
    if !fresh.is_empty() {
        let mut all = all(workshop);
        all.extend(fresh);
        write(workshop, all);
    }
}

/// What came with landings that were taken back does not count any more.
pub(super) fn taken_back<'a>(workshop: &Workshop, entries: impl Iterator<Item = &'a str>) {
    let entries: Vec<&str> = entries.collect();
    let mut all = all(workshop);
    let before = all.len();
    all.retain(|one| !entries.contains(&one.entry.as_str()));
    if all.len() < before {
        write(workshop, all);
    }
}
