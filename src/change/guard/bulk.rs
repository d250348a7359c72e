//! New memories of a model: how many come at once without being asked about, and only as many as sessions load.
//!
//! Not its job: whether a memory has evidence (see [`super::evidence`]).

use super::held;
use crate::change::HoldReason;
use crate::text::count;

/// So many new memories of one change set land unasked.
const MOST_NEW: usize = 20;

/// Why new memories wait: for each its place among the `new` ones. `unloaded` is how many entries of the index would not be
/// loaded any more.
pub(in crate::change) fn check(new: usize, unloaded: usize) -> Vec<(usize, HoldReason)> {
    if new > MOST_NEW {
        let message = format!("{new} new memories at once: more than {MOST_NEW} wait for you");
        return (0..new).map(|at| (at, held("bulk", message.clone()))).collect();
    }
    let entries = count(unloaded, "entry", "entries");
    let message = format!("the index is at its limit: {entries} would not be loaded into sessions any more");
    (new.saturating_sub(unloaded)..new).map(|at| (at, held("bulk", message.clone()))).collect()
}
