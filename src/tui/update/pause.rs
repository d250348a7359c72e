//! The pause of everything that starts by itself. Not its job: keeping it (an effect does).

use crate::run::halt::Halt;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

const OVER: &str = "The pause is over: extractions, dreams and recall go on";

/// Takes what became of it. The gates in the bottom line are looked at again at once.
pub(super) fn halted(state: &mut State, result: Result<Option<Halt>, String>) -> Vec<Effect> {
    let key = state.keymap.shown(Command::Pause);
    if let Ok(halt) = result {
        state.halt = halt;
    }
    match result {
        Ok(Some(_)) => {
            let goes_on = if state.live_count() > 0 { " · a run that goes on is not killed" } else { "" };
            let text = format!("Paused: nothing starts by itself, nothing goes into a prompt; {key} ends it{goes_on}");
            state.tell(Meaning::Warn, text);
        }
        Ok(None) => state.tell(Meaning::Ok, OVER),
        Err(error) => state.tell(Meaning::Bad, error),
    }
    vec![Effect::RefreshGates]
}

/// Takes what somebody else did: the gates say the rest. Neither that it is paused nor that it is over stands there any more
/// once it is not so.
pub(super) fn changed(state: &mut State, halt: Option<Halt>) -> Vec<Effect> {
    if halt.is_some() {
        state.notice.take_if(|notice| notice.text == OVER);
    } else if state.halt.is_some() {
        state.tell(Meaning::Ok, OVER);
    }
    state.halt = halt;
    vec![Effect::RefreshGates]
}

/// A pause that ends by itself ends without a word of anybody's.
pub(super) fn second(state: &mut State) -> Option<Effect> {
    let until = state.halt.as_ref()?.until?;
    (until <= state.now).then(|| {
        state.tell(Meaning::Ok, OVER);
        state.halt = None;
        Effect::RefreshGates
    })
}
