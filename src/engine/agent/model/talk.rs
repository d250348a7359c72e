//! What was said in sessions, and what is stored, as a model reads it: plain lines, each with its place, without credentials.
//!
//! Only the person's words and what they answered; what tools gave back never gets here. Not its job: how much of it a model
//! is given.

use std::path::Path;

use chrono::Local;

use crate::engine::{EngineError, RunContext};
use crate::memory::freshness::short_age;
use crate::memory::{ScanOptions, Snapshot, Store, StoreError};
use crate::secret::redacted;
use crate::session::HumanTurn;
use crate::text::{count, visible};

/// A turn of the person is given up to here, in characters: longer ones are things pasted.
const TURN: usize = 6_000;
/// Of what a turn answers, the end says most.
const ANSWER: usize = 800;

/// A turn as lines that each begin with its place: `[12] 2026-04-03 09:15 developer: …`. True: something was left out of it.
pub(super) fn turn(turn: &HumanTurn, answer: Option<&str>) -> (String, bool) {
    let at = turn.at.map(|at| at.with_timezone(&Local).format("%Y-%m-%d %H:%M").to_string());
    let place = format!("[{}]", turn.line);
    let mut lines = String::new();
    if let Some(answer) = answer {
        let (end, is_cut) = last(answer, ANSWER);
        let lead = if is_cut { "… " } else { "" };
        lines.push_str(&spoken(&place, None, "agent", &format!("{lead}{end}")));
    }
    let length = turn.text.chars().count();
    let is_cut = length > TURN;
    let text = if is_cut {
        let (head, tail): (String, String) =
            (turn.text.chars().take(TURN / 2).collect(), turn.text.chars().skip(length - TURN / 2).collect());
        format!("{head}\n(here {} characters are left out)\n{tail}", length - TURN / 2 * 2)
    } else {
        turn.text.clone()
    };
    lines.push_str(&spoken(&place, at.as_deref(), "developer", &text));
    (lines, is_cut)
}

/// What somebody said, its first line with the name, every line with the place.
fn spoken(place: &str, at: Option<&str>, who: &str, text: &str) -> String {
    let text = redacted(text);
    let at = at.map(|at| format!("{at} ")).unwrap_or_default();
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).enumerate();
    lines
        .map(
            |(number, line)| {
                if number == 0 { format!("{place} {at}{who}: {line}\n") } else { format!("{place}   {line}\n") }
            },
        )
        .collect()
}

/// The last characters of a text, and whether there were more.
fn last(text: &str, most: usize) -> (&str, bool) {
    match text.char_indices().rev().nth(most.saturating_sub(1)) {
        Some((at, _)) if at > 0 => (text.get(at..).unwrap_or_default(), true),
        _ => (text, false),
    }
}

/// The working copy, read.
pub(super) fn scan(context: &RunContext) -> Result<Snapshot, EngineError> {
    let store = Store::at(&context.working_copy);
    let options = ScanOptions {
        now: context.clock.now(),
        shelf_life: context.shelf_life,
        confirmed: std::collections::HashMap::new(),
    };
    match store.scan(&options) {
        Ok(snapshot) => Ok(snapshot),
        Err(StoreError::Missing(path)) => {
            std::fs::create_dir_all(path)?;
            store.scan(&options).map_err(|error| EngineError::Failed(error.to_string()))
        }
        Err(error) => Err(EngineError::Failed(error.to_string())),
    }
}

/// What is stored: a line each with type, age and description, up to so many bytes.
pub(super) fn manifest(snapshot: &Snapshot, most: usize) -> String {
    let mut listed = String::new();
    for (at, memory) in snapshot.memories.iter().enumerate() {
        let kind = memory.kind.map(|kind| kind.word()).or(memory.type_word.as_deref()).unwrap_or("no type");
        let said: String = memory.description.chars().take(200).collect();
        let line = format!("- {} ({kind}, {}): {said}", memory.file, short_age(memory.age_days));
        let line = format!("{}\n", redacted(&visible(&line)));
        if listed.len() + line.len() > most {
            let rest = count(snapshot.memories.len() - at, "memory", "memories");
            listed.push_str(&format!("… and {rest} more, which Grep finds\n"));
            break;
        }
        listed.push_str(&line);
    }
    if listed.is_empty() { "(nothing yet)\n".to_owned() } else { listed }
}

/// Today, where the person is, for whoever has to count days.
pub(super) fn today(context: &RunContext) -> String {
    let now = context.clock.now().with_timezone(&Local);
    format!("Today is {}.", now.format("%A, %Y-%m-%d"))
}

/// The Markdown files below a directory of the store whose names say a day, newest first.
pub(super) fn daily_logs(root: &Path, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    for entry in walk(&root.join("logs")) {
        if let Some(relative) = entry.strip_prefix(root).ok().and_then(Path::to_str)
            && crate::memory::names::is_markdown(relative)
        {
            found.push(relative.to_owned());
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    found.truncate(most);
    found
}

fn walk(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(text: &str) -> HumanTurn {
        HumanTurn { session: "s1".to_owned(), line: 12, uuid: None, at: None, text: text.to_owned(), after: None }
    }

    #[test]
    fn every_line_has_its_place_and_says_who_speaks() {
        let (lines, is_cut) = turn(&said("No mocks.\n\nUse the database."), Some("I mocked it."));
        assert_eq!(lines, "[12] agent: I mocked it.\n[12] developer: No mocks.\n[12]   Use the database.\n");
        assert!(!is_cut);
    }

    #[test]
    fn what_is_pasted_is_cut_in_the_middle_and_says_so_and_credentials_do_not_get_through() {
        let (lines, is_cut) = turn(&said(&format!("start {} end", "é".repeat(20_000))), Some(&"x".repeat(5_000)));
        assert!(is_cut && lines.contains("characters are left out") && lines.ends_with("end\n"));
        assert!(lines.len() < 3 * TURN, "{}", lines.len());
        let (lines, _) = turn(&said("the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a"), None);
        assert!(lines.contains(crate::secret::REDACTED) && !lines.contains("16C7e42F"), "{lines}");
    }
}
