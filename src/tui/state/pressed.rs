//! The first keys of a chord, while the others are waited for.

use crate::tui::command::Place;
use crate::tui::keymap::Key;

/// What was pressed, and where it counted: somewhere else it means nothing any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pressed {
    /// Where.
    pub place: Place,
    /// Which keys, in order.
    pub keys: Vec<Key>,
}

impl Pressed {
    /// The keys as they are shown: `g`, `Ctrl-x`.
    #[must_use]
    pub fn shown(&self) -> String {
        self.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}
