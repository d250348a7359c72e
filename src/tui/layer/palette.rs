//! Any command by its name.

use crate::tui::command::CommandSpec;
use crate::tui::state::ListState;

/// The palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// What was typed.
    pub text: String,
    /// The commands that could be asked for when it opened.
    pub commands: Vec<&'static CommandSpec>,
    /// Which match is selected.
    pub list: ListState,
}
