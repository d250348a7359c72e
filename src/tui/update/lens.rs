//! The recall lens: every letter asks again; the answer to an older prompt is dropped when it comes late.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::filter::erase_last;
use super::{Flow, dashboard};
use crate::memory::names;
use crate::recall::Ranking;
use crate::text::visible;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, RecallQuestion};
use crate::tui::layer::Layer;
use crate::tui::state::{ListState, State};
use crate::tui::theme::Meaning;

/// The longest prompt that is looked at, in characters.
const MOST: usize = 4_000;

/// Opens it.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Lens(Box::default()));
    Vec::new()
}

/// Takes a key.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Lens(lens)) = state.layers.last_mut() else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let length = lens.length();
    match key.code {
        KeyCode::Esc => drop(state.layers.pop()),
        KeyCode::Enter => go_to(state),
        KeyCode::Down => lens.list.move_by(1, length, length),
        KeyCode::Up => lens.list.move_by(-1, length, length),
        KeyCode::Char('n') if control => lens.list.move_by(1, length, length),
        KeyCode::Char('p') if control => lens.list.move_by(-1, length, length),
        KeyCode::Char('u') if control => return Flow::Done(typed(state, "")),
        KeyCode::Backspace => {
            let mut text = lens.text.clone();
            erase_last(&mut text);
            return Flow::Done(typed(state, &text));
        }
        KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            let text = format!("{}{character}", lens.text);
            return Flow::Done(typed(state, &text));
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: a prompt may have lines, the lens has one.
pub(super) fn insert(state: &mut State, text: &str) -> Vec<Effect> {
    let Some(Layer::Lens(lens)) = state.layers.last() else { return Vec::new() };
    let text = format!("{}{}", lens.text, text.split_whitespace().collect::<Vec<_>>().join(" "));
    typed(state, &text)
}

/// Takes an answer, if it is still the question.
pub(super) fn answered(state: &mut State, question: RecallQuestion, result: Result<Ranking, String>) {
    let store = state.store_root().to_owned();
    let layers = state.layers.iter_mut();
    let lens = layers.filter_map(|layer| if let Layer::Lens(lens) = layer { Some(lens) } else { None }).last();
    if let Some(lens) = lens.filter(|lens| question.prompt == lens.text && question.store == store) {
        lens.answer = Some((question, result));
        let length = lens.length();
        lens.list.settle(length, length);
    }
}

fn typed(state: &mut State, text: &str) -> Vec<Effect> {
    let store = state.store_root().to_owned();
    let Some(Layer::Lens(lens)) = state.layers.last_mut() else { return Vec::new() };
    lens.text = text.chars().take(MOST).collect();
    lens.list = ListState::default();
    if lens.text.trim().is_empty() {
        lens.answer = None;
        return Vec::new();
    }
    vec![Effect::Recall(RecallQuestion { store, prompt: lens.text.clone() })]
}

/// Opens the selected memory in full over the lens, which stays as it is.
fn go_to(state: &mut State) {
    let Some(Layer::Lens(lens)) = state.layers.last() else { return };
    let Some(file) = lens.file(lens.list.selected).map(str::to_owned) else { return };
    if names::of_the_team(&file).is_some() {
        let key = state.keymap.shown(Command::Team);
        return state.tell(
            Meaning::Text,
            format!("{0} is the team's: `dreamtop show {0}` prints it, {key} shows what it shares", visible(&file)),
        );
    }
    dashboard::open_memory(state, &file);
}
