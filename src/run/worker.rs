//! The worker: one run from start to end, in its own process.
//!
//! Gates, lock, copies, engine, landing, lock back, end. Every way out leaves an `ended` event; whatever is not a success
//! leaves schedule, cursor and lock as they were. Not its job: what the engine thinks and what the door lets through.

mod conclude;
mod drive;
mod home_files;
mod order;
mod outside;
mod prepare;
pub mod preview;
mod registered;
mod signals;
mod spoken;
mod stamp;
mod strayed;
mod transcripts;

use std::io;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::journal::JournalWriter;
use super::lock::Patience;
use super::pause::{self, Asked, Refused};
use super::records::{self, Happened, RunRecord};
use super::refusal::Refusal;
use super::schedule::Schedule;
use super::working_copy::Room;
use super::{Outcome, RunEvent, RunView, Stamped, asked, kill, launch, reap, reason, review, spent, trigger};
use crate::clock::{Clock, local_day};
use crate::config::Money;
use crate::engine::{self, Verdict, Word};
use crate::environment::{CHILD, Environment};
use crate::process::{self, Identity};
use crate::secret::redacted;
use crate::state::StateDir;
use conclude::Ending;
use drive::Stopped;
pub use order::{Order, Task};
use prepare::{NotBegun, Plan};
use signals::Signals;

/// Does a run and returns how it stands at its end. Blocks; makes its own single-threaded runtime. SIGTERM, SIGINT and
/// SIGQUIT kill the run; so does SIGHUP when the process was started in a terminal, and one without a terminal goes on.
/// Every way out leaves an `ended` event, and no process that was started meanwhile.
///
/// # Errors
/// Only when not even the journal can be written, or the order's run id is taken or no plain name.
pub fn run(order: &Order, state: &StateDir, clock: &Clock, environment: &Environment) -> io::Result<RunView> {
    if Word::parse(&order.engine).name == "claude" {
        // Only there: the command that gives a key may leave an agent that is to stay.
        process::own_all_below();
    }
    let view = run_until(order, state, clock, environment, &CancellationToken::new(), Patience::default());
    process::end_all(&process::descendants(std::process::id()));
    process::end_all_below();
    view
}

/// Like [`run`], and cancelling the token kills the run as well. `patience` is how long to wait for other programs at
/// the lock.
///
/// # Errors
/// As [`run`].
pub fn run_until(
    order: &Order,
    state: &StateDir,
    clock: &Clock,
    environment: &Environment,
    cancel: &CancellationToken,
    patience: Patience,
) -> io::Result<RunView> {
    if let Some(id) = &order.run {
        check_id(id, state)?;
    }
    let reaped = reap::reap(state, clock);
    let (first, mut again) = one_run(order, &reaped, state, clock, environment, cancel, patience)?;
    // What came in while an extraction ran is looked at once more, under an id of its own.
    let by = if order.is_automatic() { trigger::TRAILING } else { &order.trigger };
    let trailing = Order { run: None, trigger: by.to_owned(), awaits: None, ..order.clone() };
    while again && !cancel.is_cancelled() {
        again = one_run(&trailing, &[], state, clock, environment, cancel, patience)?.1;
    }
    Ok(first)
}

/// An id becomes the name of a file and of a directory that is removed later: it has to be plain, and new.
fn check_id(id: &str, state: &StateDir) -> io::Result<()> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if id.is_empty() || id.len() > 100 || !plain {
        let why = format!("{id:?} is no id for a run; use letters, digits, `-` and `_`");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    if state.runs().join(format!("{id}.jsonl")).exists() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("there is a run {id} already")));
    }
    Ok(())
}

/// One run; says whether a trigger came in meanwhile. `reaped` are the dead runs that were cleaned up before it.
fn one_run(
    order: &Order,
    reaped: &[String],
    state: &StateDir,
    clock: &Clock,
    environment: &Environment,
    cancel: &CancellationToken,
    patience: Patience,
) -> io::Result<(RunView, bool)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signals = runtime.block_on(async { Signals::listen() })?;
    let mut worker = Worker::new(order, state, clock);
    let mut plan = match prepare::prepare(order, &worker.view.id, state, clock, environment, patience) {
        Ok(plan) => plan,
        Err(NotBegun::Closed(reason)) => return Ok((worker.skip(Happened::Skipped, &reason)?, false)),
        Err(NotBegun::Coalesced) => {
            return Ok((worker.skip(Happened::Coalesced, reason::WILL_LOOK_AGAIN)?, false));
        }
        Err(NotBegun::Failed(reason)) => return Ok((worker.fail_at_once(&reason)?, false)),
    };
    let cleaned = reaped.iter().map(|run| format!("cleaned up after {run}, whose process had died"));
    plan.notices.splice(0..0, cleaned);
    let session = plan.session.clone();
    let room = plan.room.take();
    let view = worker.work(plan, room.as_ref(), environment, &runtime, signals, cancel)?;
    if Word::parse(&order.engine).name == "claude" {
        // A killed run does not wait for the thread that ends what its command left behind.
        reap::end_strays(state, &view.id);
    }
    // Only now: until its end is written down, a run that dies is found by its room.
    drop(room);
    kill::forget(state, &view.id);
    let schedule = Schedule::of(state, order.choice.store.root());
    let again = session.is_some_and(|session| {
        std::fs::remove_file(schedule.session_file(&session, prepare::QUEUED)).is_ok()
            && !matches!(view.outcome, Some(Outcome::Killed | Outcome::Failed))
    });
    Ok((view, again))
}

