//! The days that a text names outright: `2027-01-15`, "January 15, 2027", "15. Januar 2027", "1月15日".
//!
//! Not its job: days that depend on when something was said (see [`super::phrases`]), but for a month and day without a
//! year, whose year is the nearest to a given day, or in a plan the next one.

use std::ops::Range;
use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Captures;

use super::super::spans;
use super::SAID;
use crate::memory::likeness::patterns::OneOf;

/// Named groups: `y` year, `m` month, `d` day.
static DAYS: LazyLock<OneOf> = LazyLock::new(|| OneOf::of(PATTERNS));

const PATTERNS: &[&str] = &[
    // "评审在2026-10-01。": signs without blanks are no edge of a word.
    r"(?:\b|[\p{Han}\p{Hiragana}\p{Katakana}])(?P<w>(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2}))(?:\b|[\p{Han}\p{Hiragana}\p{Katakana}])",
    r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})\b",
    r"\b(?P<m>(?i:january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)|May|MAY|Mar|MAR)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>\d{4}))?\b",
    r"\b(?P<d>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?P<m>(?i:january|february|march|april|june|july|august|september|october|november|december|januar|jänner|februar|märz|juni|juli|oktober|dezember|jan|feb|apr|jun|jul|aug|sept|sep|oct|okt|nov|dec|dez)|May|MAY|Mai)(?:,? (?P<y>\d{4}))?\b",
    r"(?i)\b(?P<d>\d{1,2})\. ?(?P<m>mai|mär)\b",
    r"\b(?i:on|by|until|till|from|to|before|after|since|due|is|starting) (?P<w>(?P<m>may|mar)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>\d{4}))?)\b",
    r"(?i)\b(?P<d>\d{1,2})(?:er)? (?P<m>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|janv|févr?|avr|juil|sept|oct|nov|déc)(?:\.? (?P<y>\d{4}))?\b",
    r"(?i)\b(?P<d>\d{1,2}) de (?P<m>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|ene|feb|abr|ago|sept?|oct|nov|dic)(?:\.? del? (?P<y>\d{4}))?\b",
    r"(?:(?P<y>\d{4})\s?年\s?)?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
];

/// The days named in a text, in order, outside of quotations, code and addresses. A month and day without a year is the
/// one nearest to `near` (in a plan not one that is long over), or left out when there is nothing to be near to.
pub(crate) fn named(text: &str, near: Option<NaiveDate>) -> Vec<(Range<usize>, NaiveDate)> {
    let said: Vec<Range<usize>> = SAID.find_iter(text).map(|hit| hit.range()).collect();
    let mut hidden: Vec<Range<usize>> = spans::protected(text).into_iter().map(|(range, _)| range).collect();
    hidden.extend(said);
    let mut found: Vec<(Range<usize>, NaiveDate)> = Vec::new();
    for pattern in DAYS.may_match(text) {
        for captures in pattern.captures_iter(text) {
            let Some(all) = captures.name("w").or_else(|| captures.get(0)) else { continue };
            let is_taken = found
                .iter()
                .map(|(range, _)| range)
                .chain(&hidden)
                .any(|range| range.start < all.end() && all.start() < range.end);
            if !is_taken && let Some(day) = day(text, &captures, near) {
                found.push((all.range(), day));
            }
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

fn day(text: &str, captures: &Captures<'_>, near: Option<NaiveDate>) -> Option<NaiveDate> {
    let month = captures.name("m")?.as_str().to_lowercase();
    let month = month.parse().ok().or_else(|| super::phrases::words::month_of(&month))?;
    let day = captures.name("d")?.as_str().parse().ok()?;
    let all = captures.name("w").or_else(|| captures.get(0))?;
    match captures.name("y") {
        Some(year) => NaiveDate::from_ymd_opt(year.as_str().parse().ok()?, month, day),
        None => super::phrases::month_day(text, &all.range(), near?, month, day),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert!(DAYS.is_whole());
    }

    #[test]
    fn days_are_read_in_six_languages_with_and_without_a_year() {
        let near = "2026-12-20".parse().ok();
        for text in [
            "2027-01-15",
            "the launch is on January 15, 2027",
            "the launch is on January 15",
            "15 January",
            "the 15th of January 2027",
            "Jan. 15",
            "am 15. Januar",
            "am 15. Januar 2027",
            "le 15 janvier",
            "el 15 de enero de 2027",
            "el 15 de ene. de 2027",
            "le 15 janv.",
            "1月15日",
            "2027年1月15日",
            "1 月 15 号上线",
            "am 15.01.2027",
        ] {
            let days: Vec<String> = named(text, near).into_iter().map(|(_, day)| day.to_string()).collect();
            assert_eq!(days, ["2027-01-15"], "{text}");
        }
    }

    #[test]
    fn a_planned_day_far_ahead_is_not_the_one_of_last_year() {
        let said = "2026-03-11".parse().ok();
        let rows = [
            ("the deadline is December 18th", "2026-12-18"),
            ("Die Frist endet am 18. Dezember.", "2026-12-18"),
            ("Le gel est prévu le 18 décembre.", "2026-12-18"),
            ("el plazo termina el 18 de diciembre", "2026-12-18"),
            ("the outage of December 18 was our fault", "2025-12-18"),
            ("Since December 18 it must be signed.", "2025-12-18"),
            ("the freeze starts on March 1", "2026-03-01"),
            ("the deadline is December 18, 2025", "2025-12-18"),
        ];
        for (text, day) in rows {
            let days: Vec<String> = named(text, said).into_iter().map(|(_, day)| day.to_string()).collect();
            assert_eq!(days, [day], "{text}");
        }
    }

    #[test]
    fn what_is_no_day_or_only_says_when_something_was_said_is_left_out() {
        let near = "2026-12-20".parse().ok();
        for text in [
            "may 5 people come",
            "version 1.15",
            "see `2027-01-15`",
            "x (\"Thursday\", said 2026-11-28)",
            "March 2027",
            "February 31",
        ] {
            assert_eq!(named(text, near), [], "{text}");
        }
        assert_eq!(named("January 15", None), []);
    }
}
