//! Other projects.

use super::{Flow, step};
use crate::project::Project;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::{Layer, Projects};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens the switcher.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Projects(Projects::default()));
    vec![Effect::ListProjects]
}

/// Takes the list; the cursor goes to the project that is shown.
pub(super) fn listed(state: &mut State, result: Result<Vec<Project>, String>) -> Vec<Effect> {
    match result {
        Ok(projects) => {
            let shown = projects.iter().position(|project| project.store.root() == state.store_root());
            state.projects = projects;
            if let Some(Layer::Projects(layer)) = state.layers.last_mut() {
                layer.list.selected = shown.unwrap_or(0);
            }
        }
        Err(error) => state.tell(Meaning::Bad, error),
    }
    Vec::new()
}

/// Takes a command: moving moves, enter opens.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (length, height) = (state.projects.len(), usize::from(state.area.height.saturating_sub(4)));
    let Some(Layer::Projects(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(rows) = step(command, length, height) {
        layer.list.move_by(rows, length, height);
        return Flow::Done(Vec::new());
    }
    if command == Command::Why {
        return Flow::Done(super::why::open(state));
    }
    if command != Command::Open {
        return Flow::Pass;
    }
    let chosen = state.projects.get(layer.list.selected).cloned();
    state.layers.pop();
    Flow::Done(chosen.map(|project| Effect::OpenProject(Box::new(project))).into_iter().collect())
}
