//! Texts that were not saved when a screen ended, and wait to be taken up again or dropped.

use crate::tui::state::ListState;

/// The list of them.
#[derive(Clone, Debug, Default)]
pub struct UnsavedList {
    /// Which one is selected.
    pub list: ListState,
}
