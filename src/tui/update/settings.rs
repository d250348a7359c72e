//! The settings: choosing one, typing a value, and taking in what the file says from then on.
//!
//! Not its job: writing the file (an effect), and what is shown of a setting ([`crate::tui::layer::settings`]).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::filter::erase_last;
use super::{Flow, step};
use crate::config::Config;
use crate::persons_file::PersonsFile;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Chord, NO_KEY};
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::settings::{Settings, Step, Typed, rows, shown};
use crate::tui::layout::{halves, inside, large};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens them and reads the file anew.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Settings(Box::default()));
    vec![Effect::ReadSettings]
}

/// Puts the cursor on a setting.
pub(super) fn select(state: &mut State, name: &str) {
    let at = rows(state).iter().position(|row| row.name == name).unwrap_or_default();
    if let Some(Layer::Settings(layer)) = state.layers.last_mut() {
        layer.list.selected = at;
    }
}

/// Takes a command: moving moves, enter types a value.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Settings(layer)) = state.layers.last() else { return Flow::Pass };
    let rows = shown(layer, state);
    let (list, _) = halves(inside(large(state.area)));
    let file = state.setup.file_name();
    let Some(Layer::Settings(layer)) = state.layers.last_mut() else { return Flow::Pass };
    let (length, height) = (rows.len(), usize::from(list.height));
    if let Some(by) = step(command, length, height) {
        layer.list.move_by(by, length, height);
        return Flow::Done(Vec::new());
    }
    // It is about the file, whatever row is shown.
    if command == Command::Undo {
        return Flow::Done(undo(state));
    }
    let Some(row) = rows.get(layer.list.selected) else { return Flow::Pass };
    match command {
        Command::Open | Command::ResetSetting if row.path.is_none() => {
            state.tell(Meaning::Text, format!("{} is not decided here: {}", row.name, row.accepted));
        }
        Command::Open => {
            let path = row.path.clone().unwrap_or_default();
            // What the file would say, not what is stronger than it.
            let text = if path.first().is_some_and(|first| first == "keys") {
                state.setup.config.keys.get(&path.get(1).cloned().unwrap_or_default()).cloned().unwrap_or_default()
            } else {
                let known = crate::config::CATALOG.iter().find(|known| known.name() == row.name);
                known.map(|known| (known.value)(&state.setup.config)).unwrap_or_default()
            };
            layer.editing = Some(Typed { path, text, choices: row.choices, refused: None });
        }
        Command::ResetSetting => match (row.line, layer.file.clone()) {
            (Some(line), Some(bytes)) => {
                let path = row.path.clone().unwrap_or_default();
                let written = bytes.text().lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned();
                let confirm = Confirm {
                    title: format!("Take {} out of {file}?", row.name),
                    lines: vec![written],
                    yes: "take it out",
                    effects: vec![Effect::ChangeSetting { file: bytes, path, value: None }],
                };
                state.layers.push(Layer::Confirm(confirm));
            }
            _ => state.tell(Meaning::Text, format!("{} is not set in {file}: the default holds", row.name)),
        },
        Command::EditSettings => return Flow::Done(vec![Effect::EditSettings { line: row.line }]),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes the latest change of the file back, if nobody changed it since.
fn undo(state: &mut State) -> Vec<Effect> {
    let file = match state.layers.last() {
        Some(Layer::Settings(layer)) if !layer.is_writing => layer.file.clone(),
        _ => None,
    };
    let Some(file) = file else { return Vec::new() };
    let Some(step) = state.setting_steps.pop() else { return Vec::new() };
    if file.bytes != step.after {
        let (name, edit) = (state.setup.file_name(), state.keymap.shown(Command::EditSettings));
        let text = format!("{name} was changed since {} was: {edit} opens it", step.name);
        state.tell(Meaning::Warn, text);
        return Vec::new();
    }
    if let Some(Layer::Settings(layer)) = state.layers.last_mut() {
        (layer.is_writing, layer.is_undoing) = (true, true);
    }
    vec![Effect::RestoreSettings { file, name: step.name, content: step.before }]
}

/// Takes a key while a value is typed.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Settings(layer)) = state.layers.last_mut() else { return Flow::Pass };
    let Settings { editing, file, is_writing, .. } = layer.as_mut();
    let Some(typed) = editing else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => *editing = None,
        KeyCode::Enter => {
            let Some(file) = file.clone().filter(|_| !*is_writing) else { return Flow::Done(Vec::new()) };
            if typed.path.first().is_some_and(|section| section == "keys") && Chord::parse(&typed.text).is_none() {
                typed.refused = Some(NO_KEY.to_owned());
                return Flow::Done(Vec::new());
            }
            *is_writing = true;
            let (path, value) = (typed.path.clone(), Some(typed.text.trim().to_owned()));
            return Flow::Done(vec![Effect::ChangeSetting { file, path, value }]);
        }
        KeyCode::Tab | KeyCode::Down | KeyCode::Right => choose(typed, 1),
        KeyCode::BackTab | KeyCode::Up | KeyCode::Left => choose(typed, -1),
        KeyCode::Char('u') if control => typed.text.clear(),
        KeyCode::Backspace => erase_last(&mut typed.text),
        KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            typed.text.push(character);
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Settings(layer)) = state.layers.last_mut()
        && let Some(typed) = &mut layer.editing
    {
        typed.text.push_str(text.lines().next().unwrap_or_default());
    }
}

