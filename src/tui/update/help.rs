//! All keys.

use super::{Flow, step};
use crate::tui::command::{COMMANDS, Command};
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a command: moving scrolls, enter closes.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = usize::from(state.area.height.saturating_sub(4));
    if matches!(command, Command::Open | Command::Help) {
        state.layers.pop();
        return Flow::Done(Vec::new());
    }
    let Some(lines) = step(command, COMMANDS.len(), height) else { return Flow::Pass };
    if let Some(Layer::Help(help)) = state.layers.last_mut() {
        help.scroll = help.scroll.saturating_add_signed(lines).min(COMMANDS.len().saturating_sub(height));
    }
    Flow::Done(Vec::new())
}
