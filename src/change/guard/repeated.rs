//! Whether a part of a text says again what other texts say.
//!
//! Not its job: which texts those are (see [`super::index_text`] and [`super::evidence`]).

use chrono::NaiveDate;

use super::claim::Claim;
use super::stated::{Stated, is_covered};
use super::{label, sentences};

/// One word in so many may be new where a text is put in other words.
const NEW_IN: usize = 4;
/// So many characters tell the language.
const ENOUGH_TO_TELL: usize = 2_000;

/// How freely something may be said again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// In other words, with next to none of its own.
    Other,
    /// With no word of its own.
    Same,
}

/// Whether a part says what the texts do: letter for letter, or in other words. `day`: from which their words for days are
/// counted.
pub(super) fn is_repeated(part: &str, texts: &[String], day: Option<NaiveDate>, wording: Wording) -> bool {
    let folded = sentences::folded(part);
    if folded.is_empty() || texts.iter().any(|text| sentences::folded(text) == folded) {
        return true;
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let whole: String = std::iter::once(part)
        .chain(texts.iter().copied())
        .flat_map(|text| text.chars().chain([' ']))
        .take(ENOUGH_TO_TELL)
        .collect();
    let (claim, there) = (Claim::of(&label::spaced(part), &whole), label::words(&texts, &whole));
    let claims: Vec<Claim> = texts.iter().map(|text| Claim::of(text, &whole)).collect();
    let new = claim.words().iter().filter(|word| !label::is_told(&there, word)).count();
    let most = if wording == Wording::Other { claim.words().len() / NEW_IN } else { 0 };
    let nearest = claims.iter().max_by_key(|other| claim.words().intersection(other.words()).count());
    let stated: Vec<Stated> = texts.iter().map(|text| Stated::of(text, day)).collect();
    new <= most
        && !texts.iter().any(|text| crosses(part, text))
        && !claim.is_against(&claims)
        && !nearest.is_some_and(|nearest| {
            claim.contradicts(nearest) > 0 || claim.reorders(nearest) || (new > 0 && claim.replaces_a_word(nearest))
        })
        && is_covered(part, &stated.iter().collect::<Vec<_>>())
}

/// Whether two words of a text have changed their neighbours: "writes in German, thinks in English" for "writes in English,
/// thinks in German". Only words that stand once in both are looked at.
pub(super) fn crosses(one: &str, other: &str) -> bool {
    let (one, other) = (sentences::folded(one), sentences::folded(other));
    let count = |text: &str, word: &str| text.split(' ').filter(|known| *known == word).count();
    let shared = |text: &str| -> Vec<String> {
        let words = text.split(' ').filter(|word| count(&one, word) == 1 && count(&other, word) == 1);
        words.map(str::to_owned).collect()
    };
    let (here, there) = (shared(&one), shared(&other));
    let follow = |first: &String, second: &String| {
        there.windows(2).any(|pair| matches!(pair, [a, b] if a == first && b == second))
    };
    let pairs: Vec<(&String, &String)> = here.iter().zip(here.iter().skip(1)).collect();
    pairs.iter().any(|(a, b)| pairs.iter().any(|(c, d)| a != c && follow(a, d) && follow(c, b)))
}
