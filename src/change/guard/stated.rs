//! What a statement must have from its quote to the letter: numbers, days, hours, names and addresses.
//!
//! An hour may be written in another way ("9 am", "09:00"), a number as a word. A date is counted from when a thing was said,
//! so it stands in few quotes; where quotes have dates, it must be one of them. Not its job: the other words of a sentence
//! (see [`super::quoted`]).

use std::collections::BTreeSet;

use super::claim::is_day;
use crate::memory::likeness::language::{Language, surely_other};
use crate::memory::likeness::names;

/// The days of the week, in the languages that sessions are read in.
const WEEKDAYS: [&str; 28] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
];

/// Numbers as words.
const NUMBERS: [(&str, u64); 19] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("hundred", 100),
    ("thousand", 1000),
];

/// What some texts state.
#[derive(Debug, Default)]
pub(super) struct Stated {
    numbers: BTreeSet<String>,
    days: BTreeSet<String>,
    /// Whether a date was said, and not only filed.
    is_dated: bool,
    words: BTreeSet<String>,
    /// The texts themselves, in small letters: an address stands there or not.
    lower: String,
}

impl Stated {
    /// What was `said`, and what stood there `before`.
    pub(super) fn of<'a>(said: impl Iterator<Item = &'a str>, before: impl Iterator<Item = &'a str>) -> Self {
        let mut stated = Self::default();
        said.for_each(|text| stated.add(text));
        stated.is_dated = !stated.days.is_empty();
        before.for_each(|text| stated.add(text));
        stated
    }

    fn add(&mut self, text: &str) {
        let lower = text.to_lowercase();
        // A date that is quoted may be written out.
        self.numbers.extend(days(&lower).iter().flat_map(|day| numbers(&day.replace('-', " "))));
        self.days.extend(days(&lower));
        self.numbers.extend(numbers(&lower));
        let words = words(&lower);
        let spelled = NUMBERS.iter().filter(|(number, _)| words.iter().any(|word| word == number));
        self.numbers.extend(spelled.map(|(_, number)| number.to_string()));
        self.words.extend(words);
        self.lower.push_str(&lower);
        self.lower.push('\n');
    }

    /// Whether all that a text states is stated here.
    pub(super) fn covers(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let own_days = days(&lower);
        let has_day = |word: &str| self.has_word(word) || own_days.iter().any(|day| is_weekday_of(word, day));
        let addresses = addresses(&lower);
        let without = addresses.iter().fold(lower, |text, address| text.replace(address.as_str(), " "));
        addresses.iter().all(|address| self.lower.contains(address.as_str()))
            && (own_days.is_empty() || !self.is_dated || own_days.iter().any(|day| self.days.contains(day)))
            && numbers(&without).iter().all(|number| self.numbers.contains(number))
            // A date says which day of the week it is.
            && words(&without).iter().filter(|word| is_weekday(word)).all(|word| has_day(word))
            && own_names(text).iter().all(|name| is_weekday(name) || self.has_word(name) || addresses.iter().any(|one| one.contains(name.as_str())))
    }

    /// Whether a name stands here, also with an "s".
    fn has_word(&self, name: &str) -> bool {
        let bare = name.trim_end_matches('s');
        self.words.iter().any(|word| word == name || word.trim_end_matches('s') == bare)
    }
}

fn is_weekday(word: &str) -> bool {
    WEEKDAYS.contains(&word) || word.strip_suffix('s').is_some_and(|word| WEEKDAYS.contains(&word))
}

/// Whether a word is the day of the week of a date.
fn is_weekday_of(word: &str, day: &str) -> bool {
    let Ok(day) = day.parse::<chrono::NaiveDate>() else { return false };
    let number = chrono::Datelike::weekday(&day).num_days_from_monday();
    let is_of = |name: &&str| *name == word || word.strip_suffix('s') == Some(*name);
    WEEKDAYS.iter().skip(number as usize).step_by(7).any(is_of)
}

fn words(lower: &str) -> Vec<String> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Dates as they are filed: `2026-12-09`.
fn days(lower: &str) -> BTreeSet<String> {
    let parts = lower.split(|c: char| !c.is_ascii_digit() && c != '-').map(|word| word.trim_matches('-'));
    parts.filter(|word| is_day(word)).map(str::to_owned).collect()
}

/// The parts of all numbers but those of dates, without leading zeros and without nothings: `09:00` is 9. "9 pm" is 21, too.
fn numbers(lower: &str) -> BTreeSet<String> {
    let days = days(lower);
    let without = days.iter().fold(lower.to_owned(), |text, day| text.replace(day.as_str(), " "));
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut rest = without.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let tail = rest.get(at..).unwrap_or_default();
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let number = tail.get(..end).unwrap_or_default().trim_start_matches('0');
        rest = tail.get(end..).unwrap_or_default();
        if let (true, Ok(hour)) = (rest.trim_start().starts_with("pm"), number.parse::<u64>())
            && hour < 12
        {
            found.insert((hour + 12).to_string());
        }
        if !number.is_empty() {
            found.insert(number.to_owned());
        }
    }
    found
}

/// Addresses, without the marks of the sentence behind them.
fn addresses(lower: &str) -> Vec<String> {
    let tokens = lower.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '"' | '`' | '[' | ']'));
    let is_address = |word: &&str| word.contains("://") || word.starts_with("www.");
    tokens
        .filter(is_address)
        .map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?', '/']).to_owned())
        .collect()
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

    #[test]
    fn what_a_statement_names_stands_in_what_it_rests_on() {
        let quotes =
            ["We moved deploys to Wednesday at 9 pm, because support changed its shifts; see https://board.example/x."];
        let stated = Stated::of(quotes.into_iter(), [].into_iter());
        for fine in [
            "Since 2026-12-02 deploys are on Wednesdays.",
            "Deploys moved to Wednesday at 21:00.",
            "The board is at https://board.example/x.",
            "deploys moved",
            "Deploys Moved To Wednesday Because Of Shifts",
        ] {
            assert!(stated.covers(fine), "{fine}");
        }
        for other in [
            "Deploys moved to Thursday at 21:00.",
            "Deploys moved to Wednesday at 23:00.",
            "Deploys moved because Bob from support quit.",
            "The board is at https://evil.example/x.",
            "Deploys moved 3 times.",
        ] {
            assert!(!stated.covers(other), "{other}");
        }
        let dated = Stated::of(["the freeze is until 2026-12-10"].into_iter(), [].into_iter());
        assert!(stated.covers("Since Thursday, 2026-12-03.") && !stated.covers("Since Friday, 2026-12-03."));
        assert!(dated.covers("Freeze until 2026-12-10.") && !dated.covers("Freeze until 2026-12-24."));
    }
}
