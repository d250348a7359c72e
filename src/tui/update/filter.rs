//! The filter line: every key changes the list at once; enter keeps the filter, `esc` goes back to the one before, the
//! tabulator key completes the word at the end.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::{Flow, dashboard, views};
use crate::filter::complete;
use crate::tui::layer::Layer;
use crate::tui::layer::filter::Filter;
use crate::tui::state::{ListState, Memories, State, TextLine};

/// Opens it with the filter that holds.
pub(super) fn open(state: &mut State) {
    let before = state.memories.filter.clone();
    let line = TextLine::from(before.as_str());
    state.layers.push(Layer::Filter(Filter { before, line, completing: None }));
}

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
        KeyCode::Char('s') if control => {
            state.layers.pop();
            views::open(state);
            views::name(state);
        }
        KeyCode::Tab => next_word(state, 1),
        KeyCode::BackTab => next_word(state, -1),
        _ => {
            let Some(Layer::Filter(filter)) = state.layers.last_mut() else { return Flow::Pass };
            let Some(is_changed) = filter.line.key(key) else { return Flow::Pass };
            filter.completing = None;
            if is_changed {
                typed(state);
            }
        }
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Filter(filter)) = state.layers.last_mut() {
        filter.line.insert(text);
        filter.completing = None;
        typed(state);
    }
}

/// Removes the last character as a person sees it.
pub(super) fn erase_last(text: &mut String) {
    if let Some((at, _)) = text.grapheme_indices(true).next_back() {
        text.truncate(at);
    }
}

/// The list follows the line; the best match gets the cursor.
fn typed(state: &mut State) {
    if let Some(Layer::Filter(filter)) = state.layers.last() {
        filter.line.text().clone_into(&mut state.memories.filter);
        first(state);
    }
}

/// Puts the cursor on the first row.
pub(super) fn first(state: &mut State) {
    state.memories.file = None;
    state.memories.list = ListState::default();
    dashboard::arrange(state);
}

/// Completes the word at the end; where there are several candidates each press takes the next one.
fn next_word(state: &mut State, by: isize) {
    let directories = state.snapshot().map(|snapshot| Memories::directories(snapshot)).unwrap_or_default();
    let Some(Layer::Filter(filter)) = state.layers.last_mut() else { return };
    if !filter.line.is_at_end() {
        return;
    }
    let (completion, number) = match filter.completing.take() {
        Some((completion, number)) => {
            let length = completion.candidates.len().max(1);
            let next = number.saturating_add(length).saturating_add_signed(by) % length;
            (completion, next)
        }
        None => (complete(filter.line.text(), &directories), 0),
    };
    let Some(line) = completion.line(number) else { return };
    filter.line.set(&line);
    filter.completing = Some((completion, number)).filter(|(completion, _)| completion.candidates.len() > 1);
    typed(state);
}

fn move_by(state: &mut State, rows: isize) {
    let (length, height) = (state.memories.rows.len(), dashboard::memories_height(state));
    state.memories.list.move_by(rows, length, height);
    dashboard::remember(state);
}
