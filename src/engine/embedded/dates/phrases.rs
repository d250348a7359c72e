//! The phrases, per language, as data.

use std::ops::Range;
use std::sync::LazyLock;

use chrono::{NaiveDate, Weekday};
use regex::{Captures, Regex};

use super::super::language::Language;
use super::{Found, Meaning, calendar};

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
    /// The weekday of the week so many away.
    InWeek(i64),
    /// `n` units from now.
    From,
    /// `n` units ago.
    Ago,
    /// A month and a day without a year.
    MonthDay,
}

/// One phrase.
type Phrase = (&'static str, Rule);

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
    ("montag", Weekday::Mon),
    ("dienstag", Weekday::Tue),
    ("mittwoch", Weekday::Wed),
    ("donnerstag", Weekday::Thu),
    ("freitag", Weekday::Fri),
    ("samstag", Weekday::Sat),
    ("sonnabend", Weekday::Sat),
    ("sonntag", Weekday::Sun),
    ("lundi", Weekday::Mon),
    ("mardi", Weekday::Tue),
    ("mercredi", Weekday::Wed),
    ("jeudi", Weekday::Thu),
    ("vendredi", Weekday::Fri),
    ("samedi", Weekday::Sat),
    ("dimanche", Weekday::Sun),
    ("lunes", Weekday::Mon),
    ("martes", Weekday::Tue),
    ("miércoles", Weekday::Wed),
    ("jueves", Weekday::Thu),
    ("viernes", Weekday::Fri),
    ("sábado", Weekday::Sat),
    ("domingo", Weekday::Sun),
    ("一", Weekday::Mon),
    ("二", Weekday::Tue),
    ("三", Weekday::Wed),
    ("四", Weekday::Thu),
    ("五", Weekday::Fri),
    ("六", Weekday::Sat),
    ("天", Weekday::Sun),
    ("月", Weekday::Mon),
    ("火", Weekday::Tue),
    ("水", Weekday::Wed),
    ("木", Weekday::Thu),
    ("金", Weekday::Fri),
    ("土", Weekday::Sat),
    ("日", Weekday::Sun),
];

const MONTHS: &[(&str, u32)] = &[
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("may", 5),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
    ("fév", 2),
    ("avr", 4),
    ("mai", 5),
    ("juin", 6),
    ("juil", 7),
    ("aoû", 8),
    ("déc", 12),
    ("mär", 3),
    ("okt", 10),
    ("dez", 12),
    ("ene", 1),
    ("abr", 4),
    ("ago", 8),
    ("dic", 12),
];

