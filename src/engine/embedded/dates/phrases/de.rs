//! German.

use super::{Phrase, Rule};

pub(super) const PHRASES: &[Phrase] = &[
    (r"(?i)\bvorgestern\b", Rule::Days(-2)),
    (r"(?i)\bübermorgen\b", Rule::Days(2)),
    (r"(?i)\bgestern(?: (?:abend|morgen|nachmittag|nacht))?\b", Rule::Days(-1)),
    (
        r"(?i)\bheute in (?P<n>einem|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,3}) (?P<unit>tag|woche|monat)(?:e?n)?\b",
        Rule::From,
    ),
    (
        r"(?i)\b(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) in (?P<n>einem|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,3}) (?P<unit>tag|woche|monat)(?:e?n)?\b",
        Rule::FromDay,
    ),
    (r"(?i)\bübernächste[nrs]? (?P<unit>woche|monat|quartal|jahr)\b", Rule::PeriodOf(2)),
    (
        r"(?i)\bübernächste[nr]? (?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
        Rule::PerhapsInWeek(2),
    ),
    (r"(?i)\bvorletzte[nr]? (?P<unit>woche|monat|quartal|jahr)\b", Rule::PeriodOf(-2)),
    (
        r"(?i)\b(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) (?:nächster|kommender|der nächsten|der kommenden) woche\b|\b(?:nächste|kommende) woche(?: am)? (?P<day2>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
        Rule::InWeek(1),
    ),
    (
        r"(?i)\b(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) (?:letzter|der letzten) woche\b|\bletzte woche(?: am)? (?P<day2>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
        Rule::InWeek(-1),
    ),
    (r"(?i)\bheute(?: (?:abend|morgen|früh|nachmittag))?\b", Rule::Days(0)),
    (
        r"(?:^|[\s(])(?:ab |bis |erst |schon |spätestens )?(?P<w>[Mm]orgen(?: (?:früh|abend|nachmittag))?)\b",
        Rule::Days(1),
    ),
    (r"(?i)\b(?:letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?) (?P<unit>woche|monat|quartal|jahr)\b", Rule::PeriodOf(-1)),
    (r"(?i)\b(?:nächste[nrs]?|kommende[nrs]?) (?P<unit>woche|monat|quartal|jahr)\b", Rule::PeriodOf(1)),
    (r"(?i)\bdiese[nrs]? (?P<unit>woche|monat|quartal|jahr)\b", Rule::PeriodOf(0)),
    (r"(?i)\bende (?:der|des|dieser|dieses) (?P<unit>woche|monat|quartal|jahr)(?:e?s)?\b", Rule::EndOf(0)),
    (r"(?i)\b(?P<w>(?P<unit>monat|quartal|jahr)s?ende)\b", Rule::EndOf(0)),
    (r"(?i)\bnächste[nr]? (?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b", Rule::Next),
    (r"(?i)\bkommende[nr]? (?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b", Rule::Upcoming),
    (
        r"(?i)\b(?:letzte[nr]?|vergangene[nr]?) (?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
        Rule::Last,
    ),
    (r"(?i)\bdiese[nr]? (?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b", Rule::This),
    (
        r"(?i)\b(?:bis|bis zum|ab|spätestens|spätestens am) (?P<w>(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag))\b",
        Rule::Upcoming,
    ),
    (r"(?i)\bseit (?P<w>(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag))\b", Rule::Previous),
    (
        r"(?i)\bin (?P<n>einem|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,3}) (?P<unit>tag|woche|monat|jahr)(?:e?n)?\b",
        Rule::From,
    ),
    (
        r"(?i)\bvor (?P<n>einem|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,3}) (?P<unit>tag|woche|monat|jahr)(?:e?n)?\b",
        Rule::Ago,
    ),
    (
        r"\b(?P<d>\d{1,2})\. ?(?P<month>Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b",
        Rule::MonthDay,
    ),
];
