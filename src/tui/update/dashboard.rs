//! Commands on the dashboard: moving in its panes, opening what lies behind them.

use super::{Flow, filter, find, focus, index, lens, projects, runs, sheets, step, triage, turn, unsaved, views, why};
use crate::text::visible;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::layer::history::HistoryList;
use crate::tui::layer::inbox::InboxList;
use crate::tui::layer::run::RunDialog;
use crate::tui::layer::{Layer, Reading};
use crate::tui::layout::{areas, inside};
use crate::tui::state::{Pane, State, index_rows};
use crate::tui::theme::Meaning;

/// Does a command of the dashboard.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    if state.layers.is_empty() && moved(state, command) {
        return Flow::Done(Vec::new());
    }
    match command {
        Command::NextPane => focus(state, neighbour(state, 1)),
        Command::PreviousPane => focus(state, neighbour(state, -1)),
        Command::Open => return Flow::Done(open(state)),
        Command::Close => close(state),
        Command::Filter => {
            focus(state, Pane::Memories);
            filter::open(state);
        }
        Command::Sort => {
            state.memories.sort = state.memories.sort.next();
            arrange(state);
        }
        Command::Views => views::open(state),
        Command::Find => return Flow::Done(find::open(state)),
        Command::Source => return Flow::Done(turn::open_source(state)),
        Command::Mark => mark(state),
        Command::Triage => return Flow::Done(triage::open(state, false)),
        Command::TriageMarked => return Flow::Done(triage::open(state, true)),
        Command::Health => super::health::open(state),
        Command::Lens => return Flow::Done(lens::open(state)),
        Command::Arrange => return Flow::Done(index::open(state)),
        Command::Unsaved => return Flow::Done(unsaved::open(state)),
        Command::Edit if state.layers.is_empty() && state.focus == Pane::Index => {
            return Flow::Done(index::open(state));
        }
        Command::Projects => return Flow::Done(projects::open(state)),
        Command::Runs => {
            return Flow::Done(runs::open(state));
        }
        Command::Why => return Flow::Done(why::open(state)),
        Command::Origin => return Flow::Done(origin(state)),
        Command::RunDialog => return Flow::Done(open_run(state)),
        Command::Inbox => {
            state.layers.push(Layer::Inbox(InboxList::default()));
            return Flow::Done(vec![Effect::ReadInbox]);
        }
        Command::History => {
            state.layers.push(Layer::History(HistoryList::default()));
            return Flow::Done(vec![Effect::ReadHistory]);
        }
        Command::Reload => {
            state.tell(Meaning::Dim, "Reading everything again");
            // What the memories are held against may have changed where they did not.
            let check = super::store::check(state);
            return Flow::Done(std::iter::once(Effect::Repaint).chain(super::start()).chain([check]).collect());
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Goes from a memory to the run that made it what it is, else to the entry of the history.
fn origin(state: &mut State) -> Vec<Effect> {
    let Some(file) = state.target().map(|memory| memory.file.clone()) else { return Vec::new() };
    let Some(entry) = state.owed(&file).latest() else { return Vec::new() };
    let (id, run) = (entry.id.clone(), entry.run.clone().filter(|run| state.run(run).is_some()));
    match run {
        Some(run) => {
            state.layers.push(Layer::Run(RunDialog { wanted: Some(file), ..RunDialog::of(&run) }));
            vec![Effect::RefreshRuns]
        }
        None => {
            state.layers.push(Layer::History(HistoryList { wanted: Some(id), ..HistoryList::default() }));
            vec![Effect::ReadHistory]
        }
    }
}

/// Opens the dialog of the run to show.
pub(super) fn open_run(state: &mut State) -> Vec<Effect> {
    let starting = state.launching.as_ref().map(|launching| launching.run.clone());
    let ended = state.ending.take().map(|ending| ending.run);
    let Some(run) = starting.or(ended).or_else(|| Some(state.shown_run()?.id.clone())) else {
        return Vec::new();
    };
    state.layers.push(Layer::Run(RunDialog { run, ..RunDialog::default() }));
    vec![Effect::RefreshRuns]
}

/// Works the rows of the list out again, because the person wants them otherwise: the cursor follows its file.
pub(super) fn arrange(state: &mut State) {
    state.memories.judged.clear();
    lay_out(state);
}

fn lay_out(state: &mut State) {
    let height = memories_height(state);
    let Some(snapshot) = state.snapshot().cloned() else { return };
    let made = state.memories.awaited.clone().filter(|file| snapshot.memory(file).is_some());
    state.memories.arrange(&snapshot, height);
    // Who types a filter sees what it hides.
    let is_typed = matches!(state.layers.last(), Some(Layer::Filter(_)));
    if let Some(file) = made.filter(|file| state.memories.file.as_ref() != Some(file) && !is_typed) {
        let before = state.notice.take().map(|notice| format!("{} · ", notice.text)).unwrap_or_default();
        let dropped = std::mem::take(&mut state.memories.filter);
        state.tell(Meaning::Ok, format!("{before}the filter {} hid it and is dropped", visible(&dropped)));
        state.memories.file = Some(file);
        state.memories.arrange(&snapshot, height);
    }
}

/// Works out again what is known of each memory, then the rows.
pub(super) fn gather(state: &mut State) {
    let Some(snapshot) = state.snapshot().cloned() else { return };
    state.memories.gather(&snapshot, &state.findings, &state.used, &state.shelf_life);
    lay_out(state);
}

/// Takes note of a verdict on the memory under the cursor that is on its way: the list is gone through from one to the next.
pub(super) fn note_verdict(state: &mut State, effects: &[Effect]) {
    let Some(file) = state.memories.file.as_ref().filter(|_| state.triage().is_none()) else { return };
    let is_judged = effects.iter().any(|effect| match effect {
        Effect::Do(deed) => match deed.as_ref() {
            Deed::Judge { seen, judgement: Judgement::StillTrue } => seen.iter().any(|seen| seen.file == *file),
            Deed::Snooze(wanted) => wanted.iter().any(|(seen, _)| seen.file == *file),
            _ => false,
        },
        _ => false,
    });
    if is_judged {
        state.memories.judged.insert(file.clone());
    }
}

/// Brings cursors and windows into the panes as they are now.
pub(super) fn settle(state: &mut State) {
    let height = memories_height(state);
    state.memories.list.settle(state.memories.rows.len(), height);
    let height = index_height(state);
    state.index.settle(index_length(state), height);
    let height = sheets::preview_height(state);
    let length = sheets::preview_length(state);
    state.preview.scroll = state.preview.scroll.min(length.saturating_sub(height));
}

fn moved(state: &mut State, command: Command) -> bool {
    match state.focus {
        Pane::Memories | Pane::Pill => {
            let (length, height) = (state.memories.rows.len(), memories_height(state));
            let Some(rows) = step(command, length, height) else { return false };
            state.memories.list.move_by(rows, length, height);
            remember(state);
        }
        Pane::Index => {
            let (length, height) = (index_length(state), index_height(state));
            let Some(rows) = step(command, length, height) else { return false };
            state.index.move_by(rows, length, height);
        }
        Pane::Preview => {
            let (length, height) = (sheets::preview_length(state), sheets::preview_height(state));
            let Some(rows) = step(command, length, height) else { return false };
            state.preview.scroll_by(rows, length, height);
        }
    }
    true
}

/// The list cursor follows the file it is on.
pub(super) fn remember(state: &mut State) {
    if let Some(snapshot) = state.snapshot().cloned() {
        state.memories.remember(&snapshot);
    }
}

fn neighbour(state: &State, by: isize) -> Pane {
    let mut panes = vec![Pane::Index, Pane::Memories, Pane::Preview];
    if state.pill().is_some() {
        panes.push(Pane::Pill);
    }
    let at = panes.iter().position(|pane| *pane == state.focus).unwrap_or(1);
    let next = at.saturating_add(panes.len()).saturating_add_signed(by) % panes.len();
    panes.get(next).copied().unwrap_or_default()
}

fn open(state: &mut State) -> Vec<Effect> {
    match state.focus {
        Pane::Pill => return open_run(state),
        Pane::Index => go_to_entry(state),
        Pane::Memories | Pane::Preview => {
            if state.target().is_some() {
                state.layers.push(Layer::Reading(Reading::default()));
            }
        }
    }
    Vec::new()
}

/// From an index line to the memory it leads to.
fn go_to_entry(state: &mut State) {
    let Some(file) = state.target().map(|memory| memory.file.clone()) else { return };
    select(state, &file);
    focus(state, Pane::Memories);
}

/// Puts the list cursor on a file that was just made, now or when a scan finds it.
pub(super) fn await_file(state: &mut State, file: &str) {
    state.memories.awaited = Some(file.to_owned());
    arrange(state);
}

/// Opens a memory in full over what is open, the list's cursor on it.
pub(super) fn open_memory(state: &mut State, file: &str) {
    if state.snapshot().is_none_or(|snapshot| snapshot.memory(file).is_none()) {
        return state.tell(Meaning::Warn, format!("{} is no memory of this store", visible(file)));
    }
    select(state, file);
    focus(state, Pane::Memories);
    state.layers.push(Layer::Reading(Reading::default()));
}

/// Puts the list cursor on a file; a filter that hides it is dropped, which is said.
pub(super) fn select(state: &mut State, file: &str) {
    state.memories.file = Some(file.to_owned());
    arrange(state);
    if state.memories.file.as_deref() != Some(file) {
        let dropped = std::mem::take(&mut state.memories.filter);
        if !dropped.trim().is_empty() {
            state.tell(Meaning::Text, format!("The filter {} hid it and is dropped", visible(&dropped)));
        }
        state.memories.file = Some(file.to_owned());
        arrange(state);
    }
}

fn close(state: &mut State) {
    if state.ending.take().is_some() {
        return;
    }
    if state.memories.filter.is_empty() {
        state.memories.marked.clear();
    } else {
        state.memories.filter.clear();
        arrange(state);
    }
}

fn mark(state: &mut State) {
    let Some(file) = state.target().map(|memory| memory.file.clone()) else { return };
    if !state.memories.marked.remove(&file) {
        state.memories.marked.insert(file);
    }
    let (length, height) = (state.memories.rows.len(), memories_height(state));
    state.memories.list.move_by(1, length, height);
    remember(state);
    // A filter may ask for marks.
    if !state.memories.filter.is_empty() {
        arrange(state);
    }
}

/// The rows of the memory list on the screen.
pub(super) fn memories_height(state: &State) -> usize {
    usize::from(inside(areas(state).memories).height)
}

/// The lines of the index on the screen.
pub(super) fn index_height(state: &State) -> usize {
    usize::from(inside(areas(state).index).height)
}

/// The rows of the index.
pub(super) fn index_length(state: &State) -> usize {
    state.snapshot().map_or(0, |snapshot| index_rows(&snapshot.index))
}
