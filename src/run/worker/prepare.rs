//! Before a run: its gates, its lock, its sessions.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use super::{Order, Task};
use crate::change::Door;
use crate::clock::Clock;
use crate::engine::agent::Reach;
use crate::engine::{JobKind, ReadTo, SessionSource, Unheard};
use crate::environment::Environment;
use crate::lock_file::{self, Lock};
use crate::memory::names::is_markdown;
use crate::memory::store::{Bound, is_entered};
use crate::project::Decision;
use crate::run::gates::{self, Look, Trigger};
use crate::run::lock::{self, LockError, Patience, StoreLock};
use crate::run::schedule::{Cursor, Schedule};
use crate::run::working_copy::Room;
use crate::run::{quiet, review, volume};
use crate::session::answer;
use crate::state::{StateDir, open_plain, private_options};

/// The ending of the mark that asks for one more extraction of a session.
pub(super) const QUEUED: &str = "queued";

/// So long a transcript may lag behind the session.
const LAG: Duration = Duration::from_secs(2);
/// What is said of one that lags longer.
const BEHIND: &str = "the transcript does not have the last answer yet; what it lacks is read with the next turn";

/// Why a run does not begin.
pub(super) enum NotBegun {
    /// A gate is closed.
    Closed(String),
    /// An extraction of the session is going on and looks once more at its end.
    Coalesced,
    /// Something is wrong.
    Failed(String),
}

/// What a run needs.
#[derive(Default)]
pub(super) struct Plan {
    /// What to read, newest first.
    pub(super) sessions: Vec<SessionSource>,
    /// The last consolidation before this one.
    pub(super) last_success: Option<DateTime<Utc>>,
    /// What a person should know.
    pub(super) notices: Vec<String>,
    /// Sessions that cannot be opened, each with the reason.
    pub(super) unread: Vec<String>,
    /// What of the sessions does not count.
    pub(super) unheard: Unheard,
    /// What the engine's tools may read.
    pub(super) reach: Reach,
    /// How many days Claude Code keeps transcripts.
    pub(super) kept_days: u32,
    /// The lock of the store; a dry run takes none.
    pub(super) lock: Option<StoreLock>,
    /// The room of the run; a run that is killed from now on is found by it.
    pub(super) room: Option<Room>,
    /// The session of an extraction.
    pub(super) session: Option<String>,
    /// Where the session's cursor goes on success.
    pub(super) cursor: Option<Cursor>,
    /// How far the engine read the session, when not to the end.
    pub(super) read_to: Option<ReadTo>,
    /// Keeps other extractions of the session out until dropped.
    _session_lock: Option<Lock>,
}

/// Asks the gates, makes the run's room, takes the lock, gathers what to read.
pub(super) fn prepare(
    order: &Order,
    run: &str,
    state: &StateDir,
    clock: &Clock,
    environment: &Environment,
    patience: Patience,
) -> Result<Plan, NotBegun> {
    // Before anything is laid down in it, the lock among them.
    if let Some(why) = gates::read_only(&order.choice) {
        return Err(NotBegun::Closed(why));
    }
    let trigger = order.as_trigger(state, clock, environment);
    let mut plan = match &order.task {
        Task::Dream { force } => dream(order, *force, trigger)?,
        Task::Extract { transcript, again } => extract(order, transcript, *again, trigger)?,
    };
    plan.reach = order.reach(environment);
    plan.kept_days = order.choice.kept_days(environment);
    let store = order.choice.store.root();
    let room = Room::make(state, run, store, order.is_gated());
    plan.room = Some(room.map_err(|error| NotBegun::Failed(format!("cannot make room for the run: {error}")))?);
    if matches!(order.task, Task::Dream { .. }) && !order.dry_run {
        lock_store(&mut plan, store, state, clock, patience)?;
    }
    if !order.dry_run && order.choice.store.root().is_dir() {
        let recovered = Door::new(state.clone(), clock.clone()).recover(&order.choice.store);
        plan.notices.extend(recovered.map_err(|error| NotBegun::Failed(error.to_string()))?);
        // So that the store finds its project again when that moves and its transcripts are swept.
        crate::project::identity::remember(state, &order.choice);
    }
    plan.unheard = unheard(order, state, clock)?;
    Ok(plan)
}

