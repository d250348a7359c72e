//! What stands beside a relative date and changes what it means: a day of the month, an earlier date, another phrase.
//!
//! "Next Tuesday (the 8th)" is that 8th, "Friday the 13th" none that is near; "from 2026-12-03 until Monday" ends after it
//! began; and of two phrases in a row nobody knows how they belong together. Not its job: what a phrase means by itself (see
//! [`super::phrases`]).

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::{Found, Meaning, absolute, calendar};
use crate::memory::likeness::patterns::Pattern;

/// A day of the month right after a weekday.
static ORDINAL: Pattern = Pattern::new(
    r"^,?\s*(?P<open>[(（])?\s*(?P<article>(?:the|den|dem|der|le|el|día)\s+)?(?P<d>\d{1,2})(?P<mark>st\b|nd\b|rd\b|th\b|\.|º|er\b|号|日)?\s*(?P<close>[)）])?",
);
/// What makes such a number another thing: a time, an amount, a day of a month that is named.
static OTHER: Pattern = Pattern::new(concat!(
    r"^\d|^\s*(?:[:%/.,-]\d|h\b|uhr\b|am\b|pm\b|a\.m|p\.m|o'clock|of\b|de\b|月|点|时|時|分",
    r"|(?i:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|fév|avr|juin|juil|août|déc|ene|abr|ago|dic))",
));
/// Words before the end of a stretch.
static UNTIL: Pattern = Pattern::new(
    r"(?i)(?:\b(?:until|till|til|to|through|bis(?: zum)?|hasta(?: el)?|al?|au|jusqu(?:'|’)(?:à|au))|到|至|から)\s*$",
);
/// What may stand between two phrases that are one.
static JOINT: Pattern = Pattern::new(r"(?i)^[\s,]*(?:(?:on|am|in|of|at|le|el|en|dans|de|der|dem|des|の)\s*)?$");

/// Figures right before a phrase that are a part of what it names: "1.5 weeks ago", "2026年12月5日前".
static PART_BEFORE: Pattern = Pattern::new(r"(?:\d[.,:/_-]?|\d\s?[年月日号]\s?|[/_-]|第)$");
/// A number before one that counts: "2 or 3 weeks ago", "2-3日前".
static COUNT_BEFORE: Pattern = Pattern::new(
    r"(?i)(?:\b(?:a|an|one|two|three|four|five|six|zwei|drei|vier|fünf|dos|tres|cuatro|cinco|deux|trois|quatre|cinq|couple)|\d|[一二两三四五六七八九十])\s?(?:or|to|bis|oder|ou|à|o|a|[-–~〜]|到|至|或|か|から)\s?$",
);
/// A phrase that counts.
static COUNTS: Pattern = Pattern::new(concat!(
    r"(?i)^(?:\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|deux|trois|quatre|dos|tres|cuatro|[一二两三四五六七八九十])",
    r"\s?(?:days?|weeks?|months?|quarters?|years?|tag|woche|monat|jahr|jour|semaine|mois|an|día|semana|mes|año|[天周日週月年个かヶヵカケ]|星期|礼拜)",
));
/// A day of the month before a month that is named by its distance: "the 31st of next month".
static DAY_BEFORE: Pattern = Pattern::new(r"(?i)\d(?:st|nd|rd|th|er|\.|º)? (?:of |del? |du |des |d')?(?:the )?$");
/// A day or month after a longer stretch: "来年5月", "来月の31日", "下个月五号".
static PART_AFTER: Pattern = Pattern::new(concat!(
    r"^の?\d|^\s?の?\s?(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号月]",
    r"|^(?i:,? (?:on |am |el |le )?(?:the |den |día )?\d{1,2}(?:st|nd|rd|th|\.|º)(?:$|[^\w]))",
));

/// Whether a phrase is a part of a longer one, which cannot be told: by itself it would say something else.
pub(super) fn is_torn(text: &str, hit: &Found) -> bool {
    let before = text.get(..hit.range.start).unwrap_or_default();
    // What is asked about the end of a long text is asked about its last line only.
    let line = before.rsplit('\n').next().unwrap_or_default();
    let phrase = text.get(hit.range.clone()).unwrap_or_default();
    if PART_BEFORE.is_match(line) || (COUNTS.is_match(phrase) && COUNT_BEFORE.is_match(line)) {
        return true;
    }
    let is_longer = !matches!(hit.meaning, Meaning::Day(_) | Meaning::Unsure(_));
    let after = text.get(hit.range.end..).unwrap_or_default();
    is_longer && (DAY_BEFORE.is_match(line) || PART_AFTER.is_match(after))
}

