//! An engine that refuses: its words for a usage limit, missing credentials or an unpaid bill, told from other trouble.
//!
//! Such words come as errors, and also as an ordinary answer of the assistant. A run that meets them ends at once, because
//! every further try would meet them too (see [`super::pause`] for how long). Not its job: trouble that passes by itself
//! (an overload, a broken connection), which the backoff of the schedule covers.

use std::sync::LazyLock;

use chrono::{DateTime, Local, NaiveTime, TimeDelta, Utc};
use regex::Regex;
use serde::{Deserialize, Serialize};

/// An answer longer than this is about limits, not refused by one.
const LONGEST_ANSWER: usize = 400;

/// No pause that an engine asks for is longer than this: weekly limits are the longest there are.
const LONGEST_WAIT: TimeDelta = TimeDelta::days(8);

/// Why an engine refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Refusal {
    /// A usage or rate limit of the account.
    Limit,
    /// No, wrong or expired credentials.
    Credentials,
    /// Nothing left to pay with.
    Billing,
}

impl Refusal {
    /// What is the matter, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Limit => "the usage limit is reached",
            Self::Credentials => "the credentials are not accepted",
            Self::Billing => "the account has no credit",
        }
    }

    /// What a person does about it, with the engine of that name; `None`: only time helps.
    #[must_use]
    pub fn next(self, engine: &str) -> Option<&'static str> {
        match self {
            Self::Limit => None,
            Self::Credentials if engine == "claude" => Some("log in: start `claude` in a terminal and enter /login"),
            Self::Credentials => Some("put its key right"),
            Self::Billing => Some("see to its account"),
        }
    }
}

/// What an answer that refuses begins with, and what an error says anywhere. In the order in which they are asked.
const WORDS: [(Refusal, &str); 3] = [
    (
        Refusal::Billing,
        r"credit balance is too low|insufficient[ _](?:quota|credits?|funds|balance)|billing[ _](?:error|issue|hard[ _]limit)|payment (?:is )?required|(?:check|update) your (?:plan and )?billing|out of credits?",
    ),
    (
        Refusal::Credentials,
        r"(?:invalid|missing|incorrect|no|expired|revoked) (?:api[ _-]?key|x-api-key|auth\w* token|oauth token|credentials)|authentication[ _](?:error|failed|required)|(?:please )?run /login|not logged in|oauth token (?:has )?(?:expired|been revoked)|\b401\b[^\n]{0,40}(?:unauthorized|authentication)|unauthorized|permission[ _]error",
    ),
    (
        Refusal::Limit,
        r"(?:usage|rate|session|weekly|daily|hourly|monthly|5-hour|token|request|opus|spending)[ _-]limit(?:s)?(?:[ _](?:is |has been |was )?(?:reached|exceeded|hit|error))?|limit (?:is |has been |was )?(?:reached|exceeded|hit)|(?:exceeded|reached|hit) (?:your|the) (?:[\w-]+ ){0,3}(?:quota|limit)|quota (?:is |has been )?exceeded|too many requests|\b429\b",
    ),
];

/// What a refusal may begin with before its own words.
const LEAD_IN: &str = r#"(?:(?:api )?error\b[^\n]{0,40}?[:\-]? ?|claude(?: ai| code)?(?:'s)? |sorry[,.]? |(?:i'm|i am) sorry[,.:]? (?:but )?|you(?:'ve| have)? |your (?:account |organi[sz]ation )?(?:has |is )?|the |[\s\[\](){}"'*_`:!.,⚠️❌•·-])*"#;

static ANYWHERE: LazyLock<Vec<(Refusal, Regex)>> = LazyLock::new(|| compiled(""));
static AT_THE_START: LazyLock<Vec<(Refusal, Regex)>> = LazyLock::new(|| compiled(&format!("^{LEAD_IN}")));

fn compiled(before: &str) -> Vec<(Refusal, Regex)> {
    let all =
        WORDS.iter().filter_map(|(what, words)| Some((*what, Regex::new(&format!("(?i){before}(?:{words})")).ok()?)));
    all.collect()
}

/// Whether an error is a refusal.
#[must_use]
pub fn in_error(text: &str) -> Option<Refusal> {
    first(&ANYWHERE, text)
}

/// Whether an answer of the assistant is a refusal: short, and beginning with its words. A sentence *about* limits, as a
/// dream over notes on them may say, is none.
#[must_use]
pub fn in_answer(text: &str) -> Option<Refusal> {
    let text = text.trim();
    (text.len() <= LONGEST_ANSWER).then(|| first(&AT_THE_START, text)).flatten()
}

fn first(patterns: &[(Refusal, Regex)], text: &str) -> Option<Refusal> {
    patterns.iter().find(|(_, pattern)| pattern.is_match(text)).map(|(what, _)| *what)
}

