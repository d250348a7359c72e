//! A claim that says on which day something is to be, and nothing else: "the audit is on 2026-10-01".
//!
//! Once the day is long over such a claim has nothing left to say. What comes every year, what is counted from the day on and
//! what is told of the past is another thing. Not its job: ends that are called one (see [`super::ends`]).

use chrono::NaiveDate;

use super::super::patterns::Pattern;
use super::super::without_said;
use super::named;

/// What stands right before the day.
static BEFORE: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:(?:is|are|be|place|happens?|scheduled|planned|fixed)(?: now)? (?:on|for)|set for|(?:moved|postponed|pushed|back|delayed|rescheduled) to)(?: the)?(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day,?)?\s?$",
    r"|\b(?:(?:ist|sind|findet|finden)(?: jetzt| nun)? (?:am|für den)|(?:ist|sind|wurden?)(?: jetzt| nun)? auf(?: den)?)(?: \p{L}+(?:tag|woch),?(?: de[nm])?)?\s?$",
    r"|\b(?:(?:es|son|será|serán|lugar)(?: ahora)? el|(?:previst|programad)[oa]s? para(?: el)?|(?:aplazad|pospuest|retrasad)[oa]s? (?:al?|para(?: el)?))(?: \p{L}+,?)?\s?$",
    r"|\b(?:(?:est|sont|sera|seront|lieu)(?: maintenant| désormais)? le|prévue?s? (?:le|pour le)|(?:report|repouss|décal|avanc)ée?s? (?:au|à))(?: \p{L}+di,?)?\s?$",
    r"|(?:时间|日期|会议?|评审|验收|演示|审计|培训|交付)会?(?:现在)?(?:是|在)\s?$|(?:定在|定于|安排在|推迟到|延期到|提前到|改到)\s?$",
    r"|[はが](?:今は)?、?\s?$",
));

/// What stands right after it, up to the end of the claim.
static AFTER: Pattern = Pattern::new(concat!(
    r"(?i)^(?:,? (?:at|um|a las|à) \d[\d:.h]*(?: ?(?:am|pm|uhr))?)?(?: now| instead| statt| geplant| angesetzt| verschoben| verlegt| vorgezogen",
    r"|です|でした|の予定です?|に(?:行|開催|実施|延期|変更)[^、。]{0,10}|举行|进行)?[.!。]*\s*$",
));
/// In Japanese only what stands after the day makes it one.
static SAID_AFTER: Pattern = Pattern::new(r"^(?:です|の予定|に(?:行|開催|実施|延期|変更))");

/// What comes again, or is counted from a day on.
static LASTING: Pattern = Pattern::new(
    r"(?i)birthday|geburtstag|cumpleaños|anniver|aniversario|jubiläum|生日|誕生日|記念日|cut-?off|stichtag|fecha de corte|version|versión|schema|effective|wirksam|生效|基準",
);

/// Whether a sentence says so.
pub(crate) fn is_planned(sentence: &str, claimed: Option<NaiveDate>) -> bool {
    let text = without_said(sentence);
    let days = named(&text, claimed);
    let [(range, _)] = days.as_slice() else { return false };
    let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    let is_led = BEFORE.is_match(before);
    let is_led_there = !before.trim_end().ends_with(['は', 'が', '、']) || SAID_AFTER.is_match(after);
    is_led && is_led_there && AFTER.is_match(after) && !LASTING.is_match(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_plan_is_one_in_every_language_and_what_lasts_is_none() {
        assert!([&BEFORE, &AFTER, &SAID_AFTER, &LASTING].into_iter().all(Pattern::is_whole));
        let is_one = |text: &str| is_planned(text, "2026-09-20".parse().ok());
        for text in [
            "The audit is on 2026-10-01.",
            "The audit is on 2026-10-01 (\"Thursday\", said 2026-09-28).",
            "The offsite takes place on October 1 at 9:30.",
            "The board meeting was moved to 2026-10-01.",
            "The data centre move is scheduled for 2026-10-01.",
            "Das Audit ist am 2026-10-01.",
            "Das Treffen findet am 1. Oktober statt.",
            "Der Termin wurde auf den 2026-10-01 verschoben.",
            "La auditoría es el 2026-10-01.",
            "La reunión se ha aplazado al 2026-10-01.",
            "L'audit est le 1 octobre.",
            "La visite est prévue le 2026-10-01.",
            "评审会在2026-10-01。",
            "验收推迟到2026-10-01。",
            "監査は2026-10-01です。",
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "The API version is 2026-10-01.",
            "Anna's birthday is on 2026-10-01.",
            "The cutoff for old plans is on 2026-10-01.",
            "The repository was moved on 2026-10-01.",
            "We moved to Postgres on 2026-10-01.",
            "The outage on 2026-10-01 was caused by a full disk.",
            "The new price list is effective for 2026-10-01.",
            "The audit is on 2026-10-01 and after that only signed images run.",
            "Das Feature ist am 2026-10-01 entstanden.",
            "La versión de la API es 2026-10-01.",
            "支付服务在2026-10-01的故障是磁盘写满造成的。",
            "障害は2026-10-01に起きた。",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }
}
