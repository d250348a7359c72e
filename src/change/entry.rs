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
    /// Whether a person saw it and wanted it so: also what a run proposed and a person accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_person: bool,
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
