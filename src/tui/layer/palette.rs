//! Any command by its name.

use crate::tui::command::CommandSpec;
use crate::tui::state::ListState;

/// The palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// What was typed.
    pub text: String,
    /// Every command, those first that could be done when it opened.
    pub entries: Vec<Entry>,
    /// Which match is selected.
    pub list: ListState,
}

/// A command of the palette.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which.
    pub spec: &'static CommandSpec,
    /// The setting that it goes to; `None`: it is the command itself.
    pub setting: Option<String>,
    /// Its sentence where the palette was opened; of one that cannot be done there, why not.
    pub words: String,
    /// Whether it could be done.
    pub is_possible: bool,
}

impl Entry {
    /// The name it is found by.
    #[must_use]
    pub fn name(&self) -> &str {
        self.setting.as_deref().unwrap_or(self.spec.name)
    }
}
