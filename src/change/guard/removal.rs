//! Many files going at once: a person decides. A file whose every sentence stands elsewhere afterwards does not count; one
//! that a named file replaces, with a line that says what stood before, counts only towards the five.

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
    /// Why it goes.
    pub(in crate::change) reason: &'a str,
}

/// Which removals are held, by their place: those that lose something, when they are more than five or more than a
/// quarter of the `total` files.
pub(in crate::change) fn check(removals: &[Removal<'_>], total: usize, after: &Sentences) -> Vec<(usize, HoldReason)> {
    let losing: Vec<&Removal<'_>> = removals.iter().filter(|removal| !survives(removal.bytes, after)).collect();
    let (replaced, lost): (Vec<&Removal<'_>>, Vec<&Removal<'_>>) =
        losing.into_iter().partition(|removal| is_pointed_to(removal, after));
    let is_many = replaced.len() + lost.len() > MOST;
    if !is_many && lost.len() * 4 <= total {
        return Vec::new();
    }
    let held_back: Vec<&Removal<'_>> = if is_many { replaced.into_iter().chain(lost).collect() } else { lost };
    let message = format!(
        "{} of {total} would go whose text stands nowhere else; more than {MOST}, or more than a quarter, waits for you",
        crate::text::count(held_back.len(), "file", "files"),
    );
    held_back.iter().map(|removal| (removal.at, held("bulk-removal", message.clone()))).collect()
}

/// Whether a file that stays is named as what replaces this one, and says what stood before: the first sentence, which is the
/// claim, stands there.
fn is_pointed_to(removal: &Removal<'_>, after: &Sentences) -> bool {
    let Some(named) = removal.reason.to_lowercase().find("superseded by ").and_then(|at| removal.reason.get(at + 14..))
    else {
        return false;
    };
    let file = named.split([' ', ';', ',', ':']).next().unwrap_or_default().trim_end_matches('.');
    let sentences = sentences::of_file(removal.bytes);
    sentences.first().is_some_and(|claim| after.stands_in(claim, file))
}

fn survives(bytes: &[u8], after: &Sentences) -> bool {
    sentences::of_file(bytes).iter().all(|sentence| after.contains(sentence))
}