static EPOCH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\|\s*(\d{10})(?:\d{3})?\b").ok());
static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:\bin|after:?|wait(?: for)?)\s+(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)?\b")
        .ok()
});
static INSTANT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))").ok());
static TIME_OF_DAY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:resets?|until|again|available)\b[^\d\n]{0,12}(\d{1,2})(?::(\d\d))?\s*(am|pm)?\b(?:\s*\(([A-Za-z][A-Za-z0-9_+/-]{1,60})\)|\s+(UTC|GMT)\b)?",
    )
    .ok()
});

/// When the engine says that it will answer again, if it does: an instant, a time span, or a time of the local day.
#[must_use]
pub fn resumes(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let found = epoch(text).or_else(|| instant(text)).or_else(|| span(text, now)).or_else(|| time_of_day(text, now))?;
    (found > now && found - now <= LONGEST_WAIT).then_some(found)
}

fn epoch(text: &str) -> Option<DateTime<Utc>> {
    let seconds = EPOCH.as_ref()?.captures(text)?.get(1)?.as_str().parse().ok()?;
    DateTime::from_timestamp(seconds, 0)
}

fn instant(text: &str) -> Option<DateTime<Utc>> {
    let written = INSTANT.as_ref()?.captures(text)?.get(1)?.as_str().replacen(' ', "T", 1);
    Some(DateTime::parse_from_rfc3339(&written).ok()?.with_timezone(&Utc))
}

fn span(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let found = SPAN.as_ref()?.captures(text)?;
    let number: i64 = found.get(1)?.as_str().parse().ok()?;
    let unit = found.get(2).and_then(|unit| unit.as_str().chars().next()).map_or('s', |unit| unit.to_ascii_lowercase());
    let seconds = match unit {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => 1,
    };
    now.checked_add_signed(TimeDelta::try_seconds(number.checked_mul(seconds)?)?)
}

/// The next time the clock shows it, in the zone that is named, else the local one. In an hour that the clock leaves out or
/// has twice, the first that there is. A zone that this machine does not know gives no time: a wrong one would be worse.
fn time_of_day(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let found = TIME_OF_DAY.as_ref()?.captures(text)?;
    let mut hour: u32 = found.get(1)?.as_str().parse().ok()?;
    let minute = found.get(2).map_or(Ok(0), |minute| minute.as_str().parse()).ok()?;
    match found.get(3).map(|half| half.as_str().to_ascii_lowercase()).as_deref() {
        Some("pm") if hour < 12 => hour += 12,
        Some("am") if hour == 12 => hour = 0,
        Some(_) => {}
        // A bare number is a time only with its minutes.
        None if found.get(2).is_none() => return None,
        None => {}
    }
    let time = NaiveTime::from_hms_opt(hour, minute, 0)?;
    // Zones have capitals; `(local)` is none.
    let zone = found.get(4).or_else(|| found.get(5)).map(|zone| zone.as_str());
    if let Some(zone) =
        zone.filter(|zone| zone.contains('/') || zone.starts_with(|first: char| first.is_ascii_uppercase()))
    {
        return in_zone(zone, time, now);
    }
    let today = now.with_timezone(&Local).date_naive();
    let candidates = [Some(today), today.succ_opt()].into_iter().flatten();
    let instants = candidates.filter_map(|day| day.and_time(time).and_local_timezone(Local).earliest());
    instants.map(|at| at.with_timezone(&Utc)).find(|at| *at > now)
}

