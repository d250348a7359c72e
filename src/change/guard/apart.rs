//! Team memory and daily logs: they belong to more than this store, so only a person or a sync changes them.

use super::{Subject, held};
use crate::change::HoldReason;
use crate::memory::names::{folded, set_apart};

/// Holds a change of what is none of the store's own memories.
pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let what = set_apart(&folded(subject.file))?;
    Some(held("apart", format!("it is a {what}, which a run may read and not change; accept it only if you want that")))
}
