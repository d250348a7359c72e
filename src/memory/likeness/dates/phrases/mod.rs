//! Relative dates in words: tables of phrases, one a language, and the rules they follow.
//!
//! Not its job: what is left alone although it reads like a date (see [`super::find`]).

mod around;
mod bare;
mod de;
mod en;
mod es;
mod fr;
mod ja;
mod weekday;
pub(super) mod words;
mod zh;

use std::ops::Range;
use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Captures;

use super::super::language::Language;
use super::{Found, Meaning, calendar};
use crate::memory::likeness::patterns::{Pattern, Set};
use words::{day_of, month_of, number_of, unit_of, weekday_of};

/// A stretch of time that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// What a phrase does with the day it was said. Named groups of the pattern: `w` the words replaced (else all), `day` a
/// weekday, `n` a number, `unit`, `month` and `d` a day of the month.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// So many days away.
    Days(i64),
    /// The week, month, quarter or year so many away.
    Period(Unit, i64),
    /// Like `Period`, with the unit in the words.
    PeriodOf(i64),
    /// The last day of the period so many away, unit in the words.
    EndOf(i64),
    /// `next` weekday.
    Next,
    /// `last` weekday.
    Last,
    /// `this` weekday.
    This,
    /// The nearest one to come.
    Upcoming,
    /// The nearest one past.
    Previous,
    /// Told by the tense of the sentence; to come when it does not tell and the flag is set.
    Tense(bool),
    /// A weekday that nothing beside it explains.
    Passing,
    /// The weekday of the week so many away.
    InWeek(i64),
    /// The weekday of the week so many away, if it is read the way most people do.
    PerhapsInWeek(i64),
    /// `n` units from now.
    From,
    /// `n` units after the nearest weekday to come.
    FromDay,
    /// So many days after the nearest weekday to come.
    PastDay(i64),
    /// `n` units ago.
    Ago,
    /// A month and a day without a year.
    MonthDay,
    /// Day `d` of the month so many away.
    DayOf(i64),
    /// `month`, or its day `d`, of the year so many away.
    MonthOf(i64),
    /// Day `d` of a month that is not named.
    BareDay,
    /// `month` without a day or year.
    MonthAlone,
    /// A day with a name of its own, by its month and day.
    Feast(u32, u32),
}

/// One phrase.
type Phrase = (&'static str, Rule);

/// Before these, German "Morgen" is the time of day.
const GREETS: &[&str] = &["guten", "am", "jeden", "diesen", "heute", "gestern", "schönen", "den", "der"];

/// The phrases of one language, and all of them at once: most texts have none.
struct Compiled {
    any: Set,
    phrases: Vec<(Pattern, Rule)>,
}

fn compile(phrases: &[Phrase]) -> Compiled {
    Compiled {
        any: Set::of(&phrases.iter().map(|(pattern, _)| *pattern).collect::<Vec<_>>()),
        phrases: phrases.iter().map(|(pattern, rule)| (Pattern::new(pattern), *rule)).collect(),
    }
}

/// In the order of [`Language::ALL`].
const TABLES: [&[Phrase]; 6] = [en::PHRASES, de::PHRASES, es::PHRASES, fr::PHRASES, zh::PHRASES, ja::PHRASES];

static COMPILED: LazyLock<[Compiled; 6]> = LazyLock::new(|| TABLES.map(compile));
static IN_PASSING: LazyLock<Compiled> = LazyLock::new(|| compile(weekday::PHRASES));

/// Words that put a sentence into the future, and into the past.
static FUTURE: Pattern = Pattern::new(
    r"(?i)\b(?:will|'ll|won't|going to|due|deadline|freez\w*|launch(?:es|ing)?|releas(?:e|es|ing)|ships?|shipping|cuts?|cutting|starts?|begins?|ends?|goes? live|(?:is|are|'re|’re|'s|’s) \w+ing|needs? to|must|has to|have to|scheduled|planned|plans?|demo|joins?|leaves?|out until|until|expires?|moves?|migrates?)\b",
);
static PAST: Pattern = Pattern::new(
    r"(?i)\b(?:was|were|did|didn't|had|went|got|broke|took|made|came|said|told|found|lost|shipped|fixed|deployed|merged|failed|crashed|released|launched|happened|started|ended|began|built|wrote|moved|agreed|decided|dropped|burned|spent|finished|discovered|noticed)\b",
);

/// Words of a plan, for days without a year.
static PLANNED: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:will|'ll|won't|going to|due|deadlines?|freez(?:e|es|ing)|launch(?:es|ing)?|releas(?:e|es|ing)|ships?|cut-?off|starts?|begins?|ends?|goes? live|must|has to|have to|needs? to|scheduled|planned|plans?|until|till|by|no later than|postponed|moved to|pushed (?:back )?to|expires?)\b",
    r"|\b(?:wird|werden|muss|müssen|frist|fällig|geplant|bis|beginnt|endet|startet|stichtag|verschoben)\b",
    r"|\b(?:sera|seront|doit|doivent|échéance|prévue?s?|jusqu'au|avant le|commence|finit|reportée?s?)\b|\bd'ici ",
    r"|\b(?:será|serán|debe|deben|plazo|hasta|previst[oa]s?|antes del|empieza|termina|aplazad[oa]s?)\b",
    r"|截止|上线|之前|计划|推迟到|まで|予定|締め切り|締切|延期",
));
/// What tells of something that was.
static OVER: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:was|were|did|didn't|had|went|broke|failed|crashed|happened|since|last year)\b|\b(?:war|waren|hatte|hatten|seit)\b",
    r"|\b(?:était|étaient|depuis)\b|\b(?:fue|fueron|era|desde)\b|自从|以来|でした",
));

