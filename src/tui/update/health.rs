//! The findings.

use super::{Flow, dashboard, index, step};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::health::rows;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens them where they were left.
pub(super) fn open(state: &mut State) {
    let layer = state.last_health.take().unwrap_or_default();
    state.layers.push(Layer::Health(layer));
}

/// After each event: the cursor stays in the list.
pub(super) fn settle(state: &mut State) {
    let Some(Layer::Health(layer)) = state.layers.last() else { return };
    let (length, height) = (rows(layer, state).len(), list_height(state));
    if let Some(Layer::Health(layer)) = state.layers.last_mut() {
        layer.list.settle(length, height);
    }
}

fn list_height(state: &State) -> usize {
    usize::from(state.area.height.saturating_sub(4))
}

/// Takes a command: enter opens the file, `f` fixes what is safe.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Health(layer)) = state.layers.last() else { return Flow::Pass };
    let rows = rows(layer, state);
    let (length, height) = (rows.len(), list_height(state));
    let finding = rows.get(layer.list.selected).map(|finding| (finding.file.clone(), finding.line));
    let hidden = state.findings.iter().filter(|finding| finding.fixable).count()
        - rows.iter().filter(|finding| finding.fixable).count();
    let is_over_triage = state.triage().is_some();
    let Some(Layer::Health(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(rows) = step(command, length, height) {
        layer.list.move_by(rows, length, height);
        return Flow::Done(Vec::new());
    }
    match (command, finding) {
        // From triage one comes back to triage, whose cards are its own.
        (Command::Open, _) if is_over_triage => drop(state.layers.pop()),
        (Command::Open, Some((file, line))) => return Flow::Done(go_to(state, &file, line)),
        (Command::Repair, _) if hidden > 0 => {
            let key = state.keymap.shown(Command::Close);
            let text = format!(
                "Only all findings are fixed together, and {hidden} of them are hidden: {key} drops the filter"
            );
            state.tell(Meaning::Warn, text);
        }
        (Command::Repair, _) => ask_repair(state),
        (Command::Close, _) => {
            state.last_health = Some(layer.clone());
            state.layers.pop();
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Opens what a finding is about, over the findings: closing it comes back to them.
fn go_to(state: &mut State, file: &str, line: Option<usize>) -> Vec<Effect> {
    if file == crate::memory::INDEX_FILE {
        let effects = index::open(state);
        if let (Some(line), Some(Layer::Index(screen))) = (line, state.layers.last_mut()) {
            screen.list.selected = line.saturating_sub(1).min(screen.now.lines.len().saturating_sub(1));
        }
        return effects;
    }
    dashboard::open_memory(state, file);
    Vec::new()
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