/// What of the sessions the engine does not get to hear. What another program removed since anybody looked is among it.
fn unheard(order: &Order, state: &StateDir, clock: &Clock) -> Result<Unheard, NotBegun> {
    let (door, store) = (Door::new(state.clone(), clock.clone()), &order.choice.store);
    if !order.dry_run
        && let Err(error) = door.note_foreign(store)
    {
        tracing::warn!("changes by other programs are not recorded: {error}");
    }
    let let_go = door.let_go(store).map_err(|error| NotBegun::Failed(error.to_string()))?;
    Ok(Unheard { let_go, quiet: quiet::of(state, store.root()) })
}

fn dream(order: &Order, force: bool, trigger: Trigger<'_>) -> Result<Plan, NotBegun> {
    let (choice, store) = (&order.choice, order.choice.store.root());
    let schedule = Schedule::of(trigger.state, store);
    let record = schedule.record(JobKind::Dream);
    let now = trigger.clock.now();
    let last_success = lock::last_success(store, schedule.dir(), record.success_by(now), now);
    if force && choice.decision == Decision::Flag && !store.is_dir() {
        // Made by a mistyped name, it would stay. A project's own store may be made by its first dream.
        return Err(NotBegun::Closed(format!(
            "nothing to consolidate: there is no memory directory at {}",
            store.display()
        )));
    }
    let since = last_success;
    let mut notices = Vec::new();
    if record.taken_back().is_some() {
        notices.push("the last dream was taken back: what it read is read again".to_owned());
    }
    let speakers = gates::speakers(&order.config);
    let sessions = if force {
        review::fresh_sessions(
            choice,
            since,
            order.current_session.as_deref(),
            speakers,
            &quiet::of(trigger.state, store),
        )
    } else {
        // A dry run leaves no trace, not even at the throttle.
        let look = if order.dry_run { Look::Report } else { Look::Trigger };
        let look = gates::dream(trigger, order.current_session.as_deref(), look);
        if let Some(reason) = gates::closed(&look.gates) {
            return Err(NotBegun::Closed(reason));
        }
        if !holds_memories(store) {
            return Err(NotBegun::Closed(format!("nothing new: {} holds no memory to consolidate", store.display())));
        }
        if look.sessions.is_empty() {
            let why = "nothing new: no session has anything new from a person since the last success";
            return Err(NotBegun::Closed(why.to_owned()));
        }
        look.sessions
    };
    if sessions.is_empty() && !holds_memories(store) {
        return Err(NotBegun::Closed(format!(
            "nothing new: {} holds no memory, and no session has anything new from a person",
            store.display()
        )));
    }
    let sessions: Vec<SessionSource> = sessions
        .into_iter()
        .map(|file| SessionSource { id: file.id, path: file.path, from: (0, 0), since, speakers })
        .collect();
    if sessions.is_empty() {
        notices
            .push("no session has anything new since the last success; only the store itself is looked at".to_owned());
    }
    let unread = review::unreadable(choice, since, order.current_session.as_deref());
    Ok(Plan { sessions, last_success, notices, unread, ..Plan::default() })
}

/// Takes the lock of the store, which is made when it is missing.
fn lock_store(
    plan: &mut Plan,
    store: &Path,
    state: &StateDir,
    clock: &Clock,
    patience: Patience,
) -> Result<(), NotBegun> {
    fs::create_dir_all(store).map_err(|error| NotBegun::Failed(format!("cannot make {}: {error}", store.display())))?;
    if let Err(why) = volume::access(store) {
        let store = store.display();
        let next = "make it writable to you, or look at it with `dreamtop`, which needs no more than to read it";
        return Err(NotBegun::Failed(format!("{store} {why}, so no dream can take its lock; {next}")));
    }
    let schedule = Schedule::of(state, store);
    let lock = lock::acquire(store, schedule.dir(), clock, patience).map_err(|error| match error {
        LockError::Held(why) => NotBegun::Closed(format!("lock: {why}")),
        LockError::Io(error) => NotBegun::Failed(error.to_string()),
    })?;
    plan.notices.extend(lock.notices().iter().cloned());
    plan.lock = Some(lock);
    Ok(())
}

