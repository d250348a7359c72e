//! What waits for a person.

use super::detail::Detail;
use crate::change::{HeldChange, InboxEntry};
use crate::tui::state::ListState;

/// What waits for a person.
#[derive(Clone, Debug, Default)]
pub struct InboxList {
    /// Which row is selected.
    pub list: ListState,
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

/// The rows: each entry, then its files.
#[must_use]
pub fn rows(entries: &[InboxEntry]) -> Vec<InboxRow<'_>> {
    entries
        .iter()
        .flat_map(|entry| {
            let files = entry.changes.iter().map(move |change| InboxRow { entry, change: Some(change) });
            std::iter::once(InboxRow { entry, change: None }).chain(files)
        })
        .collect()
}
