//! Taking back what a run landed, so that the run says so too and the schedule is as before it.
//!
//! The door takes back; the run's journal, the schedule, the lock's time and the records are told. Not its job: what comes back and what cannot (see [`crate::change`]).

use std::collections::HashMap;

use super::journal::JournalWriter;
use super::records::{self, Happened, RunRecord};
use super::schedule::Schedule;
use super::{RunEvent, RunView, Stamped, lock};
use crate::change::{Door, DoorError, HistoryEntry, Landing};
use crate::engine::JobKind;
use crate::memory::Store;

/// Takes back a history entry, or all that a run landed, and tells the journals of the runs concerned: also when an undo is
/// itself taken back.
///
/// # Errors
/// As [`Door::undo`]. A journal that cannot be written costs only the word `undone`.
pub fn undo(door: &Door, store: &Store, id_or_run: &str) -> Result<Landing, DoorError> {
    let before = standing(&door.history(store)?);
    let landing = door.undo(store, id_or_run)?;
    let after = standing(&door.history(store)?);
    for (run, by) in after {
        if before.get(&run).is_some_and(|known| *known == by) {
            continue;
        }
        tell_schedule(door, store, &run, by.is_some());
        let journal = JournalWriter::of(door.state(), &run);
        // A run without a journal is not shown anywhere, and an undo must not make it appear.
        if journal.exists() {
            let event = Stamped { at: door.clock().now(), event: RunEvent::Undone { by } };
            if let Err(error) = journal.append(&event) {
                tracing::warn!("run {run} is not marked as undone: {error}");
            }
        }
    }
    Ok(landing)
}

/// A run that was taken back gives back the schedule, and counts for it again when it is in force again.
fn tell_schedule(door: &Door, store: &Store, run: &str, is_back: bool) {
    let (schedule, now) = (Schedule::of(door.state(), store.root()), door.clock().now());
    for kind in [JobKind::Dream, JobKind::Extract] {
        let moved = match schedule.taken_back(kind, run, is_back.then_some(now)) {
            Ok(moved) => moved,
            Err(error) => {
                tracing::warn!("the schedule does not know that run {run} was taken back: {error}");
                continue;
            }
        };
        let redated = match (moved, kind) {
            (Some(moved), JobKind::Dream) => lock::redate(store.root(), schedule.dir(), moved),
            _ => Ok(()),
        };
        if let Err(error) = redated {
            tracing::warn!("the lock's time does not tell that run {run} was taken back: {error}");
        }
    }
    let (kind, what) = (RunView::new(run).kind, if is_back { Happened::Undone } else { Happened::Redone });
    let record =
        RunRecord { run: Some(run.to_owned()), store: store.root().to_owned(), ..RunRecord::new(kind, what, now) };
    records::append(door.state(), &record);
}

/// For each run, what took it back; `None`: something of it is in force.
fn standing(history: &[HistoryEntry]) -> HashMap<String, Option<String>> {
    let mut runs: HashMap<String, Option<String>> = HashMap::new();
    // Newest first: the last word on a run is the first one met.
    for entry in history {
        let Some(run) = &entry.run else { continue };
        match runs.get_mut(run) {
            Some(known) if entry.undone_by.is_none() => *known = None,
            Some(_) => {}
            None => {
                runs.insert(run.clone(), entry.undone_by.clone());
            }
        }
    }
    runs
}
