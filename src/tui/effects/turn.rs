//! Reading the turn of a session that a source names, with a few lines around it.
//!
//! Not its job: what counts as a person speaking (see [`crate::session::speech`]).

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::memory::Store;
use crate::project::Choice;
use crate::project::origin::{Whereabouts, whereabouts};
use crate::session::{Block, Line, Reader, Role, speech};
use crate::tui::effect::TurnQuestion;
use crate::tui::layer::turn::{Speaker, TurnLine};

/// Lines of the transcript that are looked at before the turn and after it.
const AROUND: u64 = 40;
/// Lines that say something, shown on each side.
const SHOWN: usize = 6;
/// Characters of one line that are kept.
const MOST: usize = 20_000;

/// The lines around a turn.
pub(super) fn read(choice: &Choice, question: &TurnQuestion) -> Result<Vec<TurnLine>, String> {
    // A source may also be a file of the store: a daily log, another memory.
    if question.session.ends_with(".md") {
        return of_file(&question.store, question);
    }
    let path = match whereabouts(choice, &question.session) {
        Whereabouts::Here(path) | Whereabouts::Elsewhere(path) => path,
        Whereabouts::Gone => {
            let quote = question.quote.as_ref().map(|quote| format!("\n\nIt said: “{quote}”")).unwrap_or_default();
            return Err(format!("Session {} is no longer on disk.{quote}", question.session));
        }
    };
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let file = File::open(&path).map_err(failed)?;
    let mut reader = Reader::new(BufReader::with_capacity(128 * 1024, file));
    let wanted = question.line.unwrap_or(1);
    let mut lines: Vec<TurnLine> = Vec::new();
    while let Some(raw) = reader.next_line().map_err(failed)? {
        if raw.number > wanted.saturating_add(AROUND) {
            break;
        }
        if raw.number.saturating_add(AROUND) < wanted {
            continue;
        }
        let number = raw.number;
        if let Some((speaker, text)) = Line::parse(raw.bytes).and_then(|line| said(&line)) {
            lines.push(TurnLine { number, speaker, text });
        }
    }
    let before = lines.iter().filter(|line| line.number < wanted).count();
    lines.drain(..before.saturating_sub(SHOWN));
    let after = lines.iter().filter(|line| line.number <= wanted).count() + SHOWN;
    lines.truncate(after);
    if lines.iter().any(|line| line.number == wanted) {
        return Ok(lines);
    }
    Err(format!("{} has no line {wanted} that says anything; it may have been rewritten", path.display()))
}

/// Who speaks in a line, and what; `None`: nothing that a person could read.
fn said(line: &Line) -> Option<(Speaker, String)> {
    if let Some(text) = speech::human_text(line) {
        return Some((Speaker::Person, cut(text)));
    }
    let mut parts: Vec<String> = Vec::new();
    for block in &line.content {
        match block {
            Block::Text(text) => parts.push(text.clone()),
            Block::ToolUse { name, input, .. } => {
                let target = ["file_path", "path", "command", "pattern"].iter().find_map(|key| input.get(key)?.as_str());
                parts.push(format!("[{name} {}]", target.unwrap_or_default()));
            }
            Block::ToolResult { text, .. } => parts.push(format!("[result] {text}")),
            Block::Other => {}
        }
    }
    let text = parts.join("\n");
    let speaker = if line.role == Role::Assistant { Speaker::Assistant } else { Speaker::Other };
    (!text.trim().is_empty()).then(|| (speaker, cut(text)))
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
    let from = wanted.saturating_sub(AROUND as usize + 1);
    let mut lines = Vec::new();
    let reader = BufReader::new(File::open(&path).map_err(failed)?);
    for (at, line) in reader.split(b'\n').enumerate().skip(from).take(2 * AROUND as usize + 1) {
        let text = String::from_utf8_lossy(&line.map_err(failed)?).into_owned();
        lines.push(TurnLine { number: at as u64 + 1, speaker: Speaker::File, text: cut(text) });
    }
    Ok(lines)
}
