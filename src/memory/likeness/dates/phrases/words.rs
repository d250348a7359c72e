//! Weekdays, months and units in words, of all languages together.
//!
//! Not its job: which of them a phrase may have (its pattern says that).

use chrono::Weekday;

use super::Unit;
use crate::memory::likeness::numerals::numeral;

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
    ("montag", Weekday::Mon),
    ("dienstag", Weekday::Tue),
    ("mittwoch", Weekday::Wed),
    ("donnerstag", Weekday::Thu),
    ("freitag", Weekday::Fri),
    ("samstag", Weekday::Sat),
    ("sonnabend", Weekday::Sat),
    ("sonntag", Weekday::Sun),
    ("lundi", Weekday::Mon),
    ("mardi", Weekday::Tue),
    ("mercredi", Weekday::Wed),
    ("jeudi", Weekday::Thu),
    ("vendredi", Weekday::Fri),
    ("samedi", Weekday::Sat),
    ("dimanche", Weekday::Sun),
    ("lunes", Weekday::Mon),
    ("martes", Weekday::Tue),
    ("miércoles", Weekday::Wed),
    ("miercoles", Weekday::Wed),
    ("jueves", Weekday::Thu),
    ("viernes", Weekday::Fri),
    ("sábado", Weekday::Sat),
    ("sabado", Weekday::Sat),
    ("domingo", Weekday::Sun),
    ("一", Weekday::Mon),
    ("二", Weekday::Tue),
    ("三", Weekday::Wed),
    ("四", Weekday::Thu),
    ("五", Weekday::Fri),
    ("六", Weekday::Sat),
    ("天", Weekday::Sun),
    ("月", Weekday::Mon),
    ("火", Weekday::Tue),
    ("水", Weekday::Wed),
    ("木", Weekday::Thu),
    ("金", Weekday::Fri),
    ("土", Weekday::Sat),
    ("日", Weekday::Sun),
];

const MONTHS: &[(&str, u32)] = &[
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("may", 5),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
    ("fév", 2),
    ("avr", 4),
    ("mai", 5),
    ("juin", 6),
    ("juil", 7),
    ("aoû", 8),
    ("déc", 12),
    ("mär", 3),
    ("okt", 10),
    ("dez", 12),
    ("ene", 1),
    ("abr", 4),
    ("ago", 8),
    ("set", 9),
    ("dic", 12),
];

/// Articles, which count before a unit ("in a week").
const ARTICLES: [&str; 10] = ["a", "an", "ein", "eine", "einem", "einer", "einen", "un", "une", "una"];

const UNITS: &[(&str, Unit)] = &[
    ("day", Unit::Day),
    ("week", Unit::Week),
    ("month", Unit::Month),
    ("quarter", Unit::Quarter),
    ("year", Unit::Year),
    ("tag", Unit::Day),
    ("woche", Unit::Week),
    ("monat", Unit::Month),
    ("quartal", Unit::Quarter),
    ("jahr", Unit::Year),
    ("jour", Unit::Day),
    ("semaine", Unit::Week),
    ("mois", Unit::Month),
    ("trimestre", Unit::Quarter),
    ("an", Unit::Year),
    ("día", Unit::Day),
    ("semana", Unit::Week),
    ("mes", Unit::Month),
    ("año", Unit::Year),
    ("天", Unit::Day),
    ("周", Unit::Week),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("月", Unit::Month),
    ("季度", Unit::Quarter),
    ("年", Unit::Year),
    ("日", Unit::Day),
    ("週", Unit::Week),
];

/// The weekday of a word, also of the beginning of an English one ("wednes").
pub(super) fn weekday_of(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(name, _)| word == *name)
        .or_else(|| WEEKDAYS.iter().take(7).find(|(name, _)| word.starts_with(name)))
        .map(|(_, day)| *day)
}

/// The weekday of a word that is its whole name, in letters.
pub(in super::super) fn whole_weekday_of(word: &str) -> Option<Weekday> {
    let is_long = |name: &str| name.chars().count() > 3;
    let english = |name: &str| !is_long(name) && word.ends_with("day") && word.starts_with(name) && word.len() < 10;
    let named = WEEKDAYS.iter().find(|(name, _)| (is_long(name) && word == *name) || english(name));
    named.map(|(_, day)| *day)
}

/// The month of a word, told by its beginning.
pub(in super::super) fn month_of(word: &str) -> Option<u32> {
    MONTHS.iter().filter(|(name, _)| word.starts_with(name)).max_by_key(|(name, _)| name.len()).map(|(_, month)| *month)
}

/// The number of a word or figure.
pub(super) fn number_of(word: &str) -> Option<i64> {
    word.parse().ok().or_else(|| numeral(word)).or_else(|| ARTICLES.contains(&word).then_some(1))
}

/// The day of the month of a figure, or of a Chinese number up to 31.
pub(super) fn day_of(word: &str) -> Option<u32> {
    if let Ok(day) = word.parse() {
        return Some(day);
    }
    let digit = |part: &str| match part {
        "" => Some(None),
        one => number_of(one).and_then(|number| u32::try_from(number).ok()).filter(|number| *number < 10).map(Some),
    };
    match word.split_once('十') {
        Some((tens, ones)) => Some(digit(tens)?.unwrap_or(1) * 10 + digit(ones)?.unwrap_or(0)),
        None => digit(word)?,
    }
}

/// The unit of a word.
pub(super) fn unit_of(word: &str) -> Option<Unit> {
    UNITS.iter().find(|(name, _)| word == *name).map(|(_, unit)| *unit)
}
