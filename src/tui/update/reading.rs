//! A memory in full.

use super::{Flow, sheets, step};
use crate::tui::command::Command;
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let area = sheets::reading_area(state);
    let height = usize::from(area.height);
    let length = match state.layers.last() {
        Some(Layer::Reading(reading)) => sheets::length(state, &reading.sheet, area.width),
        _ => return Flow::Pass,
    };
    let Some(lines) = step(command, length, height) else { return Flow::Pass };
    if let Some(Layer::Reading(reading)) = state.layers.last_mut() {
        reading.sheet.scroll_by(lines, length, height);
    }
    Flow::Done(Vec::new())
}
