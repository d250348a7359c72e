//! What the person said: human turns, as opposed to everything else that comes in `user` lines.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::{Damage, Line};

/// One thing a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanTurn {
    /// The session it was said in.
    pub session: String,
    /// The line of the transcript, from 1.
    pub line: u64,
    /// The line's uuid.
    pub uuid: Option<String>,
    /// When it was said.
    pub at: Option<DateTime<Utc>>,
    /// What was said, without injected reminders; `/command arguments` gives the arguments.
    pub text: String,
    /// The assistant's text right before it, cut to its last 2,000 characters: what a bare "yes, exactly" refers to.
    pub after: Option<String>,
}

/// What reading the human turns of a transcript gave.
#[derive(Clone, Debug, Default)]
pub struct HumanTurns {
    /// The turns, in file order.
    pub turns: Vec<HumanTurn>,
    /// Where the next reading goes on: offset after the last whole line, and its number.
    pub end: (u64, u64),
    /// Whether the session is headless (`entrypoint` `sdk-*`) or a sidechain: its turns are none then.
    pub not_a_person: bool,
    /// Whether the assistant wrote to a path for which `is_memory_path` holds, with the line of the last such write.
    pub memory_written_at: Option<u64>,
    /// What was stepped over.
    pub damage: Damage,
}

/// The text of a line if a person typed it, else `None`; see `formats.md` A.6 for what is not a person speaking.
#[must_use]
pub fn human_text(line: &Line) -> Option<String> {
    let _ = line;
    todo!()
}

/// Streams a transcript from a place (offset, line number) and collects its human turns. `stop` is asked between lines.
///
/// # Errors
/// When the file cannot be opened or read; a vanished file gives `NotFound`.
pub fn human_turns(
    path: &Path,
    from: (u64, u64),
    is_memory_path: &dyn Fn(&str) -> bool,
    stop: &dyn Fn() -> bool,
) -> std::io::Result<HumanTurns> {
    let _ = (path, from, is_memory_path, stop);
    todo!()
}
