//! What a statement must have from what it rests on, to the letter: days, numbers with their units, names, addresses, paths,
//! versions and code.
//!
//! An hour may be written in another way ("9 am", "09:00"), a number as a word, and a day in any way that means it: what a
//! person said of a day is counted from when they said it. Not its job: the other words of a sentence (see
//! [`super::quoted`]).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use chrono::{Datelike, NaiveDate, Weekday};

use super::amounts::{Amount, amounts};
use super::literals::{literals, stands_in};
use crate::memory::likeness::dates::{Care, stretches, weekday};
use crate::memory::likeness::language::{Language, surely_other};
use crate::memory::likeness::names;

/// A stretch of so many days, which is more than a week, names none of them.
const MOST_DAYS: i64 = 8;

/// What a text states.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated {
    /// The days it names, each as a stretch from the first to the last.
    days: Vec<RangeInclusive<NaiveDate>>,
    /// The day it was said.
    said: Option<NaiveDate>,
    /// The numbers, each with the units it has.
    amounts: BTreeMap<String, BTreeSet<Option<&'static str>>>,
    words: BTreeSet<String>,
    /// The text in small letters: a literal stands there or not.
    lower: String,
}

impl Stated {
    /// Of a text that was said on a day. Without it only days with their year are known.
    pub(super) fn of(text: &str, said: Option<NaiveDate>) -> Self {
        let mut stated = Self { said, lower: text.to_lowercase(), ..Self::default() };
        let found = stretches(text, said, Care::Event);
        let ranges: Vec<Range<usize>> = found.iter().map(|(range, _)| range.clone()).collect();
        stated.days.extend(found.into_iter().map(|(_, days)| days));
        let mut numbers: Vec<Amount> = amounts(&stated.lower);
        // A day that is stated may be written out.
        for day in stated.days.iter().flat_map(|days| [*days.start(), *days.end()]) {
            let parts = [i64::from(day.year()), i64::from(day.month()), i64::from(day.day())];
            numbers.extend(parts.map(|part| Amount { number: part.to_string(), unit: None, word: None }));
        }
        for amount in numbers {
            stated.amounts.entry(amount.number).or_default().insert(amount.unit);
        }
        stated.words = words(&stated.lower);
        // A bare day of the week is the nearest, behind or ahead.
        if let Some(said) = said {
            let bare = words(&without(text, &ranges).to_lowercase());
            for named in bare.iter().filter_map(|word| weekday(word)) {
                stated.days.extend(nearest(said, named).map(|day| day..=day));
            }
        }
        stated
    }

    fn names_day(&self, days: &RangeInclusive<NaiveDate>) -> bool {
        // No day of a month or a year was named by it.
        let is_as_exact = |stated: &RangeInclusive<NaiveDate>| {
            days.start() != days.end() || (*stated.end() - *stated.start()).num_days() < MOST_DAYS
        };
        let is_in = |stated: &RangeInclusive<NaiveDate>| stated.contains(days.start()) && stated.contains(days.end());
        self.days.iter().any(|stated| is_in(stated) && is_as_exact(stated))
    }

    fn has_amount(&self, amount: &Amount) -> bool {
        let has_word = || amount.word.as_ref().is_some_and(|word| stands_in(&self.lower, word));
        self.amounts.get(&amount.number).map_or_else(has_word, |units| {
            amount.unit.is_none() || units.contains(&amount.unit) || units.contains(&None)
        })
    }

    fn has_literal(&self, literal: &str) -> bool {
        let parts: Vec<&str> = literal.split('/').collect();
        // "and/or" is two words.
        let are_words = parts.len() > 1 && parts.iter().all(|part| part.chars().all(char::is_alphabetic));
        let has_code =
            || literal.contains(' ') && literal.split(' ').all(|word| word.is_empty() || self.has_part(word));
        stands_in(&self.lower, literal) || (are_words && parts.iter().all(|part| self.has_word(part))) || has_code()
    }