/// The next of the values to choose from.
fn choose(typed: &mut Typed, by: isize) {
    let Some(last) = typed.choices.len().checked_sub(1) else { return };
    let at = typed.choices.iter().position(|choice| *choice == typed.text);
    let next = match (at, by > 0) {
        (None, _) => 0,
        (Some(at), true) => {
            if at == last {
                0
            } else {
                at + 1
            }
        }
        (Some(at), false) => at.checked_sub(1).unwrap_or(last),
    };
    if let Some(choice) = typed.choices.get(next) {
        (*choice).clone_into(&mut typed.text);
    }
}

/// Takes the file as it is now, and what it says.
pub(super) fn read(state: &mut State, result: Result<(PersonsFile, Result<Config, String>), String>) -> Vec<Effect> {
    let (file, config) = match result {
        Ok((file, config)) => (Some(file), config),
        Err(error) => (None, Err(error)),
    };
    if let Some(Layer::Settings(layer)) = layer(state) {
        layer.file = file;
        layer.broken = config.as_ref().err().cloned();
    }
    match config {
        Ok(config) => follow(state, config),
        Err(error) => {
            state.tell(Meaning::Bad, format!("{error}; the settings before hold until that is right"));
            Vec::new()
        }
    }
}

/// Takes what became of a change.
pub(super) fn changed(state: &mut State, name: &str, result: Result<(PersonsFile, Config), String>) -> Vec<Effect> {
    match result {
        Ok((file, config)) => {
            let undo = state.keymap.shown(Command::Undo);
            let mut step = None;
            if let Some(Layer::Settings(layer)) = layer(state) {
                (layer.is_writing, layer.editing, layer.broken) = (false, None, None);
                let before = layer.file.replace(file.clone()).and_then(|file| file.bytes);
                if !std::mem::take(&mut layer.is_undoing) {
                    step = Some(Step { name: name.to_owned(), before, after: file.bytes });
                }
            }
            let back = if step.is_some() { format!(" · {undo} takes it back") } else { String::new() };
            state.setting_steps.extend(step);
            let effects = follow(state, config);
            if let Some(row) = rows(state).into_iter().find(|row| row.name == name) {
                let (tone, odd) = match &row.note {
                    Some(note) => (Meaning::Warn, format!(" · {note}")),
                    None => (Meaning::Ok, String::new()),
                };
                state.tell(tone, format!("{name} is {} ({}){odd}{back}", row.value, row.from));
            }
            effects
        }
        Err(error) => {
            if let Some(Layer::Settings(layer)) = layer(state) {
                (layer.is_writing, layer.is_undoing) = (false, false);
                if let Some(typed) = &mut layer.editing {
                    typed.refused = Some(error.clone());
                }
            }
            state.tell(Meaning::Bad, error);
            // Another program may have written it: what it says now is what counts.
            vec![Effect::ReadSettings]
        }
    }
}

fn layer(state: &mut State) -> Option<&mut Layer> {
    state.layers.iter_mut().rev().find(|layer| matches!(layer, Layer::Settings(_)))
}

/// Goes by a configuration from now on.
fn follow(state: &mut State, config: Config) -> Vec<Effect> {
    let before = state.setup.config.clone();
    if config == before {
        return Vec::new();
    }
    let mouse = config.mouse;
    state.adopt(config);
    let mut effects = vec![Effect::RefreshGates];
    if mouse != before.mouse && mouse != state.mouse {
        state.mouse = mouse;
        effects.push(Effect::CaptureMouse(mouse));
    }
    if state.setup.config.shelf_life != before.shelf_life {
        effects.push(Effect::Rescan);
    }
    effects
}
