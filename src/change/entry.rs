//! One landing as it is recorded. Not its job: keeping it (see [`super::journal`]) and finding it again (see [`super::history`]).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Op, Origin, Rationale};
use crate::memory::ContentHash;

/// One landing, as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Its id.
    pub id: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Who wanted it.
    pub origin: Origin,
    /// The run it came from.
    pub run: Option<String>,
    /// One line.
    pub title: String,
    /// The files, the index among them.
    pub files: Vec<HistoryFile>,
    /// The entry that took this one back.
    pub undone_by: Option<String>,
    /// The entry that took back a part of it and left the rest, which had changed since, as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_in_part_by: Option<String>,
    /// Whether a person saw it and wanted it so: also what a run proposed and a person accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_person: bool,
}

impl HistoryEntry {
    /// Whether it is what an undo without a name may mean: a landing of which nothing was taken back yet.
    #[must_use]
    pub fn stands_whole(&self) -> bool {
        self.undone_by.is_none() && self.undone_in_part_by.is_none() && self.origin != Origin::Undo
    }
}

/// One file of a landing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryFile {
    /// The file.
    pub file: String,
    /// What happened.
    pub op: Op,
    /// The content before; `None`: it was not there.
    pub before: Option<ContentHash>,
    /// The content after; `None`: it was removed.
    pub after: Option<ContentHash>,
    /// The modification time before.
    pub mtime_before: Option<DateTime<Utc>>,
    /// The permission bits before.
    pub mode_before: Option<u32>,
    /// Why the old content is not kept, so that the file cannot be restored; `None`: it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_kept: Option<String>,
    /// Why.
    #[serde(flatten)]
    pub rationale: Rationale,
}