const NUMBERS: &[(&str, i64)] = &[
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("ein", 1),
    ("eine", 1),
    ("einem", 1),
    ("einer", 1),
    ("einen", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("un", 1),
    ("une", 1),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("sept", 7),
    ("huit", 8),
    ("neuf", 9),
    ("dix", 10),
    ("una", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("一", 1),
    ("二", 2),
    ("两", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("六", 6),
    ("七", 7),
    ("八", 8),
    ("九", 9),
    ("十", 10),
];

const UNITS: &[(&str, Unit)] = &[
    ("day", Unit::Day),
    ("week", Unit::Week),
    ("month", Unit::Month),
    ("quarter", Unit::Quarter),
    ("year", Unit::Year),
    ("tag", Unit::Day),
    ("woche", Unit::Week),
    ("monat", Unit::Month),
    ("quartal", Unit::Quarter),
    ("jahr", Unit::Year),
    ("jour", Unit::Day),
    ("semaine", Unit::Week),
    ("mois", Unit::Month),
    ("trimestre", Unit::Quarter),
    ("an", Unit::Year),
    ("día", Unit::Day),
    ("semana", Unit::Week),
    ("mes", Unit::Month),
    ("año", Unit::Year),
    ("天", Unit::Day),
    ("周", Unit::Week),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("月", Unit::Month),
    ("季度", Unit::Quarter),
    ("年", Unit::Year),
    ("日", Unit::Day),
    ("週", Unit::Week),
];

const ENGLISH: &[Phrase] = &[
    (r"(?i)\b(?:the )?day before yesterday\b", Rule::Days(-2)),
    (r"(?i)\b(?:the )?day after tomorrow\b", Rule::Days(2)),
    (r"\b(?:[Yy]esterday)(?:'s|’s)?(?: (?:morning|afternoon|evening|night)\b)?", Rule::Days(-1)),
    (r"(?i)\blast night(?:'s|’s)?", Rule::Days(-1)),
    (r"\b(?:[Tt]oday)\b", Rule::Days(0)),
    (r"(?i)\btonight\b", Rule::Days(0)),
    (r"(?i)\bthis (?:morning|afternoon|evening)\b", Rule::Days(0)),
    (r"\b(?:[Tt]omorrow)(?:'s|’s)?(?: (?:morning|afternoon|evening|night)\b)?", Rule::Days(1)),
    (r"(?i)(?:^|[^\w])(?P<w>last (?P<unit>week|month|quarter|year)(?:'s|’s)?)\b", Rule::PeriodOf(-1)),
    (r"(?i)\bthis (?P<unit>week|month|quarter|year)(?:'s|’s)?\b", Rule::PeriodOf(0)),
    (r"(?i)\bnext (?P<unit>week|month|quarter|year)(?:'s|’s)?\b", Rule::PeriodOf(1)),
    (r"(?i)\b(?:the )?end of (?:the |this )?(?P<unit>week|month|quarter|year)\b", Rule::EndOf(0)),
    (r"(?i)\b(?:the )?end of next (?P<unit>week|month|quarter|year)\b", Rule::EndOf(1)),
    (r"(?i)\bnext (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Next),
    (r"(?i)\blast (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Last),
    (r"(?i)\bthis (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::This),
    (r"(?i)\b(?:this |the )?coming (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Upcoming),
    (
        r"(?i)\b(?:by|until|till|due|due on|starting|starts|starting on|starts on|begins|beginning|no later than)(?: (?:eod|end of day|cob|close of business|eob))? (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        Rule::Upcoming,
    ),
    (
        r"\b(?:by|until|till|due|starting)(?: (?:EOD|COB))? (?P<w>(?P<day>Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri))\b",
        Rule::Upcoming,
    ),
    (
        r"(?i)\b(?:before|after|from|through|ends|ends on|ending) (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        Rule::Tense(true),
    ),
    (r"(?i)\bon (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b", Rule::Tense(false)),
    (r"(?i)\bsince (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b", Rule::Previous),
    (
        r"(?i)\bin (?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s?\b",
        Rule::From,
    ),
    (
        r"(?i)\b(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s? from (?:now|today)\b",
        Rule::From,
    ),
    (
        r"(?i)\b(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s? ago\b",
        Rule::Ago,
    ),
    (
        r"\b(?P<month>January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?\b",
        Rule::MonthDay,
    ),
    (
        r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)\b",
        Rule::MonthDay,
    ),
];

const GERMAN: &[Phrase] = &[
    (r"(?i)\bvorgestern\b", Rule::Days(-2)),
    (r"(?i)\bübermorgen\b", Rule::Days(2)),
    (r"(?i)\bgestern(?: (?:abend|morgen|nachmittag|nacht))?\b", Rule::Days(-1)),
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

const FRENCH: &[Phrase] = &[
    (r"(?i)\bavant-hier\b", Rule::Days(-2)),
    (r"(?i)\baprès-demain\b", Rule::Days(2)),
    (r"(?i)\bhier(?: soir| matin)?\b", Rule::Days(-1)),
    (r"(?i)\baujourd(?:'|’)hui\b", Rule::Days(0)),
    (r"(?i)\bdemain(?: matin| soir)?\b", Rule::Days(1)),
    (r"(?i)\bla semaine (?:dernière|passée)\b", Rule::Period(Unit::Week, -1)),
    (r"(?i)\bla semaine prochaine\b", Rule::Period(Unit::Week, 1)),
    (r"(?i)\bcette semaine\b", Rule::Period(Unit::Week, 0)),
    (r"(?i)\ble (?P<unit>mois|trimestre) (?:dernier|passé)\b", Rule::PeriodOf(-1)),
    (r"(?i)\ble (?P<unit>mois|trimestre) prochain\b", Rule::PeriodOf(1)),
    (r"(?i)\bl(?:'|’)année dernière\b", Rule::Period(Unit::Year, -1)),
    (r"(?i)\bl(?:'|’)année prochaine\b", Rule::Period(Unit::Year, 1)),
    (r"(?i)\b(?:la )?fin (?:du|de la|de ce|de cette) (?P<unit>mois|semaine|trimestre)\b", Rule::EndOf(0)),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain\b", Rule::Next),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dernier\b", Rule::Last),
    (r"(?i)\bce (?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b", Rule::This),
    (
        r"(?i)(?:\bd(?:'|’)ici |\bavant |\bjusqu(?:'|’)à |\bà partir de |\bdès )(?P<w>(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))\b",
        Rule::Upcoming,
    ),
    (r"(?i)\bdepuis (?P<w>(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))\b", Rule::Previous),
    (
        r"(?i)\bdans (?P<n>une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d{1,3}) (?P<unit>jour|semaine|mois|an)s?\b",
        Rule::From,
    ),
    (
        r"(?i)\bil y a (?P<n>une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d{1,3}) (?P<unit>jour|semaine|mois|an)s?\b",
        Rule::Ago,
    ),
    (
        r"(?i)\b(?P<d>\d{1,2})(?:er)? (?P<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b",
        Rule::MonthDay,
    ),
];

const SPANISH: &[Phrase] = &[
    (r"(?i)\b(?:anteayer|antier|antes de ayer)\b", Rule::Days(-2)),
    (r"(?i)\bpasado mañana\b", Rule::Days(2)),
    (r"(?i)\bayer\b", Rule::Days(-1)),
    (r"(?i)\bhoy\b", Rule::Days(0)),
    (
        r"(?i)(?:^|\b(?:para|desde|hasta|que|y|será|es|empieza|termina|lanzamos|sale|vence) )(?P<w>mañana)\b",
        Rule::Days(1),
    ),
    (r"(?i)\bla semana pasada\b", Rule::Period(Unit::Week, -1)),
    (r"(?i)\bla (?:próxima semana|semana (?:próxima|que viene))\b", Rule::Period(Unit::Week, 1)),
    (r"(?i)\besta semana\b", Rule::Period(Unit::Week, 0)),
    (r"(?i)\bel (?P<unit>mes|trimestre|año) pasado\b", Rule::PeriodOf(-1)),
    (r"(?i)\bel próximo (?P<unit>mes|trimestre|año)\b", Rule::PeriodOf(1)),
    (r"(?i)\bel (?P<unit>mes|trimestre|año) (?:próximo|que viene)\b", Rule::PeriodOf(1)),
    (r"(?i)\b(?:fin|final|finales) (?:de|del|de este) (?P<unit>mes|semana|trimestre|año)\b", Rule::EndOf(0)),
    (r"(?i)\b(?:el )?próximo (?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", Rule::Next),
    (
        r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) (?:próximo|que viene)\b",
        Rule::Next,
    ),
    (r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado\b", Rule::Last),
    (r"(?i)\beste (?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", Rule::This),
    (
        r"(?i)\b(?:hasta|antes de|antes del|a partir de|a partir del|para)(?: el)? (?P<w>(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo))\b",
        Rule::Upcoming,
    ),
    (
        r"(?i)\b(?:en|dentro de) (?P<n>una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\d{1,3}) (?P<unit>día|semana|mes|año)(?:e?s)?\b",
        Rule::From,
    ),
    (
        r"(?i)\bhace (?P<n>una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\d{1,3}) (?P<unit>día|semana|mes|año)(?:e?s)?\b",
        Rule::Ago,
    ),
    (
        r"(?i)\b(?P<d>\d{1,2}) de (?P<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b",
        Rule::MonthDay,
    ),
];

const CHINESE: &[Phrase] = &[
    (r"(?:^|[^大])(?P<w>前天)", Rule::Days(-2)),
    (r"昨天", Rule::Days(-1)),
    (r"今天", Rule::Days(0)),
    (r"明天", Rule::Days(1)),
    (r"(?:^|[^以之今大])(?P<w>后天)(?:[^天]|$)", Rule::Days(2)),
    (r"大后天", Rule::Days(3)),
    (r"上(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", Rule::InWeek(-1)),
    (r"(?:本|这)(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", Rule::InWeek(0)),
    (r"下(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", Rule::InWeek(1)),
    (r"上(?:个)?(?:周|星期|礼拜)", Rule::Period(Unit::Week, -1)),
    (r"(?:本|这)(?:个)?(?:周|星期|礼拜)", Rule::Period(Unit::Week, 0)),
    (r"下(?:个)?(?:周|星期|礼拜)", Rule::Period(Unit::Week, 1)),
    (r"上(?:个)?(?P<unit>季度|月)", Rule::PeriodOf(-1)),
    (r"下(?:个)?(?P<unit>季度|月)", Rule::PeriodOf(1)),
    (r"去年", Rule::Period(Unit::Year, -1)),
    (r"明年", Rule::Period(Unit::Year, 1)),
    (r"(?:本月底|这个月底|月底)", Rule::EndOf(0)),
    (r"(?P<w>(?:周|星期)(?P<day>[一二三四五六日天]))(?:之前|以前|前|起|截止|开始|上线|发布|后|之后)", Rule::Upcoming),
    (r"(?P<n>[一二两三四五六七八九十]|\d{1,3})\s?(?:个)?(?P<unit>天|周|星期|礼拜|月|年)(?:之|以)?前", Rule::Ago),
    (r"(?P<n>[一二两三四五六七八九十]|\d{1,3})\s?(?:个)?(?P<unit>天|周|星期|礼拜|月|年)(?:之|以)?后", Rule::From),
    (r"(?P<month>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]", Rule::MonthDay),
];

const JAPANESE: &[Phrase] = &[
    (r"一昨日|おととい", Rule::Days(-2)),
    (r"昨日|きのう", Rule::Days(-1)),
    (r"今日|本日", Rule::Days(0)),
    (r"明日|あした", Rule::Days(1)),
    (r"明後日|あさって", Rule::Days(2)),
    (r"先週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(-1)),
    (r"今週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(0)),
    (r"来週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(1)),
    (r"先週", Rule::Period(Unit::Week, -1)),
    (r"今週", Rule::Period(Unit::Week, 0)),
    (r"来週", Rule::Period(Unit::Week, 1)),
    (r"先月", Rule::Period(Unit::Month, -1)),
    (r"来月", Rule::Period(Unit::Month, 1)),
    (r"昨年|去年", Rule::Period(Unit::Year, -1)),
    (r"来年", Rule::Period(Unit::Year, 1)),
    (r"今月末|月末", Rule::EndOf(0)),
    (r"来月末", Rule::EndOf(1)),
    (r"(?P<w>(?P<day>[月火水木金土日])曜日?)(?:まで|から|以降)", Rule::Upcoming),
    (r"(?P<n>\d{1,3})(?P<unit>日)前", Rule::Ago),
    (r"(?P<n>\d{1,3})(?P<unit>日)後", Rule::From),
    (r"(?P<n>\d{1,3})(?P<unit>週)間前", Rule::Ago),
    (r"(?P<n>\d{1,3})(?P<unit>週)間後", Rule::From),
    (r"(?P<n>\d{1,3})[かヶヵカケ](?P<unit>月)前", Rule::Ago),
    (r"(?P<n>\d{1,3})[かヶヵカケ](?P<unit>月)後", Rule::From),
    (r"(?P<month>\d{1,2})月(?P<d>\d{1,2})日", Rule::MonthDay),
];

/// Before these, German "Morgen" is the time of day.
const GREETS: &[&str] = &["guten", "am", "jeden", "diesen", "heute", "gestern", "schönen", "den", "der"];

type Compiled = Vec<(Regex, Rule)>;

fn compile(phrases: &[Phrase]) -> Compiled {
    phrases.iter().filter_map(|(pattern, rule)| Some((Regex::new(pattern).ok()?, *rule))).collect()
}

static COMPILED: LazyLock<[Compiled; 6]> = LazyLock::new(|| {
    [compile(ENGLISH), compile(GERMAN), compile(SPANISH), compile(FRENCH), compile(CHINESE), compile(JAPANESE)]
});

/// Words that put a sentence into the future, and into the past.
static FUTURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:will|'ll|won't|going to|due|deadline|freez\w*|launch(?:es|ing)?|releas(?:e|es|ing)|ships?|shipping|cuts?|cutting|starts?|begins?|ends?|goes? live|(?:is|are|'re|’re|'s|’s) \w+ing|needs? to|must|has to|have to|scheduled|planned|plans?|demo|joins?|leaves?|out until|until|expires?|moves?|migrates?)\b").ok()
});
static PAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:was|were|did|didn't|had|went|got|broke|took|made|came|said|told|found|lost|shipped|fixed|deployed|merged|failed|crashed|released|launched|happened|started|ended|began|built|wrote|moved|agreed|decided|dropped|burned|spent|finished|discovered|noticed)\b").ok()
});

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
    for (pattern, rule) in table {
        for captures in pattern.captures_iter(text) {
            let Some(words) = captures.name("w").or_else(|| captures.get(0)) else { continue };
            if let Some((meaning, lead)) = meaning(*rule, &captures, text, words.range(), said, language) {
                let is_loose = matches!(rule, Rule::Upcoming | Rule::Previous | Rule::Tense(_) | Rule::Days(0));
                found.push(Found { range: words.range(), meaning, is_loose, lead });
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
    let weekday = || group("day").and_then(|word| weekday_of(&word));
    let after = text.get(words.end..).unwrap_or_default();
    let before = text.get(..words.start).unwrap_or_default();
    let plain = |meaning: Meaning| Some((meaning, ""));
    match rule {
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
            if is_possessive(after) {
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
            let future = FUTURE.as_ref().is_some_and(|pattern| pattern.is_match(sentence));
            let past = PAST.as_ref().is_some_and(|pattern| pattern.is_match(sentence));
            match (future, past) {
                (true, false) => plain(calendar::upcoming(said, weekday()?)),
                (false, true) => plain(calendar::previous(said, weekday()?)),
                (false, false) if or_future => plain(calendar::upcoming(said, weekday()?)),
                _ => None,
            }
        }
        Rule::InWeek(weeks) => plain(Meaning::Day(calendar::in_week(said, weekday()?, weeks))),
        Rule::From => {
            let is_told = PAST.as_ref().is_some_and(|pattern| pattern.is_match(sentence_around(text, &words)));
            let lead = if language == Language::English { "on " } else { "" };
            if is_told { None } else { Some((Meaning::Day(step(said, number_of(&group("n")?)?, unit()?)), lead)) }
        }
        Rule::Ago => plain(Meaning::Day(step(said, -number_of(&group("n")?)?, unit()?))),
        Rule::MonthDay => {
            let has_year =
                after.trim_start_matches([',', ' ', '.']).chars().take(4).filter(char::is_ascii_digit).count() == 4
                    || before.ends_with('年')
                    || before.ends_with('-')
                    || after.starts_with(" de 2")
                    || after.starts_with(" del 2");
            let month = group("month").and_then(|word| word.parse().ok().or_else(|| month_of(&word)));
            if has_year {
                None
            } else {
                plain(Meaning::Day(calendar::nearest(said, month?, group("d")?.parse().ok()?)?))
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

fn is_possessive(after: &str) -> bool {
    after.starts_with("'s") || after.starts_with("’s")
}

fn sentence_around<'a>(text: &'a str, words: &Range<usize>) -> &'a str {
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '。');
    let start = text.get(..words.start).and_then(|before| before.rfind(is_end)).map_or(0, |at| at + 1);
    let end = text.get(words.end..).and_then(|after| after.find(is_end)).map_or(text.len(), |at| words.end + at);
    text.get(start..end).or_else(|| text.get(..end)).unwrap_or(text)
}

fn weekday_of(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(name, _)| word == *name)
        .or_else(|| WEEKDAYS.iter().take(7).find(|(name, _)| word.starts_with(name)))
        .map(|(_, day)| *day)
}

pub(super) fn month_of(word: &str) -> Option<u32> {
    MONTHS.iter().filter(|(name, _)| word.starts_with(name)).max_by_key(|(name, _)| name.len()).map(|(_, month)| *month)
}

fn number_of(word: &str) -> Option<i64> {
    word.parse().ok().or_else(|| NUMBERS.iter().find(|(name, _)| word == *name).map(|(_, number)| *number))
}

fn unit_of(word: &str) -> Option<Unit> {
    UNITS.iter().find(|(name, _)| word == *name).map(|(_, unit)| *unit)
}

#[cfg(test)]
pub(super) fn uncompiled() -> usize {
    let all = [ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE, JAPANESE];
    all.iter().map(|table| table.len()).sum::<usize>() - COMPILED.iter().map(Vec::len).sum::<usize>()
}
