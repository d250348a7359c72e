//! All keys.

use super::{Flow, step};
use crate::tui::command::{Command, help_rows, place_under_help};
use crate::tui::layer::Layer;
use crate::tui::layout::{inside, large};
use crate::tui::state::State;

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (length, height) = (help_rows(place_under_help(state)).count(), usize::from(inside(large(state.area)).height));
    let Some(rows) = step(command, length, height) else { return Flow::Pass };
    if let Some(Layer::Help(help)) = state.layers.last_mut() {
        help.scroll = help.scroll.saturating_add_signed(rows).min(length.saturating_sub(height));
    }
    Flow::Done(Vec::new())
}
