//! Dates in bodies: deadlines that passed, and words like "next week" that nothing anchors.
//!
//! Not its job: resolving a relative date (an engine does, with the message it came from).

use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Regex;

use crate::memory::likeness::measured;
use crate::memory::text_lines;

/// A deadline in the past.
pub(super) struct Passed {
    pub(super) day: NaiveDate,
    pub(super) line: usize,
    pub(super) text: String,
}

/// A relative date without an anchor.
pub(super) struct Relative {
    pub(super) word: String,
    pub(super) line: usize,
    pub(super) text: String,
}

/// A day as people write it: ISO, by month name with a year, with dots, in Chinese or Japanese.
const DAY: &str = r"\d{4}-\d{2}-\d{2}
    | \d{1,2}\.\d{1,2}\.\d{4}
    | (?: the \s+ )? \d{1,2} (?: st|nd|rd|th|\. )? \s+ (?: of \s+ )? \p{L}{3,9}\.? ,? \s+ \d{4}
    | \p{L}{3,9}\.? \s+ \d{1,2} (?: st|nd|rd|th )? ,? \s+ \d{4}
    | \d{4} \s* 年 \s* \d{1,2} \s* 月 \s* \d{1,2} \s* [日号]";

/// An end or a plan, said before or after a day, in the languages people write memories in.
static DEADLINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?ix)
        (?: \b(?: until | till | by | through | due | deadline | expires? | ends? | begins? | starts? | ships? | launches | bis | jusqu.au | hasta | até
              | fino\ al | до | (?: scheduled | planned | set | slated | geplant | prévu | previsto | programado ) \s+ (?: for | für | pour | para | on )
              | (?: goes | go ) \s+ live | will \s+ (?: \w+ \s+ ){{1,4}} (?: on | at | by )
          ) | 截止 | 直到 | 到 | 计划于 | 预计 )
        [\s:]* (?: (?: on | at | the | end | of | zum | le | el | the\ end\ of ) \s+ )* [`*(]* (?<ahead> {DAY} )
        | (?<behind> {DAY} ) [`*)]* \s* (?: まで | 之前 | 截止 | 까지 )"
    ))
    .ok()
});

/// A year, without which no day is a deadline. Looked for first: most lines have none, and this is cheap.
static YEAR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("(?:19|20)[0-9]{2}").ok());

/// The months by the first three letters of their names.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "mai", "okt", "dez",
    "fév", "fev", "avr", "aoû", "déc", "ene", "abr", "ago", "dic",
];
/// The number of each.
const NUMBERS: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 5, 10, 12, 2, 2, 4, 8, 12, 1, 4, 8, 12];

/// The day a text of [`DAY`] means; `None` when it is none.
fn day(text: &str) -> Option<NaiveDate> {
    if let Ok(day) = text.parse() {
        return Some(day);
    }
    let numbers: Vec<u32> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let word = text.split(|c: char| !c.is_alphabetic()).find_map(|word| {
        let start: String = word.to_lowercase().chars().take(3).collect();
        MONTHS.iter().position(|month| *month == start).and_then(|at| NUMBERS.get(at))
    });
    let date = |year: u32, month, day| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day);
    match (numbers.as_slice(), word) {
        ([day, year], Some(month)) => date(*year, *month, *day),
        ([year, month, day], None) if *year > 999 => date(*year, *month, *day),
        ([day, month, year], None) => date(*year, *month, *day),
        _ => None,
    }
}

/// Any date at all.
static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b\d{4}-\d{2}-\d{2} | \b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b | \d{4}\s*年 | \d{1,2}\s*月\s*\d{1,2}\s*[日号]
        | \b\d{1,2}(?:st|nd|rd|th|\.)?\s+(?: jan | feb | mar | apr | may | jun | jul | aug | sep | oct | nov | dec
                     | mär | mai | okt | dez )\p{L}*
        | \b(?: jan | feb | mar | apr | may | jun | jul | aug | sep | oct | nov | dec )\p{L}*\s+\d{1,2}\b",
    )
    .ok()
});

