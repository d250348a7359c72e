//! Change sets that wait for a person.

use chrono::{DateTime, Utc};

use super::{HoldReason, Op, Origin, Rationale};

/// A held change set, or the held part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxEntry {
    /// Its id.
    pub id: String,
    /// When it was held.
    pub at: DateTime<Utc>,
    /// Who wants it.
    pub origin: Origin,
    /// The run it comes from.
    pub run: Option<String>,
    /// One line.
    pub title: String,
    /// What waits.
    pub changes: Vec<HeldChange>,
}

/// One held change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldChange {
    /// The file.
    pub file: String,
    /// What is wanted.
    pub op: Op,
    /// The bytes it was based on.
    pub base: Option<Vec<u8>>,
    /// The bytes it would become.
    pub content: Option<Vec<u8>>,
    /// Why, and on what evidence.
    pub rationale: Rationale,
    /// Why it waits.
    pub reasons: Vec<HoldReason>,
}