/// A run in progress: its journal, and the fold of what went into it.
struct Worker<'a> {
    order: &'a Order,
    state: &'a StateDir,
    clock: &'a Clock,
    journal: Option<JournalWriter>,
    view: RunView,
    begun: Instant,
    /// What the run may cost; `None`: no cap.
    money: Option<Money>,
}

impl<'a> Worker<'a> {
    fn new(order: &'a Order, state: &'a StateDir, clock: &'a Clock) -> Self {
        let id = order.run.clone().unwrap_or_else(|| launch::new_run_id(order.task.kind(), clock.now()));
        let journal = Some(JournalWriter::of(state, &id));
        Self { order, state, clock, journal, view: RunView::new(&id), begun: Instant::now(), money: None }
    }

    fn emit(&mut self, event: RunEvent) -> io::Result<()> {
        self.emit_all(vec![event])
    }

    fn emit_all(&mut self, events: Vec<RunEvent>) -> io::Result<()> {
        let at = self.clock.now();
        if let Some(tell) = self.order.on_notice {
            for event in &events {
                if let RunEvent::Notice { text } = event {
                    tell(text);
                }
            }
        }
        let stamped: Vec<Stamped> = events.into_iter().map(|event| Stamped { at, event }).collect();
        if let Some(journal) = self.journal.as_ref().filter(|_| !stamped.is_empty()) {
            journal.append_all(&stamped)?;
        }
        stamped.iter().for_each(|stamped| self.view.apply(stamped));
        Ok(())
    }

    fn start(&mut self, sessions: Vec<String>) -> io::Result<()> {
        let Identity { pid, birth, place } = Identity::own();
        self.emit(RunEvent::Started {
            run: self.view.id.clone(),
            kind: self.order.task.kind(),
            engine: Word::parse(&self.order.engine).name.to_owned(),
            store: self.order.choice.store.root().to_string_lossy().into_owned(),
            project: self.order.choice.title.clone(),
            pid,
            birth,
            sessions,
            dry_run: self.order.dry_run,
            trigger: self.order.trigger.clone(),
            budget: Some(self.order.budget().tokens),
            place,
            // In a terminal the group may hold what a shell put beside it.
            leads_group: process::leads_group(pid) && !signals::has_terminal(),
        })?;
        asked::answered(self.state, &self.view.id);
        Ok(())
    }

    fn end(&mut self, ending: Ending) -> io::Result<()> {
        let ms = self.elapsed();
        self.emit(RunEvent::Ended {
            outcome: ending.outcome,
            reason: ending.reason,
            killed_by: ending.killed_by,
            changes: ending.changes,
            held: ending.held,
            history: ending.history,
            inbox: ending.inbox,
            notice: ending.notice,
            ms,
        })
    }

    /// A closed gate. Only what a person started leaves a journal: a hook asks after every turn.
    fn skip(&mut self, what: Happened, reason: &str) -> io::Result<RunView> {
        if self.order.is_automatic() {
            self.journal = None;
        }
        let record = RunRecord { reason: reason.to_owned(), ..self.on_record(what) };
        records::append(self.state, &record);
        asked::answered(self.state, &self.view.id);
        self.start(Vec::new())?;
        self.end(Ending::new(Outcome::Skipped, reason))?;
        Ok(self.view.clone())
    }

    fn fail_at_once(&mut self, reason: &str) -> io::Result<RunView> {
        let reason = reason::failed(reason);
        self.start(Vec::new())?;
        if self.order.is_automatic() {
            let record = RunRecord {
                outcome: Some(Outcome::Failed),
                reason: reason.clone(),
                ..self.on_record(Happened::Failed)
            };
            records::append(self.state, &record);
        }
        self.end(Ending::new(Outcome::Failed, reason))?;
        Ok(self.view.clone())
    }

