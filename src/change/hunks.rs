//! A proposal taken apart into hunks, and put together again from those a person chose.
//!
//! Byte for byte: all hunks give the proposal, none give what it was made from. Not its job: what becomes of the rest
//! (see [`super::review`]) and how a hunk looks.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::DiffOp;

use super::HeldChange;

/// Beyond this many lines between the common beginning and end, a proposal is one hunk: the same hunks must come out
/// each time, so that no clock may cut the comparison short.
const MOST_LINES: usize = 5_000;

/// One place where a proposal differs from what it was made from: so many lines go, so many come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The lines that go, from 0.
    pub base: Range<usize>,
    /// The lines that come, from 0.
    pub proposed: Range<usize>,
}

/// The hunks of a proposal, in order. People count them from 1.
#[must_use]
pub fn between(base: &[u8], proposed: &[u8]) -> Vec<Hunk> {
    let (base, proposed) = (lines(base), lines(proposed));
    let start = base.iter().zip(&proposed).take_while(|(one, other)| one == other).count();
    let left = base.len().min(proposed.len()) - start;
    let pairs = base.iter().rev().zip(proposed.iter().rev());
    let end = pairs.take(left).take_while(|(one, other)| one == other).count();
    let inner = (start..base.len() - end, start..proposed.len() - end);
    if inner.0.is_empty() && inner.1.is_empty() {
        return Vec::new();
    }
    if inner.0.len().max(inner.1.len()) > MOST_LINES {
        return vec![Hunk { base: inner.0, proposed: inner.1 }];
    }
    let (old, new) = (base.get(inner.0).unwrap_or_default(), proposed.get(inner.1).unwrap_or_default());
    let mut found: Vec<Hunk> = Vec::new();
    for op in crate::difference::between(old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let shifted = |range: Range<usize>| range.start + start..range.end + start;
        let (base, proposed) = (shifted(op.old_range()), shifted(op.new_range()));
        match found.last_mut().filter(|last| last.base.end == base.start && last.proposed.end == proposed.start) {
            Some(last) => (last.base.end, last.proposed.end) = (base.end, proposed.end),
            None => found.push(Hunk { base, proposed }),
        }
    }
    found
}

/// The hunks of a held change: a file that comes or goes as a whole has one.
#[must_use]
pub fn of(change: &HeldChange) -> Vec<Hunk> {
    match (&change.base, &change.content) {
        (Some(base), Some(content)) => between(base, content),
        (base, content) => {
            let count = |bytes: &Option<Vec<u8>>| {
                bytes.as_ref().map_or(0, |bytes| bytes.split_inclusive(|byte| *byte == b'\n').count())
            };
            vec![Hunk { base: 0..count(base), proposed: 0..count(content) }]
        }
    }
}

/// What a text becomes when only the hunks of these numbers (from 1) are taken from a proposal.
#[must_use]
pub fn take(base: &[u8], proposed: &[u8], chosen: &BTreeSet<usize>) -> Vec<u8> {
    let (old, new) = (lines(base), lines(proposed));
    let mut taken = Vec::with_capacity(base.len().max(proposed.len()));
    let mut add = |lines: Option<&[&[u8]]>| lines.into_iter().flatten().for_each(|line| taken.extend_from_slice(line));
    let mut at = 0;
    for (number, hunk) in (1..).zip(between(base, proposed)) {
        add(old.get(at..hunk.base.start));
        at = hunk.base.end;
        add(if chosen.contains(&number) { new.get(hunk.proposed) } else { old.get(hunk.base) });
    }
    add(old.get(at..));
    taken
}

/// The lines of a text with their endings.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn chosen(numbers: &[usize]) -> BTreeSet<usize> {
        numbers.iter().copied().collect()
    }

    #[test]
    fn each_hunk_is_taken_by_itself() {
        let (base, proposed) = (b"1\n2\n3\n4\n5".as_slice(), b"one\n2\n3\n5\nsix\n".as_slice());
        assert_eq!(between(base, proposed).len(), 2, "{:?}", between(base, proposed));
        assert_eq!(take(base, proposed, &chosen(&[1])), b"one\n2\n3\n4\n5");
        assert_eq!(take(base, proposed, &chosen(&[2])), b"1\n2\n3\n5\nsix\n");
    }

    #[test]
    fn a_proposal_too_large_to_compare_is_one_hunk_between_what_both_share() {
        let text = |word: &str| (0..6_000).map(|line| format!("{word} {line}\n")).collect::<String>();
        let base = format!("same\n{}end\n", text("old"));
        let proposed = format!("same\n{}end\n", text("new"));
        let found = between(base.as_bytes(), proposed.as_bytes());
        assert_eq!(found, [Hunk { base: 1..6_001, proposed: 1..6_001 }]);
        assert_eq!(take(base.as_bytes(), proposed.as_bytes(), &chosen(&[1])), proposed.as_bytes());
    }

    /// Texts of few different lines, so that they share many; with carriage returns and without a last newline.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let line = prop::sample::select(vec!["a\n", "b\n", "c\r\n", "\n", "long line\n", "ü\n"]);
        let end = prop::sample::select(vec!["", "a", "end", "\r"]);
        (prop::collection::vec(line, 0..24), end).prop_map(|(lines, end)| (lines.concat() + end).into_bytes())
    }

    proptest! {
        #[test]
        fn all_hunks_give_the_proposal_and_none_give_the_base(base in text(), proposed in text()) {
            let all: BTreeSet<usize> = (1..=between(&base, &proposed).len()).collect();
            prop_assert_eq!(&take(&base, &proposed, &all), &proposed);
            prop_assert_eq!(take(&base, &proposed, &BTreeSet::new()), base);
        }

        #[test]
        fn any_hunks_taken_first_and_the_rest_later_give_the_proposal(
            base in text(), proposed in text(), picks in prop::collection::vec(any::<bool>(), 24)
        ) {
            let found = between(&base, &proposed);
            let first: BTreeSet<usize> = (1..=found.len()).filter(|number| picks.get(number - 1) == Some(&true)).collect();
            let taken = take(&base, &proposed, &first);
            let rest: BTreeSet<usize> = (1..=between(&taken, &proposed).len()).collect();
            prop_assert_eq!(&take(&taken, &proposed, &rest), &proposed);
            // A merge of both sides' lines: every chosen hunk's new lines, every other one's old lines, nothing glued.
            let (old, new, got) = (lines(&base), lines(&proposed), lines(&taken));
            let count: usize = found.iter().zip(1..).map(|(hunk, number)| {
                if first.contains(&number) { hunk.proposed.len() } else { hunk.base.len() }
            }).sum();
            let same: usize = old.len() - found.iter().map(|hunk| hunk.base.len()).sum::<usize>();
            prop_assert_eq!(got.len(), same + count);
            prop_assert!(got.iter().all(|line| old.contains(line) || new.contains(line)));
        }
    }
}
