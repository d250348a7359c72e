//! Relative dates become absolute: "next Thursday", said on 2026-04-04, becomes `2026-04-09 ("next Thursday", said 2026-04-04)`.
//!
//! The anchor is the local day of the message, never the day of the run. The words are kept beside the date; what two
//! people could read differently keeps its words and gets `(2026-04-16?)`. Nothing changes inside code, quotations, addresses,
//! file names and headings, and a second pass changes nothing. Not its job: deciding whether a date has passed.

mod absolute;
mod beside;
mod calendar;
pub(crate) mod ends;
pub(crate) mod lasting;
mod phrases;
pub(crate) mod planned;

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use chrono::{Datelike, NaiveDate, Weekday};

use super::SAID;
use super::language::{self, Language};
use super::patterns::Pattern;
use super::spans;
use super::without_said;

pub(crate) use absolute::named;

/// What a phrase means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// One day.
    Day(NaiveDate),
    /// One day, if the phrase is read the way most people do.
    Unsure(NaiveDate),
    /// A week, by its Monday.
    Week(NaiveDate),
    /// Some time in a week, by its Monday.
    Around(NaiveDate),
    /// A month, by its first day.
    Month(NaiveDate),
    /// A quarter, by its first day.
    Quarter(NaiveDate),
    /// A year, by its first day.
    Year(NaiveDate),
}

impl Meaning {
    /// As it is written.
    fn written(self) -> String {
        match self {
            Self::Day(day) | Self::Unsure(day) | Self::Around(day) => day.to_string(),
            Self::Week(monday) => format!("{monday} to {}", calendar::plus_days(monday, 6)),
            Self::Month(first) => first.format("%Y-%m").to_string(),
            Self::Quarter(first) => format!("{}-Q{}", first.year(), first.month0() / 3 + 1),
            Self::Year(first) => first.year().to_string(),
        }
    }

    /// A day moved as `step` says; longer stretches stay where they are.
    fn moved(self, step: impl Fn(NaiveDate) -> NaiveDate) -> Self {
        match self {
            Self::Day(day) => Self::Day(step(day)),
            Self::Unsure(day) => Self::Unsure(step(day)),
            other => other,
        }
    }

    /// The first day it covers.
    const fn first_day(self) -> NaiveDate {
        match self {
            Self::Day(day)
            | Self::Unsure(day)
            | Self::Week(day)
            | Self::Around(day)
            | Self::Month(day)
            | Self::Quarter(day)
            | Self::Year(day) => day,
        }
    }

    /// The last day it covers.
    pub(crate) fn last_day(self) -> NaiveDate {
        match self {
            Self::Day(day) | Self::Unsure(day) => day,
            Self::Week(monday) | Self::Around(monday) => calendar::plus_days(monday, 6),
            Self::Month(first) => calendar::plus_days(calendar::plus_months(first, 1), -1),
            Self::Quarter(first) => calendar::plus_days(calendar::plus_months(first, 3), -1),
            Self::Year(first) => calendar::plus_days(calendar::plus_months(first, 12), -1),
        }
    }
}

/// A relative date in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it stands.
    pub(crate) range: Range<usize>,
    /// What it means.
    pub(crate) meaning: Meaning,
    /// A bare weekday or "today": it can be a habit as well as a day.
    is_loose: bool,
    /// It is named by its weekday.
    is_weekday: bool,
    /// A word that has to stand before the date in place of the phrase ("in two weeks" → "on 2026-04-18").
    lead: &'static str,
    /// A word that has to stand after the date.
    tail: &'static str,
}

/// How much of the words to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Date, phrase and the day it was said.
    Full,
    /// The date alone, where it is sure: for one-line descriptions.
    Compact,
}

/// Which phrases to resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// All of them: the text tells of something that happens once.
    Event,
    /// All but bare weekdays and "today": the text may be a rule or a habit ("have it merged by Friday").
    Rule,
    /// As a rule, and nothing in a sentence of a habit, a ban or a form: what is read long after it was written says too
    /// little of whether such a word is a day ("the nightly job exports the orders of yesterday").
    Written,
}

/// Words of a sentence whose relative words are no days of one claim.
static TIMELESS: Pattern = Pattern::new(
    r"(?i)\b(?:nightly|hourly|yearly|quarterly|never|whenever|what (?:was|is|were|got|has|have|you|we|i|they)|the (?:word|words|term)|nie|niemals|nächtlich\w*|stündlich\w*|jährlich\w*|jedes|stets|jamais|chacune?|nunca|jamás|das wort|le mot|la palabra)\b|总是|總是|一律|从不|從不|永远|绝不|いつも|常に|決して",
);

