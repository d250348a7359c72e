//! Saved views: a list of names, and the name of a new one while it is typed.

use crate::filter::views::View;
use crate::tui::state::{ListFilter, ListState, TextLine};

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// The built-in views, then the person's.
    pub views: Vec<View>,
    /// Which one is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
    /// The name of the one that is to be saved, while it is typed.
    pub naming: Option<TextLine>,
}

impl Views {
    /// The views that the filter shows.
    #[must_use]
    pub fn rows(&self) -> Vec<&View> {
        self.views.iter().filter(|view| self.filter.admits(&format!("{} {}", view.name, view.filter))).collect()
    }

    /// The view under the cursor.
    #[must_use]
    pub fn selected(&self) -> Option<&View> {
        self.rows().get(self.list.selected).copied()
    }
}
