//! Days and months that leave a part of themselves unsaid: "the 15th", "am 15.", "来月5日", "mid January", "until New Year".
//!
//! Not its job: which words name one (the tables of the languages say that).

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::language::Language;
use super::super::{Meaning, absolute, calendar, comes_again, is_habit};
use super::{FUTURE, OVER, PAST, PLANNED, sentence_around};
use crate::memory::likeness::patterns::Pattern;

/// What a sentence is about whose "le 18" and "el 18" are days.
static DATED: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:releases?|livraison|livr(?:e|ons|é)|mise en (?:prod|production|ligne)|recette|démo|demo|gel|freeze|échéance|deadline|réunion|audit",
    r"|lancement|lan(?:ce|çons)|date|sortie|sort|cal[ée]+s?|prév(?:u|ue|us|ues|oit)|fix[ée]+s?|repouss[ée]+s?|report[ée]+s?|décal[ée]+s?|avanc[ée]+s?",
    r"|commence|finit|démarre|migration|bascule|rendu|congés?|vacances|entrega|lanzamiento|lanzamos|salida|sale|congelación|congelamos|plazo|vence",
    r"|reunión|auditoría|fecha|empieza|termina|previst[oa]s?|aplaza\w+|retras\w+|pospone|vacaciones|migración|despliegue|publicamos)\b",
));
/// What makes such a number another thing.
static NUMBERED: Pattern = Pattern::new(
    r"(?i)\b(?:versions?|versión|node|python|java|php|postgres|ruby|page|página|option|opción|ligne|línea|étape|paso|chapitre|article|ticket|issue|v\d)\b",
);
/// What joins the two ends of a stretch, or two days of one month.
static JOINT: Pattern = Pattern::new(
    r"(?i)^\.?\s*(?:bis(?: zum)?|to|until|till|through|and|or|und|oder|al?|au|et|ou|y|o|à|[-–—~〜]|から|到|至|和|と)\s*(?:the |den |dem |le |el )?$",
);
/// A day that takes the place of another.
static MOVED: Pattern = Pattern::new(
    r"(?i)\b(?:moved|instead|not|statt|verschoben|vorgezogen|nicht|avanc[ée]+s?|pas|au lieu|adelant\w+|no|en vez)\b|提前|不是|前倒し|ではなく",
);

/// Day `day` of the month that lies `months` away.
pub(super) fn of_month(said: NaiveDate, months: i64, day: u32) -> Option<Meaning> {
    calendar::plus_months(calendar::month(said), months).with_day(day).map(Meaning::Day)
}

/// A month, or one of its days, of the year that lies `years` away.
pub(super) fn of_year(said: NaiveDate, years: i64, month: u32, day: Option<u32>) -> Option<Meaning> {
    let year = said.year().checked_add(i32::try_from(years).ok()?)?;
    match day {
        Some(day) => NaiveDate::from_ymd_opt(year, month, day).map(Meaning::Day),
        None => NaiveDate::from_ymd_opt(year, month, 1).map(Meaning::Month),
    }
}

/// A day of the month alone: of the month of the date that it belongs to, else the next such day, or the last one of what
/// was.
pub(super) fn day(
    text: &str,
    words: &Range<usize>,
    said: NaiveDate,
    number: u32,
    language: Language,
) -> Option<Meaning> {
    let sentence = sentence_around(text, words);
    let needs_a_topic = matches!(language, Language::French | Language::Spanish);
    if is_habit(sentence) || (needs_a_topic && (!DATED.is_match(sentence) || NUMBERED.is_match(sentence))) {
        return None;
    }
    let named = absolute::named(text, Some(said));
    let between = |from: usize, to: usize| text.get(from..to);
    let ends = named.iter().find(|(range, _)| range.start >= words.end);
    if let Some((_, end)) =
        ends.filter(|(range, _)| between(words.end, range.start).is_some_and(|between| JOINT.is_match(between)))
    {
        let months = if number <= end.day() { 0 } else { -1 };
        return of_month(*end, months, number);
    }
    let is_same_sentence = |range: &Range<usize>| {
        between(range.end, words.start).is_some_and(|between| !between.contains(['.', '!', '?', '\n', '。']))
    };
    let begins = named.iter().rev().find(|(range, _)| range.end <= words.start);
    if let Some((_, begin)) = begins.filter(|(range, _)| is_same_sentence(range)) {
        let months = i64::from(number < begin.day() && !MOVED.is_match(sentence));
        return of_month(*begin, months, number);
    }
    let is_over = is_over(sentence);
    (0..=12)
        .map(|months| if is_over { -months } else { months })
        .filter_map(|months| calendar::plus_months(calendar::month(said), months).with_day(number))
        .find(|day| if is_over { *day < said } else { *day >= said })
        .map(Meaning::Day)
}

/// A month alone: the next one of a plan, the last one of what was, else none.
pub(super) fn month(text: &str, words: &Range<usize>, said: NaiveDate, month: u32) -> Option<Meaning> {
    let sentence = sentence_around(text, words);
    if comes_again(sentence) || is_habit(sentence) {
        return None;
    }
    let this = calendar::month(said);
    let named = NaiveDate::from_ymd_opt(said.year(), month, 1)?;
    let years = match (is_over(sentence), is_planned(sentence)) {
        (true, _) => -i64::from(named > this),
        (false, true) => i64::from(named < this),
        (false, false) => return None,
    };
    Some(Meaning::Month(calendar::plus_months(named, 12 * years)))
}

/// A day that has a name: the next one of a plan, else none; what people mean by it is not sure to the day.
pub(super) fn feast(text: &str, words: &Range<usize>, said: NaiveDate, month: u32, day: u32) -> Option<Meaning> {
    let sentence = sentence_around(text, words);
    if comes_again(sentence) || is_habit(sentence) || is_over(sentence) || !is_planned(sentence) {
        return None;
    }
    let named = NaiveDate::from_ymd_opt(said.year(), month, day)?;
    Some(Meaning::Unsure(calendar::plus_months(named, if named < said { 12 } else { 0 })))
}

fn is_planned(sentence: &str) -> bool {
    PLANNED.is_match(sentence) || FUTURE.is_match(sentence)
}

fn is_over(sentence: &str) -> bool {
    (OVER.is_match(sentence) || PAST.is_match(sentence)) && !is_planned(sentence)
}

#[cfg(test)]
pub(super) fn are_whole() -> bool {
    [&DATED, &NUMBERED, &JOINT, &MOVED].iter().all(|pattern| pattern.is_whole())
}
