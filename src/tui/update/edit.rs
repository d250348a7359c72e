//! The editor: typing, saving, and what to do when the disk holds another version.

use chrono::{DateTime, Utc};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Flow;
use crate::change::DoorError;
use crate::change::verbs::SaveKind;
use crate::memory::{ContentHash, Topic};
use crate::tui::command::{Command, Place};
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::event::Outcome;
use crate::tui::keymap::Key;
use crate::tui::layer::Layer;
use crate::tui::layer::edit::{Conflict, Editor, is_too_large};
use crate::tui::layer::form::{FormField, TOO_LONG};
use crate::tui::layout::{inside, large};
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::view::edit::{PARTS, conflict_lines};

/// Takes a key before the key map sees it: text goes into the form, commands pass.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if is_command(state, key) {
        return Flow::Pass;
    }
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Flow::Pass };
    if editor.saving {
        return Flow::Done(Vec::new());
    }
    if editor.conflict.is_some() {
        return Flow::Done(conflict_key(state, key));
    }
    if editor.asking {
        return Flow::Done(answer(state, key));
    }
    if let Some(originals) = editor.union.as_mut().filter(|_| key.modifiers.contains(KeyModifiers::ALT)) {
        match key.code {
            KeyCode::Down => originals.scroll = originals.scroll.saturating_add(1).min(originals.lines()),
            KeyCode::Up => originals.scroll = originals.scroll.saturating_sub(1),
            _ => {}
        }
        return Flow::Done(Vec::new());
    }
    editor.form.key(key);
    editor.lint.touch();
    Flow::Done(Vec::new())
}

/// Whether a key is a command even where text is typed: one with Ctrl or Alt, or a key that is no text.
pub(super) fn is_command(state: &State, key: &KeyEvent) -> bool {
    let types =
        matches!(key.code, KeyCode::Char(_)) && !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    if types {
        return false;
    }
    let command = state.keymap.command(Place::Edit, Key::of(key));
    matches!(
        command,
        Some(
            Command::Save
                | Command::SaveAndRenew
                | Command::NextFinding
                | Command::Close
                | Command::Quit
                | Command::Suspend
        )
    )
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Flow::Pass };
    match command {
        Command::Save if editor.conflict.is_none() => Flow::Done(save(state, SaveKind::KeepAge)),
        Command::SaveAndRenew if editor.conflict.is_none() => Flow::Done(save(state, SaveKind::Renew)),
        Command::NextFinding => {
            super::lint::next_finding(state);
            Flow::Done(Vec::new())
        }
        Command::Close if editor.conflict.take().is_some() => {
            state.tell(Meaning::Warn, "Nothing was saved yet; your text is still here");
            Flow::Done(Vec::new())
        }
        Command::Close if editor.asking => {
            editor.asking = false;
            Flow::Done(Vec::new())
        }
        Command::Close | Command::Quit if editor.is_dirty() => {
            editor.asking = true;
            Flow::Done(Vec::new())
        }
        // Any other command would act on what lies below, unseen.
        Command::Close | Command::Quit | Command::Suspend => Flow::Pass,
        _ => Flow::Done(Vec::new()),
    }
}

/// The answer to "there are unsaved changes".
fn answer(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    match key.code {
        KeyCode::Char('s' | 'y') => save(state, SaveKind::KeepAge),
        KeyCode::Char('d' | 'n') => {
            state.layers.pop();
            state.tell(Meaning::Text, "Changes dropped; the file is as it was");
            Vec::new()
        }
        _ => {
            super::stray::no_answer(state, key, super::UNSAVED_ANSWERS);
            Vec::new()
        }
    }
}

fn save(state: &mut State, kind: SaveKind) -> Vec<Effect> {
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    editor.asking = false;
    if let Some((field, line)) = editor.marked() {
        editor.form.go_to(field, line);
        let place = match field {
            FormField::Body => format!("line {} of the body", line + 1),
            _ => format!("the {}", field.word()),
        };
        state.tell(Meaning::Warn, format!("Not saved: both versions are still in {place}; leave one and save again"));
        return Vec::new();
    }
    let content = match editor.content() {
        Ok(content) => content,
        Err(error) => {
            state.tell(Meaning::Bad, error.to_string());
            return Vec::new();
        }
    };
    if let Some(seen) = editor.review.clone() {
        let file = editor.file.clone();
        state.layers.pop();
        super::review::edited(state, &file, content, seen);
        return Vec::new();
    }
    if editor.union.is_some() {
        return super::triage::merge(state, content, kind);
    }
    if content == editor.opened && kind == SaveKind::KeepAge {
        state.tell(Meaning::Text, "Nothing to save: the text is as it was");
        return Vec::new();
    }
    editor.saving = true;
    let (file, base) = (editor.file.clone(), editor.opened.clone());
    let origin = super::triage::origin(state);
    vec![Effect::Do(Box::new(Deed::Save { file, base, content, kind, origin }))]
}

