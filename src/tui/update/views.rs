//! Saved views: going to one, saving the filter and the order that hold, forgetting one.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, filter, focus};
use crate::filter::views::{View, built_in, is_built_in};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::views::Views;
use crate::tui::state::{Pane, Sort, State, TextLine};
use crate::tui::theme::Meaning;

/// Opens the list, the cursor on the view that holds now.
pub(super) fn open(state: &mut State) {
    let mut layer = Views { views: all(state), ..Views::default() };
    let holds = |view: &View| view.filter == state.memories.filter && Sort::of_word(&view.sort) == state.memories.sort;
    layer.list.selected = layer.views.iter().position(holds).unwrap_or_default();
    state.layers.push(Layer::Views(Box::new(layer)));
}

fn all(state: &State) -> Vec<View> {
    built_in().into_iter().chain(state.views.iter().cloned()).collect()
}

/// Begins to name the filter and the order that hold.
pub(super) fn name(state: &mut State) {
    if state.memories.filter.trim().is_empty() {
        let key = state.keymap.shown(crate::tui::command::Command::Filter);
        state.tell(Meaning::Warn, format!("There is no filter to save; {key} types one"));
        return;
    }
    if let Some(Layer::Views(layer)) = state.layers.last_mut() {
        layer.naming = Some(TextLine::default());
    }
}

/// Takes a key.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Views(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if layer.naming.is_some() {
        return naming(state, key);
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let length = layer.rows().len();
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => return Flow::Done(super::perform(state, Command::Close)),
        KeyCode::Enter => go_to(state),
        KeyCode::Down | KeyCode::Char('j') => layer.list.move_by(1, length, length),
        KeyCode::Up | KeyCode::Char('k') => layer.list.move_by(-1, length, length),
        KeyCode::Char('n') if control => layer.list.move_by(1, length, length),
        KeyCode::Char('p') if control => layer.list.move_by(-1, length, length),
        KeyCode::Char(digit @ '1'..='9') => {
            let number = digit.to_digit(10).map_or(0, |digit| digit as usize).saturating_sub(1);
            if number < length {
                layer.list.selected = number;
                go_to(state);
            }
        }
        KeyCode::Char('s') => name(state),
        KeyCode::Char('d') | KeyCode::Delete => return Flow::Done(forget(state)),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

fn naming(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Views(layer)) = state.layers.last_mut() else { return Flow::Pass };
    let Some(line) = &mut layer.naming else { return Flow::Pass };
    match key.code {
        KeyCode::Esc => layer.naming = None,
        KeyCode::Enter => {
            let name = line.text().trim().to_owned();
            if name.is_empty() || is_built_in(&name) {
                let why = if name.is_empty() {
                    "A view needs a name"
                } else {
                    "That is a built-in view; choose another name"
                };
                state.tell(Meaning::Warn, why);
                return Flow::Done(Vec::new());
            }
            state.layers.pop();
            let (filter, sort) = (state.memories.filter.trim().to_owned(), state.memories.sort.word().to_owned());
            return Flow::Done(vec![Effect::SaveView(View { name, filter, sort })]);
        }
        _ => {
            if line.key(key).is_none() {
                return Flow::Pass;
            }
        }
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text into the name.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Views(layer)) = state.layers.last_mut()
        && let Some(line) = &mut layer.naming
    {
        line.insert(text);
    }
}

/// A view was saved, and only now is that said; or it was not.
pub(super) fn saved(state: &mut State, name: &str, result: Result<Vec<View>, String>) {
    if result.is_ok() {
        let key = state.keymap.shown(crate::tui::command::Command::Views);
        state.tell(Meaning::Ok, format!("Kept as the view “{name}”; {key} brings it back"));
    }
    read(state, result.map_err(|error| format!("The view “{name}” is not kept: {error}")));
}

/// Takes the views as they are on the disk now.
pub(super) fn read(state: &mut State, result: Result<Vec<View>, String>) {
    match result {
        Ok(views) => state.views = views,
        Err(error) => state.tell(Meaning::Bad, error),
    }
    let all = all(state);
    for layer in &mut state.layers {
        if let Layer::Views(layer) = layer {
            // What was just saved gets the cursor.
            if all.len() > layer.views.len() {
                layer.list.selected = all.len().saturating_sub(1);
            }
            layer.views.clone_from(&all);
            let length = layer.rows().len();
            layer.list.settle(length, length);
        }
    }
}

/// The list as the selected view has it.
fn go_to(state: &mut State) {
    let view = match state.layers.last() {
        Some(Layer::Views(layer)) => layer.selected().cloned(),
        _ => None,
    };
    let Some(view) = view else { return state.tell(Meaning::Text, "No view is shown to go to") };
    state.layers.pop();
    view.filter.clone_into(&mut state.memories.filter);
    state.memories.sort = Sort::of_word(&view.sort);
    filter::first(state);
    focus(state, Pane::Memories);
}

fn forget(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Views(layer)) = state.layers.last() else { return Vec::new() };
    let Some(view) = layer.selected() else { return Vec::new() };
    if is_built_in(&view.name) {
        state.tell(Meaning::Warn, "The built-in views stay");
        return Vec::new();
    }
    let confirm = Confirm {
        title: format!("Forget the view “{}”?", view.name),
        lines: vec![view.filter.clone(), format!("by {}", if view.sort.is_empty() { "need" } else { &view.sort })],
        yes: "forget",
        effects: vec![Effect::ForgetView(view.name.clone())],
    };
    state.layers.push(Layer::Confirm(confirm));
    Vec::new()
}
