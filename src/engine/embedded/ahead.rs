//! Sessions read and understood ahead of the desk, on the cores there are.
//!
//! What a session says does not depend on what the store holds, so that several sessions are taken apart at once, and what
//! they gave reaches the desk in their order: the same input gives the same bytes, on one core and on many. At most a few
//! sessions wait, each as its facts only. Not its job: what becomes of the facts (see [`super::extract`]).

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use chrono::{DateTime, Utc};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::super::{EngineError, Job, SessionSource, Unheard};
use super::amend;
use super::classify;
use super::collect::{self, Collected};
use crate::session::HumanTurn;

/// Sessions at work at once, at most.
const MOST_LANES: usize = 4;
/// Sessions of a lane that may wait for the desk.
const WAITING: usize = 4;

/// What a session gave.
#[derive(Debug)]
pub(super) enum Gathered {
    /// It is not a person talking.
    NotAPerson,
    /// Its file cannot be read, or is gone.
    Unreadable(io::Error),
    /// Nothing in it is new.
    NothingNew,
    /// Its facts, the lines of its new turns, and how many facts of these were let go, which are not among them.
    Said(Collected, BTreeSet<u64>, usize),
}

/// Sessions on their way. Dropped, it leaves no thread behind.
pub(super) struct Ahead {
    lanes: Vec<mpsc::Receiver<Result<Gathered, EngineError>>>,
    threads: Vec<JoinHandle<()>>,
    stop: CancellationToken,
    taken: usize,
}

impl Ahead {
    /// Starts on the sessions of a job, the oldest of which comes last in it and first out of here. `now` is the time of
    /// turns without one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn of(job: &Job, now: DateTime<Utc>, cancel: &CancellationToken) -> Result<Self, EngineError> {
        let sessions = &job.sessions;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let count = cores.min(MOST_LANES).min(sessions.len());
        let unheard = Arc::new(job.unheard.clone());
        let sessions: Arc<[SessionSource]> = sessions.iter().rev().cloned().collect();
        let mut ahead = Self { lanes: Vec::new(), threads: Vec::new(), stop: cancel.child_token(), taken: 0 };
        for lane in 0..count {
            let (results, receiver) = mpsc::channel(WAITING);
            let (sessions, stop) = (Arc::clone(&sessions), ahead.stop.clone());
            let unheard = Arc::clone(&unheard);
            let work = move || {
                for session in sessions.iter().skip(lane).step_by(count) {
                    let gathered = gather(session, &unheard, now, &|| stop.is_cancelled());
                    if results.blocking_send(gathered).is_err() {
                        return;
                    }
                }
            };
            ahead.threads.push(thread::Builder::new().name("sessions".to_owned()).spawn(work)?);
            ahead.lanes.push(receiver);
        }
        Ok(ahead)
    }

    /// What the next session gave.
    ///
    /// # Errors
    /// When the run is cancelled, or there is no next one.
    pub(super) async fn next(&mut self) -> Result<Gathered, EngineError> {
        let lane = self.taken % self.lanes.len().max(1);
        self.taken += 1;
        match self.lanes.get_mut(lane) {
            Some(results) => results.recv().await.unwrap_or_else(|| Err(ended())),
            None => Err(ended()),
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.stop.cancel();
        self.lanes.clear();
        for thread in self.threads.drain(..) {
            // It ended one way or the other; what it found nobody waits for.
            let _ = thread.join();
        }
    }
}

fn ended() -> EngineError {
    EngineError::Failed("reading the sessions ended before the last one; run it again".to_owned())
}

/// The facts of a session's new turns.
fn gather(
    session: &SessionSource,
    unheard: &Unheard,
    now: DateTime<Utc>,
    stop: &dyn Fn() -> bool,
) -> Result<Gathered, EngineError> {
    let turns = match read(session, unheard, session.from, stop)? {
        Read::Turns(turns) => turns,
        Read::NotAPerson => return Ok(Gathered::NotAPerson),
        Read::Not(error) => return Ok(Gathered::Unreadable(error)),
    };
    let is_new = |at: Option<DateTime<Utc>>| session.since.is_none_or(|since| at.is_none_or(|at| at > since));
    let new: BTreeSet<u64> = turns.iter().filter(|turn| is_new(turn.at)).map(|turn| turn.line).collect();
    if new.is_empty() {
        return Ok(Gathered::NothingNew);
    }
    let takes_back = || {
        let mut said = turns.iter().filter(|turn| new.contains(&turn.line));
        said.any(|turn| classify::takes_back(&turn.text) || classify::lifts(&turn.text) || amend::may_amend(&turn.text))
    };
    // What is taken back may stand before the cursor: only then is the session read from its start.
    let turns = if session.from.0 > 0 && takes_back() {
        match read(session, unheard, (0, 0), stop)? {
            Read::Turns(all) => all,
            Read::NotAPerson | Read::Not(_) => turns,
        }
    } else {
        turns
    };
    let mut collected = collect::collect(&turns, now, stop);
    let before = collected.facts.len();
    let is_let_go = |line: u64, quote: &str| {
        let turn = turns.iter().find(|turn| turn.line == line);
        turn.is_some_and(|turn| unheard.let_go.holds(&session.id, turn, quote))
    };
    collected.facts.retain(|fact| !new.contains(&fact.line) || !is_let_go(fact.line, &fact.quote));
    let let_go = before - collected.facts.len();
    // Nor is taken back once more what a person brought back.
    collected.taken_back.retain(|fact| !is_let_go(fact.line, &fact.quote));
    collected.retracted.retain(|_, by| {
        let (line, quote) = (by.line.unwrap_or_default(), by.quote.as_deref().unwrap_or_default());
        !is_let_go(line, quote)
    });
    if stop() { Err(EngineError::Cancelled) } else { Ok(Gathered::Said(collected, new, let_go)) }
}

/// What reading a session gave.
enum Read {
    Turns(Vec<HumanTurn>),
    NotAPerson,
    Not(io::Error),
}

fn read(
    session: &SessionSource,
    unheard: &Unheard,
    from: (u64, u64),
    stop: &dyn Fn() -> bool,
) -> Result<Read, EngineError> {
    // Whether the assistant itself wrote memories is a question of the gates, not of this engine.
    let turns = unheard.turns(session, from, stop);
    if stop() {
        return Err(EngineError::Cancelled);
    }
    Ok(match turns {
        Ok(found) if found.not_a_person => Read::NotAPerson,
        Ok(found) => Read::Turns(found.turns),
        Err(error) => Read::Not(error),
    })
}
