//! After workers that died without a word (`kill -9`, a crash, a power cut): everything is put back as the run found it.
//!
//! A worker makes its room (`runs/<id>/`) before it takes anything and leaves it last, so a room whose owner is gone is a
//! run that did not end. Its children are ended, the lock gets back its bytes and time, a landing that was cut off is
//! finished or taken back, and the journal says who did it. What an undo could not tell any more is told. Looked at whenever a run starts, and by whoever lists runs. Not
//! its job: killing (see [`super::kill`]).

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::event::Outcome;
use super::journal::{self, JournalWriter, RunBook};
use super::kill::{forget, wait_until};
use super::records::{self, Happened, RunRecord};
use super::schedule::Schedule;
use super::{RunEvent, RunView, Stamped, asked, files, lock, reason, trigger, undo, working_copy};
use crate::change::Door;
use crate::clock::Clock;
use crate::engine::CHILD_NOTE;
use crate::environment::RUN;
use crate::lock_file;
use crate::memory::Store;
use crate::process::{self, Identity, Life, Place};
use crate::state::StateDir;

/// The journals kept, newest first.
const JOURNALS_KEPT: usize = 1_000;

/// Cleans up after every dead worker, and forgets the oldest journals beyond those kept. Cheap when there is nothing to do:
/// one listing. Returns the runs it ended.
pub fn reap(state: &StateDir, clock: &Clock) -> Vec<String> {
    let (dead, journals) = look(state);
    let mut ended = asked::end_overdue(state, clock);
    let undos = undo::left(state);
    if !(dead.is_empty() && undos.is_empty())
        && let Ok(Some(_lock)) = lock_file::try_take(&state.runs().join("reap.lock"))
    {
        let mut book = RunBook::new(state.clone());
        // A journal that cannot be read ends no worse than one that is missing.
        let _ = book.refresh();
        for run in dead {
            if working_copy::is_leaving(&run) {
                // Its end is written down; another process may be removing it this moment.
                working_copy::remove(state, &run);
            } else if is_reaped(state, &book, &run, clock) {
                ended.push(run);
            }
        }
        for mark in undos {
            if let Err(error) = undo::finish(state, clock, &mark) {
                tracing::warn!("what was taken back cannot be told: {error}");
            }
        }
    }
    if journals > JOURNALS_KEPT {
        forget_oldest(state);
    }
    ended
}

