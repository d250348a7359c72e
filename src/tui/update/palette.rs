//! Any command by its name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::filter::erase_last;
use super::{Flow, perform, refusal};
use crate::tui::command::{self, COMMANDS, Command, CommandSpec};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::palette::{Entry, Palette};
use crate::tui::layer::settings::rows as settings_rows;
use crate::tui::state::{ListState, State};
use crate::tui::theme::Meaning;

/// Opens it over whatever is there. Every command is in it: what can be done there first, and of the others why not.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let place = command::place(state);
    let possible: Vec<&'static CommandSpec> = command::available(state).collect();
    let (mut entries, mut others) = (Vec::new(), Vec::new());
    for spec in COMMANDS.iter().filter(|spec| spec.command != Command::Palette) {
        if possible.iter().any(|other| other.command == spec.command) {
            let words = command::sentence(spec, place).to_owned();
            entries.push(Entry { spec, setting: None, words, is_possible: true });
            continue;
        }
        let why = if spec.counts_in(place) { refusal::why(state, spec) } else { command::only_in(spec) };
        others.push(Entry { spec, setting: None, words: format!("Not now: {why}"), is_possible: false });
    }
    // Settings are looked for by their names as well; where text is typed nothing may open over it.
    if let Some(spec) = Command::Settings.spec().filter(|_| place != command::Place::Edit) {
        let rows = settings_rows(state).into_iter().filter(|row| !row.name.starts_with("keys."));
        entries.extend(rows.map(|row| {
            let words = format!("Setting, {} now: {}", row.value, row.says);
            Entry { spec, setting: Some(row.name), words, is_possible: true }
        }));
    }
    entries.append(&mut others);
    state.layers.push(Layer::Palette(Palette { entries, ..Palette::default() }));
    Vec::new()
}

/// The commands that match what was typed: those that can be done first, and of each the best match first.
#[must_use]
pub(in crate::tui) fn matching(palette: &Palette) -> Vec<&Entry> {
    if palette.text.trim().is_empty() {
        return palette.entries.iter().filter(|entry| entry.setting.is_none()).collect();
    }
    // Names have no blanks: `set type` is `set-type`.
    let (typed, words) = (palette.text.trim().replace(' ', "-"), palette.text.to_lowercase());
    let matcher = SkimMatcherV2::default();
    let mut scored: Vec<(i64, &Entry)> = palette
        .entries
        .iter()
        .filter_map(|entry| {
            // A sentence holds nearly any few letters somewhere: there only the words as typed count.
            let name = matcher.fuzzy_match(entry.name(), &typed);
            let sentence = if entry.setting.is_some() { &entry.words } else { entry.spec.sentence }.to_lowercase();
            let said = words.split_whitespace().all(|word| sentence.contains(word)).then_some(1);
            Some((name.max(said)?, entry))
        })
        .collect();
    scored.sort_by_key(|(score, entry)| (!entry.is_possible, entry.setting.is_some(), std::cmp::Reverse(*score)));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

/// Takes a key.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Palette(palette)) = state.layers.last_mut() else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => {
            state.layers.pop();
        }
        KeyCode::Enter => {
            let Some(chosen) = matching(palette).get(palette.list.selected).map(|entry| (*entry).clone()) else {
                return Flow::Done(Vec::new());
            };
            if !chosen.is_possible {
                state.tell(Meaning::Warn, format!("{}: {}", chosen.name(), chosen.words));
                return Flow::Done(Vec::new());
            }
            state.layers.pop();
            let effects = perform(state, chosen.spec.command);
            if let Some(name) = &chosen.setting {
                super::settings::select(state, name);
            }
            return Flow::Done(effects);
        }
        KeyCode::Down => move_by(palette, 1),
        KeyCode::Up => move_by(palette, -1),
        KeyCode::Char('n') if control => move_by(palette, 1),
        KeyCode::Char('p') if control => move_by(palette, -1),
        KeyCode::Char('u') if control => typed(palette, String::new()),
        KeyCode::Backspace => {
            let mut text = palette.text.clone();
            erase_last(&mut text);
            typed(palette, text);
        }
        KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            let text = format!("{}{character}", palette.text);
            typed(palette, text);
        }
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Palette(palette)) = state.layers.last_mut() {
        let text = format!("{}{}", palette.text, text.lines().next().unwrap_or_default());
        typed(palette, text);
    }
}

fn typed(palette: &mut Palette, text: String) {
    palette.text = text;
    palette.list = ListState::default();
}

fn move_by(palette: &mut Palette, rows: isize) {
    let length = matching(palette).len();
    palette.list.move_by(rows, length, length);
}
