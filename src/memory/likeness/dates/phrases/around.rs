//! "Last week" as the week in which something happened: written as a span it would read as how long it lasted.
//!
//! Not its job: weeks to come, which are spans ("the freeze is next week").

use chrono::NaiveDate;

use super::super::language::Language;
use super::super::{Meaning, calendar};

/// Words after which "in" would be one too many.
const LEADS: &[&str] = &[
    "since", "from", "of", "by", "for", "until", "till", "before", "after", "during", "over", "in", "seit", "von",
    "aus", "bis", "vor", "nach", "während",
];
/// Articles before the week.
const ARTICLES: &[&str] = &["der", "die", "dieser", "the"];

/// The week before this one, and how a sentence names it.
pub(super) fn past_week(
    said: NaiveDate,
    phrase: &str,
    before: &str,
    language: Language,
) -> Option<(Meaning, &'static str)> {
    let monday = calendar::plus_days(calendar::monday(said), -7);
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let last = if before.ends_with(char::is_whitespace) { last.as_str() } else { "" };
    let begins = phrase.starts_with(char::is_uppercase);
    let lead = match language {
        Language::English if ARTICLES.contains(&last) => "week of ",
        Language::English if LEADS.contains(&last) => "the week of ",
        Language::English if begins => "In the week of ",
        Language::English => "in the week of ",
        Language::German if ARTICLES.contains(&last) => "Woche vom ",
        Language::German if LEADS.contains(&last) => "der Woche vom ",
        Language::German if begins => "In der Woche vom ",
        Language::German => "in der Woche vom ",
        Language::Spanish if begins => "La semana del ",
        Language::Spanish => "la semana del ",
        Language::French if begins => "La semaine du ",
        Language::French => "la semaine du ",
        Language::Chinese | Language::Japanese => "",
    };
    Some((Meaning::Around(monday), lead))
}

/// What has to stand after the day of such a week.
pub(super) const fn tail(language: Language) -> &'static str {
    match language {
        Language::Chinese => "那周",
        Language::Japanese => "の週",
        _ => "",
    }
}
