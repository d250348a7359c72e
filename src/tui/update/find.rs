//! Full text: every letter asks anew, what is found comes in while one types, enter goes to the place.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;

use super::{Flow, dashboard, focus, step};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, FindQuestion, TurnQuestion};
use crate::tui::layer::find::{Find, FindNews, FoundPlace, Stand};
use crate::tui::layer::turn::{Stretch, Turn};
use crate::tui::layer::{Layer, Reading};
use crate::tui::state::{Pane, Seek, State};
use crate::tui::view::find::list_area;

/// Opens it as it was put away, else empty. Who looks for something else types it: what stood there is selected.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let mut find = state.last_find.take().unwrap_or_default();
    find.line.select();
    state.layers.push(Layer::Find(find));
    // A store may have changed meanwhile: what was looked for is looked for anew.
    match top(state) {
        Some(find) if !find.line.text().is_empty() => ask_keeping(state),
        _ => Vec::new(),
    }
}

/// Takes a key.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let height = usize::from(list_area(state).height);
    let Some(find) = top(state) else { return Flow::Pass };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let page = isize::try_from((height / 2).max(1)).unwrap_or(1);
    match key.code {
        KeyCode::Esc if find.is_going() => return Flow::Done(stop(state)),
        KeyCode::Esc => put_away(state),
        KeyCode::Enter => return Flow::Done(go_to(state)),
        KeyCode::Down => return Flow::Done(move_by(state, 1)),
        KeyCode::Up => return Flow::Done(move_by(state, -1)),
        KeyCode::PageDown => return Flow::Done(move_by(state, page)),
        KeyCode::PageUp => return Flow::Done(move_by(state, -page)),
        KeyCode::Char('n') if control => return Flow::Done(move_by(state, 1)),
        KeyCode::Char('p') if control => return Flow::Done(move_by(state, -1)),
        KeyCode::Char('d') if control => return Flow::Done(move_by(state, page)),
        KeyCode::Char('a') if control => {
            find.all = !find.all;
            return Flow::Done(ask(state));
        }
        KeyCode::Char('s') if control => {
            find.sessions = !find.sessions;
            return Flow::Done(ask(state));
        }
        KeyCode::Char('r') if control => {
            find.is_regex = !find.is_regex;
            return Flow::Done(ask(state));
        }
        _ => match find.line.key(key) {
            None => return Flow::Pass,
            Some(false) => {}
            Some(true) => return Flow::Done(ask(state)),
        },
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text: its first line.
pub(super) fn insert(state: &mut State, text: &str) -> Vec<Effect> {
    let Some(find) = top(state) else { return Vec::new() };
    find.line.insert(text);
    ask(state)
}

/// Takes a command: moving moves, as the wheel does.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = usize::from(list_area(state).height);
    let Some(find) = top(state) else { return Flow::Pass };
    match step(command, find.length(), height) {
        Some(rows) => Flow::Done(move_by(state, rows)),
        None => Flow::Pass,
    }
}

fn top(state: &mut State) -> Option<&mut Find> {
    match state.layers.last_mut() {
        Some(Layer::Find(find)) => Some(find),
        _ => None,
    }
}

/// Asks anew from an empty list.
fn ask(state: &mut State) -> Vec<Effect> {
    if let Some(find) = top(state) {
        find.selected = 0;
    }
    ask_keeping(state)
}

/// The same, the cursor staying at its number.
fn ask_keeping(state: &mut State) -> Vec<Effect> {
    state.searches += 1;
    let id = state.searches;
    let Some(find) = top(state) else { return Vec::new() };
    let selected = find.selected;
    find.id = id;
    find.files.clear();
    find.preview = None;
    (find.selected, find.offset) = (selected, 0);
    // One letter is in every line of everything.
    let pattern = find.line.text().to_owned();
    let is_too_short = pattern.trim().chars().count() < 2 && pattern.is_ascii();
    if is_too_short {
        find.stand = Stand::Idle;
        return vec![Effect::StopFind(id)];
    }
    find.stand = Stand::Going(0, 0);
    let (is_regex, sessions, all) = (find.is_regex, find.sessions, find.all);
    vec![Effect::Find(FindQuestion { id, pattern, is_regex, sessions, all })]
}

fn stop(state: &mut State) -> Vec<Effect> {
    state.searches += 1;
    let id = state.searches;
    if let Some(find) = top(state) {
        (find.id, find.stand) = (id, Stand::Stopped);
    }
    vec![Effect::StopFind(id)]
}

fn put_away(state: &mut State) {
    if let Some(Layer::Find(find)) = state.layers.pop() {
        state.last_find = Some(find);
    }
}

