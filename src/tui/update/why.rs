//! The card that says why no dream starts, or that one would.

use std::path::Path;

use super::{Flow, step};
use crate::run::GateReport;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::projects::rows;
use crate::tui::layer::why::Why;
use crate::tui::state::State;
use crate::tui::view::why::layout;

/// Opens the card of the project under the cursor of the list, else of the one that is shown.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let listed = match state.layers.last() {
        Some(Layer::Projects(layer)) => rows(layer, state).get(layer.list.selected).map(|project| (*project).clone()),
        _ => None,
    };
    let (title, store) = match &listed {
        Some(project) => (project.title(), project.store.root().to_owned()),
        None => (state.choice.title.clone(), state.store_root().to_owned()),
    };
    state.layers.push(Layer::Why(Why { title, store, ..Why::default() }));
    vec![Effect::Explain(listed.map(Box::new))]
}

/// Takes how the gates stand.
pub(super) fn explained(state: &mut State, store: &Path, report: &GateReport) {
    if let Some(Layer::Why(why)) = state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Why(_)))
        && why.store == store
    {
        why.report = Some(report.clone());
    }
}

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Why(why)) = state.layers.last() else { return Flow::Pass };
    let (place, lines) = layout(why, state);
    let (length, height) = (lines.len(), usize::from(place.height.saturating_sub(2)));
    let Some(rows) = step(command, length, height) else { return Flow::Pass };
    if let Some(Layer::Why(why)) = state.layers.last_mut() {
        why.scroll = why.scroll.saturating_add_signed(rows).min(length.saturating_sub(height));
    }
    Flow::Done(Vec::new())
}
