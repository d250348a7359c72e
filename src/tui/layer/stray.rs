//! Words that were meant for a filter where there is none: a line takes them, so that none of them is a command.

use crate::tui::state::TextLine;

/// The line.
#[derive(Clone, Debug, Default)]
pub struct Stray {
    /// What was typed.
    pub line: TextLine,
}
