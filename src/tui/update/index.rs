//! The index put in order: lines moved, pinned, written, dropped, shortened; one step back at a time, one save for all.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, step, stray};
use crate::change::DoorError;
use crate::change::index_edit::TakenOver;
use crate::memory::index::{ENTRY_CHARACTERS, NewEntry, shorten};
use crate::memory::{Index, Topic};
use crate::text::{count, visible};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::form::{LONGEST_LINE, TOO_LONG, area, input_line, insert_line};
use crate::tui::layer::index::{IndexScreen, Shortening};
use crate::tui::layout::{inside, large};
use crate::tui::state::{IndexRow, Pane, State, index_row};
use crate::tui::theme::Meaning;

/// Opens it, the cursor on the line under the cursor of the index pane, else on the line of the selected memory.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let Some(snapshot) = state.snapshot().cloned() else { return Vec::new() };
    if !snapshot.has_index || std::str::from_utf8(&snapshot.index.bytes).is_err() {
        let why = if snapshot.has_index { "it is not UTF-8: edit it in your editor" } else { "there is none yet" };
        state.tell(Meaning::Warn, format!("The index cannot be arranged: {why}"));
        return Vec::new();
    }
    let of_pane = match index_row(&snapshot.index, state.index.selected) {
        IndexRow::Line(at) if state.focus == Pane::Index => Some(at),
        _ => None,
    };
    let of_target = || {
        let target = &state.target()?.file;
        snapshot.index.entries().find(|(_, entry, _)| entry.target == *target).map(|(number, ..)| number - 1)
    };
    let at = of_pane.or_else(of_target).unwrap_or(0);
    state.layers.push(Layer::Index(Box::new(IndexScreen::of(&snapshot.index, at))));
    Vec::new()
}

/// After any event: the lines are judged as they are arranged now, for the files of the last scan.
pub(super) fn settle(state: &mut State) {
    let Some(snapshot) = state.snapshot().cloned() else { return };
    if let Some(Layer::Index(screen)) = state.layers.last_mut() {
        screen.judge(&snapshot);
    }
}

/// Takes a key before the key map sees it, while a line is written or a question is open.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && matches!(key.code, KeyCode::Char('c' | 'z')) {
        return Flow::Pass;
    }
    if screen.saving {
        return Flow::Done(Vec::new());
    }
    if let Some(line) = &mut screen.line {
        match key.code {
            KeyCode::Esc => screen.line = None,
            KeyCode::Enter | KeyCode::Tab => take_line(state),
            _ => input_line(line, key),
        }
        return Flow::Done(Vec::new());
    }
    if screen.shortening.is_some() {
        match key.code {
            KeyCode::Char('y') => screen.take_shortening(),
            KeyCode::Char('n' | 'q') | KeyCode::Esc => screen.shortening = None,
            _ => stray::no_answer(state, key, "y: shorten it, n: leave it"),
        }
        return Flow::Done(Vec::new());
    }
    if screen.asking {
        match key.code {
            KeyCode::Char('s' | 'y') => return Flow::Done(save(state)),
            KeyCode::Char('d' | 'n') => {
                state.layers.pop();
                state.tell(Meaning::Text, "Changes dropped; the index is as it was");
            }
            KeyCode::Esc => screen.asking = false,
            _ => stray::no_answer(state, key, super::UNSAVED_ANSWERS),
        }
        return Flow::Done(Vec::new());
    }
    Flow::Pass
}

