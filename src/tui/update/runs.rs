//! The list of all runs.

use super::{Flow, run, step};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::run::RunDialog;
use crate::tui::layout::{inside, large};
use crate::tui::state::State;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (length, height) = (state.runs.len(), height(state));
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(rows) = step(command, length, height) {
        layer.list.move_by(rows, length, height);
        layer.run = state.runs.get(layer.list.selected).map(|run| run.id.clone());
        return Flow::Done(Vec::new());
    }
    let Some(selected) = state.runs.get(layer.list.selected).cloned() else { return Flow::Pass };
    match command {
        Command::Open => {
            state.layers.push(Layer::Run(RunDialog::of(&selected.id)));
            Flow::Done(vec![Effect::RefreshRuns])
        }
        Command::Kill => Flow::Done(run::kill(state, &selected)),
        Command::Undo => Flow::Done(run::undo(state, &selected)),
        _ => Flow::Pass,
    }
}

/// The rows on the screen, below the heading.
fn height(state: &State) -> usize {
    usize::from(inside(large(state.area)).height.saturating_sub(1))
}

/// After each event: the cursor stays on its run when newer ones come in above it.
pub(super) fn settle(state: &mut State) {
    let height = height(state);
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return };
    if let Some(at) = state.runs.iter().position(|run| Some(&run.id) == layer.run.as_ref()) {
        layer.list.selected = at;
    }
    layer.list.settle(state.runs.len(), height);
    layer.run = state.runs.get(layer.list.selected).map(|run| run.id.clone());
}
