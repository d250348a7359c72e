//! Recall: which memories a prompt calls for.
//!
//! A query is read once ([`Question`]), every store once with it ([`Question::examine`]), and [`rank`] picks at most
//! [`MOST`] memories, none when it is not sure. `select` checks a model's answer against what is there and falls back to
//! the ranking; `frame` puts the picked ones into words a session can be given; `prompt` is the memory section a session
//! starts with; `find` searches texts for a pattern. Nothing is kept between queries and nothing is written. Not its job: asking a model (`crate::engine`), and
//! finding stores (`crate::project`).

mod copies;
mod correct;
mod count;
mod examine;
pub mod find;
mod fold;
pub mod frame;
mod language;
pub mod prompt;
mod query;
mod rank;
pub mod select;
mod tools;
mod why;
mod words;

use std::path::PathBuf;

use crate::memory::{Memory, Store, freshness};

pub use examine::{Examined, Question};
pub use rank::rank;
pub use select::{Selection, Selector};

/// At most this many memories are recalled.
pub const MOST: usize = 5;

/// A memory that was scored.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The store it lies in.
    pub store: Store,
    /// What the scan says of it.
    pub memory: Memory,
    /// The score of the ranking, comparable within one answer only; 0 for one that a model chose and the ranking did not.
    pub score: f64,
    /// Why, in one line.
    pub why: String,
    /// Every path the same content lies at, its own first: copies are one memory.
    pub places: Vec<PathBuf>,
}

impl Hit {
    /// Its file's path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.store.path(&self.memory.file)
    }

    /// About how many tokens it costs a session: bytes by 3.5, an estimate.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.memory.bytes * 2 / 7
    }

    /// The note on its age; empty up to a day.
    #[must_use]
    pub fn note(&self) -> String {
        freshness::note(self.memory.age_days)
    }
}

/// A memory that matched and was not picked.
#[derive(Clone, Debug)]
pub struct Missed {
    /// The memory, with its score and what matched.
    pub hit: Hit,
    /// What kept it out.
    pub because: String,
}

/// What the ranking makes of a query.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// What is recalled, best first; at most [`MOST`].
    pub picked: Vec<Hit>,
    /// What came closest without being picked, best first.
    pub missed: Vec<Missed>,
}
