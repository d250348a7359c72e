//! All runs of all projects.

use crate::tui::state::ListState;

/// All runs.
#[derive(Clone, Debug, Default)]
pub struct RunsList {
    /// Which one is selected.
    pub list: ListState,
    /// The run under the cursor, which the cursor follows.
    pub run: Option<String>,
}
