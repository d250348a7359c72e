//! Which sessions our hooks have seen, and what those that are over left unread: a crash ends a session without a word.
//!
//! Only sessions that were seen are caught up with, so that nothing of the time before hooks were installed starts anything.
//! Not its job: starting what is due (see [`super::service`]).

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::schedule::Schedule;
use super::{files, live, quiet, review};
use crate::project::Choice;
use crate::session::Speakers;
use crate::state::{StateDir, replace_plainly};

/// The ending of such a file.
pub(super) const ENDING: &str = "seen.json";

/// Where nothing says which sessions are running, one that was silent for so long is over.
const QUIET: TimeDelta = TimeDelta::minutes(30);

/// Sessions that were last seen before are left alone: their transcripts are swept about then.
const OLDEST: TimeDelta = TimeDelta::days(30);

/// No more sessions than this are caught up with at once, the latest first.
const MOST: usize = 3;

/// What is known of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its id.
    pub session: String,
    /// Its transcript.
    pub transcript: PathBuf,
    /// When something was last heard of it.
    pub at: DateTime<Utc>,
    /// Whether it said that it is over.
    pub is_ended: bool,
    /// How long its transcript was then, in bytes.
    #[serde(default)]
    pub length: u64,
}

/// Notes that something was heard of a session. Nobody waits for the disk; a file torn by a crash counts as none.
///
/// # Errors
/// When the disk refuses.
pub fn note(state: &StateDir, store: &Path, seen: &Seen) -> std::io::Result<()> {
    replace_plainly(&state.session_file(store, &seen.session, ENDING), &serde_json::to_vec(seen)?)
}

/// How long the transcript of a session was when something was last heard of it; `None`: nothing was.
pub(super) fn length(state: &StateDir, store: &Path, session: &str) -> Option<u64> {
    files::read_known::<Seen>(&state.session_file(store, session, ENDING)).map(|seen| seen.length)
}

/// The transcripts that sessions which are over have left with something unread in them, at most three. What has nothing is
/// forgotten.
#[must_use]
pub fn left(
    choice: &Choice,
    state: &StateDir,
    speakers: Speakers,
    current: Option<&str>,
    now: DateTime<Utc>,
) -> Vec<PathBuf> {
    let store = choice.store.root();
    let schedule = Schedule::of(state, store);
    let mut found: Vec<(PathBuf, Seen)> = fs::read_dir(schedule.dir().join("sessions"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(ENDING))
        .filter_map(|path| Some((files::read_known::<Seen>(&path)?, path)).map(|(seen, path)| (path, seen)))
        .filter(|(_, seen)| current != Some(seen.session.as_str()))
        .collect();
    found.sort_by(|one, other| other.1.at.cmp(&one.1.at).then_with(|| one.0.cmp(&other.0)));
    let base = choice.home.as_ref().map(|home| home.base());
    let says_who_runs = base.is_some_and(|base| base.join("sessions").is_dir());
    let running: Vec<String> =
        base.map(live::sessions).unwrap_or_default().into_iter().filter_map(|session| session.session).collect();
    let quiet = quiet::of(state, store);
    let mut due = Vec::new();
    for (path, seen) in found {
        let is_over =
            seen.is_ended || !running.contains(&seen.session) && (says_who_runs || (now - seen.at).abs() > QUIET);
        if !is_over {
            continue;
        }
        let cursor = review::cursor(&schedule, &seen.transcript);
        let has_more = fs::metadata(&seen.transcript).is_ok_and(|found| found.is_file() && found.len() > cursor.offset);
        let is_due = has_more
            && now - seen.at <= OLDEST
            && review::new_turns(&seen.transcript, &cursor, store, speakers, &quiet)
                .is_ok_and(|new| !new.turns.is_empty());
        if !is_due {
            let _ = fs::remove_file(path);
        } else if due.len() < MOST {
            due.push(seen.transcript);
        }
    }
    due
}