    fn has_part(&self, word: &str) -> bool {
        stands_in(&self.lower, word)
    }

    /// Whether a word stands here, also with an "s".
    fn has_word(&self, word: &str) -> bool {
        let bare = word.trim_end_matches('s');
        self.words.iter().any(|known| known == word || known.trim_end_matches('s') == bare)
    }
}

/// Whether all that a text states is stated by these.
pub(super) fn is_covered(text: &str, by: &[&Stated]) -> bool {
    let said = by.iter().filter_map(|stated| stated.said).max();
    let own = stretches(text, said, Care::Rule);
    let own_days: Vec<NaiveDate> = own.iter().flat_map(|(_, days)| [*days.start(), *days.end()]).collect();
    let is_named = |days: &RangeInclusive<NaiveDate>| by.iter().any(|stated| stated.names_day(days));
    // Since when a thing holds is the day it was said, where no other day is.
    let is_since = |days: &RangeInclusive<NaiveDate>| {
        let is_said = by.iter().any(|stated| stated.said.is_some_and(|said| *days == (said..=said)));
        is_said && (own.iter().any(|(_, other)| is_named(other)) || by.iter().all(|stated| stated.days.is_empty()))
    };
    if !own.iter().all(|(_, days)| is_named(days) || is_since(days)) {
        return false;
    }
    let ranges: Vec<Range<usize>> = own.iter().map(|(range, _)| range.clone()).collect();
    let undated = without(text, &ranges);
    let lower = undated.to_lowercase();
    let literals = literals(&lower);
    let places: Vec<Range<usize>> = literals.iter().map(|(range, _)| range.clone()).collect();
    let plain = without(&lower, &places);
    let has_word = |word: &str| by.iter().any(|stated| stated.has_word(word));
    // A date says which day of the week it is.
    let is_day = |named: Weekday| own_days.iter().any(|day| day.weekday() == named);
    literals.iter().all(|(_, literal)| by.iter().any(|stated| stated.has_literal(literal)))
        && amounts(&plain).iter().all(|amount| by.iter().any(|stated| stated.has_amount(amount)))
        && words(&plain).iter().all(|word| weekday(word).is_none_or(|named| has_word(word) || is_day(named)))
        && own_names(&undated).iter().all(|name| {
            weekday(name).is_some()
                || has_word(name)
                || literals.iter().any(|(_, literal)| literal.contains(name.as_str()))
        })
}

/// The nearest days of this name, before and after a day.
fn nearest(said: NaiveDate, named: Weekday) -> [NaiveDate; 2] {
    let ahead = (7 + named.num_days_from_monday() - said.weekday().num_days_from_monday()) % 7;
    let ahead = chrono::Days::new(u64::from(ahead));
    let next = said.checked_add_days(ahead).unwrap_or(said);
    [next, next.checked_sub_days(chrono::Days::new(7)).unwrap_or(next)]
}

/// A text with blanks in the place of some of its parts.
fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut bare = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        bare.push(if ranges.iter().any(|range| range.contains(&at)) { ' ' } else { character });
    }
    bare
}