/// Takes pasted text into the line that is being written.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Index(screen)) = state.layers.last_mut()
        && let Some(line) = &mut screen.line
    {
        let is_taken = insert_line(line, text.trim_end_matches(['\n', '\r']));
        if !is_taken {
            state.tell(Meaning::Warn, TOO_LONG);
        }
    }
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = usize::from(inside(large(state.area)).height);
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return Flow::Pass };
    let length = screen.now.lines.len();
    if let Some(rows) = step(command, length, height) {
        screen.move_by(rows, height);
        return Flow::Done(Vec::new());
    }
    let number = screen.number();
    if screen.filter.is_on() && acts_on_line(command) {
        let key = state.keymap.shown(Command::Close);
        if !screen.shown().contains(&screen.list.selected) {
            state.tell(Meaning::Text, format!("No line is shown; {key} drops the filter"));
            return Flow::Done(Vec::new());
        }
        if matches!(command, Command::LineUp | Command::LineDown) {
            state.tell(Meaning::Text, format!("A line moves among all of them: {key} drops the filter first"));
            return Flow::Done(Vec::new());
        }
    }
    match command {
        Command::LineUp | Command::LineDown => match screen.now.moved(number, command == Command::LineUp) {
            Some((bytes, to)) => screen.put(bytes, to - 1),
            None => state.tell(Meaning::Dim, "It goes no further"),
        },
        Command::PinLine => match screen.now.pinned(number) {
            Some((bytes, to)) => {
                screen.put(bytes, to - 1);
                state.tell(Meaning::Text, "It is the first entry now: the last to fall past a limit");
            }
            None => state.tell(Meaning::Dim, "Only an entry that is not the first one can become it"),
        },
        Command::EditLine => {
            if let Some(line) = screen.now.lines.get(number - 1) {
                if line.text.len() > LONGEST_LINE {
                    let key = state.keymap.shown(Command::Shorten);
                    state.tell(Meaning::Warn, format!("This line is too long to edit here; {key} shortens it"));
                    return Flow::Done(Vec::new());
                }
                let mut text = area(&line.text);
                text.move_cursor(tui_textarea::CursorMove::End);
                screen.line = Some(text);
            }
        }
        Command::AddLine => add_line(state),
        Command::DropLine => drop_line(state),
        Command::Shorten => return Flow::Done(shorten_line(state)),
        Command::Undo if screen.undo() => {}
        Command::Undo => state.tell(Meaning::Dim, "Nothing was changed here yet"),
        Command::SaveIndex => return Flow::Done(save(state)),
        Command::Close | Command::Leave | Command::Quit if screen.is_dirty() => screen.asking = true,
        Command::Close
        | Command::Leave
        | Command::Quit
        | Command::Suspend
        | Command::Help
        | Command::Palette
        | Command::Reload
        | Command::Mouse => return Flow::Pass,
        // Any other command would act on what lies below, unseen.
        _ => {}
    }
    Flow::Done(Vec::new())
}

/// Whether a command is about the line under the cursor.
const fn acts_on_line(command: Command) -> bool {
    matches!(
        command,
        Command::LineUp
            | Command::LineDown
            | Command::PinLine
            | Command::EditLine
            | Command::DropLine
            | Command::Shorten
    )
}

fn take_line(state: &mut State) {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return };
    let bytes = screen.with_line();
    screen.line = None;
    screen.put(bytes, screen.list.selected);
}

/// A line for the first memory without one, where its neighbours are.
fn add_line(state: &mut State) {
    let Some(snapshot) = state.snapshot().cloned() else { return };
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return };
    screen.judge(&snapshot);
    let linked = screen.judged.as_ref().map(|(_, judgement)| judgement.linked.clone()).unwrap_or_default();
    let mut without = snapshot.memories.iter().filter(|memory| !linked.contains(&memory.file));
    let Some(memory) = without.next() else {
        return state.tell(Meaning::Text, "Every memory has a line");
    };
    let left = without.count();
    let entry = NewEntry { file: memory.file.clone(), title: memory.name.clone(), hook: memory.description.clone() };
    let bytes = screen.now.with_entry(&entry);
    let at = Index::read(bytes.clone()).entries().find(|(_, entry, _)| entry.target == memory.file).map(|(at, ..)| at);
    screen.put(bytes, at.map_or(screen.list.selected, |at| at - 1));
    let more =
        if left > 0 { format!(" · {} without one", count(left, "memory is", "memories are")) } else { String::new() };
    state.tell(Meaning::Ok, format!("A line for {}{more}", visible(&memory.file)));
}

