//! What landed, with pre-images.

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
    /// Why.
    #[serde(flatten)]
    pub rationale: Rationale,
}
