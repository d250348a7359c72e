//! The filter line: every key changes the list at once; enter keeps the filter, `esc` goes back to the one before.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::{Flow, dashboard};
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a key.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => {
            state.layers.pop();
        }
        KeyCode::Esc => {
            if let Some(Layer::Filter(filter)) = state.layers.pop() {
                state.memories.filter = filter.before;
                dashboard::arrange(state);
            }
        }
        KeyCode::Down => move_by(state, 1),
        KeyCode::Up => move_by(state, -1),
        KeyCode::Char('n') if control => move_by(state, 1),
        KeyCode::Char('p') if control => move_by(state, -1),
        KeyCode::Char('u') if control => {
            state.memories.filter.clear();
            first(state);
        }
        KeyCode::Backspace => {
            erase_last(&mut state.memories.filter);
            first(state);
        }
        KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            state.memories.filter.push(character);
            first(state);
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    state.memories.filter.push_str(text.lines().next().unwrap_or_default());
    first(state);
}

/// Removes the last character as a person sees it.
pub(super) fn erase_last(text: &mut String) {
    if let Some((at, _)) = text.grapheme_indices(true).next_back() {
        text.truncate(at);
    }
}

/// The best match gets the cursor while a filter is typed.
fn first(state: &mut State) {
    state.memories.file = None;
    state.memories.list = crate::tui::state::ListState::default();
    dashboard::arrange(state);
}

fn move_by(state: &mut State, rows: isize) {
    let (length, height) = (state.memories.rows.len(), dashboard::memories_height(state));
    state.memories.list.move_by(rows, length, height);
    dashboard::remember(state);
}