/// The phrases of a text, in order, with what stands beside them taken in; those that it makes doubtful are left out.
pub(super) fn settle(text: &str, said: NaiveDate, found: Vec<Found>) -> Vec<Found> {
    if found.is_empty() {
        return found;
    }
    let mut settled: Vec<Found> = Vec::with_capacity(found.len());
    let in_row: Vec<bool> =
        found.windows(2).map(|pair| matches!(pair, [one, next] if are_in_row(text, one, next))).collect();
    for (at, hit) in found.into_iter().enumerate() {
        let is_in_row = in_row.get(at).copied().unwrap_or_default()
            || at.checked_sub(1).and_then(|before| in_row.get(before)).copied().unwrap_or_default();
        if is_in_row {
            continue;
        }
        let Some(hit) = with_ordinal(text, said, hit) else { continue };
        let hit = after_what_it_ends(text, said, settled.last(), hit);
        settled.push(hit);
    }
    settled
}

fn are_in_row(text: &str, one: &Found, next: &Found) -> bool {
    text.get(one.range.end..next.range.start).is_some_and(|between| JOINT.is_match(between))
}

/// A weekday with its day of the month; `None`: there is no such day near.
fn with_ordinal(text: &str, said: NaiveDate, mut hit: Found) -> Option<Found> {
    if !hit.is_weekday {
        return Some(hit);
    }
    let after = text.get(hit.range.end..).unwrap_or_default();
    let Some(ordinal) = ORDINAL.captures(after) else { return Some(hit) };
    let has = |name: &str| ordinal.name(name).is_some();
    let (Some(number), Some(all)) = (ordinal.name("d"), ordinal.get(0)) else { return Some(hit) };
    let is_marked = has("mark") || has("article") || (has("open") && has("close"));
    let end = if has("open") == has("close") { all.end() } else { number.end() };
    if !is_marked || OTHER.is_match(after.get(end..).unwrap_or_default()) {
        return Some(hit);
    }
    let meant = hit.meaning.last_day();
    let day: u32 = number.as_str().parse().ok()?;
    let near = (-1..=2).filter_map(|months| calendar::plus_months(calendar::month(said), months).with_day(day));
    let is_ahead = meant >= said;
    let fitting = near
        .filter(|near| near.weekday() == meant.weekday() && (*near >= said) == is_ahead)
        .min_by_key(|near| (*near - said).num_days().abs())?;
    hit.meaning = Meaning::Day(fitting);
    // A full stop that ends the sentence is none of its marks.
    let taken = after.get(..end).unwrap_or_default();
    hit.range.end += if has("open") { end } else { taken.trim_end_matches(['.', ' ']).len() };
    Some(hit)
}

/// A weekday that ends a stretch comes after the day that the stretch begins with.
fn after_what_it_ends(text: &str, said: NaiveDate, before: Option<&Found>, mut hit: Found) -> Found {
    let Meaning::Day(day) = hit.meaning else { return hit };
    let sentence: Range<usize> = 0..hit.range.start;
    let lead = text.get(sentence).and_then(|lead| lead.rsplit(['.', '!', '?', '\n', '。']).next()).unwrap_or_default();
    if !hit.is_weekday || !UNTIL.is_match(lead) {
        return hit;
    }
    let relative = before.filter(|found| found.range.start + lead.len() >= hit.range.start).map(|found| found.meaning);
    let begins = match relative {
        Some(meaning @ (Meaning::Day(_) | Meaning::Unsure(_))) => Some(meaning),
        Some(_) => None,
        None => absolute::named(lead, Some(said)).last().map(|(_, day)| Meaning::Day(*day)),
    };
    let Some(begins) = begins else { return hit };
    let first = begins.last_day();
    let weeks = (first - day).num_days().div_euclid(7) + 1;
    let end = if first >= day { calendar::plus_days(day, weeks * 7) } else { day };
    hit.meaning = if matches!(begins, Meaning::Unsure(_)) { Meaning::Unsure(end) } else { Meaning::Day(end) };
    hit
}

#[cfg(test)]
pub(super) fn are_whole() -> bool {
    [&ORDINAL, &OTHER, &UNTIL, &JOINT, &PART_BEFORE, &COUNT_BEFORE, &COUNTS, &DAY_BEFORE, &PART_AFTER]
        .iter()
        .all(|pattern| pattern.is_whole())
}
