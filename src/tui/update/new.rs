//! The form of a new memory.

use crossterm::event::{KeyCode, KeyEvent};

use super::{Flow, edit};
use crate::memory::{Draft, Kind, template};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::form::{FormField, TOO_LONG};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens the form.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::New(Box::default()));
    Vec::new()
}

/// Takes a key before the key map sees it: text goes into the form, commands pass.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if edit::is_command(state, key) {
        return Flow::Pass;
    }
    let Some(Layer::New(new)) = state.layers.last_mut() else { return Flow::Pass };
    if new.saving {
        return Flow::Done(Vec::new());
    }
    if new.asking {
        return Flow::Done(answer(state, key));
    }
    new.form.key(key);
    new.follow();
    Flow::Done(Vec::new())
}

/// Takes pasted text.
pub(super) fn paste(state: &mut State, text: &str) {
    if let Some(Layer::New(new)) = state.layers.last_mut()
        && !new.saving
        && !new.asking
    {
        let is_taken = new.form.paste(text);
        new.follow();
        if !is_taken {
            state.tell(Meaning::Warn, TOO_LONG);
        }
    }
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::New(new)) = state.layers.last_mut() else { return Flow::Pass };
    match command {
        Command::Save | Command::SaveAndRenew => Flow::Done(save(state)),
        Command::Close if new.asking => {
            new.asking = false;
            Flow::Done(Vec::new())
        }
        Command::Close | Command::Quit if new.is_dirty() => {
            new.asking = true;
            Flow::Done(Vec::new())
        }
        Command::Close | Command::Quit | Command::Suspend => Flow::Pass,
        // Any other command would act on what lies below, unseen.
        _ => Flow::Done(Vec::new()),
    }
}

fn answer(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    match key.code {
        KeyCode::Char('s' | 'y') => save(state),
        KeyCode::Char('d' | 'n') => {
            state.layers.pop();
            state.tell(Meaning::Text, "Dropped; no memory was written");
            Vec::new()
        }
        _ => {
            super::stray::no_answer(state, key, super::UNSAVED_ANSWERS);
            Vec::new()
        }
    }
}

fn save(state: &mut State) -> Vec<Effect> {
    let now = state.now;
    let Some(Layer::New(new)) = state.layers.last_mut() else { return Vec::new() };
    new.asking = false;
    let description = new.form.description_text().trim().to_owned();
    let body = template::filled(&new.form.body_text()).trim_end().to_owned();
    let draft = Draft {
        name: new.form.name_text().trim().to_owned(),
        kind: new.form.kind().unwrap_or(Kind::Project),
        // What nobody filled in is not written down; a memory without a body says what its description says.
        body: if body.is_empty() { description.clone() } else { body },
        description,
        origin_session: None,
        modified: now,
    };
    let missing = if draft.name.is_empty() {
        Some((FormField::Name, "It needs a name"))
    } else if draft.description.is_empty() {
        Some((FormField::Description, "It needs a description: one line, what it says"))
    } else {
        None
    };
    if let Some((field, why)) = missing {
        new.form.focus = field;
        state.tell(Meaning::Warn, why);
        return Vec::new();
    }
    new.saving = true;
    vec![Effect::Do(Box::new(Deed::Create(draft)))]
}

/// Hears what became of the new memory.
pub(super) fn saved(state: &mut State, landed: bool) {
    let Some(at) = state.layers.iter().position(|layer| matches!(layer, Layer::New(new) if new.saving)) else { return };
    if landed {
        state.layers.remove(at);
    } else if let Some(Layer::New(new)) = state.layers.get_mut(at) {
        new.saving = false;
    }
}
