//! Topic files that would become too large. An existing large file may shrink, or stay as large as it is.

use super::{Subject, held};
use crate::change::HoldReason;

/// The largest topic file, which is also what a team server takes.
pub(crate) const LARGEST: usize = 250_000;

pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let after = subject.after?.len();
    let before = subject.before.map_or(0, <[u8]>::len);
    (after > LARGEST && after > before).then(|| {
        let size = crate::text::bytes(after as u64);
        held("size", format!("it would grow to {size}; a memory file holds at most 250 KB: split it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Rationale;

    fn hold(before: Option<usize>, after: usize) -> bool {
        let (before, after) = (before.map(|length| vec![b'x'; length]), vec![b'x'; after]);
        let rationale = Rationale::default();
        let subject = Subject { file: "a.md", before: before.as_deref(), after: Some(&after), rationale: &rationale };
        check(&subject).is_some()
    }

    #[test]
    fn a_file_may_not_grow_past_the_limit_but_a_large_one_may_shrink() {
        assert!(!hold(None, LARGEST));
        assert!(hold(None, LARGEST + 1));
        assert!(hold(Some(LARGEST + 10), LARGEST + 11));
        assert!(!hold(Some(LARGEST + 10), LARGEST + 10));
        assert!(!hold(Some(300_000), 260_000));
    }
}
