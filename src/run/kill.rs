//! Killing a run: ask the worker, then end its process group and everything below it.
//!
//! Not its job: cleaning up after a worker that died by other hands (see [`super::reap`]).

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::journal::RunBook;
use super::{RunView, asked, files, reap};
use crate::clock::Clock;
use crate::process;
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

/// A wish to end a run, left beside its journal before its worker is asked.
#[derive(Debug, Serialize, Deserialize)]
struct Wish {
    by: String,
}

fn wish(state: &StateDir, run: &str) -> PathBuf {
    state.runs().join(format!("{run}.kill"))
}

/// Who asked for the end of a run, when a signal came that does not say.
pub(super) fn asked_by(state: &StateDir, run: &str) -> Option<String> {
    files::read_known::<Wish>(&wish(state, run)).map(|wish| wish.by)
}

/// Removes what asked for the end of a run.
pub(super) fn forget(state: &StateDir, run: &str) {
    let _ = fs::remove_file(wish(state, run));
}

/// Kills a live run: SIGTERM to the worker, after 2 s SIGKILL to its process group and whatever it started, then cleans up
/// what the dead worker could not (working copy, lock, `ended` event). `by` is who asks, as the journal will say: `screen`,
/// `command`. Blocks up to about 3 s. Returns the run as it ended, which is not as killed when it got done first.
///
/// # Errors
/// When there is no such live run or it cannot be killed.
pub fn kill(state: &StateDir, run: &str, clock: &Clock, by: &str) -> Result<RunView, KillError> {
    let mut book = RunBook::new(state.clone());
    let mut pid = 0;
    let wrap = |pid: u32| move |source: io::Error| KillError::Io { run: run.to_owned(), pid, source };
    book.refresh().map_err(wrap(pid))?;
    let find = |book: &RunBook| book.run(run).cloned().ok_or_else(|| KillError::Unknown(run.to_owned()));
    let mut view = find(&book)?;
    if view.is_live() && view.pid == 0 {
        // Its worker may be about to say who it is.
        wait_until(PATIENCE, || book.refresh().is_ok() && book.run(run).is_none_or(|now| now.pid > 0));
        if asked::kill(state, run, clock, by) {
            book.refresh().map_err(wrap(pid))?;
            return find(&book);
        }
        book.refresh().map_err(wrap(pid))?;
        view = find(&book)?;
    }
    if !view.is_live() {
        return Err(KillError::Over(run.to_owned(), format!("{}; {}", view.word(), view.reason)));
    }
    let is_alive = || process::is_same_and_alive(view.pid, view.birth.as_deref());
    pid = view.pid;
    if is_alive() {
        // Without the note the journal only says which signal it was; a full disk must not keep the run alive.
        let _ = files::write(&wish(state, run), "kill", &Wish { by: by.to_owned() });
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
        let below = process::descendants(pid);
        signal(pid, true).map_err(wrap(pid))?;
        process::end_all(&below);
        wait_until(Duration::from_secs(1), || !is_alive());
    }
    book.refresh().map_err(wrap(pid))?;
    if book.run(run).is_none_or(|now| now.outcome.is_none()) {
        reap::clean_up(state, &view, clock, by).map_err(wrap(pid))?;
        book.refresh().map_err(wrap(pid))?;
    }
    reap::end_strays(state, run);
    forget(state, run);
    book.run(run).cloned().ok_or_else(|| KillError::Unknown(run.to_owned()))
}

pub(super) fn wait_until(patience: Duration, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() && started.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks a process to end, or ends it with its group if it leads one. Never another group, never ours.
#[cfg(unix)]
fn signal(pid: u32, at_once: bool) -> io::Result<()> {
    use rustix::process::{Pid, Signal, getpgrp, kill_process, kill_process_group};
    let leads_group = process::leads_group(pid);
    let Some(pid) = i32::try_from(pid).ok().filter(|pid| *pid > 1).and_then(Pid::from_raw) else {
        return Err(io::Error::other("no process has that id"));
    };
    let sent = if !at_once {
        kill_process(pid, Signal::TERM)
    } else if leads_group && pid != getpgrp() {
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
