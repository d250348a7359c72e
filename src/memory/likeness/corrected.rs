//! Whether a claim that says of itself that it puts something right ("correction: …") means an earlier one: both are about the
//! same thing and give it another value.
//!
//! What the two share has to be the thing, not the value and not the small words around it. Not its job: claims that do not
//! say so (see [`super::supersede`]), and what is done about it.

use std::collections::BTreeSet;

use super::passing::Term;
use super::patterns::Pattern;
use super::slots::{Slot, VALUE_WORDS, Word};
use super::supersede::words_of;
use super::values::{BEFORE_A_VALUE, IS, VERBS};
use super::words::is_ideograph;
use super::{Shape, dates, duties, updates, without_said};

/// Words beside a date that say that it is one, and verbs that say no more.
static WHEN: Pattern = Pattern::new(
    r"(?i)\b(?:deadline|due date|date|day|due|now|planned|scheduled|takes place|frist|termin|jetzt|geplant|findet|statt|fecha|plazo|ahora|échéance|maintenant|prévue?|es|son|será|serán|está|ist|sind|wird|est|sont|sera|seront|am|im|el|al|le|au)\b|日期|时间|现在|日程|予定|今は",
);
/// Words before a thing that are none of it.
const NO_THING: &[&str] = &[
    "the", "a", "an", "our", "your", "my", "we", "i", "always", "never", "please", "now", "der", "die", "das", "den",
    "dem", "unser", "unsere", "wir", "bitte", "immer", "el", "la", "los", "las", "nuestro", "nuestra", "siempre", "le",
    "les", "l", "notre", "nos", "on", "in", "at", "for", "of", "with", "im", "am", "für", "bei", "en", "para", "de",
    "del", "dans", "pour", "sur", "du", "des",
];
/// Verbs and small words right after which the value stands, beside [`BEFORE_A_VALUE`].
const BEFORE: &[&str] = &[
    "prefer",
    "prefers",
    "utiliza",
    "utilizamos",
    "usar",
    "utiliser",
    "nutze",
    "benutze",
    "benutzen",
    "nehmen",
    "nimm",
    "verwende",
    "with",
    "mit",
    "con",
    "avec",
    "via",
    "dans",
    "sur",
    "chez",
    "bei",
];
/// The same in Chinese and Japanese, by their last sign.
const SIGNS_BEFORE: &[&str] = &["は", "が", "を", "に", "で", "在", "用", "是", "由", "归", "到", "于"];

/// Whether a later claim gives the thing of an earlier one another value, and not only for a while.
pub(crate) fn is_of_the_same(earlier: &str, later: &str) -> bool {
    let [was, is] = [earlier, later].map(Term::of);
    if is == Term::Beside && was != is {
        return false;
    }
    let (earlier, later) = (without_said(earlier), without_said(later));
    let (holders, others) = (duties::of(&earlier, was), duties::of(&later, is));
    if !holders.is_empty() && !others.is_empty() {
        return matches!(duties::slot(&holders, &others, true), Some(Slot::Exclusive | Slot::Usual));
    }
    let (old, new) = (dates::without_days(&earlier), dates::without_days(&later));
    match (old != earlier, new != later) {
        // What happens on the day has to be the same.
        (true, true) => {
            let (old, new) = (named(&old, &earlier), named(&new, &later));
            !old.is_empty() && old == new
        }
        (false, false) => gives_another_value(&plain(&earlier), &plain(&later)),
        _ => false,
    }
}

/// The words that carry meaning, without those that go with any date.
fn named(undated: &str, whole: &str) -> BTreeSet<String> {
    Shape::of_part(&WHEN.replace_all(undated, ""), whole).content
}

/// The words of a claim without "now" and what it rejects.
fn plain(text: &str) -> Vec<Word> {
    let words = words_of(&updates::without(text).unwrap_or_else(|| text.to_owned()));
    updates::bare(&words).unwrap_or(words)
}