/// Words that mean another day every day.
static RELATIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?:
            today | yesterday | tomorrow | tonight
          | (?: next | last | this | coming ) \s+ (?: week | month | quarter | year | sprint | morning | evening
                | (?: mon | tues | wednes | thurs | fri | satur | sun ) day )
          | in \s+ (?: a | one | two | three | four | a \s+ few | \d+ ) \s+ (?: day | week | month )s?
          | (?: a | one | two | three | four | \d+ ) \s+ (?: day | week | month )s? \s+ ago
          | (?: the \s+ )? end \s+ of \s+ (?: the | this | next ) \s+ (?: week | month | quarter | year )
          | heute | gestern | vorgestern | übermorgen | (?: nächste | kommende | letzte | vorige | diese )[nrms]?
                \s+ (?: woche | monat | quartal | jahr | \p{L}+tag | mittwoch )
          | aujourd.hui | demain | hier | la \s+ semaine \s+ (?: prochaine | dernière ) | le \s+ mois \s+ (?: prochain | dernier )
          | hoy | ayer | mañana | la \s+ (?: próxima \s+ semana | semana \s+ (?: que \s+ viene | pasada ) )
          | hoje | ontem | amanhã | (?: próxima \s+ semana | semana \s+ passada )
          | сегодня | завтра | вчера | на \s+ (?: следующей | прошлой ) \s+ неделе
        )\b
        | 今天 | 明天 | 昨天 | 后天 | 前天 | [本上下这這]个?[周週星]期? | [上下]个?月 | 今日 | 明日 | 昨日 | 来週 | 先週 | 今週 | 来月 | 先月
        | 오늘 | 내일 | 어제 | (?: 다음 | 지난 | 이번 ) \s* [주달]",
    )
    .ok()
});

/// A weekday of which one is meant.
static WEEKDAY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: on | by | until | till | before | after | from | since | to | is | due | for | now | starts | ends ) \s+
            (?<en> (?: mon | tues | wednes | thurs | fri | satur | sun ) day )\b
        | \b(?: am | bis | ab | seit | auf | vor | nach | zum | ist ) \s+
            (?<de> montag | dienstag | mittwoch | donnerstag | freitag | samstag | sonnabend | sonntag )\b
        | \b(?: el | al ) \s+ (?<es> lunes | martes | mi[ée]rcoles | jueves | viernes | s[áa]bado | domingo )\b
        | \b(?: est | sera | à | avant | dès | pour | d.ici | jusqu.à | prévue? | reportée? ) \s+
            (?<fr> lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche )\b
        | (?<zh> (?: 周 | 星期 | 礼拜 ) [一二三四五六日天] ) | (?<ja> [月火水木金土日]曜 )",
    )
    .ok()
});

/// A sentence tells of something that is over.
static PAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: galt(?:en)? | war(?:en)? | wurden? | hatten? | lief(?:en)? | dauerten? | endeten?
          | lasted | ended | applied | expired | ran | held | (?: was | were ) \s+ (?: \w+ \s+ )? (?: until | till | through | in \s+ (?: force | effect ) )
          | était | étaient | estaba | estuvo | duró | valía | foi | estava | действовал\w* | был[аои]? )\b",
    )
    .ok()
});

/// Words that make it the day of every week.
static RECURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: every | each | any | weekly | daily | usually | always | normally | never | regularly | monday \s+ (?: to | through ) | stand-?ups? | retros? | syncs?
            | plannings? | backups? | (?: releases | deploys | deployments | meetings | demos | reviews ) \s+ (?: are | go | happen )
            | jede[nmrs]? | immer | nie | niemals | stets | wöchentlich\p{L}* | montag \s+ bis | (?: releases | deployments | meetings ) \s+ (?: sind | gehen )
            | verboten | forbidden | prohibited | not \s+ allowed | jour \s+ fixe | cada | siempre | nunca | semanal\p{L}* | chaque | toujours | jamais | hebdo\p{L}* )\b
        | 每 | 逢 | 毎 | 定期 | 定例 | 例会 | 周会 | 站会 | 朝会 | 禁止",
    )
    .ok()
});

