//! What waits for a person.

use crate::tui::state::ListState;

/// What waits for a person.
#[derive(Clone, Debug, Default)]
pub struct InboxList {
    /// Which one is selected.
    pub list: ListState,
}
