//! A session, or a file, as a person looks at it: moving, unfolding calls, searching, further stretches of it.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Position;

use super::{Flow, step};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, TurnQuestion};
use crate::tui::layer::Layer;
use crate::tui::layer::turn::{CallLine, Speaker, Stretch, Turn, ViewRow, Within};
use crate::tui::layout::{inside, large};
use crate::tui::page;
use crate::tui::state::{State, TextLine};
use crate::tui::theme::Meaning;

/// Rows kept above the turn that is gone to.
const ABOVE: usize = 3;

/// Opens the session that a memory comes from at the very turn, the latest one that is recorded.
pub(super) fn open_source(state: &mut State) -> Vec<Effect> {
    let sources = state.sources();
    let Some(question) = sources.first().cloned() else { return Vec::new() };
    state.layers.push(Layer::Turn(Box::new(Turn { sources, ..Turn::of(&question) })));
    vec![Effect::ReadTurn(question)]
}

/// Takes a stretch, if it is still the question.
pub(super) fn read(state: &mut State, question: &TurnQuestion, result: Result<Box<Stretch>, String>) {
    if question.is_glance {
        return super::find::glanced(state, question, result);
    }
    let turns =
        state.layers.iter_mut().filter_map(|layer| if let Layer::Turn(turn) = layer { Some(turn) } else { None });
    let Some(turn) = turns.filter(|turn| turn.question == *question).last() else { return };
    let result = result.map(|stretch| *stretch);
    let jumps = std::mem::take(&mut turn.jumps);
    if let Err(why) = &result
        && !turn.rows.is_empty()
    {
        // What is read stays: a stretch beyond it without a turn is no reason to take it away.
        let why = why.clone();
        (turn.seeking, turn.question.seek) = (None, None);
        return state.tell(Meaning::Warn, why);
    }
    if jumps {
        turn.rows.clear();
    }
    turn.width = None;
    if let (Some(_), Ok(stretch)) = (turn.question.seek.take(), &result) {
        if turn.question.line == Some(stretch.wanted) {
            let words = if turn.seeking.take() == Some(true) { "below; N goes back" } else { "above; n goes on" };
            state.notice = None;
            return state.tell(Meaning::Text, format!("No match further {words}"));
        }
        turn.question.line = Some(stretch.wanted);
        turn.rows.clear();
    }
    if let Ok(stretch) = &result {
        // The first line that was asked for is the one that is meant; later stretches only go on from there.
        turn.wanted = turn.wanted.or(Some(stretch.wanted));
        unfold_wanted(turn, stretch);
    }
    turn.stretch = Some(result);
}

/// Who asks for the line of a call or of its answer wants to see it.
fn unfold_wanted(turn: &mut Turn, stretch: &Stretch) {
    let Some(line) = turn.wanted else { return };
    let is_answer = |own: &&crate::tui::layer::turn::TurnLine| own.lines.contains(&line) && own.text.is_empty();
    if turn.unfolded.is_empty()
        && let Some(own) = stretch.turns.iter().find(is_answer)
    {
        turn.unfolded.extend((0..own.calls.len().min(8)).map(|at| (own.number, at)));
    }
}

/// After each event: the rows are laid out for the screen as it is, the cursor stands in them.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let inner = inside(large(state.area));
    let (width, height) = (usize::from(inner.width), body_height(state));
    let Some(Layer::Turn(turn)) = state.layers.last_mut() else { return None };
    if turn.width != Some(width) && matches!(turn.stretch, Some(Ok(_))) {
        lay_out(turn, width, height);
    }
    if turn.width == Some(width)
        && turn.question.seek.is_none()
        && let Some(is_down) = turn.seeking.take()
    {
        land(turn, is_down);
    }
    keep_in_sight(turn, height);
    if turn.matches.is_none()
        && let Some(wanted) = turn.looked_for()
    {
        turn.matches = Some(count(turn, wanted));
    }
    None
}

/// On the match in the turn that a search came to.
fn land(turn: &mut Turn, is_down: bool) {
    let own = turn.rows.get(turn.cursor).map(|row| row.turn);
    let of_it = |row: &ViewRow| Some(row.turn) == own;
    let edge = if is_down { turn.rows.iter().position(of_it) } else { turn.rows.iter().rposition(of_it) };
    if let Some(row) = edge.and_then(|edge| match_from(turn, edge, is_down)) {
        turn.cursor = row;
    }
}