/// The day that a month and day without a year mean at a place of a text: in a plan not one that has long been over.
pub(super) fn month_day(text: &str, words: &Range<usize>, said: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    let sentence = sentence_around(text, words);
    let is_planned = (PLANNED.is_match(sentence) || weekday::is_of_a_plan(sentence)) && !OVER.is_match(sentence);
    if is_planned { calendar::planned(said, month, day) } else { calendar::nearest(said, month, day) }
}

/// Everything in a text that reads like a relative date.
pub(super) fn candidates(text: &str, said: NaiveDate, language: Language) -> Vec<Found> {
    let [english, german, spanish, french, chinese, japanese] = &*COMPILED;
    let table = match language {
        Language::English => english,
        Language::German => german,
        Language::Spanish => spanish,
        Language::French => french,
        Language::Chinese => chinese,
        Language::Japanese => japanese,
    };
    let mut found = Vec::new();
    let tables = [table, &*IN_PASSING].into_iter().filter(|table| table.any.hits(text));
    for (pattern, rule) in tables.flat_map(|table| &table.phrases) {
        for captures in pattern.captures_iter(text) {
            let Some(words) = captures.name("w").or_else(|| captures.get(0)) else { continue };
            if let Some((meaning, lead)) = meaning(*rule, &captures, text, words.range(), said, language) {
                let is_nearest = matches!(rule, Rule::Upcoming | Rule::Previous | Rule::Tense(_) | Rule::Passing);
                let is_weekday = is_nearest
                    || matches!(rule, Rule::Next | Rule::Last | Rule::This | Rule::InWeek(_) | Rule::PerhapsInWeek(_));
                let is_loose =
                    is_nearest || matches!(rule, Rule::Days(0) | Rule::BareDay | Rule::MonthAlone | Rule::Feast(..));
                let tail = if matches!(meaning, Meaning::Around(_)) { around::tail(language) } else { "" };
                found.push(Found { range: words.range(), meaning, is_loose, is_weekday, lead, tail });
            }
        }
    }
    found
}

