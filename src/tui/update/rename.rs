//! Another file name for a memory: typed on a line, with what follows told below it, done with enter.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, dashboard};
use crate::text::visible;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::form::{TOO_LONG, input_line, insert_line};
use crate::tui::layer::rename::{Rename, RenameQuestion};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens the line on the memory that is meant; several cannot have one name.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let files = state.targets();
    match files.as_slice() {
        [file] => state.layers.push(Layer::Rename(Box::new(Rename::of(file)))),
        _ => state.tell(Meaning::Warn, "One memory at a time gets another name: drop the marks first"),
    }
    Vec::new()
}

/// Takes a key: text goes into the line, control keys pass.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Rename(rename)) = state.layers.last_mut() else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'z') if control => return Flow::Pass,
        _ if rename.saving => {}
        KeyCode::Esc => {
            state.layers.pop();
        }
        KeyCode::Enter => return Flow::Done(rename_it(state)),
        KeyCode::Char('u') if control => rename.clear(),
        KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => {}
        _ => {
            input_line(&mut rename.line, key);
            rename.end_once();
        }
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Rename(rename)) = state.layers.last_mut() {
        let is_taken = insert_line(&mut rename.line, text.trim());
        if !is_taken {
            state.tell(Meaning::Warn, TOO_LONG);
        }
    }
}

/// After any event: what would follow is asked for, when the name is another one than was asked about last.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let Some(Layer::Rename(rename)) = state.layers.last_mut() else { return None };
    let typed = rename.line.lines().concat();
    if rename.saving || rename.asked == typed {
        return None;
    }
    rename.asked = typed;
    let to = match rename.to() {
        Ok(to) => to,
        Err(why) => {
            rename.preview = Some(Err(why));
            return None;
        }
    };
    rename.preview = None;
    if to.is_empty() || to == rename.from {
        return None;
    }
    Some(Effect::PreviewRename(RenameQuestion { from: rename.from.clone(), to }))
}

/// Takes what would follow, if it is still asked about.
pub(super) fn previewed(state: &mut State, question: &RenameQuestion, result: Result<Vec<String>, String>) {
    for layer in &mut state.layers {
        if let Layer::Rename(rename) = layer
            && rename.from == question.from
            && rename.to().as_ref() == Ok(&question.to)
        {
            rename.preview = Some(result);
            return;
        }
    }
}

fn rename_it(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Rename(rename)) = state.layers.last_mut() else { return Vec::new() };
    let from = rename.from.clone();
    // What cannot be meant says so below the line already.
    let Ok(to) = rename.to() else { return Vec::new() };
    if to.is_empty() || to == from {
        state.layers.pop();
        state.tell(Meaning::Text, format!("{} keeps its name", visible(&from)));
        return Vec::new();
    }
    // What a folder brings with it is seen before it is made.
    if to.contains('/') && rename.preview.is_none() {
        state.tell(Meaning::Text, "Still looking at what the folder brings with it; Enter again once that is shown");
        return Vec::new();
    }
    rename.saving = true;
    vec![Effect::Do(Box::new(Deed::Rename { from, to }))]
}

/// Hears what became of the rename; why it was refused stands below the line, where another name can be typed.
pub(super) fn done(state: &mut State, to: &str, refusal: Option<String>) -> bool {
    let Some(at) = state.layers.iter().position(|layer| matches!(layer, Layer::Rename(rename) if rename.saving)) else {
        return false;
    };
    match refusal {
        None => {
            state.layers.remove(at);
            dashboard::await_file(state, to);
            false
        }
        Some(why) => {
            if let Some(Layer::Rename(rename)) = state.layers.get_mut(at) {
                rename.saving = false;
                rename.preview = Some(Err(why));
            }
            true
        }
    }
}
