//! What a sentence says yes and no to, how sure it is, and what it excepts.
//!
//! Not its job: how alike two sentences are (see [`super::claim`]).

use std::collections::BTreeSet;

use super::values::NEGATIONS;
use crate::memory::likeness::Shape;

/// What a sentence says yes and no to, its reasons aside: they may speak of what it forbids.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// The words of its clauses without a "not".
    affirmed: BTreeSet<String>,
    /// The words before a "not": what is spoken of.
    subjects: BTreeSet<String>,
    /// The words behind a "not".
    denied: BTreeSet<String>,
}

impl Heard {
    /// Of the clauses of a sentence, each with its shape, in the language of the whole.
    pub(super) fn of<'a>(clauses: impl Iterator<Item = (&'a str, &'a Shape)>, whole: &str) -> Self {
        let mut heard = Self::default();
        for (text, shape) in clauses.filter(|(text, _)| !is_reason(text)) {
            if shape.is_negative {
                let (subject, denied) = at_not(text);
                heard.subjects.extend(Shape::of_part(&subject, whole).content);
                heard.denied.extend(Shape::of_part(&denied, whole).content);
            } else {
                heard.affirmed.extend(shape.content.iter().cloned());
            }
        }
        heard
    }

    /// Whether it affirms a word that these only deny.
    pub(super) fn affirms_what_is_denied(&self, others: &[&Self]) -> bool {
        let is_denied = |word: &String| others.iter().any(|other| other.denied.contains(word));
        let is_affirmed =
            |word: &String| others.iter().any(|other| other.affirmed.contains(word) || other.subjects.contains(word));
        self.affirmed.iter().any(|word| is_denied(word) && !is_affirmed(word))
    }
}

/// Whether a text takes out of a rule what none of these does.
pub(super) fn excepts_more(text: &str, others: &[&str]) -> bool {
    EXCEPTIONS.iter().any(|word| has_one_of(text, &[*word]) && others.iter().all(|other| !has_one_of(other, &[*word])))
}

/// Whether a text is not sure of what it says.
pub(super) fn is_hedged(text: &str) -> bool {
    has_one_of(text, &HEDGES)
}

/// How a clause begins that gives a reason.
const REASONS: [&str; 7] = ["because ", "since ", "weil ", "denn ", "porque ", "parce que ", "car "];

fn is_reason(clause: &str) -> bool {
    let lower = clause.trim_start().to_lowercase();
    REASONS.iter().any(|reason| lower.starts_with(reason))
}

/// A clause before and behind its first "not"; all of it behind where there is none that is a word.
fn at_not(clause: &str) -> (String, String) {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let is_not = |word: &&str| {
        let lower = word.to_lowercase();
        let plain: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
        NEGATIONS.contains(&plain.as_str()) || lower.ends_with("n't")
    };
    let at = words.iter().position(is_not).unwrap_or_default();
    let (before, behind) = words.split_at(at);
    (before.join(" "), behind.join(" "))
}

/// Words that take something out of a rule.
const EXCEPTIONS: [&str; 8] = ["except", "unless", "außer", "ausgenommen", "sauf", "excepto", "salvo", "hormis"];

/// Words of what is not sure.
const HEDGES: [&str; 12] = [
    "might",
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "vielleicht",
    "könnte",
    "könnten",
    "wahrscheinlich",
    "quizás",
    "probablemente",
    "peut-être",
];

fn has_one_of(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    let mut own = lower.split(|c: char| !c.is_alphanumeric() && c != '-');
    own.any(|word| words.contains(&word))
}
