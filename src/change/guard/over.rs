//! Whether a memory is over: by its own words it was about a day that has passed by now.
//!
//! Whatever reason a model gives, that is read off the memory. Not its job: memories without a day, and when one that is over
//! may go (see [`super::loss`] and [`super::removal`]).

use chrono::{DateTime, NaiveDate, Utc};

use super::evidence::claimed;
use crate::clock::local_day;
use crate::memory::frontmatter;
use crate::memory::likeness::dates::{Care, comes_again, ends, is_habit, lasting, stretches};
use crate::memory::likeness::measured;
use crate::memory::likeness::patterns::Pattern;
use crate::memory::likeness::without_said;

/// "Then" that points back to the day: "no reviews happen then".
static BACK: Pattern = Pattern::new(r"(?i)\bthen\s*(?:[.,;!)]|$)");

/// Whether each day that a file names has passed, the claim names one that lay ahead when it was made and calls each of its
/// days an end or that of an event, and nothing in it begins with that day, comes again, or stands by itself.
pub(super) fn is_over(bytes: &[u8], now: DateTime<Utc>) -> bool {
    let (read, claimed) = (frontmatter::read(bytes), claimed(bytes));
    let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
    let lines: Vec<&str> =
        body.lines().filter(|line| !measured::is_source(line) && !measured::is_pointer(line)).collect();
    // Why it was so and what to do about it go with the claim.
    let claim: Vec<&str> = lines.iter().copied().take_while(|line| !line.trim_start().starts_with("**")).collect();
    let (claim, whole) = (without_said(&claim.join("\n")).into_owned(), lines.join("\n"));
    let days = |text: &str| -> Vec<NaiveDate> {
        stretches(text, claimed, Care::Rule).into_iter().map(|(_, days)| *days.end()).collect()
    };
    let today = local_day(now);
    let description = read.description.unwrap_or_default();
    let is_past = [without_said(&whole).as_ref(), description.as_str()]
        .iter()
        .all(|text| days(text).iter().all(|day| *day < today));
    let Some(last) = days(&claim).into_iter().max().filter(|_| is_past) else { return false };
    let was_ahead = claimed.is_none_or(|claimed| claimed <= last);
    was_ahead
        && !comes_again(&claim)
        && !is_habit(&claim)
        && !lasting::begins(&BACK.replace_all(&claim, " "))
        && only_ends(&claim, claimed)
}

/// Whether each clause with a day is over with it, and those without speak of what one of these does.
fn only_ends(claim: &str, claimed: Option<NaiveDate>) -> bool {
    let sentences: Vec<&str> = measured::sentences(claim).into_iter().map(|(_, text)| text).collect();
    let clauses = sentences.iter().flat_map(|text| text.split([';', '；'])).map(str::trim);
    let (dated, others): (Vec<&str>, Vec<&str>) =
        clauses.partition(|text| !stretches(text, claimed, Care::Rule).is_empty());
    let stands_apart = |text: &&str| !BACK.is_match(text) && dated.iter().all(|dated| lasting::are_apart(dated, text));
    dated.iter().all(|text| ends::is_end(text, claimed)) && !others.iter().any(stands_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_gone(claim: &str) -> bool {
        let text = format!(
            "---\nname: \"x\"\ndescription: \"x\"\nmetadata:\n  type: project\n  modified: \"2026-08-20T10:00:00.000Z\"\n---\n\n{claim}\n"
        );
        is_over(text.as_bytes(), "2026-12-01T12:00:00Z".parse().unwrap_or_default())
    }

    #[test]
    fn what_was_about_a_day_that_passed_is_over_and_what_began_with_it_is_not() {
        for over in [
            "The team is at the offsite from 2026-09-10 to 2026-09-12; no reviews happen then.\n\n**Why:** Everybody travels.",
            "The audit runs until September 10.",
            "Merge freeze until 2026-10-01. It is for the release branch.",
            "The demo is tomorrow.",
        ] {
            assert!(is_gone(over), "{over}");
        }
        for lasting in [
            "The audit runs until 2027-09-10.",
            "From 2026-09-10 on, merge with squash only.",
            "We moved to v2 on 2026-08-10.",
            "Since the launch on 2026-10-03 refunds need two approvals.",
            "Merge freeze until 2026-10-01. The mobile build key lives in the vault.",
            "We freeze deployments from 2026-09-25 until 2026-10-01 every year.",
            "The mobile build key lives in the vault.",
            "We migrate to Postgres 16 on 2026-11-01.",
            "The billing service moves to Priya on 2026-10-01.",
            "On 2026-10-01 the limit rises to 500 requests.",
            "Backups go to the Oslo bucket, decided on 2026-10-01.",
            "The old host db1 is shut down on 2026-10-10, db2 has the data.",
            "The audit on 2026-10-01 checks that backups are kept for 7 years.",
            "Redis is flushed tomorrow; the keys change their prefix to v2.",
        ] {
            assert!(!is_gone(lasting), "{lasting}");
        }
    }
}
