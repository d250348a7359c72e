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
        r"(?i)\b(?P<w>(?P<d>\d{1,2})\. ?(?P<month>jan|feb|febr|mär|apr|jun|jul|aug|sept|sep|okt|nov|dez)\.)(?: [\p{Ll}\d(]|[,;)])",
        Rule::MonthDay,
    ),
    (
        r"(?i)\b(?P<d>\d{1,2})\. ?(?P<month>januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|mär|apr|jun|jul|aug|sept|sep|okt|nov|dez)\b",
        Rule::MonthDay,
    ),
    (r"(?i)\b(?P<d>\d{1,2})\. (?:des )?(?:nächsten|kommenden) monats\b", Rule::DayOf(1)),
    (r"(?i)\b(?P<d>\d{1,2})\. (?:des )?(?:letzten|vergangenen|vorigen) monats\b", Rule::DayOf(-1)),
    (r"(?i)\b(?P<d>\d{1,2})\. dieses monats\b", Rule::DayOf(0)),
    (
        r"(?i)\b(?:am|bis(?: zum)?|ab(?: dem)?|vom|zum|seit(?: dem)?|vor dem|nach dem|auf den) (?P<w>(?P<d>\d{1,2})\.(?P<month>\d{1,2})\.)(?:,|;|\)| [a-zäöü])",
        Rule::MonthDay,
    ),
    (
        r"(?i)\b(?:am|bis(?: zum)?|ab(?: dem)?|vom|zum|seit(?: dem)?|vor dem|nach dem|auf den) (?P<w>(?P<d>\d{1,2})\.(?P<month>\d{1,2}))\.?\s*$",
        Rule::MonthDay,
    ),
    (
        r"(?i)\b(?:am|bis(?: zum)?|ab(?: dem)?|vom|zum|seit(?: dem)?|vor dem|nach dem|auf den) (?P<w>(?P<d>\d{1,2})\.)(?:,|;|\)| (?:ist|wird|geht|gehen|werden|war|und|bis|statt|oder|live|fertig|wegen|weil|nicht|soll|muss|kommt|startet|beginnt|endet|releasen?|wir|ich|mit|um|nach|vor|verschoben|noch|los|dicht|zu|abends|mittags|früh)\b)",
        Rule::BareDay,
    ),
    (
        r"(?i)(?:^|\b(?:am|bis(?: zum)?|ab(?: dem)?|vom|zum|seit(?: dem)?|vor dem|nach dem|auf den) )(?P<w>(?P<d>\d{1,2}))\.?\s*$",
        Rule::BareDay,
    ),
    (
        r"(?i)\b(?:anfang|mitte|ende|bis|ab|seit|vor|im)(?: im)? (?P<w>(?P<month>januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember))(?:$|[.,;:!?)]|\s+[a-zäöü])",
        Rule::MonthAlone,
    ),
    (r"(?i)\b(?:bis|vor|nach|ab) (?P<w>neujahr)\b", Rule::Feast(1, 1)),
    (r"(?i)\b(?:bis|vor) (?P<w>weihnachten)\b", Rule::Feast(12, 24)),
    (r"(?i)\b(?:bis|vor|ab) (?P<w>silvester)\b", Rule::Feast(12, 31)),
];
