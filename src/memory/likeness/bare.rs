//! The order in which a statement names who does what to whom: what a change of places turns round.
//!
//! Words behind a preposition and words of time may stand anywhere, and what "and" joins has no order. Not its job: which
//! order is a contradiction (see `crate::change::guard`).

use std::collections::BTreeSet;

use super::language::{self, Language};
use super::words::{STOP_WORDS, normalise, stemmer, stems, words};

/// Words after which the next word of meaning may stand anywhere in its sentence.
const PREPOSITIONS: [&str; 26] = [
    "on", "in", "at", "for", "with", "of", "as", "during", "via", "through", "against", "per", "within", "behind",
    "from", "to", "into", "by", "until", "since", "without", "under", "over", "after", "before", "because",
];

/// Words of time, which may stand anywhere too.
const TIMES: [&str; 18] = [
    "last",
    "next",
    "quarter",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "today",
    "yesterday",
    "tomorrow",
    "now",
    "then",
    "first",
    "again",
    "currently",
    "already",
];

/// A word of meaning in its place; what "and" joins shares one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    stem: String,
    place: usize,
}

/// The words of meaning of a text that have a place of their own, in order; nothing in a language that puts verb and object in
/// either order, or where it is not sure that words are told apart by blanks.
pub(crate) fn placed(text: &str, whole: &str) -> Vec<Placed> {
    if matches!(language::surely_other(whole), Some(Language::German | Language::Chinese | Language::Japanese)) {
        return Vec::new();
    }
    let stemmer = stemmer(whole);
    let (mut all, mut place, mut is_led, mut is_joined) = (Vec::<Placed>::new(), 0_usize, false, false);
    for word in words(&normalise(text)) {
        if PREPOSITIONS.contains(&word.as_str()) {
            (is_led, is_joined) = (true, false);
        } else if ["and", "or", "y", "et"].contains(&word.as_str()) {
            is_joined = true;
        } else if !STOP_WORDS.contains(&word.as_str()) && !TIMES.contains(&word.as_str()) {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            if !is_led && !is_number {
                place += usize::from(!is_joined);
                all.extend(stems(&word, stemmer).into_iter().map(|stem| Placed { stem, place }));
            }
            (is_led, is_joined) = (false, false);
        }
    }
    // A word that stands twice has no place.
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<String> =
        all.iter().filter(|one| !seen.insert(&one.stem)).map(|one| one.stem.clone()).collect();
    all.retain(|one| !twice.contains(&one.stem));
    all
}

/// Whether two words that both name have changed sides of a third: who does it, and to whom.
pub(crate) fn are_reordered(here: &[Placed], there: &[Placed]) -> bool {
    let place_of = |all: &[Placed], stem: &str| all.iter().find(|one| one.stem == stem).map(|one| one.place);
    let common: Vec<(usize, usize)> =
        here.iter().filter_map(|one| Some((one.place, place_of(there, &one.stem)?))).collect();
    let is_between = |(one, two): (usize, usize), middle: usize| one < middle && middle < two;
    common.iter().any(|(first, last_there)| {
        common.iter().filter(|(last, first_there)| first < last && first_there < last_there).any(
            |(last, first_there)| {
                let is_pivot = |(here, there): &(usize, usize)| {
                    is_between((*first, *last), *here) && is_between((*first_there, *last_there), *there)
                };
                common.iter().any(is_pivot)
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(one: &str, other: &str) -> bool {
        are_reordered(&placed(one, one), &placed(other, other))
    }

    #[test]
    fn who_does_what_to_whom_has_an_order_and_times_and_places_have_none() {
        for (one, other) in [
            ("Mocks hid a broken migration last quarter.", "A broken migration hid mocks last quarter."),
            ("Dana reviews Ben's patches.", "Ben's patches reviews Dana."),
        ] {
            assert!(turned(one, other), "{one} | {other}");
        }
        for (one, other) in [
            ("Mocks hid a broken migration last quarter.", "Last quarter mocks hid a broken migration."),
            ("Use tabs and spaces.", "Use spaces and tabs."),
            ("Deploys moved to Wednesday at nine.", "We moved deploys to Wednesday at nine."),
            ("In CI the tests take nine minutes.", "The tests take nine minutes in CI."),
            ("Nutze immer pnpm, weil es schneller ist.", "Immer pnpm nutzen, weil es schneller ist."),
        ] {
            assert!(!turned(one, other), "{one} | {other}");
        }
    }
}
