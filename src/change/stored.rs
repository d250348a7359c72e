//! An entry of the inbox as it is stored: with the hashes of its contents, whose bytes lie among the images.
//!
//! Not its job: keeping entries and giving them back (see [`super::inbox`]).

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::rejected::Rejected;
use super::{Change, HoldReason, Mtime, Op, Origin, Rationale};
use crate::memory::{ContentHash, INDEX_FILE};

/// An entry as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) id: String,
    pub(super) at: DateTime<Utc>,
    pub(super) origin: Origin,
    pub(super) run: Option<String>,
    pub(super) title: String,
    pub(super) changes: Vec<StoredChange>,
    pub(super) index: Option<StoredIndex>,
}

/// A held change as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredChange {
    pub(super) file: String,
    pub(super) op: Op,
    pub(super) base: Option<ContentHash>,
    pub(super) content: Option<ContentHash>,
    pub(super) rationale: Rationale,
    pub(super) mtime: Mtime,
    pub(super) reasons: Vec<HoldReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) common: Option<ContentHash>,
}

impl StoredChange {
    /// Whether it is this change, from the same to the same.
    pub(super) fn is(&self, change: &Change) -> bool {
        let hash = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(ContentHash::of);
        self.file == change.file
            && self.op == change.op
            && self.base == hash(&change.base)
            && self.content == hash(&change.content)
    }

    /// The contents it is made of.
    pub(super) fn images(&self) -> impl Iterator<Item = ContentHash> {
        self.base.into_iter().chain(self.content).chain(self.common)
    }
}

/// A held index edit as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredIndex {
    pub(super) base: ContentHash,
    pub(super) content: ContentHash,
    pub(super) reasons: Vec<HoldReason>,
}

impl StoredIndex {
    /// Whether the whole edit waits.
    pub(super) fn is_whole(&self) -> bool {
        !self.reasons.is_empty()
    }
}

impl Stored {
    /// The files that wait, the index among them when all of it does.
    pub(super) fn files(&self) -> Vec<&str> {
        let whole = self.index.as_ref().is_some_and(StoredIndex::is_whole);
        self.changes.iter().map(|change| change.file.as_str()).chain(whole.then_some(INDEX_FILE)).collect()
    }

    /// The files that wait and need one of these contents; the index when one of its lines does.
    pub(super) fn files_made_of(&self, contents: &HashSet<ContentHash>) -> BTreeSet<String> {
        let needs = |hash: &ContentHash| contents.contains(hash);
        // Without its index edit an entry has no lines to land, so all of it goes.
        if self.index.as_ref().is_some_and(|index| needs(&index.base) || needs(&index.content)) {
            return self.files().into_iter().map(str::to_owned).collect();
        }
        let made = self.changes.iter().filter(|change| change.images().any(|hash| needs(&hash)));
        made.map(|change| change.file.clone()).collect()
    }

    /// The contents of the named files among what waits.
    pub(super) fn images_of(&self, names: &[String]) -> Vec<ContentHash> {
        let named = self.changes.iter().filter(|change| names.contains(&change.file));
        let index = self.index.iter().filter(|_| names.iter().any(|name| name == INDEX_FILE));
        let images = named.flat_map(StoredChange::images);
        images.chain(index.flat_map(|index| [index.base, index.content])).collect()
    }

    /// The changes of these files, as what a person rejected.
    pub(super) fn rejected(&self, files: &BTreeSet<String>) -> Vec<Rejected> {
        let named = self.changes.iter().filter(|change| files.contains(&change.file));
        let rejected =
            named.map(|change| Rejected { file: change.file.clone(), base: change.base, content: change.content });
        rejected.collect()
    }

    /// The images it needs.
    pub(super) fn images(&self) -> impl Iterator<Item = ContentHash> {
        let index = self.index.iter().flat_map(|index| [index.base, index.content]);
        self.changes.iter().flat_map(StoredChange::images).chain(index)
    }
}

/// Whether bytes are an entry of an inbox, or why not.
///
/// # Errors
/// Why they are none.
pub fn understood_entry(bytes: &[u8]) -> Result<(), String> {
    serde_json::from_slice::<Stored>(bytes).map(drop).map_err(|error| error.to_string())
}

pub(super) fn read(path: &Path) -> Option<Stored> {
    serde_json::from_slice(&crate::state::read_file(path).ok()?).ok()
}
