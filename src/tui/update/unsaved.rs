//! Texts that are not saved: what of the open form has to be kept, and what an earlier screen left.
//!
//! Not its job: keeping anything (an effect does), and saving (the forms do). Merges and reviews: [`reopen`].

mod reopen;

pub(super) use reopen::{review_read, union_read};

use super::{Flow, edit, step};
use crate::change::index_edit::TakenOver;
use crate::change::promote::Place;
use crate::change::unsaved::{Form, Goes, Rescued, Taken, Unsaved};
use crate::memory::{INDEX_FILE, Kind, Topic};
use crate::text::{count, visible};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::edit::Editor;
use crate::tui::layer::form::{Form as Fields, area};
use crate::tui::layer::index::IndexScreen;
use crate::tui::layer::lint::Lint;
use crate::tui::layer::new::NewMemory;
use crate::tui::layer::promote::Promote;
use crate::tui::layer::unsaved::{UnsavedList, rows as shown};
use crate::tui::page::moment;
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::view::unsaved::rows;

/// The text that would be lost if the screen ended now.
#[must_use]
pub(in crate::tui) fn current(state: &State) -> Option<Unsaved> {
    state.layers.iter().rev().find_map(|layer| match layer {
        // Kept with the review that lies below it.
        Layer::Edit(editor) if editor.review.is_some() => reopen::of_review(state, Some(editor)),
        Layer::Review(_) => reopen::of_review(state, None),
        Layer::Edit(editor) if editor.is_dirty() => Some(match &editor.union {
            Some(originals) => reopen::of_merge(editor, originals),
            None => {
                let base = text_of(&editor.opened);
                Unsaved { file: editor.file.clone(), base, ..of_fields(Form::Edit, &editor.form) }
            }
        }),
        Layer::New(new) if new.is_dirty() => Some(of_fields(Form::New, &new.form)),
        Layer::Promote(screen) if screen.is_dirty() => Some(Unsaved {
            form: Form::Promote,
            file: screen.seen.file.clone(),
            body: screen.text(),
            goes: screen.target().map(|target| Goes {
                path: target.path.clone(),
                patterns: screen.paths.lines().concat(),
                is_removed: screen.is_removed,
            }),
            ..Unsaved::default()
        }),
        Layer::Index(screen) => of_index(screen),
        _ => None,
    })
}

fn text_of(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

fn of_fields(form: Form, fields: &Fields) -> Unsaved {
    Unsaved {
        form,
        name: fields.name_text(),
        description: fields.description_text(),
        type_word: fields.type_word.clone(),
        body: fields.body_text(),
        ..Unsaved::default()
    }
}

fn of_index(screen: &IndexScreen) -> Option<Unsaved> {
    let now = screen.with_line();
    if now == screen.base && screen.taken_over.is_empty() {
        return None;
    }
    Some(Unsaved {
        form: Form::Index,
        file: INDEX_FILE.to_owned(),
        body: text_of(&now)?,
        base: text_of(&screen.base),
        taken_over: screen.taken_over.iter().filter_map(of_taken).collect(),
        ..Unsaved::default()
    })
}

fn of_taken(taken: &TakenOver) -> Option<Taken> {
    Some(Taken { file: taken.file.clone(), base: text_of(&taken.base)?, content: text_of(&taken.content)? })
}

/// Whether a form is open in which text could be lost, or some of it is kept already.
#[must_use]
pub(in crate::tui) fn may_be(state: &State) -> bool {
    state.drafts.kept.is_some() || state.layers.iter().any(is_form)
}

/// Whether text is written in a layer.
pub(super) const fn is_form(layer: &Layer) -> bool {
    matches!(layer, Layer::Edit(_) | Layer::New(_) | Layer::Promote(_) | Layer::Index(_) | Layer::Review(_))
}

/// After any event: once no form is open, nothing is kept for one. What landed must not be offered at the next start.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    if state.layers.iter().any(is_form) { None } else { forget(state) }
}

/// Drops what is kept of this screen, in the store that is shown.
pub(super) fn forget(state: &mut State) -> Option<Effect> {
    state.drafts.kept.take()?;
    Some(Effect::KeepUnsaved { store: state.store_root().to_owned(), text: None })
}

/// The person pauses: what is not saved is kept, what was kept and is saved by now is dropped.
pub(super) fn paused(state: &mut State) -> Vec<Effect> {
    let now = current(state);
    if now == state.drafts.kept {
        return Vec::new();
    }
    state.drafts.kept.clone_from(&now);
    vec![Effect::KeepUnsaved { store: state.store_root().to_owned(), text: now.map(Box::new) }]
}

