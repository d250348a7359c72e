//! What thinks: engines turn sessions into changes of a working copy.
//!
//! An engine sees a private copy of the store, never the store. What it did is read off that copy afterwards
//! ([`crate::change::compare`]); what it says about it ([`Verdict`]) only adds reasons and sources. Not its job: gates,
//! locks, processes and landing (`crate::run`).

mod account;
pub mod agent;
pub mod embedded;
pub mod prove;
pub mod select;
mod unheard;
mod word;

pub use account::account;
pub use agent::claude::CHILD_NOTE;
pub use unheard::Unheard;
pub use word::Word;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::change::Rationale;
use crate::clock::Clock;
use crate::config::{Config, Money};
use crate::environment::Environment;
use crate::memory::ShelfLife;
use crate::session::Speakers;

/// What an engine is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Read one session from the cursor on and store what is worth it.
    Extract,
    /// Consolidate the store: orient, gather, consolidate, prune.
    Dream,
}

impl JobKind {
    /// The word in events, run ids and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Extract => "extract",
            Self::Dream => "dream",
        }
    }
}

/// A session to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSource {
    /// The session's id.
    pub id: String,
    /// Its transcript.
    pub path: PathBuf,
    /// Where to start: offset and number of the last line already read. `(0, 0)`: from the start.
    pub from: (u64, u64),
    /// For dreams: only turns after this instant count (the last success). `None`: all.
    pub since: Option<DateTime<Utc>>,
    /// Whose turns count.
    pub speakers: Speakers,
}

/// A job.
#[derive(Clone, Debug)]
pub struct Job {
    /// What to do.
    pub kind: JobKind,
    /// What to read, newest first.
    pub sessions: Vec<SessionSource>,
    /// The project's checkout, against which claims can be checked.
    pub checkout: Option<PathBuf>,
    /// What of the sessions does not count.
    pub unheard: Unheard,
}

/// The four phases of a dream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// What is there: inventory, index.
    Orient,
    /// What is new: daily logs, drift, sessions since the last success.
    Gather,
    /// Merge, resolve dates, drop what is superseded or expired.
    Consolidate,
    /// Bring the index in order.
    Prune,
}

impl Phase {
    /// All four in order.
    pub const ALL: [Self; 4] = [Self::Orient, Self::Gather, Self::Consolidate, Self::Prune];

    /// The word in events and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Orient => "orient",
            Self::Gather => "gather",
            Self::Consolidate => "consolidate",
            Self::Prune => "prune",
        }
    }
}

/// What a run has used. `input` is what was read anew: cached tokens are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read by the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the prompt cache.
    pub cache_read: u64,
    /// Written to the prompt cache.
    pub cache_created: u64,
}

impl Tokens {
    /// What counts against a budget: everything, what came from the prompt cache at a tenth.
    #[must_use]
    pub const fn counted(self) -> u64 {
        let anew = self.input.saturating_add(self.output).saturating_add(self.cache_created);
        anew.saturating_add(self.cache_read / 10)
    }

    /// What they cost at the prices of an engine; `None`: it has none.
    #[must_use]
    pub fn cost(self, engine: &str, config: &Config) -> Option<Money> {
        let prices = config.models.of(Word::parse(engine).name)?.prices?;
        Some(prices.cost(self.input, self.output, self.cache_read, self.cache_created))
    }
}

impl std::ops::AddAssign for Tokens {
    fn add_assign(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
        self.cache_read = self.cache_read.saturating_add(more.cache_read);
        self.cache_created = self.cache_created.saturating_add(more.cache_created);
    }
}

/// What an engine reports while it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineEvent {
    /// A phase begins.
    Phase(Phase),
    /// The assistant says something; for the embedded engine, what it found.
    Text(String),
    /// A tool call: its name, what it is about, and whether it was allowed.
    Tool {
        /// The tool.
        name: String,
        /// A path or pattern.
        target: String,
        /// Whether permission was given.
        allowed: bool,
    },
    /// Something a person should know: a server that has to be asked again.
    Notice(String),
    /// Tokens used since the last report.
    Usage(Tokens),
    /// What the engine itself says that it cost since the last report.
    Cost(Money),
    /// How far it is.
    Progress {
        /// Done.
        done: u64,
        /// Of how many.
        total: u64,
        /// What is counted: `sessions`.
        what: String,
    },
}

/// Where an engine's events go. Never blocks; events after the run's end are dropped.
#[derive(Clone, Debug)]
pub struct EventSender(tokio::sync::mpsc::UnboundedSender<EngineEvent>);

impl EventSender {
    /// A sender and its receiver.
    #[must_use]
    pub fn channel() -> (Self, tokio::sync::mpsc::UnboundedReceiver<EngineEvent>) {
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        (Self(sender), receiver)
    }

