//! What landed.

use super::detail::Detail;
use crate::change::{HistoryEntry, HistoryFile};
use crate::tui::effect::ImagesQuestion;
use crate::tui::state::ListState;

/// What landed.
#[derive(Clone, Debug, Default)]
pub struct HistoryList {
    /// Which row is selected.
    pub list: ListState,
    /// What changed.
    pub detail: Detail,
    /// The entry to put the cursor on as soon as it is there.
    pub wanted: Option<String>,
    /// The contents asked for last.
    pub asked: Option<ImagesQuestion>,
}

/// A row: an entry, or one of its files under it.
#[derive(Clone, Copy, Debug)]
pub struct HistoryRow<'a> {
    /// The entry.
    pub entry: &'a HistoryEntry,
    /// The file; `None`: the entry as a whole.
    pub file: Option<&'a HistoryFile>,
}

/// The rows: each entry, then its files.
#[must_use]
pub fn rows(entries: &[HistoryEntry]) -> Vec<HistoryRow<'_>> {
    entries
        .iter()
        .flat_map(|entry| {
            let files = entry.files.iter().map(move |file| HistoryRow { entry, file: Some(file) });
            std::iter::once(HistoryRow { entry, file: None }).chain(files)
        })
        .collect()
}