/// Takes what waits, and says so once.
pub(super) fn read(state: &mut State, waiting: Vec<Rescued>) {
    let is_news = state.drafts.waiting.is_empty();
    state.drafts.waiting = waiting;
    if let [first, rest @ ..] = state.drafts.waiting.as_slice()
        && is_news
    {
        let more = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
        let text = format!(
            "An unsaved draft of {}{more} waits since {}; {} opens or drops it",
            visible(&first.text.title()),
            moment(first.at),
            state.keymap.shown(Command::Unsaved)
        );
        state.tell(Meaning::Warn, text);
    }
    if state.drafts.waiting.is_empty() {
        state.layers.retain(|layer| !matches!(layer, Layer::Unsaved(_)));
    }
    for layer in &mut state.layers {
        if let Layer::Unsaved(layer) = layer {
            layer.list.selected = layer.list.selected.min(state.drafts.waiting.len().saturating_sub(1));
        }
    }
}

/// Opens the list.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Unsaved(UnsavedList::default()));
    Vec::new()
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Unsaved(layer)) = state.layers.last() else { return Flow::Pass };
    let (length, height) = (shown(layer, state).len(), rows(state));
    let Some(Layer::Unsaved(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if let Some(by) = step(command, length, height) {
        layer.list.move_by(by, length, height);
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Open => Flow::Done(take_up(state)),
        Command::DropDraft => {
            ask_to_drop(state);
            Flow::Done(Vec::new())
        }
        _ => Flow::Pass,
    }
}

fn ask_to_drop(state: &mut State) {
    let Some(rescued) = selected(state).cloned() else { return };
    let lines = vec!["It is in no history and no trash: once dropped, it is gone.".to_owned()];
    let title = format!("Drop the unsaved draft of {}?", visible(&rescued.text.title()));
    let effects = vec![Effect::DropUnsaved(rescued.path)];
    state.layers.push(Layer::Confirm(Confirm { title, lines, yes: "drop", effects }));
}

fn selected(state: &State) -> Option<&Rescued> {
    match state.layers.last() {
        Some(Layer::Unsaved(layer)) => shown(layer, state).get(layer.list.selected).copied(),
        _ => None,
    }
}

/// Opens the form the text stood in; what belongs to it is read first.
fn take_up(state: &mut State) -> Vec<Effect> {
    let Some(rescued) = selected(state).cloned() else { return Vec::new() };
    let text = rescued.text.clone();
    state.layers.pop();
    match text.form {
        Form::Edit => {
            state.drafts.reopening = Some(rescued);
            vec![Effect::ReadTopic(text.file)]
        }
        Form::Promote => {
            state.drafts.reopening = Some(rescued);
            vec![Effect::ReadPromotion(text.file)]
        }
        Form::Merge => {
            let partner = text.partner.map(|partner| partner.file).unwrap_or_default();
            state.drafts.reopening = Some(rescued);
            vec![Effect::ReadUnion { file: text.file, partner }]
        }
        Form::Review => {
            let Some(review) = text.review else { return Vec::new() };
            state.drafts.reopening = Some(rescued);
            super::review::open(state, &review.store, &review.entry)
        }
        Form::New => on_new(state, &rescued),
        Form::Index => on_index(state, &rescued),
    }
}

fn on_new(state: &mut State, rescued: &Rescued) -> Vec<Effect> {
    let text = &rescued.text;
    let form = Fields::new(&text.name, &text.description, &text.type_word, &text.body);
    let template = form.kind().unwrap_or(Kind::Project);
    let new = NewMemory { form, template, lint: Lint::default(), saving: false, asking: false };
    state.layers.push(Layer::New(Box::new(new)));
    told(state, rescued, "Your draft is in the form; look at it, then save")
}

fn on_index(state: &mut State, rescued: &Rescued) -> Vec<Effect> {
    let opened = super::index::open(state);
    let base = rescued.text.base.clone();
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return opened };
    let (now, text) = (screen.base.clone(), rescued.text.body.clone().into_bytes());
    // Landing replays the lines that differ from this on the index as it is then: what others wrote stays.
    let base = base.map_or(now, String::into_bytes);
    **screen = IndexScreen::of(&crate::memory::Index::read(base), 0);
    screen.put(text, 0);
    screen.taken_over = rescued
        .text
        .taken_over
        .iter()
        .map(|taken| TakenOver {
            file: taken.file.clone(),
            base: taken.base.clone().into_bytes(),
            content: taken.content.clone().into_bytes(),
        })
        .collect();
    told(state, rescued, "The index is arranged as you left it; look at it, then save")
}

