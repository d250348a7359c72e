//! A memory of the working copy, understood: what it says, when it was claimed, whether it may be changed.
//!
//! Not its job: changing it (see [`super::desk`]), and finding the one that is meant (see [`super::lookup`]).

use chrono::{DateTime, NaiveDate, Utc};

use crate::clock;
use crate::memory::Topic;
use crate::memory::likeness::measured::Measured;

/// A memory of the working copy. What it says is reached as if it were its own.
#[derive(Clone, Debug)]
pub(super) struct Note {
    /// Its file.
    pub(super) file: String,
    /// Its bytes, understood.
    pub(super) topic: Topic,
    /// When it was claimed, if anything says so.
    pub(super) claimed: Option<DateTime<Utc>>,
    /// Whether the claim's time is written in the file.
    pub(super) is_dated: bool,
    /// Whether it may be changed.
    pub(super) is_open: bool,
    pub(super) measured: Measured,
}

impl Note {
    /// The same, claimed when the file itself says.
    pub(super) fn dated(mut self) -> Self {
        self.claimed = written_claim(&self.topic);
        self.is_dated = self.claimed.is_some();
        self
    }

    /// The person's day of the claim.
    pub(super) fn day(&self) -> Option<NaiveDate> {
        self.claimed.map(clock::local_day)
    }
}

impl std::ops::Deref for Note {
    type Target = Measured;

    fn deref(&self) -> &Measured {
        &self.measured
    }
}

/// Understands a file.
pub(super) fn of(file: &str, bytes: Vec<u8>, is_open: bool) -> Note {
    let topic = Topic::read(bytes);
    let measured = Measured::of(file, &topic);
    Note { file: file.to_owned(), claimed: None, is_dated: false, topic, is_open, measured }
}

/// When a memory was claimed, by its own words.
pub(super) fn written_claim(topic: &Topic) -> Option<DateTime<Utc>> {
    let written = topic.frontmatter.modified.as_deref()?;
    DateTime::parse_from_rfc3339(written).ok().map(|at| at.with_timezone(&Utc))
}