/// A word for a day that every day, or what stands beside it, gives a meaning: "every month", "the next Monday after a
/// release", "the end of the year 2026", "do today what you can".
static ANCHORED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: every | each | always | whenever | daily | weekly | monthly | quarterly | yearly | jede[nrms]? | immer | chaque | cada | каждый | каждую )\b | 每",
    )
    .ok()
});

/// What stands right behind such a word and anchors it.
static ANCHOR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)^\s+(?:(?:after|before|following|nach|vor)\b|(?:19|20)\d\d\b|what\b)").ok());

fn is_anchored(text: &str, place: std::ops::Range<usize>) -> bool {
    let after = text.get(place.end..).unwrap_or_default();
    let said = sentence(text, place);
    ANCHORED.as_ref().is_some_and(|often| often.is_match(said))
        || ANCHOR.as_ref().is_some_and(|anchor| anchor.is_match(after))
}

/// The sentence around a place of a line.
fn sentence(text: &str, place: std::ops::Range<usize>) -> &str {
    const ENDS: &[&str] = &[". ", "! ", "? ", "; ", "。", "；"];
    let (before, after) = (text.get(..place.start).unwrap_or_default(), text.get(place.end..).unwrap_or_default());
    let start = ENDS.iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max().unwrap_or_default();
    let end = ENDS.iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    text.get(start..place.end + end).unwrap_or_default()
}

/// The deadlines that lie before `today`, each day once.
pub(super) fn passed(body: &str, today: NaiveDate) -> Vec<Passed> {
    let mut found: Vec<Passed> = Vec::new();
    let Some(pattern) = DEADLINE.as_ref() else { return found };
    let has_year = |text: &str| YEAR.as_ref().is_some_and(|year| year.is_match(text));
    for (line, text) in text_lines(body).filter(|(_, text)| has_year(text)) {
        for captures in pattern.captures_iter(text) {
            let day = captures.name("ahead").or(captures.name("behind")).and_then(|hit| day(hit.as_str()));
            let Some(day) = day.filter(|day| *day < today) else { continue };
            // What held until then and is told as past says nothing that does not hold.
            let whole = captures.get(0).map_or(0..0, |hit| hit.range());
            if PAST.as_ref().is_some_and(|past| past.is_match(sentence(text, whole))) {
                continue;
            }
            if !found.iter().any(|one| one.day == day) {
                found.push(Passed { day, line, text: text.trim().to_owned() });
            }
        }
    }
    found
}

/// The first relative date of a body that has no date at all but the days on which it was said.
pub(super) fn relative(body: &str) -> Option<Relative> {
    let date = DATE.as_ref()?;
    let (weekday, recurs) = (WEEKDAY.as_ref()?, RECURS.as_ref()?);
    let is_told = |text: &str| !measured::is_source(text) && !measured::is_pointer(text);
    if text_lines(body).any(|(_, text)| is_told(text) && date.is_match(text)) {
        return None;
    }
    let pattern = RELATIVE.as_ref()?;
    text_lines(body).filter(|(_, text)| is_told(text)).find_map(|(line, text)| {
        let named = || {
            let found = weekday.captures(text).filter(|_| !recurs.is_match(text))?;
            found.iter().skip(1).flatten().next()
        };
        let hit = pattern.find_iter(text).find(|hit| !is_anchored(text, hit.range()));
        let word = hit.or_else(named)?.as_str().to_owned();
        Some(Relative { word, line, text: text.trim().to_owned() })
    })
}
