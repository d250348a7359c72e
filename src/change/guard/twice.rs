//! The same memory twice: of new files that say the same, or rest on the same words and say nearly the same, one lands.
//!
//! Not its job: near-duplicates that lie in a store (a finding of `crate::health`; dreams merge them).

use super::held;
use super::sentences;
use crate::change::{HoldReason, Source};
use crate::memory::likeness::{Likeness, Shape, measured};
use crate::memory::{Kind, frontmatter};

/// From this share of common words on, two memories that rest on the same words say the same.
const NEARLY: f64 = 0.6;

/// What one memory says, ready to be compared.
pub(in crate::change) struct Memory {
    file: String,
    kind: Option<Kind>,
    sentences: Vec<String>,
    shape: Shape,
}

impl Memory {
    /// Of a file's bytes, without where it was said.
    pub(in crate::change) fn of(file: &str, bytes: &[u8]) -> Self {
        let read = frontmatter::read(bytes);
        let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
        let said: Vec<&str> = body.lines().filter(|line| !measured::is_source(line)).collect();
        let said = said.join("\n");
        Self {
            file: file.to_owned(),
            kind: read.kind(file),
            sentences: sentences::of_text(&said),
            shape: Shape::of(&said),
        }
    }

    /// Whether all of it is said by one of the store.
    fn stands_in(&self, other: &Self) -> bool {
        !self.sentences.is_empty() && self.sentences.iter().all(|sentence| other.sentences.contains(sentence))
    }

    /// Whether another new one says the same on the same grounds.
    fn repeats(&self, other: &Self, is_same_evidence: bool) -> bool {
        let is_near = || {
            let share = self.shape.contained_in(&other.shape).max(other.shape.contained_in(&self.shape));
            is_same_evidence
                && self.kind == other.kind
                && share >= NEARLY
                && self.shape.has_no_value_against(&other.shape)
                && self.shape.is_negative == other.shape.is_negative
        };
        self.stands_in(other) || self.shape.likeness(&other.shape) == Likeness::Same || is_near()
    }
}

/// Why a new memory waits that says what one of the `store`, or of those new `beside` it, does.
pub(in crate::change) fn check(
    new: &Memory,
    sources: &[Source],
    beside: &[(Memory, Vec<Source>)],
    store: &[Memory],
) -> Option<HoldReason> {
    let is_same = |others: &[Source]| {
        let quotes = |sources: &[Source]| {
            let mut all: Vec<_> = sources.iter().filter_map(|source| source.quote.clone()).collect();
            all.sort();
            all
        };
        let own = quotes(sources);
        !own.is_empty() && own == quotes(others)
    };
    let known = store.iter().find(|other| new.stands_in(other));
    let known = known.or_else(|| {
        beside.iter().find(|(other, others)| new.repeats(other, is_same(others))).map(|(other, _)| other)
    })?;
    let file = crate::text::visible(&known.file).into_owned();
    Some(held("duplicate", format!("{file} says the same; one memory is enough for it")))
}