/// Whether the claims differ in one place, where a value stands and not the thing that has it.
fn gives_another_value(one: &[Word], other: &[Word]) -> bool {
    let same = |(a, b): &(&Word, &Word)| a.0 == b.0;
    let prefix = one.iter().zip(other).take_while(same).count();
    let suffix = one.iter().skip(prefix).rev().zip(other.iter().skip(prefix).rev()).take_while(same).count();
    let is_value = |words: &[Word]| (1..=VALUE_WORDS).contains(&(words.len() - prefix - suffix));
    let (before, after) = (one.get(..prefix).unwrap_or_default(), one.get(one.len() - suffix..).unwrap_or_default());
    let is_spaced = !one.iter().any(|(word, _)| word.chars().any(is_ideograph));
    let content = |words: &[Word]| {
        let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
        Shape::of(&words.join(if is_spaced { " " } else { "" })).content
    };
    let last = before.iter().rev().map(|(word, _)| word.as_str()).find(|word| !matches!(*word, "the" | "a" | "an"));
    let (Some(last), true) = (last, is_value(one) && is_value(other)) else { return false };
    if !is_spaced {
        return SIGNS_BEFORE.contains(&last) && !content(before).is_empty();
    }
    let is_before = BEFORE_A_VALUE.contains(&last) || BEFORE.contains(&last) || IS.contains(&last);
    let says_it = |(word, _): &Word| IS.contains(&word.as_str()) || VERBS.contains(&word.as_str());
    let begins = before.iter().any(|(word, _)| !NO_THING.contains(&word.as_str()));
    let ends = content(after);
    // "Use spaces for indentation": what follows the value tells what it is of, unless the verb comes only there.
    begins && if ends.is_empty() { !content(before).is_empty() } else { is_before && !after.iter().any(says_it) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_correction_means_what_is_about_the_same_thing_and_nothing_that_only_sounds_alike() {
        assert!(WHEN.is_whole());
        for (one, other) in [
            ("The launch is on 2026-12-10.", "The launch deadline is now 2026-12-17."),
            ("La entrega es el 2026-12-10.", "La entrega será el 2026-12-17."),
            ("リリースは2026-12-10です。", "リリースは2026-12-17です。"),
            ("Always use tabs for indentation.", "Always use spaces for indentation."),
            ("The demo is in Berlin.", "The demo is in Hamburg."),
            ("Los bugs van en Linear.", "Los bugs van en Jira."),
            ("錯誤都在Jira里跟踪。", "錯誤都在Linear里跟踪。"),
            ("決済は田中さんが担当です。", "決済は佐藤さんが担当です。"),
            ("Ana se encarga del checkout.", "Luis se encarga del checkout."),
        ] {
            assert!(is_of_the_same(one, other), "{one:?} / {other:?}");
        }
        for (one, other) in [
            ("La demo es el 2026-12-11.", "La entrega es el 2026-12-14."),
            ("El lanzamiento es el 2026-12-10.", "La auditoría es el 2026-12-17."),
            ("Ana se encarga del checkout.", "Luis se encarga del login."),
            ("決済は田中さんが担当です。", "検索は佐藤さんが担当です。"),
            ("リリースは2026-12-10です。", "監査は2026-12-17です。"),
            ("发布时间是2026-12-10。", "评审时间是2026-12-17。"),
            ("The demo is in Berlin.", "The audit is in Berlin."),
            ("The design review is in Berlin.", "The design audit is in Berlin."),
            ("La demo es en Berlín.", "La entrega es en Berlín."),
            ("デザインレビューは東京です。", "デザイン監査は東京です。"),
            ("Los bugs van en Linear.", "Las tareas van en Jira."),
            ("Les tickets sont dans Jira.", "Les docs sont dans Jira."),
            ("The launch is on 2026-04-10.", "The launch party is on 2026-04-12."),
            ("We deploy the shop on Heroku.", "We deploy the blog on Heroku."),
        ] {
            assert!(!is_of_the_same(one, other), "{one:?} / {other:?}");
        }
    }
}
