//! Keeping texts that are not saved, and finding those of screens that ended. Not its job: the forms.

use std::path::Path;

use super::World;
use crate::change::unsaved::{self, Form, Rescued, Unsaved};
use crate::project::Choice;
use crate::tui::layer::edit::Fields;

/// Keeps the text of this screen, or drops it.
pub(super) fn keep(world: &World, store: &Path, text: Option<&Unsaved>) -> Result<(), String> {
    let path = unsaved::path(&world.state, store, &world.own_id);
    match text {
        Some(text) => unsaved::keep(&path, store, text, world.clock.now())
            .map_err(|error| format!("Your text is not kept in case dreamtop ends: {error}; save it soon")),
        None => unsaved::discard(&path)
            .map_err(|error| format!("A draft of what is saved or dropped is still there: {error}; remove that file")),
    }
}

/// What waits here. A text that the disk holds by now was saved after all, and is dropped.
pub(super) fn waiting(world: &World, choice: &Choice) -> Vec<Rescued> {
    let mut waiting = unsaved::waiting(&world.state, choice.store.root());
    waiting.retain(|rescued| {
        let is_saved = is_on_disk(choice, &rescued.text);
        if is_saved {
            // What cannot be removed is looked at again at the next start.
            let _ = unsaved::discard(&rescued.path);
        }
        !is_saved
    });
    waiting
}

fn is_on_disk(choice: &Choice, text: &Unsaved) -> bool {
    let Ok(topic) = choice.store.topic(&text.file) else { return false };
    match text.form {
        Form::Edit => fields(text).over(&topic).is_ok_and(|content| content == topic.bytes),
        Form::Index => topic.bytes == text.body.as_bytes(),
        Form::New | Form::Promote | Form::Merge | Form::Review => false,
    }
}

fn fields(text: &Unsaved) -> Fields {
    Fields {
        name: text.name.clone(),
        description: text.description.clone(),
        type_word: text.type_word.clone(),
        body: text.body.clone(),
        locked: Vec::new(),
    }
}
