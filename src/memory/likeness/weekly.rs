//! On which days of the week something is done, in any order and with any word for it: "we deploy on Fridays", "now the
//! deploys go out every Monday".
//!
//! Usually a thing has its days, so that "now" says that it has others; but it may have both. Not its job: a certain day
//! (see [`super::slots`]).

use std::collections::BTreeSet;

use super::slots::{Slot, Word};
use super::{are_same_words, passing, words_as_said};

/// What a claim says is done on certain days of every week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weekly {
    /// From 0, Monday, on.
    days: BTreeSet<usize>,
    /// The words of what is done that carry meaning.
    what: BTreeSet<String>,
    /// Whether people may do it on many days.
    is_of_people: bool,
}

/// The names of the days of the week.
const DAYS: [&[&str]; 7] = [
    &["monday", "montag", "lunes", "lundi"],
    &["tuesday", "dienstag", "martes", "mardi"],
    &["wednesday", "mittwoch", "miércoles", "mercredi"],
    &["thursday", "donnerstag", "jueves", "jeudi"],
    &["friday", "freitag", "viernes", "vendredi"],
    &["saturday", "samstag", "sábado", "samedi"],
    &["sunday", "sonntag", "domingo", "dimanche"],
];
/// After these a day is one of every week.
const EVERY: &[&str] = &["every", "each", "jeden", "cada", "los", "les", "le", "chaque"];
/// What may stand before a day and says nothing of what is done.
const BEFORE_A_DAY: &[&str] = &["on", "always", "immer", "siempre", "toujours", "todos", "tous", "only", "nur"];
/// What joins days.
const JOINTS: &[&str] = &["and", "or", "und", "oder", "y", "et", "ou", "&"];
/// What tells a time of the day.
const BEFORE_A_TIME: &[&str] = &["at", "um", "à", "las"];
/// Words around a time, and verbs that say no more than that it is done.
const LIGHT: &[&str] = &[
    "am", "pm", "uhr", "o'clock", "h", "a", "go", "goes", "going", "out", "happen", "happens", "take", "takes",
    "place", "held", "done", "sind", "findet", "finden", "statt", "son", "sont", "se", "lieu", "ont", "jetzt", "immer",
    "always", "usually",
];
/// What one and the same person does on many days.
const OF_PEOPLE: &[&str] = &[
    "work",
    "works",
    "working",
    "available",
    "office",
    "off",
    "home",
    "remote",
    "remotely",
    "meet",
    "arbeitet",
    "büro",
    "homeoffice",
    "frei",
];

/// What a claim of these words does on certain days of every week, if it says that of one thing.
pub(super) fn of(words: &[Word]) -> Option<Weekly> {
    let mut days = BTreeSet::new();
    let mut rest: Vec<&str> = Vec::new();
    let mut is_after_day = false;
    let mut words = words.iter().map(|(word, _)| word.as_str()).peekable();
    while let Some(word) = words.next() {
        if let Some((day, is_plural)) = day_of(word) {
            let is_every = rest.last().is_some_and(|before| EVERY.contains(before));
            // Of several joined ones, one says it for all.
            if !(is_plural || is_every || is_after_day) {
                return None;
            }
            if is_every {
                rest.pop();
            }
            while rest.last().is_some_and(|before| BEFORE_A_DAY.contains(before)) {
                rest.pop();
            }
            days.insert(day);
            is_after_day = true;
            continue;
        }
        let joins = is_after_day && JOINTS.contains(&word);
        let is_time = BEFORE_A_TIME.contains(&word)
            && words.peek().is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        if is_time {
            words.next();
        } else if !joins {
            is_after_day = false;
            rest.push(word);
        }
    }
    if passing::denies(&rest.join(" ")) {
        return None;
    }
    let is_of_people = rest.iter().any(|word| OF_PEOPLE.contains(word));
    rest.retain(|word| !LIGHT.contains(word));
    let what = words_as_said(&rest.join(" "));
    (!days.is_empty() && !what.is_empty()).then_some(Weekly { days, what, is_of_people })
}

/// The day that a word names, and whether the word says of itself that it is one of every week.
fn day_of(word: &str) -> Option<(usize, bool)> {
    let named = |name: &str| DAYS.iter().position(|names| names.contains(&name));
    let bare = || word.strip_suffix('s').and_then(named).map(|day| (day, true));
    named(word).map(|day| (day, false)).or_else(bare)
}

/// The slot of the days of one thing; `None`: two things, or the same days.
pub(super) fn slot(one: &Weekly, other: &Weekly) -> Option<Slot> {
    let differs = are_same_words(&one.what, &other.what) && one.days != other.days;
    differs.then_some(if one.is_of_people { Slot::Open } else { Slot::Usual })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::supersede::Claim;
    use super::*;

    fn read(text: &str) -> Option<Weekly> {
        let words: Vec<Word> = text.split(' ').map(|word| (word.to_lowercase(), false)).collect();
        of(&words)
    }

    #[test]
    fn days_of_every_week_are_read_in_any_form_and_a_certain_day_is_none() {
        let plain = read("we deploy on fridays").unwrap();
        for same in
            ["we deploy every friday", "fridays we deploy", "we always deploy on fridays", "we deploy on fridays at 10"]
        {
            assert_eq!(read(same).unwrap(), plain, "{same:?}");
        }
        assert_eq!(read("wir deployen immer freitags").unwrap().days, BTreeSet::from([4]));
        assert_eq!(read("we deploy on mondays and every friday").unwrap().days, BTreeSet::from([0, 4]));
        for none in [
            "we deploy on friday",
            "we deploy every other friday",
            "fridays",
            "wir deployen am freitag",
            "we don't deploy on mondays",
            "we never deploy on mondays",
        ] {
            assert_eq!(read(none), None, "{none:?}");
        }
    }

    #[test]
    fn another_thing_on_another_day_is_another_claim() {
        let slot = |one: &str, other: &str| slot(&read(one)?, &read(other)?);
        assert_eq!(slot("the deploys are on fridays", "deploys go out every monday"), Some(Slot::Usual));
        for (one, other) in [
            ("staging deploys go out on fridays", "production deploys go out on mondays"),
            ("we release on thursdays", "we deploy on tuesdays"),
            ("we deploy on fridays", "we deploy every friday"),
        ] {
            assert_eq!(slot(one, other), None, "{one:?} / {other:?}");
        }
        // What one person does on both.
        assert_eq!(slot("anna is in the office on mondays", "anna is in the office on fridays"), Some(Slot::Open));
        assert!(Claim::of("We deploy on Mondays now.").gives_newer());
    }
}
