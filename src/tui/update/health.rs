//! The findings.

use super::{Flow, dashboard, step};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::state::{Pane, State};

/// Takes a command: enter goes to the file, `f` fixes what is safe.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (length, height) = (state.findings.len(), usize::from(state.area.height.saturating_sub(4)));
    let Some(Layer::Health(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(rows) = step(command, length, height) {
        layer.list.move_by(rows, length, height);
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Open => {
            let file = state.findings.get(layer.list.selected).map(|finding| finding.file.clone());
            state.layers.pop();
            // From triage one comes back to triage, whose cards are its own.
            if let Some(file) = file.filter(|_| state.triage().is_none()) {
                if file == crate::memory::INDEX_FILE {
                    super::focus(state, Pane::Index);
                } else {
                    dashboard::select(state, &file);
                    super::focus(state, Pane::Memories);
                }
            }
        }
        Command::Repair => ask_repair(state),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

fn ask_repair(state: &mut State) {
    let fixable: Vec<String> = state
        .findings
        .iter()
        .filter(|finding| finding.fixable)
        .map(|finding| format!("{}: {}", finding.file, finding.message))
        .collect();
    state.layers.push(Layer::Confirm(Confirm {
        title: format!("Fix {}?", crate::text::count(fixable.len(), "finding", "findings")),
        lines: fixable,
        yes: "fix",
        effects: vec![Effect::Do(Box::new(Deed::Repair))],
    }));
}
