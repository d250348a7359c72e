//! Automatic runs: a trigger asks, cheap gates answer at once, and what may begin is handed to a worker of its own.
//!
//! Every question gets exactly one outcome on record: a closed gate is noted here, everything else by the worker, and where
//! no worker came to that, by whoever looks next (`asked.rs` beside this). Not its job: who asks (the hooks above) and the run
//! itself (see [`super::worker`]).

use std::fs;
use std::io;
use std::path::Path;

use super::asked::{self, Asked};
use super::gates::{self, Look, Trigger};
use super::records::{self, Happened, RunRecord};
use super::schedule::Schedule;
use super::{launch, review};
use crate::clock::Clock;
use crate::config::Config;
use crate::engine::{JobKind, Word};
use crate::environment::Environment;
use crate::project::Choice;
use crate::state::StateDir;

/// More that is new than this, in bytes, is for the worker to look at.
const CHEAP: u64 = 2 * 1024 * 1024;

/// What triggers are answered with.
#[derive(Clone, Copy, Debug)]
pub struct Service<'a> {
    /// The store and its project.
    pub choice: &'a Choice,
    /// The configuration.
    pub config: &'a Config,
    /// The engine's word.
    pub engine: &'a str,
    /// Our state.
    pub state: &'a StateDir,
    /// The time.
    pub clock: &'a Clock,
    /// What workers are given.
    pub environment: &'a Environment,
    /// Our own binary.
    pub executable: &'a Path,
    /// The options that tell a worker which store is meant.
    pub options: &'a [String],
}

/// A wish for an extraction.
#[derive(Clone, Copy, Debug)]
pub struct Extraction<'a> {
    /// The transcript.
    pub transcript: &'a Path,
    /// What started it, a word of [`super::trigger`].
    pub by: &'a str,
    /// The mark of an answer that the transcript does not have yet (see [`crate::session::answer`]).
    pub awaits: Option<&'a str>,
}

/// What became of a trigger.
#[derive(Debug)]
pub enum Answer {
    /// A worker may begin; it tells the rest once it is started.
    Open(Work),
    /// A gate is closed, and that is on record.
    Closed,
}

/// A worker that may begin.
#[derive(Debug)]
pub struct Work {
    run: String,
    asked: Asked,
    arguments: Vec<String>,
}

/// A trigger of which not even the store can be told: it begins nothing, and that is its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Untold<'a> {
    /// The engine's word.
    pub engine: &'a str,
    /// Our state.
    pub state: &'a StateDir,
    /// The time.
    pub clock: &'a Clock,
}

impl Untold<'_> {
    /// Puts on record why.
    pub fn close(&self, kind: JobKind, by: &str, session: Option<&str>, reason: String) {
        self.put(kind, by, session, reason, Path::new(""));
    }

    fn put(&self, kind: JobKind, by: &str, session: Option<&str>, reason: String, store: &Path) {
        let record = RunRecord {
            store: store.to_owned(),
            trigger: by.to_owned(),
            session: session.map(str::to_owned),
            engine: Word::parse(self.engine).name.to_owned(),
            reason,
            ..RunRecord::new(kind, Happened::Skipped, self.clock.now())
        };
        records::append(self.state, &record);
    }
}

impl Service<'_> {
    /// Asks for an extraction of a session.
    #[must_use]
    pub fn extract(&self, wish: Extraction<'_>) -> Answer {
        let session = review::session_id(wish.transcript);
        if wish.awaits.is_none() && self.is_cheap(wish.transcript, &session) {
            let look = gates::extract(self.trigger(), Some(wish.transcript), wish.by, Look::Trigger);
            // What the session saved itself moves the cursor, which is the worker's to do.
            let closed = look.gates.iter().filter(|gate| gate.gate != "already-saved").cloned().collect::<Vec<_>>();
            if let Some(reason) = gates::closed(&closed) {
                return self.close(JobKind::Extract, wish.by, Some(&session), reason);
            }
        }
        let mut arguments = vec!["extract".to_owned(), "--transcript".to_owned()];
        arguments.push(wish.transcript.to_string_lossy().into_owned());
        if let Some(mark) = wish.awaits {
            arguments.extend(["--awaits".to_owned(), mark.to_owned()]);
        }
        self.work(JobKind::Extract, wish.by, Some(&session), arguments)
    }

    /// Asks for a dream while a session goes on.
    #[must_use]
    pub fn dream(&self, by: &str, session: Option<&str>) -> Answer {
        if let Some(reason) = gates::closed(&gates::dream_at_once(self.trigger())) {
            return self.close(JobKind::Dream, by, session, reason);
        }
        let mut arguments = vec!["dream".to_owned()];
        if let Some(session) = session {
            arguments.extend(["--current-session".to_owned(), session.to_owned()]);
        }
        self.work(JobKind::Dream, by, session, arguments)
    }

    /// Puts on record why a trigger starts nothing.
    pub fn close(&self, kind: JobKind, by: &str, session: Option<&str>, reason: String) -> Answer {
        let Self { choice, engine, state, clock, .. } = *self;
        Untold { engine, state, clock }.put(kind, by, session, reason, choice.store.root());
        Answer::Closed
    }

    fn trigger(&self) -> Trigger<'_> {
        let Self { choice, config, engine, state, clock, environment, .. } = *self;
        Trigger { choice, config, engine, state, clock, environment }
    }

    /// Whether what is new in a transcript is little enough to be read by who must not take long.
    fn is_cheap(&self, transcript: &Path, session: &str) -> bool {
        let cursor = Schedule::of(self.state, self.choice.store.root()).cursor(session, transcript);
        fs::metadata(transcript).map_or(true, |found| found.len().saturating_sub(cursor.offset) <= CHEAP)
    }

    fn work(&self, kind: JobKind, by: &str, session: Option<&str>, work: Vec<String>) -> Answer {
        let run = launch::new_run_id(kind, self.clock.now());
        let asked = Asked {
            at: self.clock.now(),
            kind,
            store: self.choice.store.root().to_owned(),
            project: self.choice.title.clone(),
            engine: Word::parse(self.engine).name.to_owned(),
            trigger: by.to_owned(),
            session: session.map(str::to_owned),
        };
        let mut arguments = self.options.to_vec();
        arguments.push("--quiet".to_owned());
        arguments.extend(work);
        arguments.extend(["--run", &run, "--trigger", by].map(str::to_owned));
        Answer::Open(Work { run, asked, arguments })
    }

    /// Starts what may begin, the last thing to do: workers take the processor from whoever still has something to do. One
    /// that cannot be started is no reason not to start the others.
    ///
    /// # Errors
    /// When a worker cannot be started; that is on record, too.
    pub fn start(&self, answers: impl IntoIterator<Item = Answer>) -> io::Result<()> {
        let mut started = Ok(());
        for answer in answers {
            if let Answer::Open(work) = answer {
                started = started.and(self.start_one(&work));
            }
        }
        started
    }

    fn start_one(&self, Work { run, asked, arguments }: &Work) -> io::Result<()> {
        asked::note(self.state, run, asked)?;
        launch::detached(self.executable, arguments, self.environment).map(|_| ()).inspect_err(|_| {
            asked::answered(self.state, run);
            asked::never_began(self.state, run, asked, self.clock);
        })
    }
}
