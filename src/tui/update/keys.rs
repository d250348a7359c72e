//! Keys and pasted text: the layer on top takes them if it takes text; what it does not take is a command by the key map.
//!
//! Not its job: doing the command (see [`super::perform`]).

use crossterm::event::{KeyEvent, KeyEventKind};

use super::{
    Flow, choose, chord, confirm, edit, filter, find, index, leave, lens, list_filter, new, palette, promote, rename,
    review, settings, stray, triage, turn, views,
};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Does what a key asks for. What is told meanwhile answers it; what an earlier key was answered ends with its layer.
pub(super) fn answered(state: &mut State, press: impl FnOnce(&mut State) -> Vec<Effect>) -> Vec<Effect> {
    let top = |state: &State| (state.layers.len(), state.layers.last().map(std::mem::discriminant));
    let (before, layer) = (state.notice.clone(), top(state));
    let effects = press(state);
    if state.notice != before {
        if let Some(notice) = &mut state.notice {
            notice.is_answer = true;
        }
    } else if top(state) != layer {
        end_answer(state);
    }
    effects
}

/// The answer to an earlier key ends.
pub(super) fn end_answer(state: &mut State) {
    state.notice.take_if(|notice| notice.is_answer);
}

pub(super) fn key_pressed(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    if key.kind == KeyEventKind::Release {
        return Vec::new();
    }
    outlive_notice(state);
    if let Flow::Done(effects) = chord::key(state, key) {
        return effects;
    }
    let taken = match state.layers.last() {
        _ if list_filter::is_typed(state) => list_filter::key(state, key),
        Some(Layer::Filter(_)) => filter::key(state, key),
        Some(Layer::Stray(_)) => stray::key(state, key),
        Some(Layer::Palette(_)) => palette::key(state, key),
        Some(Layer::Lens(_)) => lens::key(state, key),
        Some(Layer::Views(_)) => views::key(state, key),
        Some(Layer::Find(_)) => find::key(state, key),
        Some(Layer::Turn(_)) => turn::key(state, key),
        Some(Layer::Confirm(_)) => confirm::key(state, key),
        Some(Layer::Rename(_)) => rename::key(state, key),
        Some(Layer::Index(_)) => index::key(state, key),
        Some(Layer::Promote(_)) => promote::key(state, key),
        Some(Layer::Edit(_)) => edit::key(state, key),
        Some(Layer::Review(_)) => review::key(state, key),
        Some(Layer::New(_)) => new::key(state, key),
        Some(Layer::Leave(_)) => leave::key(state, key),
        Some(Layer::Choose(_)) => choose::key(state, key),
        Some(Layer::Triage(_)) => triage::key(state, key),
        Some(Layer::Settings(_)) => settings::key(state, key),
        _ => Flow::Pass,
    };
    match taken {
        Flow::Done(effects) => effects,
        Flow::Pass => chord::first(state, key),
    }
}

/// A notice was read when a key comes a while after it. A clock that was set back counts as a while.
fn outlive_notice(state: &mut State) {
    if state.notice.as_ref().is_some_and(|notice| (state.now - notice.at).num_seconds().abs() >= 2) {
        state.notice = None;
    }
}

pub(super) fn pasted(state: &mut State, text: &str) -> Vec<Effect> {
    match state.layers.last() {
        _ if list_filter::is_typed(state) => list_filter::insert(state, text),
        Some(Layer::Filter(_)) => filter::insert(state, text),
        Some(Layer::Stray(_)) => stray::insert(state, text),
        Some(Layer::Palette(_)) => palette::insert(state, text),
        Some(Layer::Lens(_)) => return lens::insert(state, text),
        Some(Layer::Views(_)) => views::insert(state, text),
        Some(Layer::Find(_)) => return find::insert(state, text),
        Some(Layer::Turn(turn)) if turn.within.as_ref().is_some_and(|within| within.typing.is_some()) => {
            turn::insert(state, text);
        }
        Some(Layer::Edit(_)) => edit::paste(state, text),
        Some(Layer::New(_)) => new::paste(state, text),
        Some(Layer::Rename(_)) => rename::insert(state, text),
        Some(Layer::Promote(_)) => promote::paste(state, text),
        Some(Layer::Index(screen)) if screen.line.is_some() => index::insert(state, text),
        Some(Layer::Settings(layer)) if layer.editing.is_some() => settings::insert(state, text),
        _ => state.tell(Meaning::Text, "Pasted text has no place here; open a filter (/) or an editor (e) first"),
    }
    Vec::new()
}
