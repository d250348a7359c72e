//! Which days are an end or the day of an event, by what stands right before or behind them: once they have passed, what was
//! said of them is over.
//!
//! Not its job: what of a text outlasts its day (see [`super::lasting`]), and whether a day has passed.

use chrono::NaiveDate;

use super::super::patterns::Pattern;
use super::{Care, lasting, stretches};

use super::planned::is_planned;

/// What stands right before the day that ends something, or on which an event is.
static BEFORE: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:until|till|due|by|ends?|ended|deadline|bis|endet|fällig|frist|hasta|plazo|termina|jusqu\S*|échéance|finit)(?: (?:it|is|was|on|by|at|in|for|the|end|of|ist|war|am|den|zum|es|el|al|la|est|le|au|du|fin)){0,4}(?: \p{L}*(?:day|tag|woch|di),?)?\s?$",
    r"|\b(?:deadline|frist|plazo|échéance)\b[^.;]{0,60} (?:is|was|ist|es|est)(?: (?:on|am|el|le))?\s?$",
    r"|\b(?:freeze|release|launch|demo|cutover|rollout|go-live|maintenance window|audit|offsite|meeting)(?: (?:is|was|will be|takes place|happens))?(?: (?:on|for|now))?(?: the)?(?: \p{L}+day,?)?\s?$",
));

/// What stands right behind it where blanks do not part the words.
static BEHIND: Pattern = Pattern::new(r"^\s?(?:日?(?:之前|以前|前|截止|为止|まで|が期限|が締切))");

/// With what the words behind the day begin that belong to it: for whom, where, why.
static GOES_WITH: Pattern = Pattern::new(
    r"(?i)^\W*(?:for|of|in|at|because|as|due|so|für|im|in|weil|wegen|para|en|porque|pour|dans|car|parce)\b",
);

/// So many words behind a day say nothing by themselves.
const FEW: usize = 2;

/// Whether what a clause says of its days is over once they have passed: it calls the last one an end, is about a stretch from
/// one to the other, or says of an event that it is on that day, and goes on about nothing else. `claimed`: the day from
/// which its words for days are counted.
pub(crate) fn is_end(clause: &str, claimed: Option<NaiveDate>) -> bool {
    let days = stretches(clause, claimed, Care::Rule);
    let Some(range) = days.into_iter().map(|(range, _)| range).max_by_key(|range| range.end) else { return false };
    let (before, behind) = (clause.get(..range.start).unwrap_or_default(), clause.get(range.end..).unwrap_or_default());
    if is_planned(clause, claimed) {
        return true;
    }
    let is_first = before.split_whitespace().count() <= FEW;
    let is_called = BEFORE.is_match(before) || lasting::is_stretch(clause);
    let goes_on = behind.split_whitespace().count() > FEW && !is_first && !GOES_WITH.is_match(behind);
    (is_called && !goes_on) || BEHIND.is_match(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_called_one_right_beside_its_day() {
        assert!([&BEFORE, &BEHIND, &GOES_WITH].into_iter().all(Pattern::is_whole));
        let is_one = |text: &str| is_end(text, "2026-09-20".parse().ok());
        for text in [
            "Merge freeze until 2026-10-01.",
            "Until 2026-10-01 nothing is merged to main.",
            "The audit is due by Thursday, 2026-10-01.",
            "The deadline for the tender is 2026-10-01.",
            "The demo is tomorrow.",
            "The team is at the offsite from 2026-09-24 to 2026-09-26.",
            "Merge freeze until 2026-10-01 for the release branch.",
            "Bis zum 2026-10-01 wird nichts gemergt.",
            "Gel des fusions jusqu'au 2026-09-30.",
            "Congelación de código hasta el 2026-10-02.",
            "2026-09-25までマージを凍結する。",
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "We migrate to Postgres 16 on 2026-11-01.",
            "The release branch is renamed to trunk on 2026-10-05.",
            "The release on 2026-10-01 needs the signing key in the vault.",
            "We keep two replicas due to the outage of 2026-10-01.",
            "Never merge until Lena agreed, decided on 2026-10-01.",
            "The schema is frozen, decided on 2026-10-01.",
            "Die Regel gilt, beschlossen am 2026-10-01.",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }
}