    /// From the open gates to the end.
    fn work(
        &mut self,
        mut plan: Plan,
        room: Option<&Room>,
        environment: &Environment,
        runtime: &tokio::runtime::Runtime,
        mut signals: Signals,
        cancel: &CancellationToken,
    ) -> io::Result<RunView> {
        let (kind, now) = (self.order.task.kind(), self.clock.now());
        self.start(plan.sessions.iter().map(|session| session.id.clone()).collect())?;
        for notice in std::mem::take(&mut plan.notices).into_iter().chain(plan.unread.clone()) {
            self.emit(RunEvent::Notice { text: notice })?;
        }
        let fired = RunRecord {
            hours_since: plan.last_success.map(|last| (now - last).num_hours()),
            sessions_since: Some(plan.sessions.len()),
            ..self.on_record(Happened::Fired)
        };
        records::append(self.state, &fired);
        let counted =
            if self.order.dry_run { Ok(()) } else { spent::begin(self.state, kind, local_day(now), &self.view.id) };
        // What an engine starts must not call us back.
        let environment = &environment.clone().with(CHILD, "1");
        let worked = match (engine::by_name(&self.order.engine, &self.order.config, environment), room, counted) {
            (Ok(engine), Some(room), Ok(())) => self.drive(&mut plan, room, engine, runtime, &mut signals, cancel)?,
            (Err(error), ..) => Err(Stopped::Failed(error.to_string())),
            (_, _, Err(error)) => {
                Err(Stopped::Failed(format!("the run cannot be counted, so it does not begin: {error}")))
            }
            (_, None, _) => Err(Stopped::Failed("the run has no room to work in".to_owned())),
        };
        let mut late = || signals.pending(runtime).or_else(|| cancel.is_cancelled().then_some(drive::CANCELLED));
        let ending = match worked {
            Ok((verdict, copy)) => match late() {
                Some(signal) => Ending::killed(&self.killer(signal)),
                None => {
                    plan.read_to.clone_from(&verdict.read_to);
                    let left_out = plan.unread.iter().cloned().chain(verdict.left_out).collect();
                    self.land(&plan, &Verdict { left_out, ..verdict }, &copy)?
                }
            },
            Err(Stopped::Killed(signal)) => Ending::killed(&self.killer(signal)),
            Err(Stopped::Refused(refusal, said)) => self.refused(refusal, &said, environment),
            Err(Stopped::Failed(reason)) => Ending::new(Outcome::Failed, redacted(&reason)),
        };
        let mut ending = self.settle(plan, ending);
        if ending.outcome == Outcome::Failed {
            ending.reason = reason::failed(&ending.reason);
        }
        self.record(&ending);
        self.end(ending)?;
        Ok(self.view.clone())
    }

    /// Who ends the run: whoever left a wish beside the journal, else the signal itself.
    fn killer(&self, signal: &str) -> String {
        kill::asked_by(self.state, &self.view.id).unwrap_or_else(|| signal.to_owned())
    }

    /// The engine refuses: it is paused, for all stores.
    fn refused(&self, refusal: Refusal, said: &str, environment: &Environment) -> Ending {
        let said = redacted(said);
        let asked = Asked { word: &self.order.engine, config: &self.order.config, environment };
        let refused = Refused { what: refusal, said: &said, by_hand: !self.order.is_automatic() };
        let begun = pause::begin(self.state, asked, refused, self.clock.now());
        let reason = match begun {
            Ok(pause) => pause.words(),
            Err(error) => format!("{}: {said:?}; the pause cannot be noted: {error}", refusal.words()),
        };
        Ending { is_refusal: true, ..Ending::new(Outcome::Failed, reason) }
    }

    fn record(&self, ending: &Ending) {
        let happened = match ending.outcome {
            Outcome::Done | Outcome::Partial | Outcome::Held | Outcome::Skipped => Happened::Completed,
            Outcome::Killed | Outcome::Failed => Happened::Failed,
        };
        let record = RunRecord {
            outcome: Some(ending.outcome),
            reason: ending.reason.clone(),
            killed_by: ending.killed_by.clone(),
            sessions_reviewed: Some(self.view.sessions.len()),
            ms: Some(self.elapsed()),
            cost: self.view.cost.unwrap_or_default(),
            ..self.on_record(happened).with_tokens(self.view.tokens)
        };
        records::append(self.state, &record);
    }

    /// A record of this run with what every one of them says.
    fn on_record(&self, what: Happened) -> RunRecord {
        RunRecord {
            run: Some(self.view.id.clone()),
            store: self.order.choice.store.root().to_owned(),
            trigger: self.order.trigger.clone(),
            session: match &self.order.task {
                Task::Extract { transcript, .. } => Some(review::session_id(transcript)),
                Task::Dream { .. } => self.order.current_session.clone(),
            },
            engine: Word::parse(&self.order.engine).name.to_owned(),
            ..RunRecord::new(self.order.task.kind(), what, self.clock.now())
        }
    }

    fn elapsed(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
