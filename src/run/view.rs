//! A run as people and scripts see it: the fold of its events. One implementation for the screen, `runs` and `dream`.

use chrono::{DateTime, Utc};

use super::event::{ChangeLine, HeldLine};
use super::{Outcome, Stamped, TouchOp};
use crate::engine::{JobKind, Phase, Tokens};

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunStatus {
    /// No file touched yet.
    #[default]
    Starting,
    /// A file was touched.
    Updating,
    /// It ended, and its journal says so.
    Ended,
    /// Its journal has no end and its process is gone.
    Interrupted,
}

impl RunStatus {
    /// The word in JSON and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Updating => "updating",
            Self::Ended => "ended",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One entry of a run's tool log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLine {
    /// When.
    pub at: DateTime<Utc>,
    /// The tool.
    pub name: String,
    /// What it is about.
    pub target: String,
    /// Whether it was allowed.
    pub allowed: bool,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// Extract or dream.
    pub kind: JobKind,
    /// The engine's name.
    pub engine: String,
    /// The store's directory.
    pub store: String,
    /// The project's title.
    pub project: String,
    /// The worker's process.
    pub pid: u32,
    /// Its birth, see [`super::RunEvent::Started`].
    pub birth: Option<String>,
    /// When it started.
    pub started: Option<DateTime<Utc>>,
    /// When the last event came.
    pub last: Option<DateTime<Utc>>,
    /// Where it is.
    pub status: RunStatus,
    /// The sessions under review.
    pub sessions: Vec<String>,
    /// Whether it lands nothing.
    pub dry_run: bool,
    /// What started it.
    pub trigger: String,
    /// Phases begun, with their times.
    pub phases: Vec<(Phase, DateTime<Utc>)>,
    /// The latest text.
    pub text: Option<String>,
    /// Tool calls so far.
    pub tool_calls: usize,
    /// The last 200 tool calls.
    pub tools: Vec<ToolLine>,
    /// Files touched, in order of their first touch.
    pub touched: Vec<(String, TouchOp)>,
    /// Tokens used.
    pub tokens: Tokens,
    /// How far it is.
    pub progress: Option<(u64, u64, String)>,
    /// Notices.
    pub notices: Vec<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why, in one sentence.
    pub reason: String,
    /// What landed.
    pub changes: Vec<ChangeLine>,
    /// What waits.
    pub held: Vec<HeldLine>,
    /// The history entry.
    pub history: Option<String>,
    /// The inbox entry.
    pub inbox: Option<String>,
    /// The completion notice.
    pub notice: Option<String>,
    /// Milliseconds it took.
    pub ms: Option<u64>,
}

impl RunView {
    /// A run of which only the id is known.
    #[must_use]
    pub fn new(id: &str) -> Self {
        let _ = id;
        todo!()
    }

    /// Takes in an event.
    pub fn apply(&mut self, event: &Stamped) {
        let _ = event;
        todo!()
    }

    /// Whether it is going on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self.status, RunStatus::Starting | RunStatus::Updating)
    }

    /// Each phase begun and how long it took, up to `now` for the one going on, in milliseconds.
    #[must_use]
    pub fn phase_times(&self, now: DateTime<Utc>) -> Vec<(Phase, u64)> {
        let _ = now;
        todo!()
    }

    /// The JSON object of design 13: `{run, kind, engine, outcome, reason, status, sessions, phases, changes, held, tokens, ms, …}`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        todo!()
    }
}
