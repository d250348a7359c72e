//! Which memories sessions used: read, were given, rewrote; how often, and when last.
//!
//! From transcripts, each read once and then only where it grew (see `record`). A session that nobody can read any more
//! still counts as it was read. Using a memory never makes its claim younger. Not its job: what a transcript's line says
//! (see [`crate::session::memory_use`]).

mod corrected;
mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::memory::Store;
use crate::project::{Choice, is_of};
use crate::session::given::{self, Given, How};
use crate::session::{UseKind, list_sessions, memory_uses};
use crate::state::StateDir;
use crate::text::count;
pub use corrected::Correction;
use record::Record;

/// One look at transcripts takes no longer than this; the next one goes on.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// At most this many transcripts are looked at, the newest first.
const MOST_TRANSCRIPTS: usize = 20_000;

/// From so many sessions since the claim on it means something that none used it.
pub const ENOUGH_SESSIONS: usize = 20;

/// How sessions used one memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Used {
    /// How often a tool read it.
    pub read: usize,
    /// How often it was put into a session.
    pub injected: usize,
    /// How often a tool wrote it.
    pub written: usize,
    /// In how many sessions it was read or injected.
    pub sessions: usize,
    /// When it was last read or injected.
    pub last: Option<DateTime<Utc>>,
}

/// How sessions used the memories of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallUse {
    by_file: BTreeMap<String, Used>,
    /// When each session of a person was last active.
    sessions: Vec<DateTime<Utc>>,
    /// Whether every transcript there is was read to its end.
    is_complete: bool,
    /// The memories that a session had and then corrected.
    corrected: BTreeMap<String, Correction>,
}

impl RecallUse {
    /// Looks at the transcripts of a choice: what is new is read, the rest is remembered.
    #[must_use]
    pub fn of(choice: &Choice, state: &StateDir) -> Self {
        let start = Instant::now();
        let stop = || start.elapsed() > PATIENCE;
        let before = Record::read(state, &choice.store);
        let mut record = before.clone();
        let mut is_complete = true;
        let listed = choice.sessions.iter().flat_map(|dir| list_sessions(dir).unwrap_or_default());
        for session in listed.take(MOST_TRANSCRIPTS) {
            is_complete &= look(&mut record, choice, &session.id, &session.path, &stop);
            let agents = session.path.with_extension("").join("subagents");
            for agent in record::agents(&agents) {
                let name = agent.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                is_complete &= look(&mut record, choice, &format!("{}/{name}", session.id), &agent, &stop);
            }
        }
        if record != before {
            record.write(state, &choice.store);
        }
        let ledgers = given::all(state, choice.store.root());
        let corrected = corrected::of(&choice.store, state, &ledgers);
        Self { corrected, ..Self::summed(&record, &ledgers, is_complete) }
    }

    fn summed(record: &Record, given: &[(String, Vec<Given>)], is_complete: bool) -> Self {
        let mut by_file: BTreeMap<String, Used> = BTreeMap::new();
        let mut sessions = Vec::new();
        let mut users: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (id, transcript) in record.transcripts.iter().filter(|(_, transcript)| transcript.counts) {
            if !id.contains('/') {
                sessions.extend(transcript.last);
            }
            for (file, tally) in &transcript.uses {
                let used = by_file.entry(file.clone()).or_default();
                used.read += tally.read;
                used.injected += tally.injected;
                used.written += tally.written;
                used.last = used.last.max(tally.last);
                if tally.read + tally.injected > 0 {
                    // What a sub-agent used, its session used.
                    users.entry(file.clone()).or_default().insert(id.split('/').next().unwrap_or(id));
                }
            }
        }
        // What our own hook put into sessions stands in no transcript under the file's name.
        for (session, given) in given {
            for one in given.iter().filter(|one| one.how == How::Recalled) {
                let used = by_file.entry(one.file.clone()).or_default();
                used.injected += 1;
                used.last = used.last.max(Some(one.at));
                users.entry(one.file.clone()).or_default().insert(session);
            }
        }
        for (file, used) in &mut by_file {
            used.sessions = users.get(file).map_or(0, BTreeSet::len);
        }
        sessions.sort_unstable();
        Self { by_file, sessions, is_complete, corrected: BTreeMap::new() }
    }

    /// How a memory was used.
    #[must_use]
    pub fn used(&self, file: &str) -> Used {
        self.by_file.get(file).cloned().unwrap_or_default()
    }

    /// How a session that had a memory corrected it, when no person has changed it since.
    #[must_use]
    pub fn correction(&self, file: &str) -> Option<&Correction> {
        self.corrected.get(file)
    }

