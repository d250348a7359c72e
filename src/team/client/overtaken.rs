//! What waits in the inbox of earlier pulls and holds no longer: the server has another version by now or none, or an `undo`
//! brought a question back.
//!
//! Not its job: what a person accepts or rejects (`crate::change`), and putting anything before them (see [`super::pull`]).

use std::collections::BTreeSet;

use super::file_of;
use super::sync::Work;
use super::view::View;
use crate::change::{Door, DoorError, HeldChange, InboxEntry, Origin};
use crate::memory::Store;
use crate::memory::names::of_the_team;

/// The guard under which one of two versions waits that could not be merged.
pub(super) const CONFLICT: &str = "conflict";

/// Whether a change is one of two versions that could not be merged, and not a version of the server's that guards held.
pub(super) fn is_conflict(change: &HeldChange) -> bool {
    change.reasons.iter().any(|reason| reason.guard == CONFLICT)
}

/// Whether an entry of the inbox holds a version of the server's of this entry of the team.
pub(super) fn holds(entry: &InboxEntry, key: &str) -> bool {
    let file = file_of(key);
    entry.origin == Origin::Pull && entry.changes.iter().any(|change| change.file == file && !is_conflict(change))
}

/// Takes back what guards held of the server's, for the entries that are meant: it is given the inbox entry's id and the key.
/// Returns those entries.
pub(super) fn withdraw(
    door: &Door,
    store: &Store,
    is_meant: &dyn Fn(&str, &str) -> bool,
) -> Result<BTreeSet<String>, DoorError> {
    let mut gone = BTreeSet::new();
    for entry in door.inbox(store)?.into_iter().filter(|entry| entry.origin == Origin::Pull) {
        let held = entry.changes.iter().filter(|change| !is_conflict(change));
        let keys: BTreeSet<&str> =
            held.filter_map(|change| of_the_team(&change.file)).filter(|key| is_meant(&entry.id, key)).collect();
        if !keys.is_empty() {
            door.withdraw(store, &entry.id, &keys.iter().map(|key| file_of(key)).collect())?;
            gone.extend(keys.into_iter().map(str::to_owned));
        }
    }
    Ok(gone)
}

/// Takes back what waits of the server's and is not what the server has now: accepted, it would replace what the team has. What
/// was accepted before that counts as what both had, so that what the team made of it comes here and is not replaced.
pub(super) fn take_back(work: &mut Work<'_>, view: &View) -> Result<(), DoorError> {
    let Work { record, local, report, client, .. } = work;
    for (key, held) in std::mem::take(&mut record.held) {
        if view.sums.get(&key) == Some(&held.there) {
            record.held.insert(key, held);
            continue;
        }
        if let Some(here) = local.sum(&key).filter(|here| Some(here) == held.becomes.as_ref()) {
            record.base.insert(key.clone(), held.there);
            record.accepted.insert(key, here);
        }
    }
    let is_over = |id: &str, key: &str| {
        record.hides(key, local.sum(key).as_ref()) || record.held.get(key).is_none_or(|held| held.inbox != id)
    };
    let gone = withdraw(client.door, client.store, &is_over)?;
    record.held = std::mem::take(&mut record.held)
        .into_iter()
        .filter(|(key, _)| !record.hides(key, local.sum(key).as_ref()))
        .collect();
    for key in gone {
        let why = if view.sums.contains_key(&key) { "has another one by now" } else { "has it no longer" };
        report.notice(format!("the version of {key} that waited in the inbox waits no more: the server {why}"));
    }
    Ok(())
}

/// Asks again where a pull was taken back that had put the server's version in the place of ours: what is here is ours as it
/// was, unsent and undecided, and not an edit of the server's version.
pub(super) fn reopen(work: &mut Work<'_>) -> Result<(), DoorError> {
    if work.record.disputed.is_empty() {
        return Ok(());
    }
    let entries = work.client.door.inbox(work.client.store)?;
    for (key, disputed) in std::mem::take(&mut work.record.disputed) {
        let file = file_of(&key);
        let waits = |entry: &InboxEntry| {
            entry.id == disputed.inbox && entry.changes.iter().any(|change| change.file == file && is_conflict(change))
        };
        if !entries.iter().any(waits) {
            continue;
        }
        work.record.disputed.insert(key.clone(), disputed.clone());
        if work.record.is_undone(&key, work.local.sum(&key).as_ref()) {
            work.client.door.withdraw(work.client.store, &disputed.inbox, &[file].into())?;
            work.record.agree(&key, disputed.before);
        }
    }
    Ok(())
}