/// Whether a store holds any Markdown file besides an index. A directory too large for a store counts as one that does:
/// the working copy says what is wrong with it.
fn holds_memories(store: &Path) -> bool {
    let mut bound = Bound::new();
    let mut waiting = VecDeque::from([store.to_owned()]);
    while let Some(directory) = waiting.pop_front() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !bound.takes_one() || is_markdown(&name) && name != crate::memory::INDEX_FILE {
                return true;
            }
            if is_entered(&name) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push_back(entry.path());
            }
        }
    }
    false
}

fn extract(order: &Order, transcript: &Path, again: bool, trigger: Trigger<'_>) -> Result<Plan, NotBegun> {
    let store = order.choice.store.root();
    let schedule = Schedule::of(trigger.state, store);
    let session = review::session_id(transcript);
    let session_lock = lock_session(&schedule, &session)?;
    let is_behind = order.awaits.as_deref().is_some_and(|mark| !await_answer(transcript, mark));
    let automatic = order.is_automatic();
    let look = gates::extract(trigger, Some(transcript), &order.trigger, Look::Trigger);
    let end = look.new.as_ref().map(|new| Cursor {
        offset: new.end.0,
        line: new.end.1,
        uuid: new.turns.last().and_then(|turn| turn.uuid.clone()).or_else(|| look.cursor.uuid.clone()),
    });
    if let Some(reason) = gates::closed(&look.gates).filter(|_| !again) {
        let saved = look.gates.last().is_some_and(|gate| gate.passed == Some(false));
        if let (true, false, Some(end)) = (saved, order.dry_run, &end) {
            // What the session saved itself is done with.
            schedule
                .move_cursor(&session, transcript, end)
                .map_err(|error| NotBegun::Failed(format!("cannot note how far {session} was read: {error}")))?;
        }
        let hint = if automatic { "" } else { "; --again reads the session from its start" };
        return Err(NotBegun::Closed(format!("{reason}{hint}")));
    }
    let from = if again { (0, 0) } else { (look.cursor.offset, look.cursor.line) };
    let notices = if is_behind { vec![BEHIND.to_owned()] } else { Vec::new() };
    let speakers = gates::speakers(&order.config);
    let source = SessionSource { id: session.clone(), path: transcript.to_owned(), from, since: None, speakers };
    Ok(Plan {
        sessions: vec![source],
        last_success: schedule.record(JobKind::Extract).last_success,
        session: Some(session),
        cursor: end,
        notices,
        _session_lock: Some(session_lock),
        ..Plan::default()
    })
}

/// Gives a transcript a moment to get an answer; whether it has it. What it does not get stays for the next extraction.
fn await_answer(transcript: &Path, mark: &str) -> bool {
    let until = Instant::now() + LAG;
    loop {
        if answer::is_written(transcript, mark).unwrap_or(false) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(LAG / 100);
    }
}

/// One extraction at a time per session; a trigger meanwhile leaves a mark for the running one to look once more.
fn lock_session(schedule: &Schedule, session: &str) -> Result<Lock, NotBegun> {
    let failed = |error: std::io::Error| NotBegun::Failed(format!("cannot lock the session {session}: {error}"));
    let path = schedule.session_file(session, "lock");
    if let Some(lock) = lock_file::try_take(&path).map_err(failed)? {
        return Ok(lock);
    }
    let mark = schedule.session_file(session, QUEUED);
    open_plain(private_options().write(true).create(true).truncate(true), &mark).map_err(failed)?;
    // The other one may have ended between our look and our mark: then nobody would ever read the mark.
    if let Some(lock) = lock_file::try_take(&path).map_err(failed)?
        && fs::remove_file(&mark).is_ok()
    {
        return Ok(lock);
    }
    Err(NotBegun::Coalesced)
}