/// The rows below the head line, where one stands.
fn body_height(state: &State) -> usize {
    let inner = inside(large(state.area));
    let Some(Layer::Turn(turn)) = state.layers.last() else { return usize::from(inner.height) };
    usize::from(inner.height).saturating_sub(usize::from(turn.has_line()))
}

fn lay_out(turn: &mut Turn, width: usize, height: usize) {
    let is_first = turn.width.is_none() && turn.rows.is_empty();
    // The cursor stays on its turn and call whatever is laid out anew.
    let stood = turn.rows.get(turn.cursor).cloned();
    let line = stood.as_ref().map(|row| row.line);
    let Some(Ok(stretch)) = &turn.stretch else { return };
    let quote = turn.question.quote.as_deref();
    let rows = page::session(stretch, &turn.unfolded, turn.wanted, quote, width);
    let number = line.unwrap_or(stretch.wanted);
    let own = stretch.turns.iter().position(|own| own.lines.contains(&number));
    let own = own.or_else(|| stretch.turns.iter().rposition(|own| own.number <= number)).unwrap_or_default();
    let call = stood.as_ref().and_then(|row| row.call);
    let of_call = rows.iter().position(|row| row.turn == own && row.call == call && call.is_some());
    let first = rows.iter().position(|row| row.turn == own).unwrap_or_default();
    let last = rows.iter().rposition(|row| row.turn == own).unwrap_or_default();
    let within = stood
        .as_ref()
        .map_or(0, |row| turn.rows.iter().take(turn.cursor).rev().take_while(|other| other.turn == row.turn).count());
    // The words that are quoted are what a person came for.
    let quoted = rows.iter().position(|row| !row.quoted.is_empty()).filter(|_| is_first);
    turn.cursor = quoted.or(of_call).unwrap_or((first + within).min(last));
    if is_first {
        turn.scroll = first.saturating_sub(ABOVE).max((turn.cursor + 1 + ABOVE).saturating_sub(height));
    }
    turn.rows = rows;
    turn.matches = None;
    turn.width = Some(width);
}

fn keep_in_sight(turn: &mut Turn, height: usize) {
    let length = turn.rows.len();
    turn.cursor = turn.cursor.min(length.saturating_sub(1));
    let latest = length.saturating_sub(height);
    turn.scroll = turn.scroll.min(turn.cursor).max((turn.cursor + 1).saturating_sub(height)).min(latest);
}

/// A click takes the cursor to its row, and unfolds the call that it is on already.
pub(super) fn click(state: &mut State, at: Position) {
    let inner = inside(large(state.area));
    let height = body_height(state);
    let Some(Layer::Turn(turn)) = state.layers.last_mut().filter(|_| inner.contains(at)) else { return };
    let row = usize::from(at.y - inner.y);
    if row >= height || turn.scroll + row >= turn.rows.len() {
        return;
    }
    let is_there = turn.cursor == turn.scroll + row;
    turn.cursor = turn.scroll + row;
    if is_there && turn.rows.get(turn.cursor).is_some_and(|row| row.call.is_some()) {
        unfold(turn);
    }
}

/// Takes a key while a search is typed.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Turn(turn)) = state.layers.last_mut() else { return Flow::Pass };
    let Some(within) = turn.within.as_mut().filter(|within| within.typing.is_some()) else { return Flow::Pass };
    match key.code {
        KeyCode::Enter => {
            within.typing = None;
            if within.line.text().is_empty() {
                turn.within = None;
            } else if turn.matches == Some(0) {
                // Nothing in what is loaded: the rest of the session is looked through.
                return Flow::Done(seek(turn, true).into_iter().collect());
            }
        }
        KeyCode::Esc => {
            turn.cursor = within.typing.unwrap_or(turn.cursor);
            turn.within = None;
        }
        _ => match within.line.key(key) {
            None => return Flow::Pass,
            Some(false) => {}
            Some(true) => typed(state),
        },
    }
    Flow::Done(Vec::new())
}

/// Takes pasted text into the search.
pub(super) fn insert(state: &mut State, text: &str) {
    if let Some(Layer::Turn(turn)) = state.layers.last_mut()
        && let Some(within) = turn.within.as_mut().filter(|within| within.typing.is_some())
    {
        within.line.insert(text);
        typed(state);
    }
}

