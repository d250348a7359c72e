//! The mouse: a click takes the focus and the row, the wheel scrolls what is under it.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{dashboard, find, perform, sheets, turn};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::detail::Detail;
use crate::tui::layer::runs::RoomView;
use crate::tui::layout::{areas, halves, inside, large, pill, room};
use crate::tui::state::{Pane, RunRow, State};

/// Lines a notch of the wheel moves.
const NOTCH: isize = 3;

/// Takes a mouse event.
pub(super) fn take(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    if !state.mouse || event.modifiers.contains(KeyModifiers::CONTROL) {
        return Vec::new();
    }
    let at = Position { x: event.column, y: event.row };
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(state, at),
        MouseEventKind::ScrollDown => wheel(state, at, NOTCH),
        MouseEventKind::ScrollUp => wheel(state, at, -NOTCH),
        _ => Vec::new(),
    }
}

fn is_on_dashboard(state: &State) -> bool {
    matches!(state.layers.last(), None | Some(Layer::Filter(_)))
}

fn pane_at(state: &State, at: Position) -> Option<(Pane, Rect)> {
    let areas = areas(state);
    [(Pane::Index, areas.index), (Pane::Memories, areas.memories), (Pane::Preview, areas.preview)]
        .into_iter()
        .find(|(_, area)| area.contains(at))
}

fn click(state: &mut State, at: Position) -> Vec<Effect> {
    state.pressed = None;
    match state.layers.last() {
        Some(Layer::Find(_)) => return find::click(state, at),
        Some(Layer::Turn(_)) => {
            turn::click(state, at);
            return Vec::new();
        }
        _ if !is_on_dashboard(state) => return click_in_room(state, at),
        _ => {}
    }
    if pill(state).is_some_and(|area| area.contains(at)) {
        return dashboard::open_run(state);
    }
    let Some((pane, area)) = pane_at(state, at) else { return Vec::new() };
    state.focus = pane;
    let inner = inside(area);
    if !inner.contains(at) {
        return Vec::new();
    }
    let row = usize::from(at.y - inner.y);
    let height = usize::from(inner.height);
    match pane {
        Pane::Memories => {
            let window = state.memories.list.window(state.memories.rows.len(), height);
            let clicked = window.start + row;
            if clicked < window.end {
                let again = state.memories.list.selected == clicked;
                state.memories.list.selected = clicked;
                dashboard::remember(state);
                if again && state.layers.is_empty() {
                    return perform(state, Command::Open);
                }
            }
        }
        Pane::Index => {
            let window = state.index.window(dashboard::index_length(state), height);
            if window.start + row < window.end {
                state.index.selected = window.start + row;
            }
        }
        Pane::Preview | Pane::Pill => {}
    }
    Vec::new()
}

/// A click on a row of the control room takes the cursor there; a second one opens its dialog.
fn click_in_room(state: &mut State, at: Position) -> Vec<Effect> {
    let table = room(state.area).table;
    let Some(Layer::Runs(layer)) = state.layers.last().filter(|_| table.contains(at)) else { return Vec::new() };
    let rows = state.run_rows(&layer.filter);
    let window = layer.list.window(rows.len(), usize::from(table.height));
    let clicked = window.start + usize::from(at.y - table.y);
    let Some(key) = rows.get(clicked).filter(|_| layer.view == RoomView::Table).map(RunRow::key) else {
        return Vec::new();
    };
    if layer.row.as_ref() == Some(&key) {
        return perform(state, Command::Open);
    }
    if let Some(Layer::Runs(layer)) = state.layers.last_mut() {
        layer.row = Some(key);
    }
    Vec::new()
}

/// The right half of a layer, when it is under the mouse: there the wheel scrolls.
fn detail_at(state: &mut State, at: Position) -> Option<(&mut Detail, usize)> {
    let place = halves(inside(large(state.area))).1;
    let detail = match state.layers.last_mut().filter(|_| place.contains(at))? {
        Layer::Review(layer) => &mut layer.detail,
        Layer::Inbox(layer) => &mut layer.detail,
        Layer::History(layer) => &mut layer.detail,
        _ => return None,
    };
    Some((detail, usize::from(place.height)))
}

fn wheel(state: &mut State, at: Position, lines: isize) -> Vec<Effect> {
    if let Some((detail, height)) = detail_at(state, at) {
        detail.scroll_by(lines, height);
        return Vec::new();
    }
    if !is_on_dashboard(state) {
        let command = if lines > 0 { Command::Down } else { Command::Up };
        return (0..lines.abs()).flat_map(|_| perform(state, command)).collect();
    }
    match pane_at(state, at) {
        Some((Pane::Memories, area)) => {
            let (length, height) = (state.memories.rows.len(), usize::from(inside(area).height));
            state.memories.list.scroll_by(lines, length, height);
            dashboard::remember(state);
        }
        Some((Pane::Index, area)) => {
            let height = usize::from(inside(area).height);
            state.index.scroll_by(lines, dashboard::index_length(state), height);
        }
        Some((Pane::Preview, _)) => {
            let (length, height) = (sheets::preview_length(state), sheets::preview_height(state));
            state.preview.scroll_by(lines, length, height);
        }
        Some((Pane::Pill, _)) | None => {}
    }
    Vec::new()
}
