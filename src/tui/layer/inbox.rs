//! What waits for a person.

use super::detail::Detail;
use crate::change::{HeldChange, InboxEntry};
use crate::tui::state::{ListFilter, ListState};

/// What waits for a person.
#[derive(Clone, Debug, Default)]
pub struct InboxList {
    /// Which row is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
    /// What would change.
    pub detail: Detail,
    /// The entry to put the cursor on as soon as it is there.
    pub wanted: Option<String>,
}

impl InboxList {
    /// The inbox with the cursor on an entry.
    #[must_use]
    pub fn at(entry: &str) -> Self {
        Self { wanted: Some(entry.to_owned()), ..Self::default() }
    }
}

/// A row: an entry, or one of its files under it.
#[derive(Clone, Copy, Debug)]
pub struct InboxRow<'a> {
    /// The entry.
    pub entry: &'a InboxEntry,
    /// The file; `None`: the entry as a whole.
    pub change: Option<&'a HeldChange>,
}

impl InboxRow<'_> {
    /// What tells the row from any other.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{} {}", self.entry.id, self.change.map_or("", |change| change.file.as_str()))
    }
}

/// The rows: each entry, then its files. A filter that an entry's title has shows all of its files, else those that have it.
#[must_use]
pub fn rows<'a>(entries: &'a [InboxEntry], filter: &ListFilter) -> Vec<InboxRow<'a>> {
    let has = |change: &HeldChange| {
        let guards: Vec<&str> = change.reasons.iter().map(|reason| reason.guard.as_str()).collect();
        filter.admits(&format!("{} {} {}", change.op.word(), change.file, guards.join(" ")))
    };
    let mut rows = Vec::new();
    for entry in entries {
        let is_titled = filter.admits(&entry.title);
        let files = entry.changes.iter().filter(|change| is_titled || has(change));
        let files: Vec<_> = files.map(|change| InboxRow { entry, change: Some(change) }).collect();
        if is_titled || !files.is_empty() {
            rows.push(InboxRow { entry, change: None });
            rows.extend(files);
        }
    }
    rows
}