fn drop_line(state: &mut State) {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return };
    let (number, selected) = (screen.number(), screen.list.selected);
    let files: Vec<String> = screen
        .now
        .lines
        .get(number - 1)
        .map(|line| line.entries.iter().map(|entry| entry.target.clone()).collect())
        .unwrap_or_default();
    let bytes = screen.now.without_line(number);
    screen.put(bytes, selected);
    let is_unlinked = |file: &&String| !screen.now.entries().any(|(_, entry, _)| entry.target == **file);
    let unlinked: Vec<String> = files.iter().filter(is_unlinked).map(|file| visible(file).into_owned()).collect();
    if !unlinked.is_empty() {
        let text = format!("{} stays in the store, and no session will see it", unlinked.join(", "));
        state.tell(Meaning::Warn, text);
    }
}

/// Asks for the memory that a long line's text goes to.
fn shorten_line(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return Vec::new() };
    match screen.now.shortened(screen.number()) {
        Some(short) => vec![Effect::ReadForIndex(short.file)],
        None => {
            let text =
                format!("Only an entry of more than {ENTRY_CHARACTERS} characters about one memory can be shortened");
            state.tell(Meaning::Dim, text);
            Vec::new()
        }
    }
}

/// The memory was read: the shorter line and what the memory gets are shown before either is taken.
pub(super) fn topic_read(state: &mut State, file: &str, result: Result<Box<Topic>, String>) {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return };
    let topic = match result {
        Ok(topic) if std::str::from_utf8(&topic.bytes).is_ok() => *topic,
        Ok(_) => return state.tell(Meaning::Warn, format!("{} is not UTF-8: its line stays", visible(file))),
        Err(error) => return state.tell(Meaning::Bad, error),
    };
    let number = screen.number();
    let Some(short) = screen.now.shortened(number).filter(|short| short.file == file) else { return };
    let (base, topic) = screen.current(file, topic);
    let description = topic.frontmatter.description.clone().unwrap_or_default();
    let is_said = shorten::says(&description, &topic.body(), &short.hook);
    let taken_over =
        (!is_said).then(|| TakenOver { file: file.to_owned(), base, content: topic.with_paragraph(&short.hook).bytes });
    let line = |index: &Index| index.lines.get(number - 1).map(|line| line.text.clone()).unwrap_or_default();
    screen.shortening = Some(Shortening {
        from: line(&screen.now),
        to: line(&Index::read(short.index.clone())),
        index: short.index,
        taken_over,
        text: short.hook,
        file: file.to_owned(),
    });
}

fn save(state: &mut State) -> Vec<Effect> {
    let Some(Layer::Index(screen)) = state.layers.last_mut() else { return Vec::new() };
    screen.asking = false;
    if !screen.is_dirty() {
        state.tell(Meaning::Text, "Nothing to save: the index is as it was");
        return Vec::new();
    }
    screen.saving = true;
    vec![Effect::Do(Box::new(Deed::EditIndex(screen.edit())))]
}

/// Hears what became of the save; whether the person was told. A version of the disk that changed the same lines is taken
/// in below one's own, to be looked at before it is saved again.
pub(super) fn saved(state: &mut State, result: Result<(), &DoorError>) -> bool {
    let Some(at) = state.layers.iter().position(|layer| matches!(layer, Layer::Index(screen) if screen.saving)) else {
        return false;
    };
    let Err(error) = result else {
        state.layers.remove(at);
        return false;
    };
    let Some(Layer::Index(screen)) = state.layers.get_mut(at) else { return false };
    screen.saving = false;
    let DoorError::Conflict { theirs: Some(theirs), merged: Some(merged), .. } = error else { return false };
    let selected = screen.list.selected;
    screen.put(merged.clone().into_bytes(), selected);
    screen.base.clone_from(theirs);
    let key = state.keymap.shown(Command::SaveIndex);
    let text = if theirs.is_empty() {
        format!("MEMORY.md is not there any more; {key} writes it anew, as it stands here")
    } else {
        format!("Another program changed the same lines: theirs are kept, yours around them; look, then {key} saves")
    };
    state.tell(Meaning::Warn, text);
    true
}

/// Whether the disk holds another index than the one that was opened, as far as the last scan knows.
pub(in crate::tui) fn changed_on_disk(state: &State, screen: &IndexScreen) -> bool {
    state.snapshot().is_some_and(|snapshot| snapshot.index.bytes != screen.base)
}
