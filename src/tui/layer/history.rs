//! What landed.

use crate::tui::state::ListState;

/// What landed.
#[derive(Clone, Debug, Default)]
pub struct HistoryList {
    /// Which one is selected.
    pub list: ListState,
}
