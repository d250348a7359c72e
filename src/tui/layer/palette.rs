//! Any command by its name.

use crate::tui::state::ListState;

/// The palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// What was typed.
    pub text: String,
    /// Which match is selected.
    pub list: ListState,
}
