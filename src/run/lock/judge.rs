//! Whether a lock that lies in a store is held: rules for every content and every mtime it may have.

use std::io;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::JITTER;
use super::file::{self, Contents};
use super::guard::{Holder, Record};
use crate::memory::LOCK_FILE;
use crate::process;
use crate::run::files;

/// A lock older than this is stale, whoever holds it: the seeds' rule.
const EXPIRY: TimeDelta = TimeDelta::hours(1);

/// An empty or unreadable lock younger than this may be one that is just being written.
const UNFINISHED: TimeDelta = TimeDelta::seconds(2);

/// How the words begin that say of another program that it holds the lock.
const ANOTHER: &str = "another program is consolidating this store";

/// Whether the words of [`Standing::Held`] say that a process of another program holds the lock, of whose end nobody is told.
#[must_use]
pub fn is_by_another(why: &str) -> bool {
    why.starts_with(ANOTHER)
}

/// What a lock means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Its holder let it go.
    Free,
    /// Its holder is gone; the words name it.
    Stale(String),
    /// It may be just being written.
    Unfinished(String),
    /// It is held; the words say by whom.
    Held(String),
}

/// How the lock of a store stands, for the gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody holds it.
    Free,
    /// It can be taken over; the words say from whom.
    Stale(String),
    /// It is held; the words say by whom.
    Held(String),
}

/// Like [`standing`], for a trigger that would take it: of a lock whose time lies in the future it is noted when it was first
/// met, so that its hour ends.
pub(in crate::run) fn meet(store: &Path, dir: &Path, now: DateTime<Utc>) -> Standing {
    if let Ok(Some(found)) = file::read(&store.join(LOCK_FILE)) {
        // What cannot be noted now is noted by the next one.
        let _ = remember_sight(&found, dir, now);
    }
    standing(store, dir, now)
}

/// Looks at the lock of a store without touching anything.
#[must_use]
pub fn standing(store: &Path, dir: &Path, now: DateTime<Utc>) -> Standing {
    let record = Record::read(dir);
    let unfinished = record.as_ref().filter(|record| !record.finished);
    if let Some(record) = unfinished.filter(|record| record.standing(now) == Holder::Holds) {
        return Standing::Held(format!("a dream of this store is running ({})", who(record)));
    }
    let found = match file::read(&store.join(LOCK_FILE)) {
        Ok(None) => return Standing::Free,
        Ok(Some(found)) => found,
        Err(why) => return Standing::Held(why),
    };
    match judge(&found, record.as_ref(), now, true, dir) {
        Verdict::Free => Standing::Free,
        Verdict::Stale(why) => Standing::Stale(why),
        Verdict::Unfinished(_) => Standing::Held("another program is just taking it".to_owned()),
        Verdict::Held(why) => Standing::Held(why),
    }
}

/// Judges a lock. `certain`: no other run of ours is alive, because we hold the guard (or know it from the record).
pub(super) fn judge(
    found: &Contents,
    record: Option<&Record>,
    now: DateTime<Utc>,
    certain: bool,
    dir: &Path,
) -> Verdict {
    let age = now - found.mtime;
    let in_future = age < -JITTER;
    let Some(pid) = found.pid() else {
        let what = if found.is_empty() { "an empty lock file" } else { "a lock file that names no process" };
        return if !in_future && age < UNFINISHED {
            Verdict::Unfinished(what.to_owned())
        } else {
            Verdict::Stale(what.to_owned())
        };
    };
    if let Some(record) = record.filter(|record| record.holder.pid == pid && found.is_stamped(record.stamp)) {
        if record.finished {
            return Verdict::Free;
        }
        return match record.standing(now) {
            Holder::Silent(minutes) => Verdict::Stale(format!("{}, silent for {minutes} min", who(record))),
            Holder::Holds if !certain => {
                Verdict::Held(format!("a dream of this store is running already ({})", who(record)))
            }
            Holder::Holds | Holder::Gone => Verdict::Stale(format!("a dead process (PID {pid})")),
        };
    }
    let is_put_back = |record: &Record| record.prior.as_ref().is_some_and(|prior| found.is_as(prior));
    if record.is_some_and(|record| record.finished && record.was_free && is_put_back(record)) {
        // A run that failed put it back as it had found it, free.
        return Verdict::Free;
    }
    if !process::is_alive(pid) {
        return Verdict::Stale(format!("a dead process (PID {pid})"));
    }
    if pid == std::process::id() {
        // We are just asking for it, so this process has never taken it: an earlier one had the same id.
        return Verdict::Stale(format!("an earlier process that had our id (PID {pid})"));
    }
    let held_for = if in_future { now - first_sight(found, dir).unwrap_or(now) } else { age };
    if held_for >= EXPIRY {
        return Verdict::Stale(format!("a process that has held it for over an hour (PID {pid})"));
    }
    let minutes = held_for.num_minutes().max(0);
    Verdict::Held(format!("{ANOTHER} (PID {pid}, for {minutes} min)"))
}

/// Names the holder in a record: by its process here, by its machine elsewhere.
pub(super) fn who(record: &Record) -> String {
    let (pid, place, here) = (record.holder.pid, &record.holder.place, process::Place::here());
    if place.host != here.host {
        format!("PID {pid} on {}", place.host)
    } else if place.namespace != here.namespace {
        format!("PID {pid} in another container")
    } else {
        format!("PID {pid}")
    }
}

/// When a lock whose mtime tells nothing was first seen.
#[derive(Serialize, Deserialize)]
struct Sight {
    pid: Option<u32>,
    mtime: DateTime<Utc>,
    first: DateTime<Utc>,
}

fn read_sight(found: &Contents, dir: &Path) -> Option<Sight> {
    let sight: Sight = files::read_known(&dir.join("sight.json"))?;
    (sight.pid == found.pid() && sight.mtime == found.mtime).then_some(sight)
}

fn first_sight(found: &Contents, dir: &Path) -> Option<DateTime<Utc>> {
    read_sight(found, dir).map(|sight| sight.first)
}

/// Remembers when a held lock with an mtime in the future was first seen, so that its hour ends.
pub(super) fn remember_sight(found: &Contents, dir: &Path, now: DateTime<Utc>) -> io::Result<()> {
    if found.mtime <= now + JITTER || read_sight(found, dir).is_some_and(|sight| sight.first <= now) {
        return Ok(());
    }
    let sight = Sight { pid: found.pid(), mtime: found.mtime, first: now };
    files::write(&dir.join("sight.json"), "sight", &sight)
}
