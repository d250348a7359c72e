//! A memory that gets another file name.

use tui_textarea::TextArea;

use crate::tui::layer::form::area;

/// How the names of memories end.
const ENDING: &str = ".md";

/// The line with the new name, and what would follow.
#[derive(Clone, Debug)]
pub struct Rename {
    /// The file as it is called.
    pub from: String,
    /// The line.
    pub line: TextArea<'static>,
    /// What was asked about last: the name as it was typed.
    pub asked: String,
    /// What would follow, one line each, or why it cannot be.
    pub preview: Option<Result<Vec<String>, String>>,
    /// Whether the rename is under way.
    pub saving: bool,
}

/// Which rename.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenameQuestion {
    /// The file as it is called.
    pub from: String,
    /// As it shall be called.
    pub to: String,
}

impl Rename {
    /// The line on a file's name, the cursor before its ending.
    #[must_use]
    pub fn of(file: &str) -> Self {
        let mut line = area(file);
        let stem = file.strip_suffix(ENDING).unwrap_or(file);
        let column = u16::try_from(stem.chars().count()).unwrap_or(u16::MAX);
        line.move_cursor(tui_textarea::CursorMove::Jump(0, column));
        Self { from: file.to_owned(), line, asked: String::new(), preview: None, saving: false }
    }

    /// The name as it would be, with its ending.
    ///
    /// # Errors
    /// A sentence with a name that would do, for one that cannot be meant.
    pub fn to(&self) -> Result<String, String> {
        crate::memory::names::typed(&self.line.lines().concat())
    }

    /// The ending was typed where it stands behind the cursor already: it stays once.
    pub fn end_once(&mut self) {
        let typed = self.line.lines().concat();
        let column = self.line.cursor().1;
        let behind: String = typed.chars().skip(column).collect();
        if behind == ENDING && typed.chars().take(column).collect::<String>().ends_with(ENDING) {
            self.line.delete_line_by_end();
        }
    }

    /// Clears the name; its ending stays.
    pub fn clear(&mut self) {
        self.line = area(ENDING);
    }
}
