//! Killing a run: ask the worker, then end its process group.

use std::io;
use std::time::{Duration, Instant};

use super::event::Outcome;
use super::journal::{JournalWriter, RunBook};
use super::schedule::Schedule;
use super::{RunEvent, RunStatus, RunView, Stamped, lock, process, working_copy};
use crate::change::Door;
use crate::clock::Clock;
use crate::memory::Store;
use crate::state::StateDir;

/// A worker is given this long to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why a run could not be killed.
#[derive(Debug, thiserror::Error)]
pub enum KillError {
    /// No run of that id.
    #[error("there is no run {0:?}; see `dreamtop runs`")]
    Unknown(String),
    /// It is over.
    #[error("run {0} is over: {1}")]
    Over(String, String),
    /// The operating system refuses.
    #[error("cannot kill run {run} (process {pid}): {source}")]
    Io {
        /// The run.
        run: String,
        /// Its process.
        pid: u32,
        /// The operating system's words.
        source: std::io::Error,
    },
}

/// Kills a live run: SIGTERM to the worker, after 2 s SIGKILL to its process group, then cleans up what the dead worker
/// could not (working copy, lock, `ended` event). Blocks up to about 3 s. Returns the run as it ended.
///
/// # Errors
/// When there is no such live run or it cannot be killed.
pub fn kill(state: &StateDir, run: &str, clock: &Clock) -> Result<RunView, KillError> {
    let mut book = RunBook::new(state.clone());
    let mut pid = 0;
    let wrap = |pid: u32| move |source: io::Error| KillError::Io { run: run.to_owned(), pid, source };
    book.refresh().map_err(wrap(pid))?;
    let view = book.run(run).ok_or_else(|| KillError::Unknown(run.to_owned()))?.clone();
    if !view.is_live() {
        return Err(KillError::Over(run.to_owned(), format!("{}; {}", view.word(), view.reason)));
    }
    let is_alive = || process::is_same_and_alive(view.pid, view.birth.as_deref());
    pid = view.pid;
    if is_alive() {
        signal(pid, false).map_err(wrap(pid))?;
        wait_until(PATIENCE, || {
            let ended = book.refresh().is_ok() && book.run(run).is_some_and(|now| !now.is_live());
            ended && !(view.pid != std::process::id() && is_alive())
        });
    }
    if is_alive() && book.run(run).is_none_or(RunView::is_live) {
        if pid == std::process::id() {
            let source = io::Error::other("the run goes on in this very process and does not answer");
            return Err(wrap(pid)(source));
        }
        signal(pid, true).map_err(wrap(pid))?;
        wait_until(Duration::from_secs(1), || !is_alive());
    }
    book.refresh().map_err(wrap(pid))?;
    if book.run(run).is_none_or(|now| now.status != RunStatus::Ended) {
        clean_up(state, &view, clock).map_err(wrap(pid))?;
        book.refresh().map_err(wrap(pid))?;
    }
    book.run(run).cloned().ok_or_else(|| KillError::Unknown(run.to_owned()))
}

/// Does what a dead worker could not, and tells from the disk whether the end came before or after its changes landed.
fn clean_up(state: &StateDir, view: &RunView, clock: &Clock) -> io::Result<()> {
    let mut reason = "killed; nothing was changed".to_owned();
    let mut history = None;
    if !view.store.is_empty() {
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
        if let Some(entry) = landed.into_iter().find(|entry| entry.run.as_deref() == Some(&view.id)) {
            reason = "killed when its changes had landed; undo takes them back".to_owned();
            history = Some(entry.id);
        }
    }
    working_copy::remove(state, &view.id);
    let now = clock.now();
    let ms = view.started.map_or(0, |started| (now - started).num_milliseconds());
    let event = RunEvent::Ended {
        outcome: Outcome::Killed,
        reason,
        changes: Vec::new(),
        held: Vec::new(),
        history,
        inbox: None,
        notice: None,
        ms: u64::try_from(ms).unwrap_or(0),
    };
    JournalWriter::of(state, &view.id).append(&Stamped { at: now, event })
}

fn wait_until(patience: Duration, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() && started.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks a process to end, or ends it with its group if it leads one. Never another group, never ours.
#[cfg(unix)]
fn signal(pid: u32, at_once: bool) -> io::Result<()> {
    use rustix::process::{Pid, Signal, getpgid, getpgrp, kill_process, kill_process_group};
    let Some(pid) = i32::try_from(pid).ok().filter(|pid| *pid > 1).and_then(Pid::from_raw) else {
        return Err(io::Error::other("no process has that id"));
    };
    let sent = if !at_once {
        kill_process(pid, Signal::TERM)
    } else if getpgid(Some(pid)) == Ok(pid) && pid != getpgrp() {
        kill_process_group(pid, Signal::KILL)
    } else {
        kill_process(pid, Signal::KILL)
    };
    match sent {
        // It ended by itself meanwhile.
        Err(rustix::io::Errno::SRCH) => Ok(()),
        sent => Ok(sent?),
    }
}

#[cfg(not(unix))]
fn signal(_pid: u32, _at_once: bool) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "killing runs is not supported on this platform yet"))
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
        std::fs::create_dir_all(store.root()).unwrap();
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
            let view = RunView { store: store.root().to_string_lossy().into_owned(), ..RunView::new(run) };
            clean_up(&state, &view, &clock).unwrap();
            let mut book = RunBook::new(state.clone());
            book.refresh().unwrap();
            let ended = book.run(run).unwrap();
            assert_eq!(ended.outcome, Some(Outcome::Killed));
            assert_eq!(ended.history.is_some(), has_landed, "{run}");
            assert_eq!(ended.reason == "killed; nothing was changed", !has_landed, "{run}: {}", ended.reason);
        }
    }
}
