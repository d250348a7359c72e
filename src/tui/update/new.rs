//! What keys and commands do to this layer.

use super::Flow;
use crate::tui::command::Command;
use crate::tui::state::State;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let _ = (state, command);
    Flow::Pass
}

/// Takes a key before the key map sees it.
pub(super) fn key(state: &mut State, key: &crossterm::event::KeyEvent) -> Flow {
    let _ = (state, key);
    Flow::Pass
}

/// Takes pasted text.
pub(super) fn paste(state: &mut State, text: &str) {
    let _ = (state, text);
}

/// Opens the form.
pub(super) fn open(state: &mut State) -> Vec<crate::tui::effect::Effect> {
    let _ = state;
    Vec::new()
}
