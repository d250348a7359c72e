//! A question before something that deserves one.

use crate::tui::effect::Effect;

/// A question with yes and no.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// What it is about.
    pub title: String,
    /// What would happen, one line each.
    pub lines: Vec<String>,
    /// The word for yes.
    pub yes: &'static str,
    /// What happens then.
    pub effects: Vec<Effect>,
}