fn meaning(
    rule: Rule,
    captures: &Captures<'_>,
    text: &str,
    words: Range<usize>,
    said: NaiveDate,
    language: Language,
) -> Option<(Meaning, &'static str)> {
    let group = |name: &str| captures.name(name).map(|hit| hit.as_str().to_lowercase());
    let unit = || group("unit").and_then(|word| unit_of(&word));
    let weekday = || group("day").or_else(|| group("day2")).and_then(|word| weekday_of(&word));
    let after = text.get(words.end..).unwrap_or_default();
    let before = text.get(..words.start).unwrap_or_default();
    let plain = |meaning: Meaning| Some((meaning, ""));
    let phrase = text.get(words.clone()).unwrap_or_default();
    if language == Language::English && is_a_name(phrase, before, after) {
        return None;
    }
    match rule {
        Rule::Period(Unit::Week, -1) => around::past_week(said, phrase, before, language),
        Rule::PeriodOf(-1) if unit() == Some(Unit::Week) && !is_possessive_phrase(phrase) => {
            let stands_alone = language != Language::English
                || !(before.to_lowercase().ends_with("the ") || after.trim_start().starts_with("of "));
            if stands_alone { around::past_week(said, phrase, before, language) } else { None }
        }
        // "Guten Morgen" and "heute Morgen" are no tomorrow.
        Rule::Days(1)
            if language == Language::German
                && GREETS.iter().any(|word| before.to_lowercase().trim_end().ends_with(word)) =>
        {
            None
        }
        Rule::Days(days) => plain(Meaning::Day(calendar::plus_days(said, days))),
        Rule::Period(unit, offset) => plain(period(unit, offset, said)),
        Rule::PeriodOf(offset) => {
            // "the last week of May", "over the next month" and "every next year" count differently.
            let stands_alone = language != Language::English
                || !(before.to_lowercase().ends_with("the ") || after.trim_start().starts_with("of "));
            stands_alone.then_some(()).and_then(|()| plain(period(unit()?, offset, said)))
        }
        Rule::EndOf(offset) => {
            let unit = unit().unwrap_or(Unit::Month);
            plain(Meaning::Day(period(unit, offset, said).last_day()))
        }
        Rule::Next => plain(calendar::next(said, weekday()?)),
        Rule::Last => plain(calendar::last(said, weekday()?)),
        Rule::This => plain(calendar::this(said, weekday()?)),
        Rule::Upcoming => {
            if is_possessive(after) || weekday::is_working_week(sentence_around(text, &words)) {
                None
            } else {
                plain(calendar::upcoming(said, weekday()?))
            }
        }
        Rule::Previous => plain(calendar::previous(said, weekday()?)),
        Rule::Tense(or_future) => {
            if is_possessive(after) {
                return None;
            }
            let sentence = sentence_around(text, &words);
            if !or_future && weekday::recurs(sentence) {
                return None;
            }
            let future = FUTURE.is_match(sentence);
            let past = PAST.is_match(sentence);
            match (future, past) {
                (true, false) => plain(calendar::upcoming(said, weekday()?)),
                (false, true) => plain(calendar::previous(said, weekday()?)),
                (false, false) if or_future => plain(calendar::upcoming(said, weekday()?)),
                _ => None,
            }
        }
        Rule::Passing => plain(weekday::in_passing(text, &words, said, weekday()?)?),
        Rule::InWeek(weeks) => plain(Meaning::Day(calendar::in_week(said, weekday()?, weeks))),
        Rule::PerhapsInWeek(weeks) => {
            let day = calendar::in_week(said, weekday()?, weeks);
            let is_sure = calendar::in_week(said, weekday()?, 0) <= said;
            plain(if is_sure { Meaning::Day(day) } else { Meaning::Unsure(day) })
        }
        Rule::FromDay => {
            let lead = if language == Language::English { "on " } else { "" };
            let (number, unit) = (number_of(&group("n")?)?, unit()?);
            Some((calendar::upcoming(said, weekday()?).moved(|day| step(day, number, unit)), lead))
        }
        Rule::PastDay(days) => plain(calendar::upcoming(said, weekday()?).moved(|day| calendar::plus_days(day, days))),
        Rule::From => {
            let is_told = PAST.is_match(sentence_around(text, &words));
            let lead = if language == Language::English { "on " } else { "" };
            if is_told { None } else { Some((Meaning::Day(step(said, number_of(&group("n")?)?, unit()?)), lead)) }
        }
        Rule::Ago => plain(Meaning::Day(step(said, -number_of(&group("n")?)?, unit()?))),
        Rule::DayOf(months) => plain(bare::of_month(said, months, day_of(&group("d").or_else(|| group("d2"))?)?)?),
        Rule::MonthOf(years) => {
            let day = group("d").map(|word| day_of(&word));
            let month = group("month").and_then(|word| word.parse().ok().or_else(|| month_of(&word)))?;
            plain(bare::of_year(said, years, month, day.flatten())?)
        }
        Rule::BareDay => plain(bare::day(text, &words, said, day_of(&group("d")?)?, language)?),
        Rule::MonthAlone => {
            let month = group("month").and_then(|word| word.parse().ok().or_else(|| month_of(&word)))?;
            plain(bare::month(text, &words, said, month)?)
        }
        Rule::Feast(month, day) => plain(bare::feast(text, &words, said, month, day)?),
        // What comes again every year has no year of its own.
        Rule::MonthDay if super::comes_again(sentence_around(text, &words)) => None,
        Rule::MonthDay => {
            let has_year =
                after.trim_start_matches([',', ' ', '.']).chars().take(4).filter(char::is_ascii_digit).count() == 4
                    || before.trim_end().ends_with(['年', '-', '/'])
                    || after.starts_with(" de 2")
                    || after.starts_with(" del 2");
            let month = group("month").and_then(|word| word.parse().ok().or_else(|| month_of(&word)));
            if has_year {
                None
            } else {
                plain(Meaning::Day(month_day(text, &words, said, month?, group("d")?.parse().ok()?)?))
            }
        }
    }
}

