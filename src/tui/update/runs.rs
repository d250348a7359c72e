//! The control room: all runs of all projects.

use std::sync::Arc;

use super::{Flow, run, step};
use crate::run::foreign::ForeignDream;
use crate::run::{RunView, Stamped};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::run::RunDialog;
use crate::tui::layer::runs::{RoomView, RunsList};
use crate::tui::layout::{inside, large, room};
use crate::tui::page;
use crate::tui::state::{RunRow, State};
use crate::tui::theme::Meaning;

/// Opens it.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Runs(RunsList::default()));
    vec![Effect::RefreshRuns, Effect::RefreshForeign, Effect::ReadStats]
}

/// Something about runs changed: the room shows the records, too.
pub(super) fn touched(state: &State) -> Vec<Effect> {
    let is_open = state.layers.iter().any(|layer| matches!(layer, Layer::Runs(_)));
    let records = is_open.then_some(Effect::ReadStats);
    [Effect::RefreshRuns].into_iter().chain(records).collect()
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Runs(layer)) = state.layers.last() else { return Flow::Pass };
    if layer.view != RoomView::Table
        && let Some(flow) = read_only(state, command)
    {
        return flow;
    }
    let height = usize::from(room(state.area).table.height);
    let keys: Vec<String> = rows(state).iter().map(RunRow::key).collect();
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(by) = step(command, keys.len(), height) {
        layer.list.move_by(by, keys.len(), height);
        layer.row = keys.get(layer.list.selected).cloned();
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Year => show(layer, RoomView::Year),
        Command::Stats => {
            show(layer, RoomView::Stats);
            return Flow::Done(vec![Effect::ReadStats]);
        }
        _ => {
            let Some(selected) = state.run_in_view().map(Arc::clone) else { return Flow::Pass };
            return on_run(state, command, &selected);
        }
    }
    Flow::Done(Vec::new())
}

fn on_run(state: &mut State, command: Command, selected: &RunView) -> Flow {
    Flow::Done(match command {
        Command::Open => {
            state.layers.push(Layer::Run(RunDialog::of(&selected.id)));
            vec![Effect::RefreshRuns]
        }
        Command::Kill => {
            ask_kill(state, selected);
            Vec::new()
        }
        Command::Undo => ask_undo(state, selected),
        Command::Review => run::review(state, selected),
        Command::Dream => run::again(state, selected),
        _ => return Flow::Pass,
    })
}

/// Another view, or back to the table.
fn show(layer: &mut RunsList, view: RoomView) {
    layer.view = if layer.view == view { RoomView::Table } else { view };
    layer.scroll = 0;
}

/// Commands over a view that is only read.
fn read_only(state: &mut State, command: Command) -> Option<Flow> {
    let inner = inside(large(state.area));
    let (length, height) = match state.layers.last() {
        Some(Layer::Runs(layer)) if layer.view == RoomView::Stats => {
            (page::stats(state, usize::from(inner.width)).len(), usize::from(inner.height))
        }
        _ => (page::year(state, usize::from(inner.width)).len(), usize::from(inner.height)),
    };
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return None };
    if let Some(by) = step(command, length, height) {
        layer.scroll = layer.scroll.saturating_add_signed(by).min(length.saturating_sub(height));
        return Some(Flow::Done(Vec::new()));
    }
    match command {
        Command::Close => {
            layer.view = RoomView::Table;
            Some(Flow::Done(Vec::new()))
        }
        _ => None,
    }
}

/// One key among many rows is soon pressed on the wrong one: here a kill asks.
fn ask_kill(state: &mut State, run: &RunView) {
    if !run.is_live() {
        return;
    }
    state.layers.push(Layer::Confirm(Confirm {
        title: format!("Kill the {} of {}?", page::run_word(run.kind), run.project),
        lines: vec![
            run.id.clone(),
            "Before its changes land nothing has changed; after that undo takes them back.".to_owned(),
        ],
        yes: "kill",
        effects: vec![Effect::Kill(run.id.clone())],
    }));
}