/// The furthest the conflict view scrolls.
fn conflict_latest(state: &State) -> usize {
    let Some(Layer::Edit(editor)) = state.layers.last() else { return 0 };
    let Some(conflict) = &editor.conflict else { return 0 };
    let inner = inside(large(state.area));
    let rows = conflict_lines(editor, conflict, state, usize::from(inner.width)).len();
    rows.saturating_sub(usize::from(inner.height))
}

/// The rows on which a part of the conflict view begins.
fn conflict_parts(state: &State) -> Vec<usize> {
    let Some(Layer::Edit(editor)) = state.layers.last() else { return Vec::new() };
    let Some(conflict) = &editor.conflict else { return Vec::new() };
    let lines = conflict_lines(editor, conflict, state, usize::from(inside(large(state.area)).width));
    let is_heading = |line: &ratatui::text::Line<'_>| PARTS.contains(&line.to_string().as_str());
    lines.iter().enumerate().filter(|(_, line)| is_heading(line)).map(|(row, _)| row).collect()
}

/// The part after a row; after the last one the beginning.
fn next_part(parts: &[usize], row: usize) -> usize {
    parts.iter().copied().find(|part| *part > row).unwrap_or(0)
}

/// The keys of the conflict view.
fn conflict_key(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    let (latest, parts) = (conflict_latest(state), conflict_parts(state));
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    let Some(conflict) = &mut editor.conflict else { return Vec::new() };
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => conflict.scroll = conflict.scroll.saturating_add(1).min(latest),
        KeyCode::Up | KeyCode::Char('k') => conflict.scroll = conflict.scroll.saturating_sub(1),
        KeyCode::Tab => conflict.scroll = next_part(&parts, conflict.scroll).min(latest),
        KeyCode::PageDown => conflict.scroll = conflict.scroll.saturating_add(10).min(latest),
        KeyCode::PageUp => conflict.scroll = conflict.scroll.saturating_sub(10),
        KeyCode::Char('m') => return take_merged(state),
        KeyCode::Char('t') => return take_theirs(state),
        KeyCode::Char('o') => return keep_ours(state),
        _ => super::stray::no_answer(state, key, "m: both, t: theirs, o: yours, Esc: go on editing"),
    }
    Vec::new()
}

/// Goes on editing the merge of both versions, based on what the disk holds.
fn take_merged(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    let Some(Conflict { theirs: Some(theirs), merged: Some(_), .. }) = editor.conflict.clone() else {
        state.tell(Meaning::Text, "There is nothing to merge: take theirs (t) or keep yours (o)");
        return Vec::new();
    };
    let (next, is_type_chosen) = editor.merged(Topic::read(theirs));
    let word = next.form.type_word.clone();
    let is_marked = next.marked().is_some();
    **editor = next;
    let mut text = if is_marked {
        "Both versions are in the text: settle the marked places, then save".to_owned()
    } else {
        "Both versions are in the text: look at it, then save".to_owned()
    };
    if is_type_chosen {
        text.push_str(&format!(" · the type is yours ({word})"));
    }
    state.tell(Meaning::Warn, text);
    Vec::new()
}

/// Gives up one's own version for what the disk holds.
fn take_theirs(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    let Some(conflict) = editor.conflict.take() else { return Vec::new() };
    match conflict.theirs {
        Some(theirs) => {
            let own = std::mem::replace(&mut **editor, Editor::open("", Topic::read(Vec::new())));
            **editor = own.taking(Topic::read(theirs));
            state.tell(Meaning::Text, "The version on disk is open now; Ctrl-U in a field brings your text back");
        }
        None => {
            state.layers.pop();
            state.tell(Meaning::Text, "The file is gone, and so is the edit");
        }
    }
    Vec::new()
}

/// Saves one's own version over what the disk holds, having seen it; what was there stays in the history.
fn keep_ours(state: &mut State) -> Vec<Effect> {
    let origin = super::triage::origin(state);
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    let Ok(content) = editor.content() else { return Vec::new() };
    let Some(conflict) = editor.conflict.take() else { return Vec::new() };
    editor.saving = true;
    let (file, kind) = (editor.file.clone(), conflict.kind);
    let deed = match conflict.theirs {
        Some(theirs) => Deed::Save { file, base: theirs, content, kind, origin },
        None => {
            let (base, claimed) = (editor.opened.clone(), editor.claimed);
            Deed::Recreate { file, base, content, kind, claimed, origin }
        }
    };
    vec![Effect::Do(Box::new(deed))]
}

