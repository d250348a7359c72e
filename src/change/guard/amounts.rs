//! Amounts: numbers, written in figures or words, with the unit that follows.
//!
//! "9 pm" is 21, "09:00" is 9, "1,000" is 1000, "two hundred" is 200. Not its job: dates (see
//! `crate::memory::likeness::dates`), and tokens in which figures are a part of a name (see [`super::literals`]).

use crate::memory::likeness::numerals::numeral;
use crate::memory::likeness::patterns::Pattern;

/// A number in figures, with a mark of money before it and a word right after it.
static FIGURES: Pattern =
    Pattern::new(r"(?P<sign>[$€£])?\s?(?P<number>\d+(?:[.,:]\d+)*)(?:\s|\u{a0})?(?P<unit>[\p{L}%$€£]+)?");

/// A unit by each of its words.
const UNITS: [(&str, &[&str]); 24] = [
    ("ms", &["ms", "millisecond", "milliseconds", "millisekunden", "millisecondes", "milisegundos"]),
    (
        "s",
        &[
            "s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "seconde", "secondes", "segundo",
            "segundos", "秒",
        ],
    ),
    ("min", &["min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "分", "分钟"]),
    (
        "h",
        &["h", "hr", "hrs", "hour", "hours", "stunde", "stunden", "heure", "heures", "hora", "horas", "小时", "時間"],
    ),
    ("day", &["d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días", "天"]),
    ("week", &["w", "week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "周", "週"]),
    ("month", &["month", "months", "monat", "monate", "monaten", "mois", "mes", "meses"]),
    ("quarter", &["quarter", "quarters", "quartal", "quartale"]),
    ("year", &["y", "year", "years", "jahr", "jahre", "jahren", "an", "ans", "año", "años", "年"]),
    ("am", &["am"]),
    ("pm", &["pm"]),
    ("%", &["%", "percent", "prozent", "pourcent", "porciento"]),
    ("kb", &["kb", "kib", "kilobyte", "kilobytes"]),
    ("mb", &["mb", "mib", "megabyte", "megabytes"]),
    ("gb", &["gb", "gib", "gigabyte", "gigabytes"]),
    ("tb", &["tb", "tib", "terabyte", "terabytes"]),
    ("$", &["$", "dollar", "dollars", "usd"]),
    ("€", &["€", "euro", "euros", "eur"]),
    ("£", &["£", "pound", "pounds", "gbp"]),
    ("k", &["k", "thousand", "tausend"]),
    ("m", &["m", "million", "millions", "millionen", "mio"]),
    ("b", &["billion", "billions", "milliarden", "mrd"]),
    ("x", &["x", "times", "mal", "fois", "veces"]),
    ("th", &["st", "nd", "rd", "th"]),
];

/// Marks that say something, which a comparison of words leaves out: of money, of more and less, `C++` and `C#`.
pub(super) fn signs(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let is_sign = |at: usize, sign: char| {
        let before = at.checked_sub(1).and_then(|before| characters.get(before));
        let next = characters.iter().skip(at + 1).find(|c| !c.is_whitespace());
        let is_after_word = before.is_some_and(|c| c.is_alphanumeric() || *c == sign);
        let is_before_number = next.is_some_and(char::is_ascii_digit);
        match sign {
            '$' | '€' | '£' | '¥' | '%' => true,
            '+' | '#' => is_after_word,
            '<' | '>' | '=' | '≤' | '≥' | '±' => is_before_number,
            '-' | '−' => {
                before.is_none_or(|c| c.is_whitespace()) && characters.get(at + 1).is_some_and(char::is_ascii_digit)
            }
            _ => false,
        }
    };
    characters.iter().enumerate().filter(|(at, sign)| is_sign(*at, **sign)).map(|(_, sign)| *sign).collect()
}

/// A number as it is compared, with its unit by one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) number: String,
    pub(super) unit: Option<&'static str>,
    /// The word that stands for the number.
    pub(super) word: Option<String>,
}

/// The amounts of a text in small letters.
pub(super) fn amounts(lower: &str) -> Vec<Amount> {
    let mut found = Vec::new();
    for hit in FIGURES.captures_iter(lower) {
        let Some(figures) = hit.name("number") else { continue };
        let sign = hit.name("sign").or_else(|| hit.name("unit"));
        let unit = sign.and_then(|sign| unit_of(sign.as_str()));
        let number = normal(figures.as_str());
        found.push(Amount { number: in_the_day(&number, unit).unwrap_or(number), unit, word: None });
    }
    found.extend(in_words(lower));
    found
}

/// The unit that a word names.
pub(super) fn unit_of(word: &str) -> Option<&'static str> {
    UNITS.iter().find(|(_, words)| words.contains(&word)).map(|(unit, _)| *unit)
}

/// A number in figures without what only writes it in another way.
fn normal(figures: &str) -> String {
    let bare = |part: &str| {
        let bare = part.trim_start_matches('0');
        if bare.is_empty() { "0".to_owned() } else { bare.to_owned() }
    };
    if let Some((hour, minute)) = figures.split_once(':') {
        return if minute == "00" { bare(hour) } else { format!("{}:{minute}", bare(hour)) };
    }
    let parts: Vec<&str> = figures.split(',').collect();
    let are_thousands =
        parts.len() > 1 && parts.iter().skip(1).all(|part| part.chars().take_while(char::is_ascii_digit).count() == 3);
    bare(&if are_thousands { parts.concat() } else { parts.join(".") })
}

/// An hour of the afternoon as the clock of a day has it.
fn in_the_day(number: &str, unit: Option<&str>) -> Option<String> {
    let (hour, rest) = number.split_once(':').map_or((number, ""), |(hour, rest)| (hour, rest));
    let hour: u32 = hour.parse().ok().filter(|hour| *hour <= 12)?;
    let hour = match unit? {
        "pm" if hour < 12 => hour + 12,
        "am" if hour == 12 => 0,
        _ => return None,
    };
    Some(if rest.is_empty() { hour.to_string() } else { format!("{hour}:{rest}") })
}

/// Numbers in words: what belongs together is one, "two hundred", "twenty-five". "One" counts nothing by itself.
fn in_words(lower: &str) -> Vec<Amount> {
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found: Vec<Amount> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at).copied() {
        let (begin, Some(mut number)) = (at, numeral(word)) else {
            at += 1;
            continue;
        };
        at += 1;
        while let Some(next) = words.get(at).copied().and_then(numeral) {
            let is_one_more = (20..100).contains(&number) && (1..10).contains(&next);
            match (is_one_more, next >= 100 && number < next) {
                (true, _) => number += next,
                (_, true) => number = number.saturating_mul(next),
                _ => break,
            }
            at += 1;
        }
        if number != 1 {
            let unit = words.get(at).copied().and_then(unit_of);
            let word = words.get(begin..at).unwrap_or_default().join(" ");
            found.push(Amount { number: number.to_string(), unit, word: Some(word) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;

    #[test]
    fn amounts_are_the_same_however_they_are_written() {
        for (text, number, unit) in [
            ("at 09:00", "9", None),
            ("at 9:30 pm", "21:30", Some("pm")),
            ("at 12 am", "0", Some("am")),
            ("1,000 rows", "1000", None),
            ("1,5 gb", "1.5", Some("gb")),
            ("30s", "30", Some("s")),
            ("thirty seconds", "30", Some("s")),
            ("two hundred rows", "200", None),
            ("twenty-five minutes", "25", Some("min")),
            ("$5", "5", Some("$")),
            ("5 €", "5", Some("€")),
            ("version 3.2.1", "3.2.1", None),
        ] {
            let all = amounts(text);
            let [one] = all.as_slice() else { panic!("{text}: {all:?}") };
            assert_eq!((one.number.as_str(), one.unit), (number, unit), "{text}");
        }
        assert_eq!(amounts("one of them"), []);
    }
}
