//! Taking back what a run landed, so that the run says so too and the schedule is as before it.
//!
//! The door takes back; the run's journal, the schedule, the lock's time and the records are told. A mark stands from before
//! the first to after the last of it: an undo whose process dies in between is told of by whoever looks next. Not its job: what
//! comes back and what cannot (see [`crate::change`]).

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::journal::{self, JournalWriter};
use super::records::{self, Happened, RunRecord};
use super::schedule::Schedule;
use super::{RunEvent, RunView, Stamped, files, lock};
use crate::change::{Door, DoorError, HistoryEntry, Landing};
use crate::clock::Clock;
use crate::engine::JobKind;
use crate::lock_file::{SILENCE, token};
use crate::memory::Store;
use crate::process::{Identity, Life};
use crate::state::StateDir;

/// The ending of such a mark, beside the journals.
const ENDING: &str = "undoing";

/// An undo in progress.
#[derive(Debug, Serialize, Deserialize)]
struct Undoing {
    #[serde(flatten)]
    by: Identity,
    /// The store's directory.
    store: PathBuf,
}

/// Takes back a history entry, or all that a run landed, and tells the journals of the runs concerned: also when an undo is
/// itself taken back, and also what an undo before it could not tell any more.
///
/// # Errors
/// As [`Door::undo`], or when the mark cannot be written. A journal that cannot be written costs only the word `undone`.
pub fn undo(door: &Door, store: &Store, id_or_run: &str) -> Result<Landing, DoorError> {
    let mark = door.state().runs().join(format!("{}.{ENDING}", token()));
    let undoing = Undoing { by: Identity::own(), store: store.root().to_owned() };
    files::write(&mark, "undoing", &undoing).map_err(|source| DoorError::Io {
        what: "cannot write",
        path: mark.clone(),
        source,
    })?;
    let landing = door.undo(store, id_or_run);
    match tell(door, store) {
        Ok(()) => drop(fs::remove_file(&mark)),
        Err(error) => tracing::warn!("what was taken back is told by the next who looks: {error}"),
    }
    landing
}

/// The marks of undos whose process is gone.
pub(super) fn left(state: &StateDir) -> Vec<PathBuf> {
    let marks = fs::read_dir(state.runs()).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut left: Vec<PathBuf> = marks.filter(|path| is_left(path)).collect();
    left.sort();
    left
}

fn is_left(path: &Path) -> bool {
    if path.extension().is_none_or(|ending| ending != ENDING) {
        return false;
    }
    // One of a later version is not ours to judge.
    files::read_known::<Undoing>(path).is_some_and(|undoing| match undoing.by.life() {
        Life::Alive => false,
        Life::Dead => true,
        Life::Unknown => {
            let written = fs::metadata(path).and_then(|found| found.modified()).ok();
            written.and_then(|written| written.elapsed().ok()).is_some_and(|silent| silent > SILENCE)
        }
    })
}

/// Finishes what undos left whose process is gone: their landing is finished or taken back, and everybody is told.
///
/// # Errors
/// When the disk refuses; the mark then stays for the next who looks.
pub(super) fn finish(state: &StateDir, clock: &Clock, mark: &Path) -> io::Result<()> {
    let Some(undoing) = files::read_known::<Undoing>(mark) else { return Ok(()) };
    let (door, store) = (Door::new(state.clone(), clock.clone()), Store::at(&undoing.store));
    door.recover(&store).and_then(|_| tell(&door, &store)).map_err(io::Error::other)?;
    fs::remove_file(mark)
}

/// Tells every run of a store that does not say of itself what the history says of it.
fn tell(door: &Door, store: &Store) -> Result<(), DoorError> {
    let history = door.history(store)?;
    let schedule = Schedule::of(door.state(), store.root());
    for (run, by) in standing(&history) {
        let journal = JournalWriter::of(door.state(), &run);
        let kinds = [JobKind::Dream, JobKind::Extract];
        let is_scheduled = kinds.iter().all(|kind| {
            schedule.record(*kind).was_taken_back(&run).is_none_or(|was_taken_back| was_taken_back == by.is_some())
        });
        // A run without a journal is not shown anywhere, and an undo must not make it appear.
        let has_journal = journal.exists();
        if is_scheduled && (!has_journal || journal::undone_by(door.state(), &run) == by) {
            continue;
        }
        let entry = by.as_ref().and_then(|(by, _)| history.iter().find(|entry| entry.id == *by));
        tell_schedule(door, store, &run, entry);
        if has_journal {
            let (by, in_part) = by.map_or((None, false), |(by, in_part)| (Some(by), in_part));
            let event = Stamped { at: door.clock().now(), event: RunEvent::Undone { by, in_part } };
            if let Err(error) = journal.append(&event) {
                tracing::warn!("run {run} is not marked as undone: {error}");
            }
        }
    }
    if let Err(error) = lock::redate(store.root(), schedule.dir(), &schedule.record(JobKind::Dream)) {
        tracing::warn!("the lock's time does not tell what was taken back: {error}");
    }
    Ok(())
}

/// A run that was taken back gives back the schedule, and counts for it again when it is in force again.
fn tell_schedule(door: &Door, store: &Store, run: &str, by: Option<&HistoryEntry>) {
    let (schedule, now) = (Schedule::of(door.state(), store.root()), door.clock().now());
    for kind in [JobKind::Dream, JobKind::Extract] {
        if let Err(error) = schedule.taken_back(kind, run, by.map(|entry| entry.at)) {
            tracing::warn!("the schedule does not know that run {run} was taken back: {error}");
        }
    }
    let (kind, what) = (RunView::new(run).kind, if by.is_some() { Happened::Undone } else { Happened::Redone });
    let record =
        RunRecord { run: Some(run.to_owned()), store: store.root().to_owned(), ..RunRecord::new(kind, what, now) };
    records::append(door.state(), &record);
}

/// For each run, what took it back, and whether something of it still stands beside what was; `None`: all of it is in force.
fn standing(history: &[HistoryEntry]) -> HashMap<String, Option<(String, bool)>> {
    let mut runs: HashMap<String, Option<(String, bool)>> = HashMap::new();
    // Newest first: the last word on a run is the first one met.
    for entry in history {
        let Some(run) = &entry.run else { continue };
        let whole = entry.undone_by.clone().map(|by| (by, false));
        let back = whole.or_else(|| entry.undone_in_part_by.clone().map(|by| (by, true)));
        match runs.get_mut(run) {
            Some(known) => {
                *known = match (known.take(), back) {
                    (Some((by, in_part)), Some((_, of_other))) => Some((by, in_part || of_other)),
                    // What was accepted of a run, or landed by itself, stands as a whole.
                    _ => None,
                };
            }
            None => drop(runs.insert(run.clone(), back)),
        }
    }
    runs
}
