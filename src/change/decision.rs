//! What a person decides about one held change, and how that change meets the disk.
//!
//! Not its job: what stands beside it (see [`super::review`]), and landing it.

use std::collections::BTreeSet;

use super::guard::held;
use super::hunks::{self, take};
use super::merge::{Merge, three_way};
use super::write::Root;
use super::{DoorError, HeldChange, Op};
use crate::memory::INDEX_FILE;

/// What a person makes of the files of one inbox entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// What lands.
    pub accepted: Vec<Accepted>,
    /// What is dropped.
    pub rejected: BTreeSet<String>,
}

/// What is taken of one held file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The file.
    pub file: String,
    /// How much of it.
    pub take: Take,
}

/// How much of a held change is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// All of it.
    Whole,
    /// The hunks of these numbers, from 1; the rest goes on waiting.
    Hunks(BTreeSet<usize>),
    /// The person's own version of it.
    Text {
        /// What it becomes.
        text: Vec<u8>,
        /// What they saw on the disk when they wrote it; `None`: what the proposal was made from.
        base: Option<Vec<u8>>,
    },
}

/// How a held change meets the file as it is on the disk now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Disk {
    /// The file is as it was.
    Same,
    /// It changed since, elsewhere than the proposal: both come together.
    Merges,
    /// It changed since, in the same places: it cannot land as it is.
    Conflicts,
    /// It is gone.
    Gone,
    /// It is as proposed already.
    Done,
}

impl Disk {
    /// What that means for a change, to tell a person; empty when there is nothing to tell.
    #[must_use]
    pub const fn sentence(self, op: Op) -> &'static str {
        match (self, op) {
            (Self::Same, _) => "",
            (Self::Merges, _) => "the file changed since; both changes will be merged",
            (Self::Conflicts, Op::Create) => "another file has this name by now; this one lands under a numbered name",
            (Self::Conflicts, Op::Replace) => {
                "the file changed since in the same places; edit brings both versions together, or reject it"
            }
            (Self::Conflicts, Op::Remove) => "the file changed since, so it is not what was to go; reject the removal",
            (Self::Gone, _) => "the file is gone since; reject the change",
            (Self::Done, _) => "the file is as proposed already",
        }
    }
}

/// How a change meets the disk, and what lies there when the two cannot be merged.
pub(super) fn disk(change: &HeldChange, root: Option<&Root>) -> (Disk, Option<Vec<u8>>) {
    let found = root.and_then(|root| root.locate(&change.file).and_then(|place| place.read()).ok().flatten());
    let now = found.as_ref().map(|state| state.bytes.as_slice());
    if now == change.content.as_deref() {
        return (Disk::Done, None);
    }
    if now == change.base.as_deref() {
        return (Disk::Same, None);
    }
    // The index is edited line by line, on whatever it is.
    if change.file == INDEX_FILE {
        return (Disk::Merges, None);
    }
    match (change.base.as_deref(), change.content.as_deref(), now) {
        (_, _, None) => (Disk::Gone, None),
        (Some(base), Some(content), Some(now)) if matches!(three_way(base, content, now), Merge::Clean(_)) => {
            (Disk::Merges, None)
        }
        (_, _, Some(now)) => (Disk::Conflicts, Some(now.to_vec())),
    }
}

/// What is meant to land of one file.
pub(super) enum Part {
    Whole,
    Some(Vec<u8>),
    Own { text: Vec<u8>, base: Option<Vec<u8>> },
    Nothing,
}

pub(super) fn part(
    file: &str,
    op: Op,
    base: Option<&[u8]>,
    content: Option<&[u8]>,
    wanted: &Take,
) -> Result<Part, DoorError> {
    let numbers = match wanted {
        Take::Whole => return Ok(Part::Whole),
        Take::Text { .. } if op == Op::Remove => {
            return Err(refused(file, "a removal has no text to edit; accept or reject it".to_owned()));
        }
        Take::Text { text, base } => {
            // A new file has no base, whatever was seen beside it.
            let base = base.clone().filter(|_| op != Op::Create);
            return Ok(Part::Own { text: text.clone(), base });
        }
        Take::Hunks(numbers) => numbers,
    };
    let count = match (base, content) {
        (Some(base), Some(content)) => hunks::between(base, content).len(),
        _ => 1,
    };
    if let Some(wrong) = numbers.iter().find(|number| **number == 0 || **number > count) {
        let has = crate::text::count(count, "hunk", "hunks");
        return Err(refused(file, format!("there is no hunk {wrong}; it has {has}, see `dreamtop inbox show`")));
    }
    Ok(match (base, content) {
        _ if numbers.is_empty() => Part::Nothing,
        (Some(base), Some(content)) if numbers.len() < count => Part::Some(take(base, content, numbers)),
        _ => Part::Whole,
    })
}

pub(super) fn refused(file: &str, message: String) -> DoorError {
    DoorError::Refused { file: crate::text::visible(file).into_owned(), reason: held("validity", message) }
}
