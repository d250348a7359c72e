//! From two directories to a change set: what a run did is read off its working copy, never taken from its words.

use std::collections::BTreeMap;
use std::path::Path;

use super::{ChangeSet, Origin, Rationale};

/// What turns `pristine` (the store as the run found it) into `working` (as the run left it). Topic files become changes
/// with the rationale given for them, `MEMORY.md` an index change; anything but regular `*.md` files is ignored.
///
/// # Errors
/// When one of the directories cannot be read.
pub fn change_set(
    pristine: &Path,
    working: &Path,
    origin: Origin,
    title: &str,
    rationales: &BTreeMap<String, Rationale>,
) -> std::io::Result<ChangeSet> {
    let _ = (pristine, working, origin, title, rationales);
    todo!()
}
