//! Runs that were asked for and whose worker has not said its first word: a small file beside the journals.
//!
//! Whoever starts a worker and goes leaves one; the worker takes it away once journal or records have its first word. Until
//! then it stands for the run wherever runs are shown. One that stays is of a worker that never came to that, and its trigger
//! gets its outcome from whoever looks next. Not its job: starting workers (see [`super::service`]).

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::journal::JournalWriter;
use super::records::{self, Happened, RunRecord};
use super::schedule::Schedule;
use super::{Outcome, RunEvent, RunView, Stamped, files, reason};
use crate::clock::Clock;
use crate::engine::JobKind;
use crate::process::Place;
use crate::state::StateDir;

/// The ending of such a file.
pub(super) const ENDING: &str = "asked";

/// A worker that has said nothing for this long will not.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// When.
    pub(super) at: DateTime<Utc>,
    /// Extract or dream.
    pub(super) kind: JobKind,
    /// The store's directory.
    pub(super) store: PathBuf,
    /// The project's title.
    pub(super) project: String,
    /// The engine's name.
    pub(super) engine: String,
    /// What started it.
    pub(super) trigger: String,
    /// The session it is for.
    pub(super) session: Option<String>,
}

impl Asked {
    /// The run as it is shown until its worker speaks.
    pub(super) fn view(self, run: &str) -> RunView {
        RunView {
            kind: self.kind,
            engine: self.engine,
            store: self.store.to_string_lossy().into_owned(),
            project: self.project,
            started: Some(self.at),
            last: Some(self.at),
            sessions: self.session.into_iter().collect(),
            trigger: self.trigger,
            ..RunView::new(run)
        }
    }
}

fn path(state: &StateDir, run: &str) -> PathBuf {
    state.runs().join(format!("{run}.{ENDING}"))
}

/// Notes that a worker is about to be started. Nobody waits for the disk: a machine that goes down takes the worker with it.
pub(super) fn note(state: &StateDir, run: &str, asked: &Asked) -> io::Result<()> {
    // On a full disk there may be a file and nothing in it.
    let noted = crate::state::append_line(&path(state, run), &serde_json::to_string(asked)?, false);
    noted.inspect_err(|_| answered(state, run))
}

/// The worker has spoken.
pub(super) fn answered(state: &StateDir, run: &str) {
    let _ = fs::remove_file(path(state, run));
}

/// Ends the runs whose worker never spoke; returns them.
pub(super) fn end_overdue(state: &StateDir, clock: &Clock) -> Vec<String> {
    let mut ended = Vec::new();
    for entry in fs::read_dir(state.runs()).into_iter().flatten().flatten() {
        let path = entry.path();
        let (Some(run), Some(ENDING)) =
            (path.file_stem().and_then(|stem| stem.to_str()), path.extension().and_then(|ending| ending.to_str()))
        else {
            continue;
        };
        let written = entry.metadata().and_then(|found| found.modified()).ok();
        let silent = written.and_then(|written| written.elapsed().ok());
        // Whoever takes the file away tells of it: nobody tells twice.
        if silent.is_none_or(|silent| silent < PATIENCE) {
            continue;
        }
        let asked = files::read_known::<Asked>(&path);
        if fs::remove_file(&path).is_err() {
            continue;
        }
        if let Some(asked) = asked.filter(|_| !JournalWriter::of(state, run).exists()) {
            never_began(state, run, &asked, clock);
            ended.push(run.to_owned());
        }
    }
    ended
}

/// Ends a run whose worker has not spoken, because somebody wants that; whether it was so. A worker that comes later finds
/// that its run is over.
pub(super) fn kill(state: &StateDir, run: &str, clock: &Clock, by: &str) -> bool {
    let path = path(state, run);
    let Some(asked) = files::read_known::<Asked>(&path) else { return false };
    // Whoever takes the file away tells of it.
    if fs::remove_file(&path).is_err() || JournalWriter::of(state, run).exists() {
        return false;
    }
    let end = End { outcome: Outcome::Killed, reason: reason::killed(by), killed_by: Some(by.to_owned()) };
    tell(state, run, &asked, end, clock.now());
    true
}

/// The outcome of a trigger whose worker could not give it.
pub(super) fn never_began(state: &StateDir, run: &str, asked: &Asked, clock: &Clock) {
    let now = clock.now();
    let end = End { outcome: Outcome::Failed, reason: reason::NEVER_BEGAN.to_owned(), killed_by: None };
    tell(state, run, asked, end, now);
    let noted = Schedule::of(state, &asked.store).died(asked.kind, asked.session.as_deref(), now);
    if let Err(error) = noted {
        tracing::warn!("the run {run} never began, and that cannot be noted: {error}");
    }
}

/// How it ends.
struct End {
    outcome: Outcome,
    reason: String,
    killed_by: Option<String>,
}

fn tell(state: &StateDir, run: &str, asked: &Asked, end: End, now: DateTime<Utc>) {
    let End { outcome, reason, killed_by } = end;
    let journal = JournalWriter::of(state, run);
    let started = RunEvent::Started {
        run: run.to_owned(),
        kind: asked.kind,
        engine: asked.engine.clone(),
        store: asked.store.to_string_lossy().into_owned(),
        project: asked.project.clone(),
        pid: 0,
        birth: None,
        sessions: asked.session.iter().cloned().collect(),
        dry_run: false,
        trigger: asked.trigger.clone(),
        budget: None,
        place: Place::here(),
        leads_group: false,
    };
    let ended = RunEvent::Ended {
        outcome,
        reason: reason.clone(),
        killed_by: killed_by.clone(),
        changes: Vec::new(),
        held: Vec::new(),
        history: None,
        inbox: None,
        notice: None,
        ms: 0,
    };
    let told = journal
        .append(&Stamped { at: asked.at, event: started })
        .and_then(|()| journal.append(&Stamped { at: now, event: ended }));
    if let Err(error) = told {
        tracing::warn!("the run {run} never began, and its journal cannot say so: {error}");
    }
    let record = RunRecord {
        run: Some(run.to_owned()),
        store: asked.store.clone(),
        trigger: asked.trigger.clone(),
        engine: asked.engine.clone(),
        session: asked.session.clone(),
        outcome: Some(outcome),
        reason,
        killed_by,
        ..RunRecord::new(asked.kind, Happened::Failed, now)
    };
    records::append(state, &record);
}