/// Goes to the first match from where the search began.
fn typed(state: &mut State) {
    let Some(Layer::Turn(turn)) = state.layers.last_mut() else { return };
    let from = turn.within.as_ref().and_then(|within| within.typing).unwrap_or_default();
    turn.matches = None;
    if let Some(row) = match_from(turn, from, true).or_else(|| match_from(turn, from, false)) {
        turn.cursor = row;
    }
}

/// The nearest row with a match at or below a row, or at or above it. A call that holds one is unfolded when its turn comes.
fn match_from(turn: &mut Turn, from: usize, is_down: bool) -> Option<usize> {
    let seen = seen_from(turn, from, is_down);
    let hidden = hidden_from(turn, from, is_down);
    let (row, call) = match (seen, hidden) {
        (_, None) => return seen,
        // What a call hides stands right below its row.
        (Some(seen), Some((row, _))) if is_down == (seen <= row) => return Some(seen),
        (_, Some(hidden)) => hidden,
    };
    turn.unfolded.insert(call);
    let width = turn.width?;
    lay_out(turn, width, 0);
    let of_call = |other: &ViewRow| other.line == call.0 && other.call == Some(call.1);
    let last = turn.rows.iter().rposition(of_call).unwrap_or(row);
    if is_down { seen_from(turn, row, true) } else { seen_from(turn, last, false) }
}

/// The same among the rows as they are.
fn seen_from(turn: &Turn, from: usize, is_down: bool) -> Option<usize> {
    let wanted = turn.looked_for()?;
    let is_match = |row: &ViewRow| holds(&row.text, wanted);
    if is_down {
        turn.rows.iter().skip(from).position(is_match).map(|at| at + from)
    } else {
        turn.rows.iter().take(from + 1).rposition(is_match)
    }
}

/// The nearest row of a folded call that holds a match, with the call.
fn hidden_from(turn: &Turn, from: usize, is_down: bool) -> Option<(usize, (u64, usize))> {
    let wanted = turn.looked_for()?;
    let stretch = turn.read()?;
    let is_hiding = |(at, row): (usize, &ViewRow)| {
        let call = (row.line, row.call?);
        let own = stretch.turns.get(row.turn)?.calls.get(call.1)?;
        let holds = !turn.unfolded.contains(&call)
            && (holds(&own.input, wanted) || own.result.as_deref().is_some_and(|text| holds(text, wanted)));
        holds.then_some((at, call))
    };
    let rows = turn.rows.iter().enumerate();
    if is_down {
        // What the row before hides is below, too.
        rows.skip(from.saturating_sub(1)).find_map(is_hiding)
    } else {
        let above: Vec<(usize, &ViewRow)> = rows.take(from + 1).collect();
        above.into_iter().rev().find_map(is_hiding)
    }
}

/// How many matches the stretch has, folded ones as well.
fn count(turn: &Turn, wanted: &str) -> usize {
    let in_text = |text: &str| page::found_in(text, wanted).len();
    let turns = turn.read().map(|stretch| stretch.turns.as_slice()).unwrap_or_default();
    let in_call = |call: &CallLine| in_text(&call.input) + call.result.as_deref().map_or(0, in_text);
    turns.iter().map(|own| in_text(&own.text) + own.calls.iter().map(in_call).sum::<usize>()).sum()
}

fn holds(text: &str, wanted: &str) -> bool {
    !page::found_in(text, wanted).is_empty()
}

/// To the next match. Where the stretch has none, the session is searched further on.
fn seek(turn: &mut Turn, is_down: bool) -> Option<Effect> {
    let wanted = turn.looked_for()?.to_owned();
    let at = turn.cursor;
    let from = if is_down { Some(at + 1) } else { at.checked_sub(1) };
    if let Some(row) = from.and_then(|from| match_from(turn, from, is_down)) {
        turn.cursor = row;
        return None;
    }
    let stretch = turn.read()?;
    let (first, last) = stretch.lines;
    turn.seeking = Some(is_down);
    turn.question.line = Some(if is_down { last } else { first });
    turn.question.seek = Some((wanted, is_down));
    Some(Effect::ReadTurn(turn.question.clone()))
}

