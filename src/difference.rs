//! Where two sequences differ, whatever they are made of: lines, words, bytes.
//!
//! The things are numbered first (equal ones get one number), so that the comparison itself exists once in the program
//! and compares numbers. Not its job: how a difference looks and what becomes of it.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, diff_ratio, group_diff_ops};

/// The operations that turn `old` into `new`, in order, without gaps.
///
/// They are the fewest, and the same ones each time.
pub(crate) fn between<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    numbered(old, new, None)
}

/// The same, but after this long it settles for operations that are merely right.
pub(crate) fn within<T: Hash + Eq>(patience: Duration, old: &[T], new: &[T]) -> Vec<DiffOp> {
    numbered(old, new, Instant::now().checked_add(patience))
}

/// Groups of operations with at most `context` unchanged things around each.
pub(crate) fn grouped(operations: Vec<DiffOp>, context: usize) -> Vec<Vec<DiffOp>> {
    group_diff_ops(operations, context)
}

/// How much of two sequences of these lengths is the same, from 0 to 1.
pub(crate) fn share(operations: &[DiffOp], old: usize, new: usize) -> f32 {
    diff_ratio(operations, old, new)
}

/// Two texts as a unified diff without file names, with so many lines around each change.
pub(crate) fn unified(before: &str, after: &str, context: usize) -> String {
    let patch = diffy::DiffOptions::new().set_context_len(context).create_patch(before, after).to_string();
    patch.splitn(3, '\n').nth(2).unwrap_or_default().to_owned()
}

fn numbered<T: Hash + Eq>(old: &[T], new: &[T], deadline: Option<Instant>) -> Vec<DiffOp> {
    let mut known: HashMap<&T, u32> = HashMap::with_capacity(old.len());
    let (mut olds, mut news) = (Vec::with_capacity(old.len()), Vec::with_capacity(new.len()));
    for (things, numbers) in [(old, &mut olds), (new, &mut news)] {
        for thing in things {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            numbers.push(*known.entry(thing).or_insert(next));
        }
    }
    compare(&olds, &news, deadline)
}

fn compare(old: &[u32], new: &[u32], deadline: Option<Instant>) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_goes_and_comes_is_told_by_place_for_anything_that_can_be_compared() {
        let told = |operations: Vec<DiffOp>| -> Vec<(usize, usize, usize, usize)> {
            let changed = operations.iter().filter(|one| !matches!(one, DiffOp::Equal { .. }));
            changed
                .map(|one| (one.old_range().start, one.old_range().end, one.new_range().start, one.new_range().end))
                .collect()
        };
        assert_eq!(told(between(&["a", "b", "c"], &["a", "x", "c", "d"])), [(1, 2, 1, 2), (3, 3, 3, 4)]);
        assert_eq!(told(between(&[b"a".to_vec()], &[])), [(0, 1, 0, 0)]);
        assert_eq!(told(within(Duration::ZERO, &[1, 2, 3], &[1, 2, 3])), []);
    }

    #[test]
    fn groups_have_their_context_and_a_share_is_a_part_of_both() {
        let old: Vec<usize> = (0..40).collect();
        let mut new = old.clone();
        (new[3], new[30]) = (100, 101);
        let operations = between(&old, &new);
        assert!((share(&operations, 40, 40) - 0.95).abs() < 0.001);
        let groups = grouped(operations, 2);
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0][0].old_range(), 1..3);
    }
}
