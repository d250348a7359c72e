//! The turn that a source names.

use super::{Flow, step};
use crate::tui::command::Command;
use crate::tui::effect::TurnQuestion;
use crate::tui::layer::Layer;
use crate::tui::layer::turn::TurnLine;
use crate::tui::layout::{inside, large};
use crate::tui::state::State;
use crate::tui::view::turn::layout;

/// Takes the lines around it.
pub(super) fn read(state: &mut State, question: &TurnQuestion, result: Result<Vec<TurnLine>, String>) {
    for layer in &mut state.layers {
        if let Layer::Turn(turn) = layer
            && turn.question == *question
        {
            turn.lines = Some(result);
            return;
        }
    }
}

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let inner = inside(large(state.area));
    let Some(Layer::Turn(turn)) = state.layers.last() else { return Flow::Pass };
    let (lines, at) = layout(turn, state, usize::from(inner.width));
    let (length, height) = (lines.len(), usize::from(inner.height));
    let Some(rows) = step(command, length, height) else { return Flow::Pass };
    if let Some(Layer::Turn(turn)) = state.layers.last_mut() {
        let from = turn.scroll.unwrap_or(at);
        turn.scroll = Some(from.saturating_add_signed(rows).min(length.saturating_sub(height)));
    }
    Flow::Done(Vec::new())
}
