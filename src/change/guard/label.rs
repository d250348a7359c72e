//! Labels: the name of a memory or file, a heading of the index. They say what something is about, and no more.
//!
//! Not its job: sentences (see [`super::evidence`]).

use std::collections::BTreeSet;

use super::claim::Claim;
use crate::memory::likeness::has_akin;

/// Words of a label that say nothing of anybody.
const GENERIC: [&str; 64] = [
    "policy",
    "polici",
    "rule",
    "preference",
    "prefer",
    "note",
    "info",
    "detail",
    "overview",
    "summary",
    "background",
    "context",
    "memory",
    "memori",
    "index",
    "user",
    "feedback",
    "project",
    "reference",
    "refer",
    "guide",
    "guideline",
    "convention",
    "style",
    "setup",
    "status",
    "plan",
    "list",
    "decision",
    "decis",
    "role",
    "profile",
    "workflow",
    "process",
    "approach",
    "source",
    "link",
    "apply",
    "appli",
    "example",
    "exception",
    "history",
    "update",
    "change",
    "new",
    "old",
    "current",
    "general",
    "other",
    "open",
    "question",
    "fact",
    "team",
    "person",
    "people",
    "work",
    "topic",
    "section",
    "how",
    "why",
    "about",
    "misc",
    "various",
    "area",
];

/// Those of them that state something in a sentence: "the VPN works".
const STATES: [&str; 7] = ["work", "open", "new", "old", "current", "update", "change"];

/// Whether a label adds a statement: more than one of its words stands in none of the texts.
pub(super) fn adds_to(label: &str, texts: &[&str]) -> bool {
    let plain = spaced(label);
    let whole: String = std::iter::once(plain.as_str())
        .chain(texts.iter().copied())
        .flat_map(|text| text.chars().chain([' ']))
        .take(ENOUGH_TO_TELL)
        .collect();
    let there = words(texts, &whole);
    Claim::of(&plain, &whole).words().iter().filter(|word| !is_known(&there, word)).count() > 1
}

/// So many characters tell the language.
const ENOUGH_TO_TELL: usize = 2_000;

/// The words of some texts; of names with marks in the place of blanks, too.
pub(super) fn words(texts: &[&str], whole: &str) -> BTreeSet<String> {
    texts.iter().flat_map(|text| Claim::of(&spaced(text), whole).words().clone()).collect()
}

/// Whether a word is among these in some form, or says nothing by itself.
pub(super) fn is_known(there: &BTreeSet<String>, word: &str) -> bool {
    has_akin(there, word) || GENERIC.contains(&word) || word.chars().all(|c| c.is_ascii_digit())
}

/// Whether a word of a sentence is among these in some form, or says nothing by itself.
pub(super) fn is_told(there: &BTreeSet<String>, word: &str) -> bool {
    is_known(there, word) && (!STATES.contains(&word) || has_akin(there, word))
}

/// A name with blanks in the place of its marks.
pub(super) fn spaced(name: &str) -> String {
    name.replace(['-', '_', '/', '.'], " ")
}
