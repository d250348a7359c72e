//! Records: one line for each run that was fired, completed, failed or skipped, in a log of our own. Nothing is sent
//! anywhere.
//!
//! Not its job: counting them (see [`super::stats`]) and what a run did in detail (its journal has that).

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Outcome, trigger};
use crate::config::Money;
use crate::engine::{JobKind, Tokens};
use crate::state::{StateDir, append_line, replace_plainly, with_path};

/// When the log is larger than this it becomes `records.1.jsonl` and a new one begins: no more than twice this is ever kept.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The latest trigger that began nothing, beside the journals.
const LATEST: &str = "trigger.json";

/// What happened to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// Its gates were open and it began.
    Fired,
    /// It did its work: done, partial or held.
    Completed,
    /// It failed or was killed.
    Failed,
    /// A gate was closed.
    Skipped,
    /// A run of the same session was going on, and looks once more at its end.
    Coalesced,
    /// What it had landed was taken back.
    Undone,
    /// What was taken back is in force again.
    Redone,
}

/// One record. What does not belong to what happened is `None` or zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// `auto_dream_fired`, `extract_memories_completed`, …; see [`RunRecord::happened`].
    pub event: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The store's directory.
    #[serde(default)]
    pub store: PathBuf,
    /// What started it: `hand`, `screen`, `hook`, `session-end`, `catch-up`, `trailing`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trigger: String,
    /// The session it is for: of an extraction the one it reads, of a dream the one that goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The engine's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Fired: hours since the last success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours_since: Option<i64>,
    /// Fired: sessions with something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions_since: Option<usize>,
    /// Completed, failed: how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Completed, failed, skipped: why, in one sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Killed: by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<String>,
    /// Completed, failed: tokens read by the model.
    #[serde(default)]
    pub input: u64,
    /// Completed, failed: tokens written by the model.
    #[serde(default)]
    pub output: u64,
    /// Completed, failed: tokens read from the prompt cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Completed, failed: tokens written to the prompt cache.
    #[serde(default)]
    pub cache_created: u64,
    /// Completed, failed: what the tokens cost, where prices are set.
    #[serde(default, skip_serializing_if = "Money::is_nothing")]
    pub cost: Money,
    /// Completed, failed: sessions that were reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions_reviewed: Option<usize>,
    /// Completed, failed: milliseconds from start to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

const SUBJECTS: [(JobKind, &str); 2] = [(JobKind::Dream, "auto_dream"), (JobKind::Extract, "extract_memories")];
const VERBS: [(Happened, &str); 7] = [
    (Happened::Fired, "fired"),
    (Happened::Completed, "completed"),
    (Happened::Failed, "failed"),
    (Happened::Skipped, "skipped"),
    (Happened::Coalesced, "coalesced"),
    (Happened::Undone, "undone"),
    (Happened::Redone, "redone"),
];

impl RunRecord {
    /// A record of something that happened to a run of that kind, with nothing else said.
    #[must_use]
    pub fn new(kind: JobKind, what: Happened, at: DateTime<Utc>) -> Self {
        let subject = SUBJECTS.iter().find(|(known, _)| *known == kind).map_or("", |(_, word)| word);
        let verb = VERBS.iter().find(|(known, _)| *known == what).map_or("", |(_, word)| word);
        Self {
            event: format!("{subject}_{verb}"),
            at,
            run: None,
            store: PathBuf::new(),
            trigger: String::new(),
            session: None,
            engine: String::new(),
            hours_since: None,
            sessions_since: None,
            outcome: None,
            reason: String::new(),
            killed_by: None,
            input: 0,
            output: 0,
            cache_read: 0,
            cache_created: 0,
            cost: Money(0),
            sessions_reviewed: None,
            ms: None,
        }
    }

    /// Extract or dream; `None` for a name of another version.
    #[must_use]
    pub fn kind(&self) -> Option<JobKind> {
        SUBJECTS.iter().find(|(_, subject)| self.event.starts_with(subject)).map(|(kind, _)| *kind)
    }

    /// What happened; `None` for a name of another version.
    #[must_use]
    pub fn happened(&self) -> Option<Happened> {
        VERBS.iter().find(|(_, verb)| self.event.ends_with(verb)).map(|(what, _)| *what)
    }

