//! Saved views: a list of names, and the name of a new one while it is typed.

use crate::filter::views::View;
use crate::tui::state::{ListState, TextLine};

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// The built-in views, then the person's.
    pub views: Vec<View>,
    /// Which one is selected.
    pub list: ListState,
    /// The name of the one that is to be saved, while it is typed.
    pub naming: Option<TextLine>,
}
