//! A weekday that a sentence names in passing: "the demo got moved to Thursday", "am Freitag", "el viernes", "周五", "金曜日".
//!
//! It is the next one of what is planned or moved, the last one of what was, and nothing where it may come again every week
//! or nobody can tell. Not its job: weekdays with words that say which one they are (the tables of the languages).

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::super::{Meaning, calendar, is_habit};
use super::{FUTURE, OVER, PAST, PLANNED, Phrase, Rule, sentence_around};
use crate::memory::likeness::patterns::Pattern;

/// Such weekdays, of all languages at once: each is written like no word of another one.
pub(super) const PHRASES: &[Phrase] = &[
    (
        r"(?i)\b(?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)(?:$|[.,;:!?)]|\s+(?:morning|afternoon|evening|night|noon|and|or|but|so|because|since|at|by|instead|now|already|latest|if|when|not|for|with|we|it|he|she|they|i|the|is|was|will|after|before|around|though|then|btw|please|as|due|in|on|to|until|from|only|too|again|still|eod|cob|unless|except|thanks)\b)",
        Rule::Passing,
    ),
    (r"\b(?:to|is|now|on) (?P<w>(?P<day>Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri))(?:$|[.,;:!?)])", Rule::Passing),
    (
        r"(?i)\b(?P<w>(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag))(?:$|[^\w-])",
        Rule::Passing,
    ),
    (
        r"(?i)\b(?P<w>(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?:früh|vormittag|mittag|nachmittag|abend))(?:$|[^\w-])",
        Rule::Passing,
    ),
    (
        r"(?i)\b(?:el|al|del) (?P<w>(?P<day>lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo))(?:$|[^\w-])",
        Rule::Passing,
    ),
    (r"(?i)\b(?P<w>(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))(?:$|[^\w-])", Rule::Passing),
    (r"(?:^|[^每逢上下这本个隔到至])(?P<w>(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))", Rule::Passing),
    (
        r"(?:推迟|延期|延后|顺延|改|提前|挪|移|推|延)到了?(?P<w>(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))",
        Rule::Passing,
    ),
    (
        r"(?:^|[^毎各隔再来今先週])(?P<w>(?P<day>[月火水木金土日])曜日?)(?:です|だ|に|は|が|で|へ|の|、|。|$|中)",
        Rule::Passing,
    ),
];

