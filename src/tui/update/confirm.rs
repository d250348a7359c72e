//! A question: `y` does it, `n` leaves it, anything else is told. Enter is no answer: it often ends words that were meant for
//! something else.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, deeds, stray};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a key. Only `y` means yes; control keys pass, so that Ctrl-C and Ctrl-Z keep their meaning.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    match key.code {
        KeyCode::Char('y' | 'Y') => match state.layers.pop() {
            Some(Layer::Confirm(confirm)) => {
                for effect in &confirm.effects {
                    if let Effect::Dream { run, .. } = effect {
                        deeds::launching(state, run);
                    }
                }
                Flow::Done(confirm.effects)
            }
            _ => Flow::Pass,
        },
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
            state.layers.pop();
            Flow::Done(Vec::new())
        }
        _ => {
            if let Some(Layer::Confirm(confirm)) = state.layers.last() {
                let yes = confirm.yes;
                stray::no_answer(state, key, &format!("y: {yes}, n: leave it"));
            }
            Flow::Done(Vec::new())
        }
    }
}
