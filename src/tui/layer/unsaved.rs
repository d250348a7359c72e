//! Texts that were not saved when a screen ended, and wait to be taken up again or dropped.

use crate::change::unsaved::Rescued;
use crate::tui::state::{ListFilter, ListState, State};

/// The list of them.
#[derive(Clone, Debug, Default)]
pub struct UnsavedList {
    /// Which one is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
}

/// The drafts that the filter shows.
#[must_use]
pub fn rows<'a>(layer: &UnsavedList, state: &'a State) -> Vec<&'a Rescued> {
    state.drafts.waiting.iter().filter(|rescued| layer.filter.admits(&rescued.text.title())).collect()
}
