//! Many files going at once: a person decides. A file whose every sentence stands elsewhere afterwards does not count.

use super::held;
use super::sentences::{self, Sentences};
use crate::change::HoldReason;

/// More removals than this wait.
const MOST: usize = 5;

/// A removal as this guard sees it.
#[derive(Clone, Copy, Debug)]
pub(in crate::change) struct Removal<'a> {
    /// Its place among the changes.
    pub(in crate::change) at: usize,
    pub(in crate::change) bytes: &'a [u8],
}

/// Which removals are held, by their place: those that lose something, when they are more than five or more than a
/// quarter of the `total` files.
pub(in crate::change) fn check(removals: &[Removal<'_>], total: usize, after: &Sentences) -> Vec<(usize, HoldReason)> {
    let losing: Vec<&Removal<'_>> = removals.iter().filter(|removal| !survives(removal.bytes, after)).collect();
    let count = losing.len();
    if count <= MOST && count * 4 <= total {
        return Vec::new();
    }
    let message = format!(
        "{} of {total} would go whose text stands nowhere else; more than {MOST}, or more than a quarter, waits for you",
        crate::text::count(count, "file", "files"),
    );
    losing.iter().map(|removal| (removal.at, held("bulk-removal", message.clone()))).collect()
}

fn survives(bytes: &[u8], after: &Sentences) -> bool {
    sentences::of_file(bytes).iter().all(|sentence| after.contains(sentence))
}
