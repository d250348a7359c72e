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

/// Opens the editor on a file that was read for it.
pub(super) fn topic_read(
    state: &mut State,
    file: &str,
    result: Result<Box<crate::memory::Topic>, String>,
) -> Vec<crate::tui::effect::Effect> {
    let _ = (state, file, result);
    Vec::new()
}

/// Hears what became of a deed; whether it was the editor's own save and the editor told the person about it.
pub(super) fn saved(
    state: &mut State,
    deed: &crate::tui::effect::Deed,
    result: &Result<crate::tui::event::Outcome, crate::change::DoorError>,
) -> bool {
    let _ = (state, deed, result);
    false
}