    /// Whether it says what became of a trigger nobody pulled by hand.
    #[must_use]
    pub fn is_trigger(&self) -> bool {
        self.is_refusal() || self.happened() == Some(Happened::Fired) && trigger::is_automatic(&self.trigger)
    }

    /// Whether it is of a trigger nobody pulled by hand and that began no run of its own.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        let began_nothing = matches!(self.happened(), Some(Happened::Skipped | Happened::Coalesced));
        began_nothing && trigger::is_automatic(&self.trigger)
    }

    /// What happened, in words for people: `dream began`, `extraction ended: done`. A name of another version stays as it is.
    #[must_use]
    pub fn words(&self) -> String {
        let (Some(kind), Some(what)) = (self.kind(), self.happened()) else {
            return crate::text::visible(&self.event).into_owned();
        };
        let run = match kind {
            JobKind::Dream => "dream",
            JobKind::Extract => "extraction",
        };
        match what {
            Happened::Fired => format!("{run} began"),
            Happened::Completed => format!("{run} ended: {}", self.outcome.unwrap_or(Outcome::Done).word()),
            Happened::Failed => format!("{run} ended: {}", self.outcome.unwrap_or(Outcome::Failed).word()),
            Happened::Skipped => format!("{run} not begun"),
            Happened::Coalesced => format!("{run} joined to the one going on"),
            Happened::Undone => format!("{run} taken back"),
            Happened::Redone => format!("{run} in force again"),
        }
    }

    /// The tokens of a run that ended.
    #[must_use]
    pub const fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_created: self.cache_created,
        }
    }

    /// The same record with the tokens of a run.
    #[must_use]
    pub(super) const fn with_tokens(mut self, tokens: Tokens) -> Self {
        self.input = tokens.input;
        self.output = tokens.output;
        self.cache_read = tokens.cache_read;
        self.cache_created = tokens.cache_created;
        self
    }
}

/// The two logs, the older first.
pub(super) fn files(state: &StateDir) -> [PathBuf; 2] {
    ["records.1.jsonl", "records.jsonl"].map(|name| state.log().join(name))
}

/// Appends a record. A full disk costs the record, not the run.
pub(super) fn append(state: &StateDir, record: &RunRecord) {
    let [older, current] = files(state);
    if fs::metadata(&current).is_ok_and(|found| found.len() > MAX_BYTES) {
        let _ = fs::rename(&current, older);
    }
    if let Ok(line) = serde_json::to_string(record) {
        let _ = append_line(&current, &line, false);
        if record.is_refusal() {
            // A trigger that begins nothing leaves no journal: whoever watches those has to see it, too.
            let _ = replace_plainly(&state.runs().join(LATEST), line.as_bytes());
        }
    }
}

/// Every record that is kept, oldest first. Lines that cannot be understood are skipped.
///
/// # Errors
/// When a log is there and cannot be read.
pub fn read(state: &StateDir) -> io::Result<Vec<RunRecord>> {
    let mut records = Vec::new();
    for path in files(state) {
        match crate::state::read_file(&path) {
            Ok(bytes) => {
                let lines = bytes.split(|byte| *byte == b'\n');
                records.extend(lines.filter_map(|line| serde_json::from_slice::<RunRecord>(line).ok()));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(with_path(error, "cannot read", &path)),
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_is_said_in_words_and_a_name_of_another_version_stays() {
        let at = DateTime::UNIX_EPOCH;
        let words = |kind, what, outcome| RunRecord { outcome, ..RunRecord::new(kind, what, at) }.words();
        assert_eq!(words(JobKind::Dream, Happened::Fired, None), "dream began");
        assert_eq!(words(JobKind::Extract, Happened::Completed, Some(Outcome::Partial)), "extraction ended: partial");
        assert_eq!(words(JobKind::Dream, Happened::Failed, Some(Outcome::Killed)), "dream ended: killed");
        assert_eq!(words(JobKind::Dream, Happened::Skipped, None), "dream not begun");
        assert_eq!(words(JobKind::Dream, Happened::Undone, None), "dream taken back");
        let other = RunRecord { event: "auto_nap_fired".into(), ..RunRecord::new(JobKind::Dream, Happened::Fired, at) };
        assert_eq!(other.words(), "auto_nap_fired");
    }
}