fn period(unit: Unit, offset: i64, said: NaiveDate) -> Meaning {
    match unit {
        Unit::Day => Meaning::Day(calendar::plus_days(said, offset)),
        Unit::Week => Meaning::Week(calendar::plus_days(calendar::monday(said), offset * 7)),
        Unit::Month => Meaning::Month(calendar::plus_months(calendar::month(said), offset)),
        Unit::Quarter => Meaning::Quarter(calendar::plus_months(calendar::quarter(said), offset * 3)),
        Unit::Year => Meaning::Year(calendar::plus_months(calendar::year(said), offset * 12)),
    }
}

fn step(said: NaiveDate, number: i64, unit: Unit) -> NaiveDate {
    match unit {
        Unit::Day => calendar::plus_days(said, number),
        Unit::Week => calendar::plus_days(said, number * 7),
        Unit::Month => calendar::plus_months(said, number),
        Unit::Quarter => calendar::plus_months(said, number * 3),
        Unit::Year => calendar::plus_months(said, number * 12),
    }
}

/// What one speaks of with the day it happened or will: "yesterday's outage".
static EVENT: Pattern = Pattern::new(
    r"(?i)^ (?:[\w-]+ )?(?:outages?|incidents?|releases?|deploy(?:s|ment)?|launch|freeze|demo|cutover|migration|rollout|rollback|upgrade|workshop|interview|audit|deadline|go-live|crash|failures?|bug|meeting|review|call|sync|build|run|decision|discussion|retro|planning|numbers|logs?)\b",
);

fn is_possessive_phrase(phrase: &str) -> bool {
    phrase.ends_with("'s") || phrase.ends_with("’s")
}

/// "The song Yesterday", "tomorrow's architecture": words of a day that name something else.
fn is_a_name(phrase: &str, before: &str, after: &str) -> bool {
    if is_possessive_phrase(phrase) && !EVENT.is_match(after) {
        return true;
    }
    let is_day = ["Yesterday", "Today", "Tomorrow"].iter().any(|day| phrase.starts_with(day));
    let sentence = before.rsplit(['.', '!', '?', '\n', ':', '*', '"', '(', '-']).next().unwrap_or_default();
    is_day && sentence.chars().any(char::is_alphanumeric)
}

/// Whether a text names a weekday.
pub(super) fn names_weekday(text: &str) -> bool {
    weekday::is_named(text)
}

/// Whether a text tells of what was or of what will be.
pub(super) fn has_tense(text: &str) -> bool {
    FUTURE.is_match(text) || PAST.is_match(text)
}

fn is_possessive(after: &str) -> bool {
    after.starts_with("'s") || after.starts_with("’s")
}

pub(super) fn sentence_around<'a>(text: &'a str, words: &Range<usize>) -> &'a str {
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '。');
    let start = text.get(..words.start).and_then(|before| before.rfind(is_end)).map_or(0, |at| at + 1);
    let end = text.get(words.end..).and_then(|after| after.find(is_end)).map_or(text.len(), |at| words.end + at);
    text.get(start..end).or_else(|| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
pub(super) fn uncompiled() -> usize {
    assert!(
        bare::are_whole()
            && weekday::are_whole()
            && PLANNED.is_whole()
            && OVER.is_whole()
            && FUTURE.is_whole()
            && PAST.is_whole()
            && EVENT.is_whole()
    );
    let is_whole =
        |table: &Compiled| table.any.is_whole() && table.phrases.iter().all(|(pattern, _)| pattern.is_whole());
    COMPILED.iter().chain([&*IN_PASSING]).filter(|table| !is_whole(table)).count()
}
