//! How many changes wait for a person: the one figure that the status line, the inbox, a run and a session are told.
//!
//! Not its job: which changes wait (see [`super::inbox`]).

use super::inbox::InboxEntry;
use crate::memory::INDEX_FILE;

/// How many of these files are a change to decide on. The index follows its memories: it is one of its own only where nothing
/// but the index waits.
#[must_use]
pub fn count_waiting<'a>(files: impl IntoIterator<Item = &'a str>) -> usize {
    let (index, memories) = files
        .into_iter()
        .fold((0, 0), |(index, memories), file| if file == INDEX_FILE { (1, memories) } else { (index, memories + 1) });
    if memories > 0 { memories } else { index }
}

impl InboxEntry {
    /// How many changes of it wait for a person; see [`count_waiting`].
    #[must_use]
    pub fn waiting(&self) -> usize {
        count_waiting(self.changes.iter().map(|change| change.file.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::count_waiting;

    #[test]
    fn the_index_counts_only_where_nothing_else_waits() {
        assert_eq!(count_waiting(["a.md", "MEMORY.md", "b/MEMORY.md"]), 2);
        assert_eq!(count_waiting(["MEMORY.md", "a.md"]), 1);
        assert_eq!(count_waiting(["MEMORY.md"]), 1);
        assert_eq!(count_waiting([]), 0);
    }
}