/// Dates that are absolute already, or good enough to say that a sentence has one.
static ABSOLUTE: Pattern = Pattern::new(concat!(
    r"(?i)\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{4}-q[1-4]\b",
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b",
    r"|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?\b",
    r"|\b(?:mid|early|late|end of|in|by|until|before) ?-?(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    r"|\b(?:q[1-4])(?: \d{4})?\b",
    r"|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    r"|\b\d{1,2}\. ?(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|mär|apr|jun|jul|aug|sept?|okt|nov|dez)\b",
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)\b",
    r"|\b\d{1,2}(?:er)? (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|janv|févr?|avr|juil|sept|oct|nov|déc)\b",
    r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b",
    r"|\b\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|ene|feb|abr|ago|sept?|oct|nov|dic)\b",
    r"|\b(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)\b",
    r"|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}\.\d{1,2}\.(?:\s|$)",
    r"|\d{1,2}\s?月\s?\d{1,2}\s?[日号]|\d{1,2}\s?月(?:底|初|末|中旬)|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜",
));

/// Words of a habit.
static HABIT: Pattern = Pattern::new(
    r"(?i)\b(?:every|each|weekly|daily|monthly|always|usually|normally|(?:mon|tues|wednes|thurs|fri|satur|sun)days|jede[nrs]?|immer|täglich|wöchentlich|montags|dienstags|mittwochs|donnerstags|freitags|cada|todos los|siempre|los (?:lunes|martes|miércoles|jueves|viernes)|chaque|tous les|toujours)\b|每|毎",
);

/// Words of what comes again every year: its days have no year of their own.
static YEARLY: Pattern = Pattern::new(
    r"(?i)\b(?:every|each) (?:single )?year\b|\b(?:yearly|annual(?:ly)?|year after year)\b|\b(?:jedes jahr|alle jahre|(?:all)?jährlich\w*)\b|\b(?:cada año|todos los años|anual(?:mente)?)\b|\b(?:chaque année|tous les ans|annuel\w*)\b|每年|每逢|毎年|例年",
);

/// Whether a text speaks of days that come again every year.
pub(crate) fn comes_again(text: &str) -> bool {
    YEARLY.is_match(text)
}

/// Whether a text speaks of something that comes again and again.
pub(crate) fn is_habit(text: &str) -> bool {
    HABIT.is_match(text)
}

/// The relative dates of a text, in order, without overlap.
pub(crate) fn find(text: &str, said: NaiveDate) -> Vec<Found> {
    find_in(text, said, language::of(text))
}

fn find_in(text: &str, said: NaiveDate, language: Language) -> Vec<Found> {
    let protected = spans::protected(text);
    let mut found: Vec<Found> = phrases::candidates(text, said, language)
        .into_iter()
        .filter(|hit| {
            !protected.iter().any(|(span, _)| span.start < hit.range.end && hit.range.start < span.end)
                && !is_resolved(text, hit.range.end)
                && !beside::is_torn(text, hit)
                && !is_in_heading(text, hit.range.start)
        })
        .collect();
    found.sort_by(|one, other| one.range.start.cmp(&other.range.start).then(other.range.end.cmp(&one.range.end)));
    let mut kept: Vec<Found> = Vec::new();
    for hit in found {
        if kept.last().is_none_or(|last| last.range.end <= hit.range.start) {
            kept.push(hit);
        }
    }
    beside::settle(text, said, kept)
}

/// Whether ` (2026-04-16?)` follows: the phrase has been dealt with.
fn is_resolved(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|rest| {
        rest.strip_prefix(" (")
            .is_some_and(|rest| rest.chars().take(4).all(|c| c.is_ascii_digit()) && rest.starts_with('2'))
    })
}

fn is_in_heading(text: &str, at: usize) -> bool {
    let line = text.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    line.trim_start().starts_with('#')
}

/// The text with its relative dates made absolute.
pub(crate) fn resolve(text: &str, said: NaiveDate, style: Style, care: Care) -> String {
    // A text in two languages may look like the other one once the phrases of the first are gone: go on until nothing changes.
    let mut resolved = text.to_owned();
    for _ in Language::ALL {
        let next = resolve_once(&resolved, said, style, care, language::of(&resolved));
        if next == resolved {
            break;
        }
        resolved = next;
    }
    resolved
}

fn resolve_once(text: &str, said: NaiveDate, style: Style, care: Care, language: Language) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for hit in find_in(text, said, language) {
        if hit.is_loose && care != Care::Event || care == Care::Written && is_timeless(text, &hit.range) {
            continue;
        }
        out.push_str(text.get(at..hit.range.start).unwrap_or_default());
        let phrase = text.get(hit.range.clone()).unwrap_or_default();
        let written = hit.meaning.written();
        let after = text.get(hit.range.end..).unwrap_or_default();
        // "明天3点": two numbers side by side would be read as one.
        let is_joined =
            style == Style::Compact && hit.tail.is_empty() && after.starts_with(|c: char| c.is_ascii_digit());
        match (hit.meaning, style) {
            (Meaning::Unsure(_), _) => out.push_str(&format!("{phrase} ({written}?)")),
            (_, Style::Full) => {
                out.push_str(&format!("{}{written}{} (\"{phrase}\", said {said})", hit.lead, hit.tail));
            }
            (_, Style::Compact) => out.push_str(&format!("{}{written}{}", hit.lead, hit.tail)),
        }
        if is_joined && !matches!(hit.meaning, Meaning::Unsure(_)) {
            out.push(' ');
        }
        at = hit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// What stands between the relative dates that [`resolve`] would make absolute: names outlive days.
pub(crate) fn between(text: &str, said: NaiveDate, care: Care) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for hit in find(text, said).into_iter().filter(|hit| !hit.is_loose || care == Care::Event) {
        pieces.extend(text.get(at..hit.range.start));
        at = hit.range.end;
    }
    pieces.extend(text.get(at..));
    pieces
}

