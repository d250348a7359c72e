//! The filter line. The text itself is also with the memory list, which stays filtered when the line closes.

use crate::filter::Completion;
use crate::tui::state::TextLine;

/// The line while it is typed in.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The text before the line was opened: what `esc` goes back to.
    pub before: String,
    /// The line as it is typed.
    pub line: TextLine,
    /// What the word at the end could become, and which of it stands there now; while the tabulator key is pressed.
    pub completing: Option<(Completion, usize)>,
}
