//! The same fact in other words: its main clause says the same, and only what follows the first comma is put differently.
//!
//! Not its job: texts that are alike as a whole (see [`super::similarity`]) and newer values (see [`super::supersede`]).

use super::similarity::Shape;

/// Content words that the main clause has at least: less could be said of many things.
pub(super) const FEWEST: usize = 4;

/// Whether two statements of one type share their main clause: the same words in the same order, with the same numbers,
/// dates, names and polarity; and no values of their own in what follows.
pub(super) fn shares_main_clause(one: &str, other: &str) -> bool {
    let ((head, tail), (other_head, other_tail)) = (split(one), split(other));
    if tail.is_empty() && other_tail.is_empty() {
        return false;
    }
    let (shape, other_shape) = (Shape::of(head), Shape::of(other_head));
    shape.content.len() >= FEWEST
        && shape.content == other_shape.content
        && shape.agrees_with(&other_shape)
        && order(&shape) == order(&other_shape)
        && Shape::of(tail).has_no_value_against(&Shape::of(other_tail))
}

/// The main clause and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let at = [", ", "; ", " — ", " – ", "，", "、", "；"].iter().filter_map(|mark| text.find(mark)).min();
    at.and_then(|at| Some((text.get(..at)?, text.get(at..)?))).unwrap_or((text, ""))
}

/// The beginnings of the words that carry meaning, in their order: who reviews whom stays apart.
fn order(shape: &Shape) -> Vec<String> {
    shape
        .plain
        .split(' ')
        .filter(|word| !Shape::of(word).content.is_empty())
        .map(|word| word.chars().take(4).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_main_clause_is_the_same_fact() {
        let rows = [
            (
                "Chargeback files come from the bank every Monday at 05:30 UTC, nothing before that is complete.",
                "The chargeback files come from the bank every Monday at 05:30 UTC, and whatever is there before that is incomplete.",
            ),
            (
                "The nightly export lands in the partner bucket at 02:00, earlier reads are partial.",
                "The nightly export lands in the partner bucket at 02:00.",
            ),
        ];
        for (one, other) in rows {
            assert!(shares_main_clause(one, other) && shares_main_clause(other, one), "{one:?} / {other:?}");
        }
    }

    #[test]
    fn another_value_name_order_or_polarity_in_the_main_clause_is_another_fact() {
        let base = "Chargeback files come from the bank every Monday at 05:30 UTC, nothing before that is complete.";
        let others = [
            "Chargeback files come from the bank every Monday at 06:30 UTC, nothing before that is complete.",
            "Chargeback files come from the bank every Tuesday at 05:30 UTC, nothing before that is complete.",
            "Chargeback files never come from the bank every Monday at 05:30 UTC, nothing else does.",
            "Refund files come from the bank every Monday at 05:30 UTC, nothing before that is complete.",
            "Chargeback files come from the vendor every Monday at 05:30 UTC, as before.",
        ];
        for other in others {
            assert!(!shares_main_clause(base, other), "{other:?}");
        }
        let rows = [
            ("Priya reviews all database code of Marco, mostly.", "Marco reviews all database code of Priya, mostly."),
            ("Always run the linter, please.", "Always run the linter, it is fast."),
            (
                "The nightly export of orders lands in the bucket, at 02:00.",
                "The nightly export of orders lands in the bucket, at 04:00.",
            ),
        ];
        for (one, other) in rows {
            assert!(!shares_main_clause(one, other), "{one:?} / {other:?}");
        }
    }
}
