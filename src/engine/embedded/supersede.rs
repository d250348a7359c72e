//! When a newer claim takes an older one's place.
//!
//! Only with an explicit cue ("no longer", "moved to") about the same subject, or when exactly one value differs and the rest
//! agrees; anything less sure is left for a person. Not its job: writing (see [`super::merge`]).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::similarity::{self, Shape};
use super::{cues, dates, language};

/// Most words a value has.
const VALUE_WORDS: usize = 4;
/// Content words the subject has at least.
const SUBJECT_WORDS: usize = 2;
/// How much of the subject an explicit replacement has to share.
const SHARED_SUBJECT: f64 = 0.4;

/// How a later claim relates to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// It says so itself.
    ReplacesBySaying,
    /// Exactly one value differs.
    ReplacesOneValue,
    /// Neither.
    None,
}

/// A day, time, version, number, address, channel, name or identifier.
static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\d.*|v\d.*|https?://\S+|[\w-]+\.[\w./-]+|#[\w-]+|@[\w-]+|`[^`]+`|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?$").ok()
});

/// Words right before a slot that takes a value.
const BEFORE_A_VALUE: &[&str] = &[
    "is",
    "are",
    "to",
    "until",
    "till",
    "by",
    "on",
    "from",
    "after",
    "before",
    "at",
    "starts",
    "ends",
    "due",
    "=",
    "uses",
    "use",
    "version",
    "port",
    "in",
    "of",
    "moved",
    "lives",
    "for",
    "runs",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "named",
    "called",
    "under",
    "over",
    "within",
    "max",
    "than",
];
/// Words right after a name that owns something.
const AFTER_AN_OWNER: &[&str] = &[
    "owns",
    "leads",
    "maintains",
    "runs",
    "handles",
    "is",
    "manages",
    "reviews",
    "takes",
    "will",
    "looks",
    "approves",
    "drives",
    "now",
];

/// A claim in its own words, measured: many are compared with many.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    shape: Shape,
    /// Its words in small letters, each with whether it began with a capital.
    words: Vec<(String, bool)>,
    /// Whether it says itself that it replaces something.
    says_so: bool,
}

impl Claim {
    /// Takes a claim's measure. When something was said differs although the claim does not, so that is left out.
    pub(super) fn of(text: &str) -> Self {
        let text = dates::without_said(text);
        let words = text
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '(' | ')' | '*' | '"')))
            .filter(|word| !word.is_empty())
            .map(|word| (word.to_lowercase(), word.chars().next().is_some_and(char::is_uppercase)))
            .collect();
        let says_so = cues::of(language::of(&text)).replaces.hits(&super::spans::masked(&text));
        Self { shape: Shape::of(&text), words, says_so }
    }
}

/// How `later` relates to `earlier`.
pub(super) fn relation(earlier: &Claim, later: &Claim) -> Relation {
    let (old, new) = (&earlier.shape, &later.shape);
    if old.is_empty() || new.is_empty() || old.likeness(new) == similarity::Likeness::Same {
        return Relation::None;
    }
    if differs_in_one_value(&earlier.words, &later.words) {
        return Relation::ReplacesOneValue;
    }
    if later.says_so {
        let common: BTreeSet<_> = old.content.intersection(&new.content).collect();
        let smaller = old.content.len().min(new.content.len()).max(1);
        // The new words name nearly all of the old claim.
        if common.len() > SUBJECT_WORDS && old.contained_in(new) >= 0.75 {
            return Relation::ReplacesBySaying;
        }
        if common.len() > SUBJECT_WORDS
            && common.len() as f64 / smaller as f64 > 0.6
            && old.jaccard(new) >= SHARED_SUBJECT
        {
            return Relation::ReplacesBySaying;
        }
    }
    Relation::None
}

/// Whether two sentences are the same but for one value.
fn differs_in_one_value(one: &[(String, bool)], other: &[(String, bool)]) -> bool {
    let same = |(a, b): &(&(String, bool), &(String, bool))| a.0 == b.0;
    let prefix = one.iter().zip(other).take_while(same).count();
    let suffix = one.iter().skip(prefix).rev().zip(other.iter().skip(prefix).rev()).take_while(same).count();
    let inner =
        |words: &[(String, bool)]| words.get(prefix..words.len() - suffix).map(<[_]>::to_vec).unwrap_or_default();
    let (old, new) = (inner(one), inner(other));
    if old.is_empty() || new.is_empty() || old.len() > VALUE_WORDS || new.len() > VALUE_WORDS {
        return false;
    }
    let agreeing = prefix + suffix;
    let longest = one.len().max(other.len());
    let context: String = one
        .iter()
        .take(prefix)
        .chain(one.iter().skip(one.len() - suffix))
        .map(|(word, _)| word.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    if agreeing * 10 <= longest * 6 || Shape::of(&context).content.len() < SUBJECT_WORDS {
        return false;
    }
    let before = prefix.checked_sub(1).and_then(|at| one.get(at)).map(|(word, _)| word.as_str());
    let after = one.get(one.len() - suffix).map(|(word, _)| word.as_str());
    let is_value = |words: &[(String, bool)]| {
        words.iter().any(|(word, _)| VALUE.as_ref().is_some_and(|pattern| pattern.is_match(word)))
    };
    let is_name = |words: &[(String, bool)]| words.iter().all(|(_, capital)| *capital);
    let takes_value = before.is_some_and(|word| BEFORE_A_VALUE.contains(&word));
    let is_owner_slot =
        (prefix == 0 && after.is_some_and(|word| AFTER_AN_OWNER.contains(&word))) || before == Some("by");
    (takes_value && is_value(&old) && is_value(&new)) || (is_owner_slot && is_name(&old) && is_name(&new))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn relation(earlier: &str, later: &str) -> Relation {
        super::relation(&Claim::of(earlier), &Claim::of(later))
    }

    #[test]
    fn one_differing_value_about_the_same_subject_replaces() {
        let rows = [
            ("The release branch is cut on 2026-04-09.", "The release branch is cut on 2026-04-16."),
            ("Priya owns the billing service.", "Marco owns the billing service."),
            (
                "The ingest dashboard is at https://grafana.example/d/1",
                "The ingest dashboard is at https://grafana.example/d/2",
            ),
            (
                "Merge freeze starts 2026-03-05 (\"Thursday\", said 2026-03-02).",
                "Merge freeze starts 2026-03-12 (\"Thursday\", said 2026-03-09).",
            ),
        ];
        for (old, new) in rows {
            assert_eq!(relation(old, new), Relation::ReplacesOneValue, "{old:?} / {new:?}");
        }
    }

    #[test]
    fn an_explicit_cue_about_the_same_subject_replaces() {
        assert_eq!(
            relation(
                "Pipeline bugs are tracked in Linear project INGEST.",
                "Pipeline bugs are no longer tracked in Linear, they moved to Jira."
            ),
            Relation::ReplacesBySaying
        );
    }

    #[test]
    fn another_subject_is_another_claim() {
        let rows = [
            ("Sprint 14 ends on 2026-04-03.", "Sprint 15 ends on 2026-04-17."),
            ("The dev server port is 3000.", "The admin server port is 3001."),
            ("Use Node 18 in the alpha service.", "Use Node 18 in the beta service."),
            ("Never push to main.", "Never push to production."),
            ("Priya owns the billing service.", "Priya owns the search service."),
            ("I'm a data scientist.", "I'm no longer on call."),
        ];
        for (old, new) in rows {
            assert_eq!(relation(old, new), Relation::None, "{old:?} / {new:?}");
        }
    }
}
