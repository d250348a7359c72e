//! Keys that mean nothing where they are pressed, and words typed for a filter where there is none.
//!
//! Both are told, and neither is taken for something else: after the key that filters everywhere else, what is typed goes into
//! a line of its own, over whatever is open.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use super::{Flow, perform};
use crate::tui::command::{self, Command, Place};
use crate::tui::effect::Effect;
use crate::tui::keymap::Key;
use crate::tui::layer::Layer;
use crate::tui::layer::stray::Stray;
use crate::tui::layout::{Scale, areas};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens the line.
pub(super) fn open(state: &mut State) {
    state.notice = None;
    state.layers.push(Layer::Stray(Stray::default()));
}

/// Takes a key into the line; enter and `esc` put it away.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Stray(stray)) = state.layers.last_mut() else { return Flow::Pass };
    match key.code {
        KeyCode::Enter | KeyCode::Esc => drop(state.layers.pop()),
        _ if stray.line.key(key).is_some() => {}
        _ => {
            if let Some(command @ (Command::Quit | Command::Suspend)) = state.keymap.command(Place::List, Key::of(key))
            {
                return Flow::Done(perform(state, command));
            }
        }
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Stray(stray)) = state.layers.last_mut() {
        stray.line.insert(text);
    }
}

/// A key that is no answer to a question: says which answers there are, `y lands them, n leaves them`.
pub(super) fn no_answer(state: &mut State, key: &KeyEvent, answers: &str) {
    let key = Key::of(key);
    if state.keymap.command(Place::List, key) == Some(Command::Filter) {
        return open(state);
    }
    state.tell(Meaning::Warn, format!("{key} is no answer: {answers}"));
}

/// Whether the window is too small for anything to be seen.
pub(super) fn is_unseen(state: &State) -> bool {
    areas(state).scale == Scale::Line
}

/// A key while nothing is seen: what it would meet nobody knows, so that only leaving counts.
pub(super) fn unseen_key(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    let is_release = key.kind == KeyEventKind::Release;
    match state.keymap.command(command::place(state), Key::of(key)).filter(|_| !is_release) {
        Some(command @ (Command::Quit | Command::Suspend)) => perform(state, command),
        Some(Command::Leave) if state.layers.is_empty() => perform(state, Command::Leave),
        _ => Vec::new(),
    }
}

/// A key that means nothing here.
pub(super) fn unbound(state: &mut State, place: Place, shown: &str) -> Vec<Effect> {
    let help = state.keymap.shown(Command::Help);
    // Where text is typed the key for help is a letter.
    let hint =
        if place == Place::Edit || help.is_empty() { String::new() } else { format!("; {help} shows what does") };
    state.tell(Meaning::Text, format!("{shown} means nothing here{hint}"));
    Vec::new()
}
