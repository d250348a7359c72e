//! Change sets: what is wanted, on which base, and why. Not its job: whether it may land (see [`super::guard`]).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Who wants a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A person's edit, new memory, deletion or rename.
    Edit,
    /// A verdict in triage.
    Triage,
    /// An extraction.
    Extract,
    /// A dream.
    Dream,
    /// An agent's proposal, which a person decides on.
    Proposal,
    /// A pull from the team server.
    Pull,
    /// `check --fix`.
    Repair,
    /// Taking back something that landed.
    Undo,
    /// Another program, which did not ask the door: recorded after the fact, so that it can be taken back too.
    Foreign,
}

impl Origin {
    /// The word in JSON and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Triage => "triage",
            Self::Extract => "extract",
            Self::Dream => "dream",
            Self::Proposal => "proposal",
            Self::Pull => "pull",
            Self::Repair => "repair",
            Self::Undo => "undo",
            Self::Foreign => "foreign",
        }
    }

    /// Whether a new file gets the name it was asked for or none: a person means that one, and on a team's server a name is
    /// the entry.
    #[must_use]
    pub(super) const fn keeps_names(self) -> bool {
        !self.is_automatic() || matches!(self, Self::Pull)
    }

    /// Whether what goes has to be accounted for, sentence by sentence. In a pull somebody of the team took it out; the
    /// client asks when the server lost much at once.
    #[must_use]
    pub(super) const fn owes_account(self) -> bool {
        self.is_automatic() && !matches!(self, Self::Pull)
    }

    /// Whether nobody looked at the change before it lands, so that the strict guards apply.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        matches!(self, Self::Extract | Self::Dream | Self::Proposal | Self::Pull)
    }
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// It is made; it must not exist.
    Create,
    /// Its content is replaced.
    Replace,
    /// It goes to the trash.
    Remove,
}

impl Op {
    /// The word in JSON: `create`, `replace`, `remove`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Remove => "remove",
        }
    }
}

/// The reason of a removal that the person asked for by taking back what they had said in the same session.
pub(crate) const TAKEN_BACK: &str = "taken back by the person in the same session";

/// Where a claim comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The session, or the file in the store (a daily log, another memory).
    pub session: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u64>,
    /// The person's words.
    pub quote: Option<String>,
    /// When they were said, as the run found it in the transcript. Only for the guards: it is not kept.
    #[serde(skip)]
    pub said: Option<DateTime<Utc>>,
}

/// Why a file changes, as whoever changed it says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rationale {
    /// One sentence.
    pub reason: String,
    /// The evidence.
    pub sources: Vec<Source>,
}

/// What a file's modification time becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mtime {
    /// The time of landing: the claim is new or renewed.
    Now,
    /// One second later than it was: the claim keeps its age, yet other programs see that the file changed.
    Keep,
    /// Exactly this (undo, restore).
    At(DateTime<Utc>),
}

/// What is wanted for one topic file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, relative to the store, `/` separated.
    pub file: String,
    /// What happens.
    pub op: Op,
    /// The bytes it was based on; `None` for [`Op::Create`].
    pub base: Option<Vec<u8>>,
    /// The bytes it becomes; `None` for [`Op::Remove`].
    pub content: Option<Vec<u8>>,
    /// Why, and on what evidence.
    pub rationale: Rationale,
    /// What the modification time becomes.
    pub mtime: Mtime,
}

/// What is wanted for the index: its difference from `base` is replayed, line by line, on the index as it is at landing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexChange {
    /// The index the change was made on; empty when there was none.
    pub base: Vec<u8>,
    /// The index as wanted.
    pub content: Vec<u8>,
}

/// Everything one actor wants done to one store, at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    /// Who wants it.
    pub origin: Origin,
    /// The run it comes from.
    pub run: Option<String>,
    /// Whether a model wrote it, or a script of one: what it adds is its inference until a quote bears it out.
    pub is_by_model: bool,
    /// One line for history and inbox: `edit feedback_testing.md`.
    pub title: String,
    /// Topic files, at most one change each.
    pub changes: Vec<Change>,
    /// The index.
    pub index: Option<IndexChange>,
}

impl ChangeSet {
    /// A change set without changes.
    #[must_use]
    pub fn new(origin: Origin, title: impl Into<String>) -> Self {
        Self { origin, run: None, is_by_model: false, title: title.into(), changes: Vec::new(), index: None }
    }

    /// Whether it wants nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.index.as_ref().is_none_or(|index| index.base == index.content)
    }
}
