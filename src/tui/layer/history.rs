//! What landed.

use super::detail::Detail;
use crate::change::{HistoryEntry, HistoryFile};
use crate::tui::effect::ImagesQuestion;
use crate::tui::state::{ListFilter, ListState};

/// What landed.
#[derive(Clone, Debug, Default)]
pub struct HistoryList {
    /// Which row is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
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

impl HistoryRow<'_> {
    /// What tells the row from any other.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{} {}", self.entry.id, self.file.map_or("", |file| file.file.as_str()))
    }
}

/// The rows: each entry, then its files. A filter that an entry's title has shows all of its files, else those that have it.
#[must_use]
pub fn rows<'a>(entries: &'a [HistoryEntry], filter: &ListFilter) -> Vec<HistoryRow<'a>> {
    let mut rows = Vec::new();
    for entry in entries {
        let is_titled = filter.admits(&format!("{} {}", entry.title, entry.origin.word()));
        let has = |file: &&HistoryFile| is_titled || filter.admits(&format!("{} {}", file.op.word(), file.file));
        let files: Vec<_> = entry.files.iter().filter(has).map(|file| HistoryRow { entry, file: Some(file) }).collect();
        if is_titled || !files.is_empty() {
            rows.push(HistoryRow { entry, file: None });
            rows.extend(files);
        }
    }
    rows
}