    /// How many sessions there were after an instant.
    #[must_use]
    pub fn sessions_since(&self, at: DateTime<Utc>) -> usize {
        self.sessions.len() - self.sessions.partition_point(|session| *session <= at)
    }

    /// Since how many sessions a memory has not been used, when they are enough to mean something.
    #[must_use]
    pub fn never_used_in(&self, file: &str, claimed: DateTime<Utc>) -> Option<usize> {
        let used = self.used(file);
        let sessions = self.sessions_since(claimed);
        (self.is_complete && used.read + used.injected == 0 && sessions >= ENOUGH_SESSIONS).then_some(sessions)
    }

    /// One sentence: `read 4 times in 3 sessions, last 12 days ago`; `None` when there is no session to tell.
    #[must_use]
    pub fn sentence(&self, file: &str, now: DateTime<Utc>) -> Option<String> {
        let used = self.used(file);
        let ways = [(used.read, "read"), (used.injected, "recalled")];
        let mut told: Vec<String> = ways
            .into_iter()
            .filter(|(times, _)| *times > 0)
            .map(|(times, way)| format!("{way} {}", count(times, "time", "times")))
            .collect();
        if told.is_empty() {
            match self.sessions.len() {
                0 if used.written == 0 => return None,
                sessions => told.push(format!("not used in {}", count(sessions, "known session", "known sessions"))),
            }
        } else {
            let days = used.last.map(|last| (now - last).num_days().max(0));
            let last = match days {
                None => String::new(),
                Some(0) => ", last today".to_owned(),
                Some(days) => {
                    format!(", last {} ago", count(usize::try_from(days).unwrap_or(usize::MAX), "day", "days"))
                }
            };
            told.push(format!("in {}{last}", count(used.sessions, "session", "sessions")));
        }
        let joined = match told.as_slice() {
            [one] => one.clone(),
            [first, last] => format!("{first} {last}"),
            many => many.join(", "),
        };
        Some(match used.written {
            0 => joined,
            times => format!("{joined} · written {}", count(times, "time", "times")),
        })
    }
}

/// Brings the record of one transcript up to date; whether it is read to its end.
fn look(record: &mut Record, choice: &Choice, id: &str, path: &Path, stop: &dyn Fn() -> bool) -> bool {
    let Some(identity) = record::identity(path) else { return true };
    let known = record.transcripts.get(id).filter(|known| known.goes_on(&identity, path));
    if known.is_some_and(|known| known.identity == identity && known.is_whole) {
        return true;
    }
    if stop() {
        return false;
    }
    let mut transcript = known.cloned().unwrap_or_default();
    let Ok(found) = memory_uses(path, transcript.end, stop) else { return true };
    if transcript.end == (0, 0) {
        transcript.counts = !found.is_headless && is_of(choice, path, found.cwd.as_deref());
    }
    let session_time = || std::fs::metadata(path).and_then(|file| file.modified()).ok().map(crate::clock::file_time);
    transcript.last = transcript.last.max(found.last).max(session_time());
    // What a fork copied, the session it comes from did.
    for one in found.uses.into_iter().filter(|one| !one.is_copy) {
        let Some(file) = file_of(&choice.store, &one.path) else { continue };
        let tally = transcript.uses.entry(file).or_default();
        match one.kind {
            UseKind::Read => tally.read += 1,
            UseKind::Injected => tally.injected += 1,
            UseKind::Written => tally.written += 1,
        }
        if one.kind != UseKind::Written {
            tally.last = tally.last.max(one.at);
        }
    }
    transcript.end = found.end;
    transcript.is_whole = !found.is_stopped;
    transcript.identity = identity;
    transcript.seal(path);
    let is_whole = transcript.is_whole;
    record.take(id, transcript);
    is_whole
}

/// The file of a store that a path of a session means: below the store, or below the folder of the same project in a home
/// that has moved since. The index is nobody's memory.
fn file_of(store: &Store, path: &str) -> Option<String> {
    let root = store.root().to_string_lossy().replace('\\', "/");
    let below = |root: &str| path.strip_prefix(root)?.strip_prefix('/').map(str::to_owned);
    let file = below(&root).or_else(|| {
        let mut parts = root.rsplit('/');
        let (memory, folder) = (parts.next()?, parts.next()?);
        let tail = format!("/projects/{folder}/{memory}/");
        path.split_once(tail.as_str()).map(|(_, file)| file.to_owned())
    })?;
    (crate::memory::names::is_markdown(&file) && file != crate::memory::INDEX_FILE).then_some(file)
}
