//! Other projects: which there are, what is in them, and opening one.

use std::path::PathBuf;

use super::{Flow, step};
use crate::project::Project;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::projects::{ProjectFacts, Projects, rows};
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::view::projects::height;

/// So many stores are looked into before what they hold is shown, and the next ones are.
const AT_ONCE: usize = 25;

/// Opens the list.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Projects(Projects::default()));
    vec![Effect::ListProjects]
}

/// The layer, whatever lies over it.
fn layer(state: &mut State) -> Option<&mut Projects> {
    state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Projects(projects) => Some(projects),
        _ => None,
    })
}

/// Takes the list; the cursor goes to the project that is shown, and the stores are looked into.
pub(super) fn listed(state: &mut State, result: Result<Vec<Project>, String>) -> Vec<Effect> {
    match result {
        Ok(projects) => {
            let shown = projects.iter().find(|project| project.store.root() == state.store_root());
            let folder = shown.map(|project| project.folder.clone());
            state.projects = projects;
            let Some(layer) = layer(state) else { return Vec::new() };
            layer.folder = folder;
            let all: Vec<Project> = state.projects.iter().filter(|project| project.has_store).cloned().collect();
            if all.is_empty() { Vec::new() } else { vec![survey(all)] }
        }
        Err(error) => {
            state.tell(Meaning::Bad, error);
            Vec::new()
        }
    }
}

fn survey(mut left: Vec<Project>) -> Effect {
    let rest = left.split_off(left.len().min(AT_ONCE));
    Effect::SurveyProjects { now: left, then: rest }
}

/// Takes what is in some stores; the next ones are looked into while the list is open.
pub(super) fn surveyed(state: &mut State, facts: Vec<(PathBuf, ProjectFacts)>, then: Vec<Project>) -> Vec<Effect> {
    state.project_facts.extend(facts);
    if layer(state).is_none() || then.is_empty() { Vec::new() } else { vec![survey(then)] }
}

/// After each event: the cursor stays on its project when the order changes above it.
pub(super) fn settle(state: &mut State) {
    let high = height(state);
    let Some(Layer::Projects(layer)) = state.layers.last() else { return };
    let folders: Vec<String> = rows(layer, state).iter().map(|project| project.folder.clone()).collect();
    let Some(layer) = self::layer(state) else { return };
    if let Some(at) = folders.iter().position(|folder| Some(folder) == layer.folder.as_ref()) {
        layer.list.selected = at;
    }
    layer.list.settle(folders.len(), high);
    layer.folder = folders.get(layer.list.selected).cloned().or(layer.folder.take());
}

/// Takes a command: moving moves, enter opens.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let high = height(state);
    let Some(Layer::Projects(layer)) = state.layers.last() else { return Flow::Pass };
    let found: Vec<Project> = rows(layer, state).into_iter().cloned().collect();
    let Some(Layer::Projects(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(by) = step(command, found.len(), high) {
        layer.list.move_by(by, found.len(), high);
        layer.folder = found.get(layer.list.selected).map(|project| project.folder.clone());
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Why => return Flow::Done(super::why::open(state)),
        Command::Sort => layer.sort = layer.sort.next(),
        Command::Open => {
            let Some(project) = found.get(layer.list.selected).cloned() else { return Flow::Pass };
            state.layers.pop();
            return Flow::Done(vec![Effect::OpenProject(Box::new(project))]);
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}