/// Takes pasted text.
pub(super) fn paste(state: &mut State, text: &str) {
    if let Some(Layer::Edit(editor)) = state.layers.last_mut()
        && !editor.saving
        && !editor.asking
        && editor.conflict.is_none()
    {
        let is_taken = editor.form.paste(text);
        editor.lint.touch();
        if !is_taken {
            state.tell(Meaning::Warn, TOO_LONG);
        }
    }
}

/// Opens the editor on a file that was read for it.
pub(super) fn topic_read(state: &mut State, file: &str, result: Result<Box<Topic>, String>) -> Vec<Effect> {
    let external = state.keymap.shown(Command::EditExternally);
    match result {
        Err(error) => state.tell(Meaning::Bad, error),
        Ok(topic) if std::str::from_utf8(&topic.bytes).is_err() => {
            let text = format!("{file} is not UTF-8: editing it here would damage it; use your editor ({external})");
            state.tell(Meaning::Warn, text);
        }
        Ok(topic) if is_too_large(&topic) => {
            state.tell(Meaning::Warn, format!("{file} is too large to edit here; use your editor ({external})"));
        }
        Ok(topic) => {
            let is_open = state.layers.iter().any(|layer| matches!(layer, Layer::Edit(_)));
            if !is_open {
                let editor = Editor { claimed: time_of(state, file), ..Editor::open(file, *topic) };
                state.layers.push(Layer::Edit(Box::new(editor)));
            }
        }
    }
    Vec::new()
}

/// The time a file has, as far as the last scan knows.
pub(super) fn time_of(state: &State, file: &str) -> Option<DateTime<Utc>> {
    state.snapshot().and_then(|snapshot| snapshot.memory(file)).map(|memory| memory.mtime)
}

/// Hears what became of a deed; whether it was the editor's own save and the editor told the person about it.
pub(super) fn saved(state: &mut State, deed: &Deed, result: &Result<Outcome, DoorError>) -> bool {
    let is_its_own = |editor: &Editor| match deed {
        Deed::Save { file, .. } | Deed::Recreate { file, .. } => {
            editor.saving && editor.union.is_none() && editor.file == *file
        }
        Deed::Judge { judgement: Judgement::Merge(_), .. } => editor.saving && editor.union.is_some(),
        Deed::Create(_) => editor.saving,
        _ => false,
    };
    let is_open = |layer: &Layer| matches!(layer, Layer::Edit(editor) if is_its_own(editor));
    if result.is_err() && !state.layers.iter().any(is_open) {
        rescue(state, deed);
    }
    let Some(at) = state.layers.iter().position(is_open) else { return false };
    if result.is_ok() {
        state.layers.remove(at);
        return false;
    }
    let Some(Layer::Edit(editor)) = state.layers.get_mut(at) else { return false };
    editor.saving = false;
    if editor.union.is_some() {
        return super::triage::merge_failed(state, result);
    }
    if let Err(DoorError::Conflict { theirs, merged, .. }) = result {
        let kind = match deed {
            Deed::Save { kind, .. } | Deed::Recreate { kind, .. } => *kind,
            _ => SaveKind::KeepAge,
        };
        editor.conflict = Some(Conflict { theirs: theirs.clone(), merged: merged.clone(), scroll: 0, kind });
        state.tell(Meaning::Warn, "The file changed on disk since you opened it; nothing was overwritten");
        return true;
    }
    false
}

/// What another editor left and could not be saved is nowhere else: it opens here, so that nothing of it is lost.
fn rescue(state: &mut State, deed: &Deed) {
    if let Deed::Save { file, base, content, .. } = deed {
        let editor = Editor { claimed: time_of(state, file), ..Editor::on_text(file, base.clone(), content.clone()) };
        state.layers.push(Layer::Edit(Box::new(Editor { saving: true, ..editor })));
    }
}

/// Whether the disk holds another version than the one that was opened, as far as the last scan knows.
pub(in crate::tui) fn changed_on_disk(state: &State, editor: &Editor) -> bool {
    let on_disk = |hash: ContentHash| hash != editor.base_hash;
    let Some(snapshot) = state.snapshot().filter(|_| editor.review.is_none()) else { return false };
    if let Some(originals) = &editor.union {
        let differs =
            |file: &str, bytes: &[u8]| snapshot.memory(file).is_none_or(|memory| memory.hash != ContentHash::of(bytes));
        return differs(&editor.file, &originals.keep) || differs(&originals.partner, &originals.gone);
    }
    snapshot.memory(&editor.file).is_none_or(|memory| on_disk(memory.hash))
}
