//! What a person does to memories, as change sets: one verb, one function. Nothing here touches the disk but to read.

use super::{ChangeSet, DoorError};
use crate::memory::{Draft, Snapshot};

/// What saving means for the age of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    /// A typo: the claim keeps its age.
    KeepAge,
    /// The claim was checked: its age starts again (`metadata.modified` is set where the shape has it).
    Renew,
}

/// A new memory and its index line. The file's name is in the change.
#[must_use]
pub fn create(snapshot: &Snapshot, draft: &Draft) -> ChangeSet {
    let _ = (snapshot, draft);
    todo!()
}

/// An edited memory: `base` is what was opened, `content` what it becomes. When the description changed and the index
/// line held the old one, the line follows. `at` dates a renewed claim.
#[must_use]
pub fn save(
    snapshot: &Snapshot,
    file: &str,
    base: &[u8],
    content: &[u8],
    kind: SaveKind,
    at: chrono::DateTime<chrono::Utc>,
) -> ChangeSet {
    let _ = (snapshot, file, base, content, kind, at);
    todo!()
}

/// Memories to the trash, with their index lines.
///
/// # Errors
/// When a file cannot be read.
pub fn remove(snapshot: &Snapshot, files: &[String]) -> Result<ChangeSet, DoorError> {
    let _ = (snapshot, files);
    todo!()
}

/// A memory under another file name; links in the index and in other memories follow.
///
/// # Errors
/// When a file cannot be read, or the new name is taken.
pub fn rename(snapshot: &Snapshot, from: &str, to: &str) -> Result<ChangeSet, DoorError> {
    let _ = (snapshot, from, to);
    todo!()
}