/// The runs whose worker is dead, among them those whose journal was cut off before its first word, and how many journals
/// there are.
pub(super) fn look(state: &StateDir) -> (Vec<String>, usize) {
    let (mut dead, mut journals) = (Vec::new(), 0);
    for entry in fs::read_dir(state.runs()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(run) = name.strip_suffix(".jsonl") {
            journals += 1;
            if is_silent(&entry) && journal::is_headless(&entry.path()) && !state.runs().join(run).exists() {
                dead.push(run.to_owned());
            }
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && (working_copy::is_leaving(&name) || working_copy::is_deserted(&entry.path()))
        {
            dead.push(name);
        }
    }
    dead.sort();
    (dead, journals)
}

/// Whether nobody is writing the first line of a journal any more.
fn is_silent(journal: &fs::DirEntry) -> bool {
    let written = journal.metadata().and_then(|found| found.modified()).ok();
    written.and_then(|written| written.elapsed().ok()).is_some_and(|silent| silent > journal::STARTING)
}

/// Cleans up after one run; whether it did.
fn is_reaped(state: &StateDir, book: &RunBook, run: &str, clock: &Clock) -> bool {
    let owner = working_copy::owner(&state.runs().join(run));
    let journalled = book.run(run);
    let mut view = journalled.cloned().unwrap_or_else(|| RunView::new(run));
    let is_gated = owner.as_ref().is_some_and(|owner| owner.is_gated);
    if let Some(owner) = owner.filter(|_| view.pid == 0) {
        // It died before its first word.
        view.store = owner.store;
        view.pid = owner.identity.pid;
        view.birth = owner.identity.birth;
        view.place = owner.identity.place;
    }
    let result = if view.outcome.is_some() {
        // Its end was written down; only its room was left.
        put_back(state, &view, clock).map(drop)
    } else {
        clean_up(state, &view, clock, reason::WORKER_DIED).and_then(|()| {
            // One that dies each time must not be started after every turn, nor at every hour of a cron job.
            let waits = (is_gated || trigger::is_automatic(&view.trigger)) && !view.store.is_empty() && !view.dry_run;
            let session = view.sessions.first().map(String::as_str);
            let died = || Schedule::of(state, Path::new(&view.store)).died(view.kind, session, clock.now());
            if waits { died() } else { Ok(()) }
        })
    };
    if let Err(error) = &result {
        tracing::warn!("cannot clean up after run {run}: {error}");
        return false;
    }
    working_copy::remove(state, run);
    true
}

/// Does what a dead worker could not, and says who ended it. Tells from the disk whether the end came before or after its
/// changes landed.
pub(super) fn clean_up(state: &StateDir, view: &RunView, clock: &Clock, by: &str) -> io::Result<()> {
    let history = put_back(state, view, clock)?;
    let reason = match (by == reason::WORKER_DIED, history.is_some()) {
        (true, false) => reason::interrupted(view.kind),
        (true, true) => reason::interrupted_after_landing(),
        (false, false) => reason::killed(by),
        (false, true) => reason::killed_after_landing(by),
    };
    let now = clock.now();
    let ms = view.started.map_or(0, |started| u64::try_from((now - started).num_milliseconds()).unwrap_or(0));
    let record = RunRecord {
        run: Some(view.id.clone()),
        store: view.store.clone().into(),
        trigger: view.trigger.clone(),
        engine: view.engine.clone(),
        outcome: Some(Outcome::Killed),
        reason: reason.clone(),
        killed_by: Some(by.to_owned()),
        sessions_reviewed: Some(view.sessions.len()),
        ms: Some(ms),
        ..RunRecord::new(view.kind, Happened::Failed, now).with_tokens(view.tokens)
    };
    let event = RunEvent::Ended {
        outcome: Outcome::Killed,
        reason,
        killed_by: Some(by.to_owned()),
        changes: Vec::new(),
        held: Vec::new(),
        history,
        inbox: None,
        notice: None,
        ms,
    };
    JournalWriter::of(state, &view.id).append(&Stamped { at: now, event })?;
    records::append(state, &record);
    working_copy::remove(state, &view.id);
    forget(state, &view.id);
    // It may have died between its first word and this.
    asked::answered(state, &view.id);
    Ok(())
}

/// Ends what the worker started and puts the store's lock and files back. Returns the history entry of what it had landed.
fn put_back(state: &StateDir, view: &RunView, clock: &Clock) -> io::Result<Option<String>> {
    if view.leads_group && view.place == Place::here() {
        process::end_group_of_dead(view.pid);
    }
    // An engine that is a program of its own leads a group of its own, and is noted in the run's room.
    let note = state.runs().join(&view.id).join(CHILD_NOTE);
    if let Some(child) = files::read_known::<Identity>(&note).filter(|child| child.life() == Life::Alive) {
        let below = process::descendants(child.pid);
        process::end_group(child.pid);
        process::end_all(&below);
    }
    end_strays(state, &view.id);
    if view.store.is_empty() {
        return Ok(None);
    }
    let store = Store::at(&view.store);
    // A process is gone for others a moment before its last thread has let go of its files.
    let schedule = Schedule::of(state, store.root());
    let mut recovered = Ok(None);
    wait_until(Duration::from_secs(1), || {
        recovered = lock::recover(store.root(), schedule.dir());
        recovered.is_err() || !lock::is_on_record(schedule.dir(), view.pid)
    });
    recovered?;
    let door = Door::new(state.clone(), clock.clone());
    let landed = door.recover(&store).and_then(|_| door.history(&store)).map_err(io::Error::other)?;
    Ok(landed.into_iter().find(|entry| entry.run.as_deref() == Some(&view.id)).map(|entry| entry.id))
}

/// Ends what a run started and what left its process group.
pub(super) fn end_strays(state: &StateDir, run: &str) {
    let runs = state.runs().canonicalize().unwrap_or_else(|_| state.runs());
    process::end_marked(RUN, &runs.join(run));
}

fn forget_oldest(state: &StateDir) {
    let mut journals = Vec::new();
    for entry in fs::read_dir(state.runs()).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let modified = entry.metadata().and_then(|found| found.modified());
            journals.push((modified.unwrap_or_else(|_| std::time::SystemTime::now()), path));
        }
    }
    if journals.len() > JOURNALS_KEPT {
        journals.sort_by(|a, b| b.cmp(a));
        for (_, path) in journals.split_off(JOURNALS_KEPT) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether the process of a run that has no end is gone. One that cannot be looked up from here is given an hour of silence.
pub(super) fn is_gone(view: &RunView, silent: Option<Duration>) -> bool {
    const SILENCE: Duration = Duration::from_secs(3_600);
    let worker = Identity { pid: view.pid, birth: view.birth.clone(), place: view.place.clone() };
    match worker.life() {
        Life::Alive => false,
        Life::Dead => true,
        Life::Unknown => silent.is_some_and(|silent| silent > SILENCE),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;
    use crate::change::{Consent, Origin, verbs};
    use crate::memory::{Draft, Kind, ShelfLife, store::ScanOptions};

    #[test]
    fn a_run_that_was_killed_after_its_changes_landed_does_not_claim_that_nothing_changed() {
        let dir = tempfile::tempdir().unwrap();
        let (state, store) = (StateDir::at(dir.path().join("state")), Store::at(dir.path().join("memory")));
        fs::create_dir_all(store.root()).unwrap();
        let clock = Clock::Fixed("2026-11-30T12:00:00Z".parse().unwrap());
        let options = ScanOptions { now: clock.now(), shelf_life: ShelfLife::default(), confirmed: Default::default() };
        let draft = Draft {
            name: "freeze".into(),
            description: "The freeze".into(),
            kind: Kind::Project,
            body: "Merges are frozen.".into(),
            origin_session: None,
            modified: clock.now(),
        };
        let mut set = verbs::create(&store.scan(&options).unwrap(), &draft);
        (set.origin, set.run) = (Origin::Dream, Some("dream-landed".into()));
        Door::new(state.clone(), clock.clone()).land(&store, &set, Consent::None).unwrap();
        for (run, has_landed) in [("dream-landed", true), ("dream-other", false)] {
            for by in ["screen", reason::WORKER_DIED] {
                let view = RunView { store: store.root().to_string_lossy().into_owned(), ..RunView::new(run) };
                clean_up(&state, &view, &clock, by).unwrap();
                let mut book = RunBook::new(state.clone());
                book.refresh().unwrap();
                let ended = book.run(run).unwrap();
                assert_eq!((ended.outcome, ended.killed_by.as_deref()), (Some(Outcome::Killed), Some(by)));
                assert_eq!(ended.history.is_some(), has_landed, "{run}");
                assert_eq!(ended.reason.contains("nothing was changed"), !has_landed, "{run}: {}", ended.reason);
            }
        }
    }
}
