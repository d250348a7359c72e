//! A question: `y` or enter does it, anything else does not.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, deeds};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::state::State;

/// Takes a key. Only `y` and enter mean yes; control keys pass, so that Ctrl-C and Ctrl-Z keep their meaning.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    match key.code {
        KeyCode::Char('y' | 'Y') | KeyCode::Enter => match state.layers.pop() {
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
        _ => Flow::Done(Vec::new()),
    }
}
