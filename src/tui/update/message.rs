//! A text that is too long for the status line.

use super::{Flow, step};
use crate::tui::command::Command;
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Message(message)) = state.layers.last_mut() else { return Flow::Pass };
    let length = message.text.lines().count();
    let Some(lines) = step(command, length, 10) else { return Flow::Pass };
    message.scroll = message.scroll.saturating_add_signed(lines).min(length.saturating_sub(1));
    Flow::Done(Vec::new())
}
