//! What keys and commands do to this layer.

use super::Flow;
use crate::tui::command::Command;
use crate::tui::state::State;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let _ = (state, command);
    Flow::Pass
}