/// The memory of a waiting text was read: the form opens on both. `None`: nothing waits for it.
pub(super) fn topic_read(state: &mut State, file: &str, result: &Result<Box<Topic>, String>) -> Option<Vec<Effect>> {
    let rescued =
        state.drafts.reopening.take_if(|rescued| rescued.text.form == Form::Edit && rescued.text.file == file)?;
    if state.layers.iter().any(|layer| matches!(layer, Layer::Edit(_))) {
        return Some(Vec::new());
    }
    let topic = match result {
        Ok(topic) if std::str::from_utf8(&topic.bytes).is_ok() => topic,
        Ok(_) | Err(_) => {
            let effects = on_new(state, &rescued);
            state.tell(
                Meaning::Warn,
                format!("{} cannot be read any more: saving makes it a new memory", visible(file)),
            );
            return Some(effects);
        }
    };
    let base = rescued.text.base.clone().map_or_else(|| topic.bytes.clone(), String::into_bytes);
    let mut editor = Editor::open(file, Topic::read(base));
    fill(&mut editor.form, &rescued.text);
    let is_moved = editor.opened != topic.bytes;
    let mut words = "Your draft is in the form; look at it, then save";
    if is_moved {
        words = "The file changed since: your draft and it are both in the text; look at it, then save";
        editor = editor.merged((**topic).clone()).0;
        if editor.marked().is_some() {
            words = "The file changed since: settle the marked places, then save";
        }
    }
    editor.claimed = edit::time_of(state, file);
    editor.lint.touch();
    state.layers.push(Layer::Edit(Box::new(editor)));
    Some(told(state, &rescued, words))
}

/// Puts a text that was kept into a form, in place of what is there.
pub(super) fn fill(form: &mut Fields, text: &Unsaved) {
    form.replace(&text.name, &text.description, &text.body);
    form.type_word.clone_from(&text.type_word);
}

/// A promotion was opened: if a text waits for it, that is in it.
pub(super) fn promotion_opened(state: &mut State, screen: &mut Promote) -> Vec<Effect> {
    let is_meant = |rescued: &mut Rescued| rescued.text.form == Form::Promote && rescued.text.file == screen.seen.file;
    let Some(rescued) = state.drafts.reopening.take_if(is_meant) else { return Vec::new() };
    let mut text = area(&rescued.text.body);
    text.set_wrap_mode(tui_textarea::WrapMode::WordOrGlyph);
    screen.text = text;
    let goes = rescued.text.goes.as_ref();
    if let Some(goes) = goes {
        screen.paths = area(&goes.patterns);
        screen.is_removed = goes.is_removed;
    }
    if let Some(at) = screen.targets.iter().position(|target| goes.is_some_and(|goes| goes.path == target.path)) {
        screen.at = at;
        return told(state, &rescued, "Your text is in the form; look where it goes, then save");
    }
    // What was meant for oneself must not go to everyone because nobody knows any more where it was to go.
    let is_private = |place: Place| matches!(place, Place::Local | Place::Everywhere);
    screen.at = screen.targets.iter().position(|target| is_private(target.place)).unwrap_or_default();
    told(state, &rescued, "Your text is in the form, but where it was to go is not offered any more: choose, then save")
}

/// Says what was opened. The text is this screen's now: kept as its own before the old record goes.
fn told(state: &mut State, rescued: &Rescued, words: &str) -> Vec<Effect> {
    let redacted = if rescued.is_redacted { " · a credential in it was left out" } else { "" };
    state.tell(Meaning::Warn, format!("{words}{redacted}"));
    state.drafts.kept = Some(rescued.text.clone());
    let (store, text) = (state.store_root().to_owned(), Some(Box::new(rescued.text.clone())));
    vec![Effect::KeepUnsaved { store, text }, Effect::DropUnsaved(rescued.path.clone())]
}

/// What stands over the history while drafts wait.
#[must_use]
pub(in crate::tui) fn hint(state: &State) -> Option<String> {
    let waiting = state.drafts.waiting.len();
    let key = state.keymap.shown(Command::Unsaved);
    (waiting > 0).then(|| format!("{}: {key}", count(waiting, "unsaved draft waits", "unsaved drafts wait")))
}