/// The next time the clock of a zone shows a time; the zones are the system's.
fn in_zone(name: &str, time: NaiveTime, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let zone = match name.to_ascii_uppercase().as_str() {
        "UTC" | "GMT" => tz::TimeZone::utc(),
        // A name, and never rules of a zone's own.
        _ => tz::TimeZone::from_posix_tz(&format!(":{name}")).ok()?,
    };
    let offset = |at: i64| zone.find_local_time_type(at).ok().map(|found| i64::from(found.ut_offset()));
    let today = DateTime::from_timestamp(now.timestamp().checked_add(offset(now.timestamp())?)?, 0)?.date_naive();
    let days = [today.pred_opt(), Some(today), today.succ_opt()].into_iter().flatten();
    let instants = days.filter_map(|day| {
        let shown = day.and_time(time).and_utc().timestamp();
        // The offsets of half a day before and after: one of them holds, both where they are the same.
        let candidates = [offset(shown - 43_200)?, offset(shown + 43_200)?].map(|offset| shown - offset);
        let holds = |at: &&i64| offset(**at).is_some_and(|offset| **at + offset == shown);
        let at = candidates.iter().filter(holds).min().or_else(|| candidates.iter().max())?;
        DateTime::from_timestamp(*at, 0)
    });
    instants.filter(|at| *at > now).min()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn fc_121_limits_credentials_and_bills_are_told_apart_in_errors_and_in_answers() {
        for (text, what) in [
            ("Claude AI usage limit reached|1796040000", Refusal::Limit),
            ("You've hit your session limit · resets 3:45pm", Refusal::Limit),
            ("You have reached your weekly usage limit.", Refusal::Limit),
            ("API Error: 429 rate_limit_error: too many requests", Refusal::Limit),
            ("Rate limit exceeded. Try again in 20 minutes.", Refusal::Limit),
            ("Your organization has exceeded the usage limit", Refusal::Limit),
            ("Invalid API key · Please run /login", Refusal::Credentials),
            ("OAuth token has expired. Please run /login", Refusal::Credentials),
            ("API Error: 401 authentication_error", Refusal::Credentials),
            ("Credit balance is too low", Refusal::Billing),
            ("Error: insufficient_quota", Refusal::Billing),
        ] {
            assert_eq!(in_error(text), Some(what), "{text}");
            assert_eq!(in_answer(text), Some(what), "{text}");
        }
        let wordy = "You exceeded your current quota, please check your plan and billing details.";
        assert!(in_error(wordy).is_some() && in_answer(wordy).is_some());
    }

    #[test]
    fn an_answer_about_limits_and_trouble_that_passes_are_no_refusals() {
        for text in [
            "Merged two memories about what to do when the usage limit is reached.",
            "I updated the note on invalid API key errors in the gateway.",
            "All memories look great!",
            "",
        ] {
            assert_eq!(in_answer(text), None, "{text}");
        }
        let long = format!("Usage limit reached. {}", "This is a report about it. ".repeat(40));
        assert_eq!(in_answer(&long), None);
        for text in ["overloaded", "the connection was reset", "the answer was cut off", "500 internal server error"] {
            assert_eq!(in_error(text), None, "{text}");
        }
    }

    #[test]
    fn the_time_an_engine_names_is_understood_and_nonsense_is_not() {
        let at = |minutes: i64| Some(now() + TimeDelta::minutes(minutes));
        let epoch = (now() + TimeDelta::minutes(90)).timestamp();
        for (text, expected) in [
            (format!("usage limit reached|{epoch}"), at(90)),
            ("rate limit exceeded, try again in 20 minutes".to_owned(), at(20)),
            ("429; retry after 120".to_owned(), at(2)),
            ("Retry-After: 3600".to_owned(), at(60)),
            ("limit reached until 2026-11-30T15:30:00Z".to_owned(), at(210)),
            ("limit reached until 2020-01-01T00:00:00Z".to_owned(), None),
            ("try again in 999999 days".to_owned(), None),
            ("limit reached".to_owned(), None),
        ] {
            assert_eq!(resumes(&text, now()), expected, "{text}");
        }
        let wall = resumes("You've hit your session limit · resets 3:45pm", now()).unwrap();
        assert_eq!(wall.with_timezone(&Local).format("%H:%M").to_string(), "15:45");
        assert!(wall > now() && wall - now() <= TimeDelta::hours(25));
    }
    #[test]
    fn a_time_of_day_is_of_the_zone_that_is_named_with_its_summer_and_an_unknown_zone_gives_none() {
        let at = |text: &str, now: &str| resumes(text, now.parse().unwrap()).map(|at| at.to_rfc3339());
        let named = |zone: &str| format!("You've hit your limit · resets 3pm ({zone})");
        for (zone, now, expected) in [
            ("UTC", "2026-11-30T12:00:00Z", Some("2026-11-30T15:00:00+00:00")),
            ("UTC", "2026-11-30T15:00:00Z", Some("2026-12-01T15:00:00+00:00")),
            ("Mars/Olympus_Mons", "2026-11-30T12:00:00Z", None),
            ("PDT", "2026-11-30T12:00:00Z", None),
            ("Etc/../passwd", "2026-11-30T12:00:00Z", at("resets 3pm", "2026-11-30T12:00:00Z").as_deref()),
            ("local", "2026-11-30T12:00:00Z", at("resets 3pm", "2026-11-30T12:00:00Z").as_deref()),
        ] {
            assert_eq!(at(&named(zone), now).as_deref(), expected, "{zone}");
        }
        assert_eq!(
            at("limit reached, resets at 15:30 UTC", "2026-11-30T12:00:00Z").as_deref(),
            Some("2026-11-30T15:30:00+00:00")
        );
        if tz::TimeZone::from_posix_tz(":America/Los_Angeles").is_err() {
            return;
        }
        for (zone, now, expected) in [
            ("America/Los_Angeles", "2026-11-30T12:00:00Z", "2026-11-30T23:00:00+00:00"),
            ("America/Los_Angeles", "2026-07-30T12:00:00Z", "2026-07-30T22:00:00+00:00"),
            // The day before the clock goes forward there.
            ("America/Los_Angeles", "2026-03-08T00:00:00Z", "2026-03-08T22:00:00+00:00"),
            ("Asia/Tokyo", "2026-11-30T12:00:00Z", "2026-12-01T06:00:00+00:00"),
            ("Pacific/Kiritimati", "2026-11-30T12:00:00Z", "2026-12-01T01:00:00+00:00"),
        ] {
            assert_eq!(at(&named(zone), now).as_deref(), Some(expected), "{zone}");
        }
        let gap = at("limit reached, resets 2:30am (America/Los_Angeles)", "2026-03-08T08:00:00Z");
        assert_eq!(gap.as_deref(), Some("2026-03-08T10:30:00+00:00"), "an hour that the clock leaves out");
    }
}
