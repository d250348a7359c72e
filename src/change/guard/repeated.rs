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
    let new = claim.words().iter().filter(|word| !label::is_known(&there, word)).count();
    let most = if wording == Wording::Other { claim.words().len() / NEW_IN } else { 0 };
    let nearest = claims.iter().max_by_key(|other| claim.words().intersection(other.words()).count());
    let stated: Vec<Stated> = texts.iter().map(|text| Stated::of(text, day)).collect();
    new <= most
        && !claim.is_against(&claims)
        && !nearest.is_some_and(|nearest| {
            claim.contradicts(nearest) > 0 || claim.reorders(nearest) || (new > 0 && claim.replaces_a_word(nearest))
        })
        && is_covered(part, &stated.iter().collect::<Vec<_>>())
}
