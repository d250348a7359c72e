//! The records of runs as people look at them: what they add up to, and the newest ones.
//!
//! Not its job: counting (see [`super::stats`]) and how a record is written (see [`super::records`]).

use std::io;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::records::{self, RunRecord};
use super::stats::{Stats, stats};
use crate::state::StateDir;

/// So many of the newest records are kept to look at.
const NEWEST: usize = 200;

/// What the records say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// What all records add up to.
    #[serde(flatten)]
    pub stats: Stats,
    /// The newest records, newest first.
    pub records: Vec<RunRecord>,
}

impl Ledger {
    /// Reads the records and counts them. Without a log nothing is counted.
    ///
    /// # Errors
    /// When a log is there and cannot be read.
    pub fn read(state: &StateDir, now: DateTime<Utc>) -> io::Result<Self> {
        let mut records = records::read(state)?;
        let stats = stats(&records, now);
        records.reverse();
        records.truncate(NEWEST);
        Ok(Self { stats, records })
    }
}
