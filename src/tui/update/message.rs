//! A text that is too long for the status line.

use super::{Flow, step};
use crate::tui::command::Command;
use crate::tui::layer::Layer;
use crate::tui::layout::inside;
use crate::tui::state::State;
use crate::tui::view::message::layout;

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let area = state.area;
    let Some(Layer::Message(message)) = state.layers.last_mut() else { return Flow::Pass };
    let (place, lines) = layout(message, area);
    let (length, height) = (lines.len(), usize::from(inside(place).height));
    let Some(lines) = step(command, length, height) else { return Flow::Pass };
    message.scroll = message.scroll.saturating_add_signed(lines).min(length.saturating_sub(height));
    Flow::Done(Vec::new())
}