/// Whether the sentence around a phrase tells of no single day, or there is nothing but the phrase.
fn is_timeless(text: &str, at: &Range<usize>) -> bool {
    let ends = ['.', '!', '?', ';', '\n', '。', '！', '？', '；'];
    let before = text.get(..at.start).and_then(|before| before.rsplit(ends).next()).unwrap_or_default();
    let after = text.get(at.end..).and_then(|after| after.split(ends).next()).unwrap_or_default();
    // "Yesterday, the Beatles song": what a comma and a name follow is the name of something.
    let is_title = before.trim().is_empty()
        && [", the ", ", a ", ", an ", ", by "].iter().any(|opening| after.starts_with(opening))
        && !phrases::has_tense(after);
    let is_alone = !before.chars().chain(after.chars()).any(char::is_alphanumeric);
    [before, after].iter().any(|part| HABIT.is_match(part) || TIMELESS.is_match(part)) || is_alone || is_title
}

/// Every stretch that names a date, relative or absolute: what cues see as `⟦d⟧`.
pub(crate) fn mentions(text: &str, said: NaiveDate) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = find(text, said).into_iter().map(|hit| hit.range).collect();
    for hit in ABSOLUTE.find_iter(text) {
        if !ranges.iter().any(|range| range.start < hit.end() && hit.start() < range.end) {
            ranges.push(hit.range());
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// A text without the days that it names: what something is about does not hang on when it is.
pub(crate) fn without_days(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let text = without_said(text);
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for (range, _) in named(&text, NaiveDate::from_ymd_opt(2000, 1, 1)) {
        left.push_str(text.get(at..range.start).unwrap_or_default());
        at = range.end;
    }
    left.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(left)
}

/// Whether a text is a date and nothing else.
pub(crate) fn is_named(text: &str) -> bool {
    ABSOLUTE.find(text).is_some_and(|hit| hit.range() == (0..text.len()))
}

/// The single days that a text names, relative or with a month, in order.
pub(crate) fn days(text: &str, said: NaiveDate) -> Vec<(Range<usize>, NaiveDate)> {
    let mut days: Vec<(Range<usize>, NaiveDate)> = find(text, said)
        .into_iter()
        .filter_map(|hit| match hit.meaning {
            Meaning::Day(day) | Meaning::Unsure(day) => Some((hit.range, day)),
            _ => None,
        })
        .collect();
    for (range, day) in named(text, Some(said)) {
        if !days.iter().any(|(taken, _)| taken.start < range.end && range.start < taken.end) {
            days.push((range, day));
        }
    }
    days
}

/// The stretches of days that a text names: from the first day to the last, most of one day. Without the day it was said only
/// days with their year.
pub(crate) fn stretches(
    text: &str,
    said: Option<NaiveDate>,
    care: Care,
) -> Vec<(Range<usize>, RangeInclusive<NaiveDate>)> {
    let found = said.map(|said| find(text, said)).unwrap_or_default();
    let meant = found.into_iter().filter(|hit| !hit.is_loose || care == Care::Event);
    let mut all: Vec<(Range<usize>, RangeInclusive<NaiveDate>)> =
        meant.map(|hit| (hit.range, hit.meaning.first_day()..=hit.meaning.last_day())).collect();
    for (range, day) in named(text, said) {
        if !all.iter().any(|(taken, _)| taken.start < range.end && range.start < taken.end) {
            all.push((range, day..=day));
        }
    }
    all
}

/// The day of the week that a word in small letters names, also with an "s".
pub(crate) fn weekday(word: &str) -> Option<Weekday> {
    let named = |word: &str| phrases::words::whole_weekday_of(word);
    named(word).or_else(|| named(word.strip_suffix('s')?))
}

/// Whether a resolved text says when only in words that mean another day every week.
pub(crate) fn is_vague(text: &str) -> bool {
    let has_figure = text.chars().any(|c| c.is_ascii_digit());
    let names_date = || ABSOLUTE.find_iter(text).any(|hit| hit.as_str().chars().any(|c| c.is_ascii_digit()));
    phrases::names_weekday(text) && !is_habit(text) && !(has_figure && names_date())
}

/// A day of the month that takes the place of a date: of the same month, or of the next one where it would be over.
pub(crate) fn same_month(there: NaiveDate, day: u32, said: NaiveDate) -> Option<NaiveDate> {
    let same = there.with_day(day)?;
    if same < said && there >= said {
        calendar::plus_months(calendar::month(there), 1).with_day(day)
    } else {
        Some(same)
    }
}

/// The days written in a text with their year, without those that only say when something was said.
pub(crate) fn written_days(text: &str) -> Vec<NaiveDate> {
    named(text, None).into_iter().map(|(_, day)| day).collect()
}

#[cfg(test)]
mod tests;
