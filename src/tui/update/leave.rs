//! Leaving: at once, or after a question when a run goes on that was started here.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, stray};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::leave::Leave;
use crate::tui::state::State;

/// Leaves, or asks first. The demo's runs end with its copy, so there is nothing to ask.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let runs = if state.demo { Vec::new() } else { state.own_live_runs() };
    let is_asked = matches!(state.layers.last(), Some(Layer::Leave(_)));
    if runs.is_empty() || is_asked {
        return vec![Effect::Quit];
    }
    state.layers.push(Layer::Leave(Leave { runs }));
    Vec::new()
}

/// Takes a key: keep them running, kill them, or stay. Control keys pass: Ctrl-C a second time leaves.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    match key.code {
        KeyCode::Char('k' | 'K' | 'Q') | KeyCode::Enter => Flow::Done(vec![Effect::Quit]),
        KeyCode::Char('x' | 'X') => {
            let Some(Layer::Leave(leave)) = state.layers.pop() else { return Flow::Pass };
            let kills = leave.runs.into_iter().map(Effect::Kill);
            Flow::Done(kills.chain([Effect::Quit]).collect())
        }
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
            state.layers.pop();
            Flow::Done(Vec::new())
        }
        _ => {
            stray::no_answer(state, key, "k: keep it running, x: kill it, n: stay");
            Flow::Done(Vec::new())
        }
    }
}