fn words(lower: &str) -> BTreeSet<String> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Names of people, teams and products. In a title every word has a capital, in German every noun.
fn own_names(text: &str) -> BTreeSet<String> {
    let all: Vec<&str> = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    let is_capital = |word: &&&str| word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
    let is_title = all.len() > 2 && all.iter().filter(is_capital).count() * 2 > all.len();
    if is_title || surely_other(text) == Some(Language::German) {
        return BTreeSet::new();
    }
    names(text).iter().flat_map(|name| words(name)).filter(|word| word.chars().count() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(text: &str, by: &str, said: &str) -> bool {
        is_covered(text, &[&Stated::of(by, said.parse().ok())])
    }

    #[test]
    fn what_a_statement_names_stands_in_what_it_rests_on() {
        let quote =
            "We moved deploys to Wednesday at 9 pm, because support changed its shifts; see https://board.example/x.";
        for fine in [
            "Since Wednesday, 2026-12-02 deploys are on Wednesdays.",
            "Deploys moved to Wednesday at 21:00.",
            "The board is at https://board.example/x.",
            "deploys moved",
            "Deploys Moved To Wednesday Because Of Shifts",
        ] {
            assert!(covered(fine, quote, "2026-12-01"), "{fine}");
        }
        for other in [
            "Deploys moved to Thursday at 21:00.",
            "Deploys moved to Wednesday at 23:00.",
            "Deploys moved because Bob from support quit.",
            "The board is at https://evil.example/x.",
            "The board is at https://board.example/xy.",
            "Deploys moved 3 times.",
            "Deploys moved three times.",
            "Since 2026-12-04 deploys are on Wednesdays.",
        ] {
            assert!(!covered(other, quote, "2026-12-01"), "{other}");
        }
    }

    #[test]
    fn values_are_compared_whole_and_with_their_units() {
        for (stated, fine, other) in [
            ("keys begin with v2", "Keys begin with v2.", "Keys begin with v3."),
            ("wait 30 seconds", "Wait 30s.", "Wait 30 minutes."),
            ("wait 30s", "Wait thirty seconds.", "Wait 30m."),
            ("retry three times", "Retry 3 times.", "Retry five times."),
            ("it costs $5", "It costs 5 dollars.", "It costs 5 euros."),
            ("version 1.2.3 is out", "Version 1.2.3 is out.", "Version 3.2.1 is out."),
            ("ask ann@acme.test", "Ask ann@acme.test.", "Ask dan@acme.test."),
            ("look in src/main.rs", "Look in `src/main.rs`.", "Look in src/lib.rs."),
            ("see https://a.test/12", "See https://a.test/12.", "See https://a.test/1."),
            ("run `make check` first", "Run make check first.", "Run `make test` first."),
            ("call it at 9 am", "Call it at 09:00.", "Call it at 9 pm."),
            ("use node_a and node_b", "Use node_a and node_b.", "Use node_a and node_c."),
        ] {
            assert!(covered(fine, stated, "2026-12-01"), "{fine}");
            assert!(!covered(other, stated, "2026-12-01"), "{other}");
        }
    }

    #[test]
    fn a_day_is_the_one_that_was_meant_however_it_was_said() {
        for (quote, day) in [
            ("it moved to 2026-12-17", "2026-12-17"),
            ("it moved to December 17", "2026-12-17"),
            ("it moved to Dec 17", "2026-12-17"),
            ("it moved to 17 December 2026", "2026-12-17"),
            ("it moved to 17.12.2026", "2026-12-17"),
            ("es ist jetzt am 17. Dezember und nicht früher", "2026-12-17"),
            ("c'est le 17 décembre pour nous", "2026-12-17"),
            ("es el 17 de diciembre", "2026-12-17"),
            ("上线改到12月17日", "2026-12-17"),
            ("it moved to tomorrow", "2026-12-02"),
            ("it is in two weeks", "2026-12-15"),
            ("Priya does it next Thursday", "2026-12-10"),
            ("the freeze is until Friday", "2026-12-04"),
        ] {
            let good: NaiveDate = day.parse().unwrap_or_default();
            assert!(covered(&format!("It is on {day}."), quote, "2026-12-01"), "{quote}");
            assert!(covered(&format!("It is on {}.", good.format("%B %-d, %Y")), quote, "2026-12-01"), "{quote}");
            for other in ["2026-12-25", "2027-12-17", "2026-11-17"] {
                assert!(!covered(&format!("It is on {other}."), quote, "2026-12-01"), "{quote}: {other}");
            }
            let wrong = good.succ_opt().unwrap_or_default().format("%A");
            assert!(!covered(&format!("It is on {wrong}, {day}."), quote, "2026-12-01"), "{quote}: {wrong}");
        }
    }
}
