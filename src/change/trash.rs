//! The trash: memories that were removed and are not there now. A view of the history, not a place.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::{HistoryEntry, Op, Origin};
use crate::memory::{ContentHash, Store};

/// One removed memory.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Trashed {
    /// The file.
    pub file: String,
    /// When it was removed.
    pub at: DateTime<Utc>,
    /// Who removed it.
    pub origin: Origin,
    /// Why.
    pub reason: String,
    /// Its content.
    pub content: ContentHash,
    /// The history entry to undo.
    pub entry: String,
}

/// What of a history, newest first, is removed and still gone.
pub(super) fn of(history: &[HistoryEntry], store: &Store) -> Vec<Trashed> {
    let mut seen = BTreeSet::new();
    let mut trashed = Vec::new();
    for entry in history.iter().filter(|entry| entry.undone_by.is_none()) {
        for file in entry.files.iter().filter(|file| file.op == Op::Remove) {
            let Some(content) = file.before else { continue };
            if seen.insert(file.file.as_str()) && store.path(&file.file).symlink_metadata().is_err() {
                trashed.push(Trashed {
                    file: file.file.clone(),
                    at: entry.at,
                    origin: entry.origin,
                    reason: file.rationale.reason.clone(),
                    content,
                    entry: entry.id.clone(),
                });
            }
        }
    }
    trashed
}
