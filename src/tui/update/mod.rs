//! What follows from an event: changes of the state, and effects. Pure: no disk, no clock, no terminal.
//!
//! One file per layer and pane. A key goes to the layer on top if that layer takes text; what it does not take becomes a
//! [`Command`] by the key map, and the command goes to the layer on top, then to the dashboard.

mod edit;
mod history;
mod inbox;
mod new;
mod run;
mod runs;

use crossterm::event::KeyEvent;

use super::command::{self, Command};
use super::effect::Effect;
use super::event::AppEvent;
use super::keymap::Key;
use super::layer::Layer;
use super::state::State;

/// What a layer made of a key or a command.
#[derive(Debug)]
pub(super) enum Flow {
    /// It took it.
    Done(Vec<Effect>),
    /// It is not for this layer.
    Pass,
}

/// Takes in an event.
pub fn update(state: &mut State, event: AppEvent) -> Vec<Effect> {
    match event {
        AppEvent::Key(key) => key_pressed(state, &key),
        _ => Vec::new(),
    }
}

fn key_pressed(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    let taken = match state.layers.last() {
        Some(Layer::Edit(_)) => edit::key(state, key),
        Some(Layer::New(_)) => new::key(state, key),
        _ => Flow::Pass,
    };
    match taken {
        Flow::Done(effects) => effects,
        Flow::Pass => match state.keymap.command(command::place(state), Key::of(key)) {
            Some(command) => perform(state, command),
            None => Vec::new(),
        },
    }
}

/// Does a command: the layer on top first, then what holds everywhere.
pub fn perform(state: &mut State, command: Command) -> Vec<Effect> {
    let taken = match state.layers.last() {
        Some(Layer::Run(_)) => run::command(state, command),
        Some(Layer::Runs(_)) => runs::command(state, command),
        Some(Layer::Edit(_)) => edit::command(state, command),
        Some(Layer::New(_)) => new::command(state, command),
        Some(Layer::Inbox(_)) => inbox::command(state, command),
        Some(Layer::History(_)) => history::command(state, command),
        _ => Flow::Pass,
    };
    match taken {
        Flow::Done(effects) => effects,
        Flow::Pass => Vec::new(),
    }
}
