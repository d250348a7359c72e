//! Keys that follow each other: the first ones wait, without a clock, until the rest says what they mean.
//!
//! No key that begins a chord means something by itself (the key map sees to that), so there is nothing to decide by time.
//! `Esc` and any key that does not follow end the waiting. Not its job: which chords there are ([`crate::tui::keymap`]).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, perform, stray};
use crate::tui::command::{self, Command, Place};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Key, Look};
use crate::tui::state::{Pressed, State};

/// Takes a key while a chord is under way, and one that begins a chord where text is typed: there no character does.
pub(super) fn key(state: &mut State, event: &KeyEvent) -> Flow {
    let place = command::place(state);
    let key = Key::of(event);
    let Some(Pressed { keys, .. }) = state.pressed.take().filter(|pressed| pressed.place == place) else {
        let is_text = matches!(event.code, KeyCode::Char(_))
            && !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if place == Place::Edit && !is_text && state.keymap.look(place, &[key]) == Look::More {
            state.pressed = Some(Pressed { place, keys: vec![key] });
            return Flow::Done(Vec::new());
        }
        return Flow::Pass;
    };
    let pressed = Pressed { place, keys: keys.into_iter().chain([key]).collect() };
    match state.keymap.look(place, &pressed.keys) {
        Look::Command(command) => Flow::Done(perform(state, command)),
        Look::More => {
            state.pressed = Some(pressed);
            Flow::Done(Vec::new())
        }
        Look::Nothing if event.code == KeyCode::Esc => Flow::Done(Vec::new()),
        // What ends any program must not be eaten by a chord that was begun by mistake.
        Look::Nothing if state.keymap.command(place, key) == Some(Command::Quit) => {
            Flow::Done(perform(state, Command::Quit))
        }
        Look::Nothing => Flow::Done(stray::unbound(state, place, &pressed.shown())),
    }
}

/// Takes the first key where nothing takes text.
pub(super) fn first(state: &mut State, event: &KeyEvent) -> Vec<Effect> {
    let (place, key) = (command::place(state), Key::of(event));
    match state.keymap.look(place, &[key]) {
        Look::Command(command) => perform(state, command),
        Look::More => {
            state.pressed = Some(Pressed { place, keys: vec![key] });
            Vec::new()
        }
        Look::Nothing => stray::unbound(state, place, &key.to_string()),
    }
}
