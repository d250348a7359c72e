//! Which memories are worth a comparison: of thousands only few share enough words.
//!
//! Not its job: the comparison (see [`super::measured`]).

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::memory::Kind;

/// A word that more memories than this have says little about any of them: it alone makes no two worth a comparison.
const COMMON: usize = 64;

/// Which memories are worth a comparison, by place: those of one type that share enough of what they say, a word that is not
/// in very many of them or all of them among it. Each with the words that carry meaning, as [`Shape::marks`] gives them.
pub(crate) fn visit(all: &[(Option<Kind>, Vec<u64>)], meet: &mut dyn FnMut(usize, usize)) {
    let sorted: Vec<Vec<u64>> = all.iter().map(|(_, marks)| in_order(marks)).collect();
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    // Those that say all the same words are worth it whatever words these are.
    let mut alike: HashMap<&[u64], Vec<usize>> = HashMap::new();
    for (at, marks) in sorted.iter().enumerate() {
        marks.iter().for_each(|mark| places.entry(*mark).or_default().push(at));
        alike.entry(marks).or_default().push(at);
    }
    // Through a word that many have everybody would meet everybody: it costs the square of them and tells nothing.
    places.retain(|_, having| having.len() <= COMMON);
    for (at, (marks, (kind, _))) in sorted.iter().zip(all).enumerate() {
        let telling = marks.iter().filter_map(|mark| places.get(mark));
        let mut met: Vec<usize> = telling
            .chain((!marks.is_empty()).then(|| alike.get(marks.as_slice())).flatten())
            .flat_map(|having| having.iter().copied().take_while(|earlier| *earlier < at))
            .collect();
        met.sort_unstable();
        met.dedup();
        for earlier in met {
            let (Some((other_kind, _)), Some(others)) = (all.get(earlier), sorted.get(earlier)) else { continue };
            if kind != other_kind {
                continue;
            }
            let (common, smaller) = (in_both(marks, others), marks.len().min(others.len()));
            // Of "Retries are 3" and "Retries are 5" only the subject is shared.
            if common >= smaller.saturating_sub(1).clamp(1, 2) && common * 3 >= smaller {
                meet(earlier, at);
            }
        }
    }
}

fn in_order(marks: &[u64]) -> Vec<u64> {
    let mut marks = marks.to_vec();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// How many marks two lists in order have in common.
fn in_both(one: &[u64], other: &[u64]) -> usize {
    let (mut one, mut other, mut common) = (one.iter().peekable(), other.iter().peekable(), 0);
    while let (Some(own), Some(theirs)) = (one.peek(), other.peek()) {
        match own.cmp(theirs) {
            Ordering::Less => drop(one.next()),
            Ordering::Greater => drop(other.next()),
            Ordering::Equal => {
                common += 1;
                one.next();
                other.next();
            }
        }
    }
    common
}