/// Asks for the stretch that follows, or the one before; nothing at the end and at the beginning.
fn further(turn: &mut Turn, is_down: bool) -> Option<Effect> {
    let stretch = turn.read()?;
    let (first, last) = stretch.lines;
    let ends_here = stretch.turns.last().is_none_or(|own| own.speaker == Speaker::File);
    let line = match is_down {
        true if ends_here || stretch.total.is_none_or(|total| last >= total) => return None,
        true => last,
        false if ends_here || first <= 1 => return None,
        false => first,
    };
    let stands = turn.rows.get(turn.cursor).map(|row| row.line);
    // The stretch that is read has what stands under the cursor at its edge, so that the cursor can stay.
    turn.question.line = Some(stands.map_or(line, |stands| if is_down { stands.max(line) } else { stands.min(line) }));
    Some(Effect::ReadTurn(turn.question.clone()))
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = body_height(state);
    let Some(Layer::Turn(turn)) = state.layers.last_mut() else { return Flow::Pass };
    let length = turn.rows.len();
    if let Some(rows) = step(command, length, height) {
        let before = turn.cursor;
        turn.cursor = turn.cursor.saturating_add_signed(rows).min(length.saturating_sub(1));
        let is_down = rows > 0;
        // At an edge the session goes on.
        if turn.cursor == before || matches!(command, Command::Top | Command::Bottom) {
            return Flow::Done(
                match command {
                    Command::Top | Command::Bottom => to_end(turn, is_down),
                    _ => further(turn, is_down),
                }
                .into_iter()
                .collect(),
            );
        }
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Unfold => unfold(turn),
        Command::Filter => {
            turn.within = Some(Within { line: TextLine::default(), typing: Some(turn.cursor) });
            turn.matches = None;
        }
        Command::NextMatch => return Flow::Done(seek(turn, true).into_iter().collect()),
        Command::PreviousMatch => return Flow::Done(seek(turn, false).into_iter().collect()),
        Command::NextTurn => to_person(turn, true),
        Command::PreviousTurn => to_person(turn, false),
        Command::NextSource => return Flow::Done(next_source(turn)),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// To the beginning or the end of the whole session.
fn to_end(turn: &mut Turn, is_down: bool) -> Option<Effect> {
    let stretch = turn.read()?;
    let line = match is_down {
        true => stretch.total.filter(|total| *total > stretch.lines.1)?,
        false => Some(1).filter(|_| stretch.lines.0 > 1 && stretch.total.is_some())?,
    };
    turn.question.line = Some(line);
    turn.jumps = true;
    Some(Effect::ReadTurn(turn.question.clone()))
}

fn unfold(turn: &mut Turn) {
    let Some(row) = turn.rows.get(turn.cursor) else { return };
    let (number, own) = (row.line, row.turn);
    let count = turn.read().and_then(|stretch| stretch.turns.get(own)).map_or(0, |own| own.calls.len());
    match row.call {
        Some(call) => {
            if !turn.unfolded.remove(&(number, call)) {
                turn.unfolded.insert((number, call));
            }
        }
        // On what was said: all calls of the turn.
        None => {
            let all = (0..count).map(|call| (number, call));
            if all.clone().all(|one| turn.unfolded.contains(&one)) {
                turn.unfolded.retain(|(line, _)| *line != number);
            } else {
                turn.unfolded.extend(all);
            }
        }
    }
    if let Some(width) = turn.width {
        lay_out(turn, width, 0);
    }
}

/// To the next thing the person said.
fn to_person(turn: &mut Turn, is_down: bool) {
    let Some(stretch) = turn.read() else { return };
    let Some(own) = turn.rows.get(turn.cursor).map(|row| row.turn) else { return };
    let is_person = |at: &usize| stretch.turns.get(*at).is_some_and(|turn| turn.speaker == Speaker::Person);
    let found = match is_down {
        true => (own + 1..stretch.turns.len()).find(is_person),
        false => (0..own).rev().find(is_person),
    };
    if let Some(row) = found.and_then(|found| turn.rows.iter().position(|row| row.turn == found)) {
        turn.cursor = row;
        turn.scroll = row.saturating_sub(ABOVE);
    }
}

/// The next place that the memory comes from.
fn next_source(turn: &mut Turn) -> Vec<Effect> {
    let at =
        turn.sources.iter().position(|source| source.session == turn.question.session && turn.wanted == source.line);
    let next = at.map_or(0, |at| at + 1) % turn.sources.len().max(1);
    let Some(question) = turn.sources.get(next).cloned() else { return Vec::new() };
    *turn = Turn { sources: std::mem::take(&mut turn.sources), ..Turn::of(&question) };
    vec![Effect::ReadTurn(question)]
}
