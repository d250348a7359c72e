//! The line that narrows a list, the same for every list: each key narrows at once, enter keeps the words, `esc` goes back to
//! those before; later `esc` drops them.
//!
//! Not its job: which rows have the words (each layer knows), and the filter of the memories ([`super::filter`]).

use crossterm::event::{KeyCode, KeyEvent};

use super::{Flow, perform};
use crate::tui::command::{Command, place};
use crate::tui::keymap::Key;
use crate::tui::layer::{Layer, health, history, inbox, projects, settings, unsaved};
use crate::tui::state::{ListFilter, RunRow, State};

/// Whether words are typed in it now.
pub(super) fn is_typed(state: &State) -> bool {
    state.layers.last().and_then(Layer::filter).is_some_and(|filter| filter.typed().is_some())
}

/// Takes a key while words are typed. What is no text moves the cursor or leaves; it never is another command of the list.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if !is_typed(state) {
        return Flow::Pass;
    }
    let command = state.keymap.command(place(state), Key::of(key));
    let Some((filter, list)) = state.layers.last_mut().and_then(Layer::filter_mut) else { return Flow::Pass };
    match key.code {
        KeyCode::Enter => filter.keep(),
        KeyCode::Esc => change(state, ListFilter::give_up),
        _ => match filter.key(key) {
            Some(true) => {
                list.selected = 0;
                first(state);
            }
            Some(false) => {}
            None => {
                if let Some(
                    command @ (Command::Up
                    | Command::Down
                    | Command::HalfPageUp
                    | Command::HalfPageDown
                    | Command::Quit
                    | Command::Suspend),
                ) = command
                {
                    if command == Command::Quit {
                        filter.keep();
                    }
                    return Flow::Done(perform(state, command));
                }
            }
        },
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some((filter, list)) = state.layers.last_mut().and_then(Layer::filter_mut) {
        filter.insert(text);
        list.selected = 0;
        first(state);
    }
}

/// Takes the commands that begin to type words and drop them.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some((filter, _)) = state.layers.last_mut().and_then(Layer::filter_mut) else { return Flow::Pass };
    match command {
        Command::Filter => filter.begin(),
        Command::Close if filter.is_on() => change(state, ListFilter::clear),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// The cursor goes to the first row that has the words.
fn first(state: &mut State) {
    match state.layers.last_mut() {
        Some(Layer::Runs(layer)) => layer.row = None,
        Some(Layer::Projects(layer)) => layer.folder = None,
        Some(Layer::Index(layer)) => layer.list.selected = layer.shown().first().copied().unwrap_or_default(),
        _ => {}
    }
}

/// Changes the words; the cursor stays on its row where that is still shown.
fn change(state: &mut State, change: impl FnOnce(&mut ListFilter)) {
    let selected = |state: &State| match state.layers.last() {
        Some(Layer::Index(layer)) => Some(layer.list.selected.to_string()),
        Some(Layer::Views(layer)) => layer.selected().map(|view| view.name.clone()),
        Some(layer) => keys(layer, state).into_iter().nth(at(layer)),
        None => None,
    };
    let before = selected(state);
    if let Some((filter, _)) = state.layers.last_mut().and_then(Layer::filter_mut) {
        change(filter);
    }
    let keys = state.layers.last().map(|layer| keys(layer, state)).unwrap_or_default();
    let found = keys.iter().position(|key| Some(key) == before.as_ref()).unwrap_or_default();
    match state.layers.last_mut() {
        Some(Layer::Index(layer)) => layer.list.selected = layer.shown().get(found).copied().unwrap_or_default(),
        Some(layer) => {
            if let Some((_, list)) = layer.filter_mut() {
                list.selected = found;
            }
        }
        None => {}
    }
}

/// The row under the cursor of a list.
fn at(layer: &Layer) -> usize {
    match layer {
        Layer::Runs(layer) => layer.list.selected,
        Layer::Projects(layer) => layer.list.selected,
        Layer::Inbox(layer) => layer.list.selected,
        Layer::History(layer) => layer.list.selected,
        Layer::Health(layer) => layer.list.selected,
        Layer::Settings(layer) => layer.list.selected,
        Layer::Unsaved(layer) => layer.list.selected,
        _ => 0,
    }
}

/// What tells each row that is shown from the others.
fn keys(layer: &Layer, state: &State) -> Vec<String> {
    match layer {
        Layer::Runs(layer) => state.run_rows(&layer.filter).iter().map(RunRow::key).collect(),
        Layer::Projects(layer) => projects::rows(layer, state).iter().map(|project| project.folder.clone()).collect(),
        Layer::Inbox(layer) => inbox::rows(&state.inbox, &layer.filter).iter().map(inbox::InboxRow::key).collect(),
        Layer::History(layer) => {
            history::rows(&state.history, &layer.filter).iter().map(history::HistoryRow::key).collect()
        }
        Layer::Health(layer) => health::rows(layer, state).iter().map(|finding| format!("{finding:?}")).collect(),
        Layer::Settings(layer) => settings::shown(layer, state).into_iter().map(|row| row.name).collect(),
        Layer::Views(layer) => layer.rows().iter().map(|view| view.name.clone()).collect(),
        Layer::Unsaved(layer) => {
            unsaved::rows(layer, state).iter().map(|draft| draft.path.display().to_string()).collect()
        }
        Layer::Index(layer) => layer.shown().iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tui::fixture::{four, press, screen, state, told, typed};
    use crate::tui::layer::Layer;

    #[test]
    fn control_keys_of_a_list_do_nothing_while_its_filter_is_typed() {
        let mut state = state(120, 40, four());
        press(&mut state, &["I", "d", "/"]);
        typed(&mut state, "role");
        let effects = press(&mut state, &["ctrl-s", "tab"]);
        assert!(effects.is_empty(), "{effects:?}");
        assert!(matches!(state.layers.last(), Some(Layer::Index(_))), "{}", screen(&state));
        assert_eq!(told(&state), "");
    }
}
