//! A line that is too long: what stays in the index, and what belongs into the memory.
//!
//! Not its job: writing either (a dream and a person's edit both do, as change sets).

use super::{ENTRY_CHARACTERS, Index};
use crate::memory::likeness::{Likeness, Shape};
use crate::text;

/// The least a hook keeps, however long its link is.
const LEAST: usize = 40;

/// A line cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The index with the shorter line.
    pub index: Vec<u8>,
    /// The file the line points to.
    pub file: String,
    /// All that the line said about it.
    pub hook: String,
}

/// See [`Index::shortened`].
pub(super) fn shortened(index: &Index, number: usize) -> Option<Shortened> {
    let line = index.lines.get(number.checked_sub(1)?)?;
    let [entry] = line.entries.as_slice() else { return None };
    if entry.wiki || entry.mention || entry.hook.is_empty() || line.loaded.is_none() {
        return None;
    }
    let others = line.text.chars().count().saturating_sub(entry.hook.chars().count());
    let short = text::shortened(&entry.hook, ENTRY_CHARACTERS.saturating_sub(others).max(LEAST));
    if short == entry.hook {
        return None;
    }
    let shorter = crate::memory::lines::replaced(&index.bytes, vec![(entry.hook_span.clone(), short.into_bytes())]);
    Some(Shortened { index: shorter, file: entry.target.clone(), hook: entry.hook.trim().to_owned() })
}

/// Whether a memory says already what a hook says, so that cutting the hook loses nothing.
pub(crate) fn says(description: &str, body: &str, hook: &str) -> bool {
    let hook = hook.trim();
    let said = Shape::of(hook);
    let whole = Shape::of(&format!("{description}\n{body}"));
    body.contains(hook)
        || body.lines().any(|line| Shape::of(line).likeness(&said) == Likeness::Same)
        || (said.is_covered_by(&whole)
            && said.contained_in(&whole) >= 0.999
            && body.to_lowercase().contains(&hook.trim_end_matches('.').to_lowercase()))
}