    /// Sends an event.
    pub fn send(&self, event: EngineEvent) {
        let _ = self.0.send(event);
    }
}

/// What an engine works with.
#[derive(Clone, Debug)]
pub struct RunContext {
    /// The working copy of the store: the only place it may write.
    pub working_copy: PathBuf,
    /// What its tools may read beyond that.
    pub reach: agent::Reach,
    /// Where its events go.
    pub events: EventSender,
    /// Asked between steps and raced against every wait; once set, the engine returns [`EngineError::Cancelled`].
    pub cancel: CancellationToken,
    /// The time.
    pub clock: Clock,
    /// How many days a claim of each type is good for.
    pub shelf_life: ShelfLife,
    /// Tokens it may use.
    pub token_budget: u64,
    /// Money it may use, for an engine that counts it itself; others are held to it from outside.
    pub money_budget: Option<Money>,
    /// Turns it may take; extraction has 5.
    pub max_turns: Option<u32>,
}

/// What an engine hands back after its work. What it changed is on the disk, what it did in words was its last
/// [`EngineEvent::Text`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Why each file changed.
    pub rationales: BTreeMap<String, Rationale>,
    /// Whether it did the work at all: a model that only answers politely did not, and nothing counts as consolidated.
    pub worked: bool,
    /// Work it had to leave out, each with its reason; makes the outcome *partial*.
    pub left_out: Vec<String>,
    /// How far an extraction read its session, when not to the end.
    pub read_to: Option<ReadTo>,
}

/// A place in a session up to which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadTo {
    /// The line of the last turn that was read, from 1.
    pub line: u64,
    /// That turn's uuid.
    pub uuid: Option<String>,
}

/// Why an engine gave up.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Somebody killed the run.
    #[error("cancelled")]
    Cancelled,
    /// It used up its tokens or turns.
    #[error("the budget is used up: {0}")]
    Budget(String),
    /// It cannot read or write its working copy.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The engine's own trouble, in words.
    #[error("{0}")]
    Failed(String),
}

impl EngineError {
    /// A run that used more tokens than it may.
    #[must_use]
    pub fn out_of_tokens(used: Tokens, most: u64) -> Self {
        Self::Budget(format!("{} of {most} tokens; budget.tokens in config.yaml sets them", used.counted()))
    }

    /// A run that cost more than it may, or as much.
    #[must_use]
    pub fn out_of_money(cost: Money, most: Money) -> Self {
        Self::Budget(format!("{cost} of {most} USD; budget.usd and budget.usd_a_day in config.yaml set it"))
    }
}

/// The future an engine returns.
pub type EngineFuture<'a> = Pin<Box<dyn Future<Output = Result<Verdict, EngineError>> + Send + 'a>>;

/// What an engine would send first, for a person to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// Where it would go.
    pub to: String,
    /// The model.
    pub model: String,
    /// What it would send, under a title each.
    pub parts: Vec<(String, String)>,
    /// How many tokens that is, about.
    pub tokens: u64,
}

/// What thinks.
pub trait Engine: Send + Sync {
    /// Does a job in the working copy.
    fn run<'a>(&'a self, job: &'a Job, context: &'a RunContext) -> EngineFuture<'a>;

    /// What it would send to begin a job; nothing when it sends nothing anywhere.
    ///
    /// # Errors
    /// As [`Engine::run`].
    fn preview(&self, _job: &Job, _context: &RunContext) -> Result<Option<Preview>, EngineError> {
        Ok(None)
    }
}

/// The engine a word names: `embedded`, `anthropic`, `openai`, `claude` (these three also with `:MODEL`), or `script:FILE`.
///
/// # Errors
/// When the word names no engine, the engine lacks something it needs, or the script cannot be read; the message says
/// what is accepted.
pub fn by_name(word: &str, config: &Config, environment: &Environment) -> Result<Box<dyn Engine>, EngineError> {
    let Word { name, of } = Word::parse(word);
    match name {
        "embedded" if of.is_empty() => Ok(Box::new(embedded::Embedded)),
        "script" if !of.is_empty() => Ok(Box::new(agent::Script::read(&environment.current_dir().join(of))?)),
        "claude" => Ok(Box::new(agent::Claude::of(Word { name, of }, config, environment)?)),
        _ => match agent::Model::of(word, config, environment)? {
            Some(model) => Ok(Box::new(model)),
            None => Err(EngineError::Failed(format!(
                "there is no engine {word:?}; accepted: embedded (no model, no network), anthropic or openai (a model \
                 over HTTP, also anthropic:MODEL), claude (the claude command, also claude:MODEL), or script:FILE \
                 (plays a file of turns)"
            ))),
        },
    }
}