/// A question whether to kill a run goes when the run ended behind it.
pub(super) fn drop_questions(state: &mut State) {
    let over = |effect: &Effect| matches!(effect, Effect::Kill(run) if state.run(run).is_none_or(|run| !run.is_live()));
    let is_idle = |layer: &Layer| matches!(layer, Layer::Confirm(asked) if asked.effects.iter().any(over));
    if state.layers.last().is_some_and(is_idle) {
        state.layers.pop();
        state.tell(Meaning::Text, "The run ended by itself meanwhile");
    }
}

/// Asks before what a run landed is taken back.
pub(super) fn ask_undo(state: &mut State, run: &RunView) -> Vec<Effect> {
    let effects = run::undo(state, run);
    if effects.is_empty() {
        return effects;
    }
    state.layers.push(Layer::Confirm(Confirm {
        title: format!("Take back what the {} of {} landed?", page::run_word(run.kind), run.project),
        lines: run.changes.iter().map(|change| format!("{} {}", change.op.word(), change.file)).collect(),
        yes: "undo",
        effects,
    }));
    Vec::new()
}

/// The rows that match the filter.
fn rows(state: &State) -> Vec<RunRow<'_>> {
    match state.layers.iter().rev().find_map(|layer| match layer {
        Layer::Runs(room) => Some(room),
        _ => None,
    }) {
        Some(room) => state.run_rows(&room.filter),
        None => Vec::new(),
    }
}

/// After each event: the cursor stays on its row when newer ones come in above it, and the events of its run are read.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let height = usize::from(room(state.area).table.height);
    let keys: Vec<String> = rows(state).iter().map(RunRow::key).collect();
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return None };
    if let Some(at) = keys.iter().position(|key| Some(key) == layer.row.as_ref()) {
        layer.list.selected = at;
    }
    layer.list.settle(keys.len(), height);
    layer.row = keys.get(layer.list.selected).cloned();
    let run = state.run_in_view().map(Arc::clone);
    let Some(Layer::Runs(layer)) = state.layers.last_mut() else { return None };
    let Some(run) = run else {
        layer.tail.clear();
        layer.asked = None;
        return None;
    };
    let asked = (run.id.clone(), format!("{:?} {}", run.last, run.word()));
    if layer.asked.as_ref() == Some(&asked) {
        return None;
    }
    if layer.asked.as_ref().is_some_and(|(id, _)| *id != run.id) {
        layer.tail.clear();
    }
    layer.asked = Some(asked);
    Some(Effect::ReadTail(run.id.clone()))
}

/// Takes the events of a run.
pub(super) fn tail_read(state: &mut State, run: &str, events: Vec<Stamped>) {
    for layer in &mut state.layers {
        if let Layer::Runs(room) = layer
            && room.asked.as_ref().is_some_and(|(asked, _)| asked == run)
        {
            room.tail = events;
            return;
        }
    }
}

/// A second went by: others' dreams come and go without a word.
pub(super) fn second(state: &State) -> Vec<Effect> {
    match state.layers.last() {
        Some(Layer::Runs(_)) => vec![Effect::RefreshForeign],
        _ if state.waits_for_another() => vec![Effect::RefreshForeign],
        _ => Vec::new(),
    }
}

/// Takes the dreams of others that go on. One that ended here leaves its gate open.
pub(super) fn foreign(state: &mut State, dreams: Vec<ForeignDream>) -> Vec<Effect> {
    state.foreign = dreams;
    let is_here = state.foreign.iter().any(|dream| dream.store == state.store_root());
    if state.waits_for_another() && !is_here { vec![Effect::RefreshGates] } else { Vec::new() }
}

/// Why nothing can be done about the row under the cursor: there is none, or it is another program's dream, which is
/// watched, not killed.
pub(super) fn refusal(state: &State) -> Option<String> {
    let Some(Layer::Runs(layer)) = state.layers.last() else { return None };
    if layer.view != RoomView::Table {
        let key = state.keymap.shown(Command::Close);
        return Some(format!("no run is selected here; {key} goes back to the list"));
    }
    let rows = state.run_rows(&layer.filter);
    match rows.get(layer.list.selected)? {
        RunRow::Foreign(dream) => {
            Some(format!("not ours: process {} is another program's; watched, not killed", dream.pid))
        }
        RunRow::Ours(_) => None,
    }
}
