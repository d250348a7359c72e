//! A memory into CLAUDE.md or a rule: the exact text and file are seen, and may be changed, before anything is written.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, edit, unsaved};
use crate::change::DoorError;
use crate::text::visible;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::form::TOO_LONG;
use crate::tui::layer::promote::{Ground, Promote, PromoteField};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Asks for the memory and the files it could go to.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    match state.targets().as_slice() {
        [file] => vec![Effect::ReadPromotion(file.clone())],
        _ => {
            state.tell(Meaning::Warn, "One memory at a time is promoted: drop the marks first");
            Vec::new()
        }
    }
}

/// They were read: the screen opens, or takes over what the files hold now.
pub(super) fn ground_read(state: &mut State, file: &str, result: Result<Box<Ground>, String>) -> Vec<Effect> {
    let ground = match result {
        Ok(ground) => ground,
        Err(error) => {
            state.tell(Meaning::Bad, error);
            return Vec::new();
        }
    };
    for layer in &mut state.layers {
        if let Layer::Promote(screen) = layer {
            if screen.seen.file == file {
                screen.targets = ground.targets;
                screen.at = screen.at.min(screen.targets.len().saturating_sub(1));
            }
            return Vec::new();
        }
    }
    match Promote::of(file, &ground) {
        Some(mut screen) => {
            let effects = unsaved::promotion_opened(state, &mut screen);
            state.layers.push(Layer::Promote(Box::new(screen)));
            effects
        }
        None => {
            let text = "No directory of the project is known, so there is no CLAUDE.md to put it in";
            state.tell(Meaning::Warn, text);
            Vec::new()
        }
    }
}

/// Takes a key before the key map sees it: text goes into the fields, commands pass.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let passes = edit::is_command(state, key)
        || key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'z'));
    let Some(Layer::Promote(screen)) = state.layers.last_mut() else { return Flow::Pass };
    if passes {
        return Flow::Pass;
    }
    if screen.saving {
        return Flow::Done(Vec::new());
    }
    if screen.asking {
        match key.code {
            KeyCode::Char('d') => drop(state.layers.pop()),
            KeyCode::Char('n') => screen.asking = false,
            _ => super::stray::no_answer(state, key, "d: drop it, Esc: go on"),
        }
        return Flow::Done(Vec::new());
    }
    screen.key(key);
    Flow::Done(Vec::new())
}

/// Takes pasted text.
pub(super) fn paste(state: &mut State, text: &str) {
    if let Some(Layer::Promote(screen)) = state.layers.last_mut()
        && !screen.saving
        && !screen.asking
        && !screen.paste(text)
    {
        state.tell(Meaning::Warn, TOO_LONG);
    }
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Promote(screen)) = state.layers.last_mut() else { return Flow::Pass };
    match command {
        Command::Save if !screen.saving => {
            if let Some(wrong) = screen.wrong_pattern() {
                screen.focus = PromoteField::Paths;
                state.tell(Meaning::Warn, format!("{wrong}; nothing was written"));
                return Flow::Done(Vec::new());
            }
            let Some(promotion) = screen.promotion().filter(|_| !screen.text().trim().is_empty()) else {
                state.tell(Meaning::Warn, "There is no text to put there");
                return Flow::Done(Vec::new());
            };
            screen.asking = false;
            screen.saving = true;
            Flow::Done(vec![Effect::Do(Box::new(Deed::Promote(Box::new(promotion))))])
        }
        Command::Close if screen.asking => {
            screen.asking = false;
            Flow::Done(Vec::new())
        }
        Command::Close | Command::Quit if screen.is_dirty() => {
            screen.asking = true;
            Flow::Done(Vec::new())
        }
        Command::Close | Command::Quit | Command::Suspend => Flow::Pass,
        _ => Flow::Done(Vec::new()),
    }
}

/// Hears what became of it; the effects that follow, when the person was told here.
pub(super) fn done(state: &mut State, result: Result<(), &DoorError>) -> Option<Vec<Effect>> {
    let at = state.layers.iter().position(|layer| matches!(layer, Layer::Promote(screen) if screen.saving))?;
    let Err(error) = result else {
        state.layers.remove(at);
        return None;
    };
    let Some(Layer::Promote(screen)) = state.layers.get_mut(at) else { return None };
    screen.saving = false;
    let DoorError::Conflict { file, .. } = error else { return None };
    if *file == screen.seen.file {
        return None;
    }
    let (own, text) =
        (screen.seen.file.clone(), format!("{} changed meanwhile: look where the text goes now", visible(file)));
    state.tell(Meaning::Warn, text);
    Some(vec![Effect::ReadPromotion(own)])
}
