//! The value of a thing that is named in two ways: "the deadline for the launch is …", "the launch deadline is now …".
//!
//! Not its job: claims whose words stand in one order (see [`super::slots`]).

use super::Shape;
use super::slots::{self, Slot, Word};
use super::values::{IS, VALUE};

/// Verbs after which a day or a number stands, beside [`IS`].
const VERBS: &[&str] = &[
    "starts", "begins", "ends", "expires", "closes", "opens", "beginnt", "endet", "startet", "empieza", "comienza",
    "termina", "commence", "finit",
];
/// Words between a thing and what it is of, when the thing comes first.
const OF: &[&str] = &["of", "for", "für", "von", "vom", "del", "de", "du", "des", "para"];
/// Words between what is said of a thing and its value.
const BEFORE: &[&str] =
    &["on", "due", "at", "the", "am", "der", "den", "el", "le", "set", "planned", "scheduled", "for"];

/// Words before a thing that are none of it.
const ARTICLES: &[&str] = &["den", "dem", "unser", "unsere", "nuestro", "nuestra", "notre", "nos"];

/// A claim that ends with the value of a thing.
struct Valued<'a> {
    /// The words of the thing that carry meaning, in their order, and where "of" stands among them.
    thing: Vec<u64>,
    joint: Option<usize>,
    verb: &'a str,
    value: &'a [Word],
}

/// The slot of the value of one thing that two claims name in two ways; `None`: they do not.
pub(super) fn slot(one: &[Word], other: &[Word], whole: &str, other_whole: &str) -> Option<Slot> {
    let (one, other) = (Valued::of(one, whole)?, Valued::of(other, other_whole)?);
    let is_turned = |this: &Valued<'_>, that: &Valued<'_>| {
        that.joint.is_none()
            && this.joint.is_some_and(|at| {
                let mut turned = this.thing.clone();
                turned.rotate_left(at.min(this.thing.len()));
                turned == that.thing
            })
    };
    let is_one_thing = one.thing.len() >= 2 && (is_turned(&one, &other) || is_turned(&other, &one));
    let says = |words: &[Word]| words.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>();
    let differs = says(one.value) != says(other.value) && !slots::is_one_day(one.value, other.value);
    (is_one_thing && one.verb == other.verb && differs).then_some(Slot::Exclusive)
}

impl<'a> Valued<'a> {
    fn of(words: &'a [Word], whole: &str) -> Option<Self> {
        let is_verb = |(word, _): &Word| IS.contains(&word.as_str()) || VERBS.contains(&word.as_str());
        let at = words.iter().rposition(is_verb)?;
        let (before, after) = (words.get(..at)?, words.get(at + 1..)?);
        let value =
            after.iter().position(|(word, _)| !BEFORE.contains(&word.as_str())).and_then(|from| after.get(from..))?;
        let is_value =
            (1..=slots::VALUE_WORDS).contains(&value.len()) && value.iter().any(|(word, _)| VALUE.is_match(word));
        let joints: Vec<usize> =
            before.iter().enumerate().filter(|(_, (word, _))| OF.contains(&word.as_str())).map(|(at, _)| at).collect();
        let (head, tail) = match joints.as_slice() {
            [] => (before, None),
            [joint] => (before.get(..*joint)?, before.get(joint + 1..)),
            _ => return None,
        };
        if !is_value || before.iter().any(is_verb) {
            return None;
        }
        let mut thing = content(head, whole);
        let joint = tail.map(|tail| {
            let at = thing.len();
            thing.extend(content(tail, whole));
            at
        });
        Some(Self { thing, joint, verb: words.get(at)?.0.as_str(), value })
    }
}

/// The words that carry meaning, as marks in their order.
fn content(words: &[Word], whole: &str) -> Vec<u64> {
    let told = words.iter().filter(|(word, _)| !ARTICLES.contains(&word.as_str()));
    let text: Vec<String> =
        told.map(|(word, _)| word.trim_end_matches("'s").trim_end_matches("’s").replace('-', " ")).collect();
    Shape::of_part(&text.join(" "), whole).order
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::supersede::{Claim, Relation, relation};

    #[test]
    fn one_thing_named_in_two_ways_has_one_value_and_two_things_have_two() {
        let related = |one: &str, other: &str| relation(&Claim::of(one), &Claim::of(other));
        for (one, other) in [
            ("The deadline for the launch is December 10.", "The launch deadline is now December 17."),
            ("The launch deadline is 2026-12-10.", "The deadline for the launch is 2026-12-17."),
            ("The deadline of the audit is 2026-12-10.", "The audit's deadline is 2026-12-17 now."),
            ("The freeze for the checkout starts on 2026-12-10.", "The checkout freeze starts on 2026-12-17."),
            ("Die Deadline für den Launch ist der 2026-12-10.", "Die Launch-Deadline ist jetzt der 2026-12-17."),
            ("The timeout of the gateway is 30s.", "The gateway timeout is 45s."),
        ] {
            assert_ne!(related(one, other), Relation::None, "{one:?} / {other:?}");
        }
        for (one, other) in [
            ("The deadline for the launch is 2026-12-10.", "The audit deadline is 2026-12-17."),
            ("The deadline for the launch is 2026-12-10.", "The launch party is 2026-12-17."),
            ("The deadline for the app launch is 2026-12-10.", "The website launch deadline is 2026-12-17."),
            ("The review of the plan is on 2026-12-10.", "The plan for the review is on 2026-12-17."),
            ("The freeze for the checkout starts on 2026-12-10.", "The checkout freeze ends on 2026-12-17."),
            ("The launch deadline is 2026-12-10.", "The deadline for the launch is Dec 10."),
        ] {
            assert_eq!(related(one, other), Relation::None, "{one:?} / {other:?}");
        }
    }
}
