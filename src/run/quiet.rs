//! The record of words said while memory was off: what a hook heard then, kept by hashes, and the times of pauses.
//!
//! Times tell what no hook heard; what one heard is told by its lines, wherever the clock stood. Both are of one store, but for
//! pauses, which are of all. Not its job: what is made of it (see [`crate::session::quiet`]).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::schedule::{Cursor, Schedule};
use super::{files, halt, review, seen};
use crate::project::Choice;
use crate::session::Speakers;
use crate::session::human::human_turns;
use crate::session::quiet::{Quiet, QuietTurn};
use crate::state::StateDir;

/// So many turns are remembered of a store, the latest.
const MOST: usize = 2_000;

/// No more of a transcript is looked at in one event, the end of it.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Heard {
    turns: Vec<QuietTurn>,
}

fn file(state: &StateDir, store: &Path) -> PathBuf {
    state.store(store).join("quiet.json")
}

/// Whether bytes are such a record, or why not.
///
/// # Errors
/// Why they are none.
pub(super) fn understood(bytes: &[u8]) -> Result<(), String> {
    files::understood::<Heard>(bytes).map(drop)
}

/// What is known to have been said while memory was off.
#[must_use]
pub fn of(state: &StateDir, store: &Path) -> Quiet {
    Quiet::new(halt::times(state), files::read::<Heard>(&file(state, store)).turns)
}

/// Notes what was said in a session since anything was last heard of it: memory is off. `since`: since when it is, if that is
/// known; what the clock of now dates before that does not count.
///
/// # Errors
/// When the transcript cannot be read, or the disk refuses.
pub fn note(
    state: &StateDir,
    choice: &Choice,
    transcript: &Path,
    speakers: Speakers,
    since: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> io::Result<()> {
    let store = choice.store.root();
    let length = match fs::metadata(transcript) {
        Ok(found) => found.len(),
        // What is said in it is noted once there is one.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let session = review::session_id(transcript);
    let Cursor { offset, .. } = review::cursor(&Schedule::of(state, store), transcript);
    let heard_to = seen::length(state, store, &session).filter(|heard| *heard <= length).unwrap_or(0);
    let from = offset.max(heard_to).max(length.saturating_sub(MOST_BYTES));
    let found = human_turns(transcript, (from, 0), speakers, &|_| false, &|| false)?;
    // Under a clock that was set back since, its times tell nothing.
    let since = since.filter(|since| *since <= now);
    let is_quiet = |at: Option<DateTime<Utc>>| since.is_none_or(|since| at.is_none_or(|at| at >= since));
    let fresh: Vec<QuietTurn> = found.turns.iter().filter(|turn| is_quiet(turn.at)).map(QuietTurn::of).collect();
    if fresh.is_empty() {
        return Ok(());
    }
    let path = file(state, store);
    let mut heard: Heard = files::read(&path);
    heard.turns.retain(|known| !fresh.contains(known));
    heard.turns.extend(fresh);
    let surplus = heard.turns.len().saturating_sub(MOST);
    heard.turns.drain(..surplus);
    files::write(&path, "quiet", &heard)
}
