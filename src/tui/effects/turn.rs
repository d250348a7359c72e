//! Reading the turn of a session that a source names, with what was said around it.
//!
//! Not its job: what counts as a turn (see [`crate::session::conversation`]).

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::memory::Store;
use crate::memory::names::is_markdown;
use crate::project::Choice;
use crate::project::origin::{Whereabouts, whereabouts};
use crate::session::Conversation;
use crate::session::conversation::{self, Turn};
use crate::tui::effect::TurnQuestion;
use crate::tui::layer::turn::{Speaker, TurnLine};

/// Turns shown on each side.
const SHOWN: usize = 6;
/// Lines of a file shown on each side.
const AROUND: usize = 40;
/// Bytes from which on a text is cut.
const MOST: usize = 20_000;

/// The turns around a turn.
pub(super) fn read(choice: &Choice, question: &TurnQuestion) -> Result<Vec<TurnLine>, String> {
    // A source may also be a file of the store: a daily log, another memory.
    if is_markdown(&question.session) {
        return of_file(&question.store, question);
    }
    let path = match whereabouts(choice, &question.session) {
        Whereabouts::Here(path) | Whereabouts::Elsewhere(path) => path,
        Whereabouts::Gone => {
            let quote = question.quote.as_ref().map(|quote| format!("\n\nIt said: “{quote}”")).unwrap_or_default();
            return Err(format!("Session {} is no longer on disk.{quote}", question.session));
        }
    };
    let conversation = Conversation::read(std::slice::from_ref(&path), &|| false)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let wanted = question.line.unwrap_or(1);
    let Some(at) = conversation.at(0, wanted) else {
        return Err(format!("{} has no turn at line {wanted}; it may have been rewritten", path.display()));
    };
    let around =
        conversation.turns.iter().enumerate().skip(at.saturating_sub(SHOWN)).take_while(|(n, _)| *n <= at + SHOWN);
    // The turn is found again by the line that was asked for, wherever in it that stands.
    Ok(around.map(|(n, turn)| turn_line(turn, if n == at { wanted } else { turn.line })).collect())
}

fn turn_line(turn: &Turn, number: u64) -> TurnLine {
    let speaker = match turn.speaker {
        conversation::Speaker::Person => Speaker::Person,
        conversation::Speaker::Assistant => Speaker::Assistant,
    };
    let calls = turn.calls.iter().map(|call| {
        let failed = if call.is_error == Some(true) { ", which failed" } else { "" };
        format!("[{} {}{failed}]", call.tool, call.input)
    });
    let said = Some(turn.text.clone()).filter(|text| !text.trim().is_empty());
    let text = said.into_iter().chain(calls).collect::<Vec<_>>().join("\n");
    TurnLine { number, speaker, text: cut(text) }
}

fn cut(text: String) -> String {
    if text.len() <= MOST { text } else { text.chars().take(MOST).chain(std::iter::once('…')).collect() }
}

fn of_file(store: &Path, question: &TurnQuestion) -> Result<Vec<TurnLine>, String> {
    // A name from a change set is data: it must not lead out of the store.
    if Path::new(&question.session).components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
        return Err(format!("{} is no file of the store", question.session));
    }
    let path = Store::at(store).path(&question.session);
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let wanted = usize::try_from(question.line.unwrap_or(1)).unwrap_or(1).max(1);
    let from = wanted.saturating_sub(AROUND + 1);
    let mut lines = Vec::new();
    let reader = BufReader::new(File::open(&path).map_err(failed)?);
    for (at, line) in reader.split(b'\n').enumerate().skip(from).take(2 * AROUND + 1) {
        let text = String::from_utf8_lossy(&line.map_err(failed)?).into_owned();
        lines.push(TurnLine { number: at as u64 + 1, speaker: Speaker::File, text: cut(text) });
    }
    Ok(lines)
}