/// What a plan is about, beyond [`PLANNED`] and [`FUTURE`].
static PLAN: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:audit|rollout|cutover|go-live|due date|presentation|handover|kick-?off|workshop|exam|submission|deliver(?:y|s|ing)|interview|meeting|call|review|maintenance|migration|beta|deploy(?:ment)?|switch(?:es|ing)?|present(?:s|ing)?|arrives?|lands|comes|goes out|go out|(?:is|are|be|am|'s|'re|'m) (?:back|out|off|away|gone|ready|done|live|on (?:leave|vacation|holidays?|pto)))\b",
    r"|\b(?:abgabe\p{L}*|abnahme\p{L}*|lieferung|auslieferung|lieferton|liefertermin|liefern|livegang|go-live|termin|launch|release|rollout|umzug|umstellung|migration|wartung\p{L}*|abschaltung|präsentation|vorstellung|prüfung|audit|übergabe|workshop|kick-?off|besprechung|meeting|review|deployment|veröffentlichung|code-?freeze|soll|sollen|kommt|geh\p{L}+ (?:\p{L}+ ){0,3}live|läuft \p{L}+ ab|fertig|releasen|launchen|präsentieren|frieren|verlegt|vorgezogen)\b",
    r"|\b(?:entrega\w*|lanzamiento|lanzamos|auditoría|congelación|congelamos|reunión|despliegue|migración|presentación|revisión|demostración|demo|publicación|vence|sale|salimos|comienza|acaba|entregamos|publicamos|taller)\b",
    r"|\b(?:livraison|livrons|livre|lancement|lançons|démo|sortie|sort|mise en (?:prod|production|ligne)|recette|gel|gelons|réunion|déploiement|migration|bascule|présentation|revue|revient|rendu|démarre|termine|atelier)\b",
    r"|发布|发版|上线|演示|评审|冻结|审计|会议|交付|提测|封版|迁移|下线|切换|截止|开会|完成|リリース|デモ|締め?切り?|納期|公開|監査|会議|レビュー|凍結|フリーズ|移行|提出|ローンチ|発表|納品|メンテナンス|打ち合わせ|までに|開始",
));
/// What tells of something that was, beyond [`OVER`] and [`PAST`].
static WAS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:haben|hat|hatten|gab|ging|gingen|kam|lief|fiel|fielen|flog|brach|ist \p{L}+ (?:\p{L}+ )?(?:ausgefallen|abgestürzt|gecrasht|passiert|gestorben)|abgestürzt|ausgefallen|gecrasht|passiert|schiefgegangen)\b",
    r"|\b(?:hubo|falló|fallaron|cayó|rompió|pasó|murió|hicimos|tuvimos)\b",
    r"|\b(?:a planté|est tombée?s?|avons eu|a eu|on a|c'était)\b",
    r"|(?:挂了|崩了|出过|坏了|失败了|发生了)|(?:ました|でした|落ちた|壊れた)",
));
/// What comes again though the sentence does not say so.
static RECURS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:stand-?ups?|dail(?:y|ies)|weekl(?:y|ies)|retros?|retrospectives?|syncs?|1:1s?|one-on-ones?|office hours|plannings?|groomings?|refinements?|backups?|cron\w*|(?:releases|deploys|deployments|meetings|demos|reviews|launches) (?:are|happen|go|always|usually)",
    r"|jour fixe|wochenmeeting|wöchentlich\p{L}*|(?:releases|deployments|auslieferungen|meetings|demos|reviews) (?:sind|gehen|laufen|machen|finden)|semanal(?:mente)?|semanales|hebdos?|hebdomadaires?|mêlées?|regelmäßig|regularly|never|nie|niemals|nunca|jamais|no (?:releases?|deploys?|deployments?|merges?) on",
    r"|forbidden|prohibited|not allowed|verboten|verbieten|tabu|prohibid[oa]s?|interdit(?:e?s)?)\b|例会|周会|站会|早会|定期|定例|朝会|夕会|週次|禁止|不要在|しない|しません",
));
/// Words before such a day that make it another thing: "Good Friday", "a Friday", "le lundi".
static ANOTHER: Pattern = Pattern::new(
    r"(?i)\b(?:good|black|easter|cyber|casual|any|some|one|an?|the|that|which|another|first|second|third|fourth|last|no|most|der|ein|einem|einen|keinem|ersten|zweiten|dritten|vierten|letzten|verkaufsoffenen?|le|les|un|chaque|du|primer|segundo|tercer|último)\s+$",
);
/// From Monday on to another day: so a week goes.
static WORKING_WEEK: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:mon(?:day)?\s?(?:to|through|thru|till|until|-|–)\s?(?:tues|wednes|thurs|fri|satur|sun)(?:day)?|montag\s?(?:bis|-|–)\s?\p{L}+tag|lunes\s?(?:a|-|–)\s?(?:miércoles|jueves|viernes|sábado|domingo)|lundi\s?(?:à|au|-|–)\s?(?:mercredi|jeudi|vendredi|samedi|dimanche))\b",
    r"|(?:周|星期|礼拜)一\s?(?:到|至|-|–|~)\s?(?:周|星期|礼拜)?[二三四五六日天]|月(?:曜日?)?\s?(?:から|-|–|~|〜)\s?[火水木金土日]曜",
));
/// Any weekday, to count them.
static WEEKDAY: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)\b",
    r"|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜",
));
/// A thing is moved, up to the words before the day that it is moved to; in German and Japanese the verb comes later.
static MOVED_TO: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:mov(?:ed|es?|ing)|push(?:ed|es|ing)?|postpon(?:ed|es?|ing)|shift(?:ed|s|ing)?|slip(?:ped|s|ping)?|delay(?:ed|s|ing)?|reschedul(?:ed|es?|ing)|brought forward|bumped|deferred|changed)\b[^.;:]{0,40}\b(?:to|until|till) $",
    r"|\b(?:muev|mov|aplaz|pospon|pospus|pospues|retras|adelant|cambi|pas)\p{L}*\b[^.;:]{0,40}\b(?:al|para el|hasta el|a) $",
    r"|(?:report|repouss|décal|avanc|déplac)\p{L}*\b[^.;:]{0,40}\b(?:à|au) $|(?:推迟|延期|延后|顺延|改|提前|挪|移|推|延)到了?$",
));
/// The words before such a day, in German, and the verb after it.
static ON: Pattern = Pattern::new(r"(?i)\b(?:auf|zum)(?: den| kommenden)? $");
static MOVED: Pattern = Pattern::new(
    r"(?i)\b(?:verschoben|verlegt|vorgezogen|geschoben|gerutscht|vertagt|verschieben|verlegen|geändert|gelegt|ziehen)\b",
);
/// The verb after it, in Japanese.
static BECOMES: Pattern = Pattern::new(r"^(?:に|へ)(?:延期|変更|移|前倒し|ずれ|なり|なった|変わ|決ま|決定)");
/// The day that a thing is moved away from.
static FROM: Pattern = Pattern::new(r"(?i)\b(?:from|vom|von|del|de|du)(?: the| el)? $|从$");
/// That something is moved, in words that need such a day.
static MOVES: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:mov(?:ed|es?|ing)|push(?:ed|es|ing)?|postpon\w+|shift\w*|slip\w*|reschedul\w+|brought forward|bumped|verschoben|verlegt|vorgezogen|vertagt",
    r"|mueve|movi\p{L}+|aplaz\p{L}+|pospon\p{L}+|pospuest\p{L}+|retras\p{L}+|adelant\p{L}+|report\p{L}+|repouss\p{L}+|décal\p{L}+|avanc\p{L}+|déplac\p{L}+)\b|推迟|延期|提前|改到|変更|前倒し",
));

