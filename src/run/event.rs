//! The events of a run, one JSON object a line in its journal.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::change::{HoldReason, Op, Source};
use crate::config::Money;
use crate::engine::{JobKind, Phase, Tokens};
use crate::process::Place;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It did its work, and all of it landed.
    Done,
    /// It did its work; some of it landed, some is held or left out.
    Partial,
    /// It did its work; all of it waits for a person.
    Held,
    /// It did not run: a gate, or nothing to do.
    Skipped,
    /// Somebody killed it.
    Killed,
    /// It could not do its work.
    Failed,
}

impl Outcome {
    /// The word in JSON and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Partial => "partial",
            Self::Held => "held",
            Self::Skipped => "skipped",
            Self::Killed => "killed",
            Self::Failed => "failed",
        }
    }
}

/// What happened to a file of the working copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TouchOp {
    /// Made.
    Created,
    /// Changed.
    Changed,
    /// Removed.
    Removed,
}

/// A change as the end of a run lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeLine {
    /// What happened.
    pub op: Op,
    /// To which file.
    pub file: String,
    /// Why.
    pub reason: String,
    /// The evidence.
    pub sources: Vec<Source>,
}

/// A held change as the end of a run lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldLine {
    /// What is wanted.
    pub op: Op,
    /// For which file.
    pub file: String,
    /// Why it waits.
    pub reasons: Vec<HoldReason>,
    /// The inbox entry of an earlier run in which the very same waited already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_in: Option<String>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum RunEvent {
    /// The worker is up.
    Started {
        /// The run's id.
        run: String,
        /// Extract or dream.
        kind: JobKind,
        /// The engine's name.
        engine: String,
        /// The store's directory.
        store: String,
        /// The project's title.
        project: String,
        /// The worker's process id.
        pid: u32,
        /// The worker's start time in clock ticks since boot, and the boot's id: detects a reused pid.
        birth: Option<String>,
        /// The sessions under review.
        sessions: Vec<String>,
        /// Whether it will not land anything.
        dry_run: bool,
        /// What started it: `hand`, `screen`, `hook`.
        trigger: String,
        /// The tokens it may use.
        #[serde(default)]
        budget: Option<u64>,
        /// Where the worker runs: what its process id means.
        #[serde(default)]
        place: Place,
        /// Whether the worker leads a process group in which nobody is but what it started, so that it can be found by it.
        #[serde(default)]
        leads_group: bool,
    },
    /// A phase begins.
    Phase {
        /// Which.
        phase: Phase,
    },
    /// The assistant's text.
    Text {
        /// What it said.
        text: String,
    },
    /// A tool call.
    Tool {
        /// The tool.
        name: String,
        /// What it is about.
        target: String,
        /// Whether it was allowed.
        allowed: bool,
    },
    /// A file of the working copy changed.
    Touched {
        /// The file.
        file: String,
        /// What happened to it.
        op: TouchOp,
    },
    /// Tokens used since the last such event.
    Usage {
        /// How many.
        tokens: Tokens,
        /// What they cost, where prices are set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Money>,
    },
    /// How far it is.
    Progress {
        /// Done.
        done: u64,
        /// Of how many.
        total: u64,
        /// What is counted.
        what: String,
    },
    /// Something a person should know: a lock taken over from a dead process.
    Notice {
        /// One sentence.
        text: String,
    },
    /// It is over.
    Ended {
        /// How.
        outcome: Outcome,
        /// One sentence.
        reason: String,
        /// Killed: by whom, `screen`, `command`, `signal TERM`, `worker died`, …
        #[serde(default)]
        killed_by: Option<String>,
        /// What landed (with `dry_run`: what would).
        changes: Vec<ChangeLine>,
        /// What waits in the inbox.
        held: Vec<HeldLine>,
        /// The history entry, for `undo`.
        history: Option<String>,
        /// The inbox entry, for review.
        inbox: Option<String>,
        /// The notice: `Improved 3 memories`. `None` when nothing on disk changed.
        notice: Option<String>,
        /// Milliseconds from start to end.
        ms: u64,
    },
    /// What it landed was taken back, or is in force again.
    Undone {
        /// The history entry that took it back; `None`: it is in force again.
        by: Option<String>,
        /// Whether something of it was left as it is, because it had changed since.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_part: bool,
    },
}

/// An event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamped {
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    #[serde(flatten)]
    pub event: RunEvent,
}
