//! Any command by its name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::filter::erase_last;
use super::{Flow, perform};
use crate::tui::command::{self, CommandSpec};
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::palette::Palette;
use crate::tui::state::{ListState, State};

/// Opens it over whatever is there; its commands are those that can be asked for there.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let commands = command::available(state).filter(|spec| spec.command != command::Command::Palette).collect();
    state.layers.push(Layer::Palette(Palette { commands, ..Palette::default() }));
    Vec::new()
}

/// The commands that match what was typed, best first.
#[must_use]
pub(in crate::tui) fn matching(palette: &Palette) -> Vec<&'static CommandSpec> {
    if palette.text.is_empty() {
        return palette.commands.clone();
    }
    let matcher = SkimMatcherV2::default();
    let mut scored: Vec<(i64, &'static CommandSpec)> = palette
        .commands
        .iter()
        .filter_map(|spec| {
            // A sentence holds nearly any few letters somewhere: there only the words as typed count.
            let name = matcher.fuzzy_match(spec.name, &palette.text);
            let said = spec.sentence.to_lowercase().contains(&palette.text.to_lowercase()).then_some(1);
            Some((name.max(said)?, *spec))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, spec)| spec).collect()
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
            let chosen = matching(palette).get(palette.list.selected).map(|spec| spec.command);
            state.layers.pop();
            return Flow::Done(chosen.map(|command| perform(state, command)).unwrap_or_default());
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
