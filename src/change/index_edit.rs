//! The index put in order by hand: lines moved, set, dropped, and long ones shortened into their memories, as one change set.
//!
//! What a person arranged is replayed line by line on the index as it is when it lands. Not its job: how a line is moved or cut
//! (see [`crate::memory::Index`]).

use super::index_replay::{is_met, replay};
use super::{Change, ChangeSet, DoorError, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::store::whole;
use crate::memory::{INDEX_FILE, Snapshot};

/// What a person made of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEdit {
    /// The index as it was opened.
    pub base: Vec<u8>,
    /// The index as wanted.
    pub content: Vec<u8>,
    /// The memories that took over what a line said.
    pub taken_over: Vec<TakenOver>,
}

/// A memory with the text of its index line in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenOver {
    /// The file.
    pub file: String,
    /// What it held.
    pub base: Vec<u8>,
    /// What it becomes.
    pub content: Vec<u8>,
}

/// The edit as a change set.
///
/// # Errors
/// [`DoorError::Conflict`] when another program changed the same lines: `merged` is the edit on top of theirs; or when it
/// took the index away: `theirs` is empty then, and `merged` all of the arranged index, which a single line would not be.
pub fn edit_index(snapshot: &Snapshot, edit: &IndexEdit) -> Result<ChangeSet, DoorError> {
    let change = IndexChange { base: edit.base.clone(), content: edit.content.clone() };
    let path = snapshot.store.path(INDEX_FILE);
    let read = snapshot.store.check_link(INDEX_FILE).and_then(|()| whole(&path));
    let current = match read {
        Ok(current) => current,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && edit.base.is_empty() => Vec::new(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let merged = String::from_utf8(edit.content.clone()).ok();
            return Err(DoorError::Conflict { file: INDEX_FILE.to_owned(), theirs: Some(Vec::new()), merged });
        }
        Err(source) => return Err(DoorError::Io { what: "cannot read", path, source }),
    };
    if !is_met(&change, &current) {
        let merged = String::from_utf8(on_top(edit, &current)).ok();
        return Err(DoorError::Conflict { file: INDEX_FILE.to_owned(), theirs: Some(current), merged });
    }
    let mut set = ChangeSet::new(Origin::Edit, "arrange the index");
    set.changes.extend(edit.taken_over.iter().map(|taken| Change {
        file: taken.file.clone(),
        op: Op::Replace,
        base: Some(taken.base.clone()),
        content: Some(taken.content.clone()),
        rationale: Rationale { reason: "the long text of its index line moved here".to_owned(), sources: Vec::new() },
        mtime: Mtime::Keep,
    }));
    set.index = Some(change);
    Ok(set)
}

/// Whether all that the edit says is in [`on_top`]: no line of it meets one that the other version changed as well.
#[must_use]
pub fn is_on_top(edit: &IndexEdit, theirs: &[u8]) -> bool {
    is_met(&IndexChange { base: edit.base.clone(), content: edit.content.clone() }, theirs)
}

/// The edit on top of another version of the index.
#[must_use]
pub fn on_top(edit: &IndexEdit, theirs: &[u8]) -> Vec<u8> {
    replay(&IndexChange { base: edit.base.clone(), content: edit.content.clone() }, theirs, &|_| true)
}