/// Whether a sentence tells of what comes again every week, though it does not say so.
pub(super) fn recurs(sentence: &str) -> bool {
    RECURS.is_match(sentence)
}

/// Whether a sentence tells of what can be planned, and of nothing that was.
pub(super) fn is_of_a_plan(sentence: &str) -> bool {
    PLAN.is_match(sentence) && ![&OVER, &PAST, &WAS].iter().any(|pattern| pattern.is_match(sentence))
}

/// Whether a text names a weekday, whatever is meant by it.
pub(super) fn is_named(text: &str) -> bool {
    WEEKDAY.is_match(text)
}

/// Whether a sentence tells of the days of every week, from Monday on.
pub(super) fn is_working_week(sentence: &str) -> bool {
    WORKING_WEEK.is_match(sentence)
}

/// What a weekday in passing means.
pub(super) fn in_passing(text: &str, words: &Range<usize>, said: NaiveDate, weekday: Weekday) -> Option<Meaning> {
    let sentence = sentence_around(text, words);
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '。');
    let before = text.get(..words.start)?.rsplit(is_end).next().unwrap_or_default();
    let after = text.get(words.end..)?.split(is_end).next().unwrap_or_default();
    if ANOTHER.is_match(before)
        || is_habit(sentence)
        || recurs(sentence)
        || is_working_week(sentence)
        || WEEKDAY.find_iter(sentence).count() > 2
    {
        return None;
    }
    let is_moved_to =
        MOVED_TO.is_match(before) || BECOMES.is_match(after) || (ON.is_match(before) && MOVED.is_match(after));
    if is_moved_to {
        return Some(calendar::upcoming(said, weekday));
    }
    // Which one a thing was moved away from, only whoever moved it knows.
    let is_moved_from = MOVES.is_match(sentence) && (FROM.is_match(before) || after.starts_with("から"));
    let is_planned = [&PLANNED, &FUTURE].iter().any(|pattern| pattern.is_match(sentence));
    let is_over = [&OVER, &PAST, &WAS].iter().any(|pattern| pattern.is_match(sentence));
    match (is_planned || PLAN.is_match(sentence), is_over) {
        _ if is_moved_from => None,
        (true, false) => Some(calendar::upcoming(said, weekday)),
        // "The deploy failed Monday": a deploy can be planned, too.
        (_, true) if !is_planned => Some(calendar::previous(said, weekday)),
        _ => None,
    }
}

#[cfg(test)]
pub(super) fn are_whole() -> bool {
    [&PLAN, &WAS, &RECURS, &ANOTHER, &WORKING_WEEK, &WEEKDAY, &MOVED_TO, &ON, &MOVED, &BECOMES, &FROM, &MOVES]
        .iter()
        .all(|pattern| pattern.is_whole())
}