/// Takes news of a search, if it is the one that counts.
pub(super) fn news(state: &mut State, id: u64, news: FindNews) {
    let finds =
        state.layers.iter_mut().filter_map(|layer| if let Layer::Find(find) = layer { Some(find) } else { None });
    let Some(find) = finds.filter(|find| find.id == id).last() else { return };
    match news {
        FindNews::Failed(why) => find.stand = Stand::Failed(why),
        FindNews::Progress(done, all) => find.stand = Stand::Going(done, all),
        FindNews::Done { sessions, skipped, is_capped } => {
            find.stand = Stand::Done { sessions, skipped, is_capped };
            find.selected = find.selected.min(find.length().saturating_sub(1));
        }
        FindNews::Files(files) => {
            for file in files {
                match find.files.iter_mut().find(|known| known.place == file.place) {
                    Some(known) => known.copies.extend(file.copies),
                    None => find.files.push(file),
                }
            }
        }
    }
}

/// A click selects a hit, and goes there when it is selected already.
pub(super) fn click(state: &mut State, at: Position) -> Vec<Effect> {
    let area = list_area(state);
    let Some(find) = top(state).filter(|_| area.contains(at)) else { return Vec::new() };
    let row = find.offset + usize::from(at.y - area.y);
    let Some(hit) = find.rows().nth(row).and_then(|(_, hit)| hit) else { return Vec::new() };
    if find.selected == hit {
        return go_to(state);
    }
    find.selected = hit;
    Vec::new()
}

/// After each event: the window follows the cursor, and the place under it is asked for.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let height = usize::from(list_area(state).height);
    let find = top(state)?;
    let length = find.length();
    let (row, rows) = (find.selected_row(), find.files.len() + length);
    // The heading of the first hit of a file is seen with it.
    let first =
        if matches!(find.rows().nth(row.saturating_sub(1)), Some((_, None))) { row.saturating_sub(1) } else { row };
    let latest = rows.saturating_sub(height);
    find.offset = find.offset.min(first).max((row + 1).saturating_sub(height)).min(latest);
    let question = find.place_of(find.selected.min(length.checked_sub(1)?), true)?;
    if find.preview.as_ref().is_some_and(|(asked, _)| *asked == question) {
        return None;
    }
    find.preview = Some((question.clone(), None));
    Some(Effect::ReadTurn(question))
}

/// Takes the place of the selected hit, if it is still selected.
pub(super) fn glanced(state: &mut State, question: &TurnQuestion, result: Result<Box<Stretch>, String>) {
    for layer in &mut state.layers {
        if let Layer::Find(find) = layer
            && let Some((asked, answer)) = &mut find.preview
            && asked == question
        {
            *answer = Some(result.map(|stretch| *stretch));
            return;
        }
    }
}

fn move_by(state: &mut State, rows: isize) -> Vec<Effect> {
    if let Some(find) = top(state) {
        find.selected = find.selected.saturating_add_signed(rows).min(find.length().saturating_sub(1));
    }
    Vec::new()
}

/// To the place: a memory of the store that is shown opens in full, anything else is looked at. The search stays beneath.
fn go_to(state: &mut State) -> Vec<Effect> {
    let shown = state.store_root().to_owned();
    let Some(find) = top(state) else { return Vec::new() };
    let Some((found, hit)) = find.hit(find.selected) else { return Vec::new() };
    if let FoundPlace::Memory { store, file } = &found.place
        && *store == shown
    {
        // Which of the hits that look alike it is.
        let text = hit.marks.first().and_then(|mark| hit.text.get(mark.clone())).unwrap_or(&hit.text).to_owned();
        let before = found.hits.iter().filter(|other| other.line < hit.line);
        let nth = before.filter(|other| !crate::tui::page::found_in(&other.text, &text).is_empty()).count();
        let file = file.clone();
        if state.snapshot().is_some_and(|snapshot| snapshot.memory(&file).is_some()) {
            dashboard::select(state, &file);
            focus(state, Pane::Memories);
            let mut reading = Reading::default();
            reading.sheet.seek = Some(Seek { text, nth, is_due: true });
            state.layers.push(Layer::Reading(reading));
            return Vec::new();
        }
    }
    let Some(question) = top(state).and_then(|find| find.place_of(find.selected, false)) else { return Vec::new() };
    let mut turn = Turn::of(&question);
    if let Some(find) = top(state).filter(|find| !find.is_regex) {
        turn.within = Some(crate::tui::layer::turn::Within { line: find.line.text().into(), typing: None });
        turn.seeking = Some(true);
    }
    state.layers.push(Layer::Turn(Box::new(turn)));
    vec![Effect::ReadTurn(question)]
}
