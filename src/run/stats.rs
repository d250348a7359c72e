//! The records of runs added up: how often runs were started, how they went, what they used.
//!
//! Read from the local log that the worker writes. Not its job: one run in detail (see [`super::journal`]).

use std::fs;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::records::LOGS;
use crate::engine::JobKind;
use crate::state::StateDir;

/// So many of the newest records are kept to look at.
const NEWEST: usize = 200;

/// One record, as far as it is understood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// `auto_dream_fired`, `extract_memories_completed` and so on.
    pub event: String,
    /// When.
    pub at: Option<DateTime<Utc>>,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why it ended so, or why it did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Hours since the last success, when it was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours_since: Option<i64>,
    /// Sessions with something new since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions_since: Option<u64>,
    /// Sessions it read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions_reviewed: Option<u64>,
    /// Tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Tokens put into a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_created: Option<u64>,
    /// Tokens written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

/// The sums over the runs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// Runs that were started.
    pub fired: u64,
    /// Runs that did their work.
    pub completed: u64,
    /// Runs that failed or were killed.
    pub failed: u64,
    /// Triggers that started nothing.
    pub skipped: u64,
    /// Sessions read.
    pub sessions_reviewed: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens put into a cache.
    pub cache_created: u64,
    /// Tokens written.
    pub output: u64,
}

/// What the records say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Over all dreams.
    pub dream: Sums,
    /// Over all extractions.
    pub extract: Sums,
    /// The newest records, newest first.
    pub records: Vec<Record>,
}

impl Record {
    /// What was done: the word after the kind.
    #[must_use]
    pub fn verb(&self) -> &str {
        self.event.rsplit_once('_').map_or("", |(_, verb)| verb)
    }

    /// The kind of run.
    #[must_use]
    pub fn kind(&self) -> JobKind {
        if self.event.starts_with("auto_dream") { JobKind::Dream } else { JobKind::Extract }
    }
}

/// Reads the records, the older log first. Lines that are no record are passed over; without a log all sums are zero.
#[must_use]
pub fn read(state: &StateDir) -> Stats {
    let mut stats = Stats::default();
    for log in LOGS {
        let bytes = fs::read(state.log().join(log)).unwrap_or_default();
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(record) = serde_json::from_slice::<Record>(line) else { continue };
            stats.add(record);
        }
    }
    let older = stats.records.len().saturating_sub(NEWEST);
    stats.records.drain(..older);
    stats.records.reverse();
    stats
}

impl Stats {
    fn add(&mut self, record: Record) {
        let sums = match record.kind() {
            JobKind::Dream => &mut self.dream,
            JobKind::Extract => &mut self.extract,
        };
        let count = match record.verb() {
            "fired" => &mut sums.fired,
            "completed" => &mut sums.completed,
            "failed" => &mut sums.failed,
            "skipped" => &mut sums.skipped,
            _ => return,
        };
        *count += 1;
        let add = |sum: &mut u64, figure: Option<u64>| *sum = sum.saturating_add(figure.unwrap_or(0));
        add(&mut sums.sessions_reviewed, record.sessions_reviewed);
        add(&mut sums.cache_read, record.cache_read);
        add(&mut sums.cache_created, record.cache_created);
        add(&mut sums.output, record.output);
        self.records.push(record);
    }
}
