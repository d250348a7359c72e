//! Whether two memories are about two things although their claims read alike: what their names and descriptions tell apart.
//!
//! Not its job: the claims themselves (see [`super::supersede`]).

use super::measured::Measured;
use super::supersede::Claim;
use super::{are_akin, has_akin};

/// Words of a file's name that tell no subject.
const NO_SUBJECT: &[&str] = &[
    "new",
    "old",
    "update",
    "updated",
    "current",
    "note",
    "notes",
    "info",
    "date",
    "day",
    "time",
    "later",
    "earlier",
    "moved",
    "again",
    "change",
    "changed",
    "plan",
    "now",
    "the",
    "and",
    "for",
    "details",
    "status",
    "latest",
    "final",
    "revised",
    "first",
    "second",
    "third",
    "two",
    "three",
    "decision",
    "fact",
    "memory",
    "next",
    "previous",
    "original",
    "neu",
    "alt",
    "nuevo",
    "nueva",
    "viejo",
    "nouveau",
    "nouvelle",
    "ancien",
    "user",
    "feedback",
    "project",
    "reference",
    "count",
    "number",
    "value",
    "setting",
    "settings",
    "config",
];
/// Content words of a claim that names hardly more than its value: "The deadline is Dec 12".
const SHORT: usize = 3;

/// The words of a file's name that may tell what it is about, in small letters.
pub(super) fn named(file: &str) -> Vec<String> {
    file.trim_end_matches(".md")
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2 && word.chars().any(char::is_alphabetic))
        .filter(|word| !NO_SUBJECT.contains(word))
        .map(str::to_owned)
        .collect()
}

/// Whether the descriptions name each something that neither the other description nor either fact has.
pub(super) fn are_two(one: &Measured, other: &Measured) -> bool {
    let [[_, mine], [_, theirs]] = [one.claims(), other.claims()];
    adds(mine, theirs, one, other) && adds(theirs, mine, one, other)
}

/// Whether a value that differs may be that of another thing: descriptions of two subjects, one that is narrower than the
/// other, or two names that have each a word of their own.
pub(super) fn may_be_two(one: &Measured, other: &Measured) -> bool {
    let [[_, mine], [_, theirs]] = [one.claims(), other.claims()];
    let (more, less) = (adds(mine, theirs, one, other), adds(theirs, mine, one, other));
    let is_within = |this: &Claim, that: &Claim| {
        !this.shape.content.is_empty()
            && !that.says_so()
            && this.shape.content.iter().all(|word| has_akin(&that.shape.content, word))
    };
    (more && (less || is_within(theirs, mine)))
        || (less && is_within(mine, theirs))
        || (says_of_its_own(one, other) && says_of_its_own(other, one))
}

/// Whether a claim without much of a subject may be about another thing than a memory whose name says more than it does.
pub(super) fn may_be_of_another(memory: &Measured, claim: &Claim) -> bool {
    claim.shape.content.len() <= SHORT
        && memory.name().iter().any(|word| {
            !is_said(memory, word) && !has_akin(&claim.shape.content, word) && !claim.shape.plain.contains(word)
        })
}

/// Whether fact or description says a word.
fn is_said(memory: &Measured, word: &str) -> bool {
    let [fact, description] = memory.claims();
    [&fact.shape, &description.shape]
        .into_iter()
        .any(|shape| has_akin(&shape.content, word) || shape.plain.contains(word))
}

/// Whether a description has a word that neither the other one nor either fact has.
fn adds(this: &Claim, that: &Claim, one: &Measured, other: &Measured) -> bool {
    this.shape.content.iter().any(|word| {
        !that.shape.content.contains(word)
            && !one.shape.content.contains(word)
            && !other.shape.content.contains(word)
            && !that.shape.content.iter().any(|known| are_akin(known, word))
    })
}

/// Whether the name has a word that the other name lacks, and that neither of the two memories says.
fn says_of_its_own(this: &Measured, that: &Measured) -> bool {
    this.name().iter().any(|word| {
        !that.name().iter().any(|known| known == word || are_akin(known, word))
            && !is_said(this, word)
            && !is_said(that, word)
    })
}
