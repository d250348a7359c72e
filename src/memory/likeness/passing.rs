//! What holds only for a while, now and then, or because two changed places, and what denies rather than says: none of it takes
//! the place of what holds otherwise.
//!
//! All languages at once. Not its job: what a claim says (see [`super::duties`], [`super::weekly`]), and work at hand that is
//! not worth a memory at all (the engine knows that).

use super::patterns::Pattern;

/// Somebody is away for a while, and whoever stands in is named beside it.
static AWAY: Pattern = Pattern::new(concat!(
    r"\b\p{Lu}\p{Ll}+(?:'s| is| will be) (?:currently |now |still )?(?:on (?:\w+ )?(?:vacation|holidays?|leave|pto|a trip)|sick|ill|travell?ing|unavailable|out of (?:the )?office|in hospital|(?:out|away|off)(?:\s*[,.;]|$| (?:today|this|until|till|for|sick|on|next|tomorrow|\d)))",
    r"|\b\p{Lu}\p{Ll}+ (?:is |has )?(?:left|leaving|gone) (?:the (?:meeting|call|room|office|building)|early|for (?:lunch|today|the day|the weekend|vacation|a))",
    r"|\b\p{Lu}\p{Ll}+ (?:ist|fehlt) (?:gerade |derzeit |noch |diese Woche |heute |bis \S+ )*(?:im Urlaub|in Elternzeit|in Urlaub|krank|auf (?:Dienst)?[Rr]eise|unterwegs|nicht im Büro|abwesend)",
    r"|\b\p{Lu}\p{Ll}+ está (?:ahora )?(?:de (?:vacaciones|baja|viaje|permiso)|enferm[oa]|fuera)\b",
    r"|\b\p{Lu}\p{Ll}+ est (?:actuellement )?(?:en (?:vacances|congés?|déplacement|arrêt)|malade|absente?)\b",
    r"|休假|请假|度假|出差|生病|病了|休产假|休暇|お休み|休み中|出張|不在|病気|産休|育休",
));

/// It ends when somebody is back, or with these days.
static ENDS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:until|till|while|before) [^,.;]{0,40}\b(?:is|are|comes?|gets?|returns?|back)\b|\b(?:just|only|but only) (?:for )?(?:this|the|next|today|tomorrow|a|one|two|three)\b|\bfor (?:this|the|one|two|a|next|the next|the rest of the) (?:\w+ )?(?:days?|weeks?|months?|sprints?|iteration|quarter|release)\b|\bthis sprint\b|\bfor (?:now|the moment|the time being)\b|\btemporarily\b|\bin the meantime\b|\bmeanwhile\b|\bfilling in\b|\bstands? in for\b|\bcover(?:s|ing) for\b",
    r"|\bbis [^,.;]{0,50}\b(?:zurück|da|wieder|gesund|fertig|vorbei)\b|\bvertretungsweise\b|\bin vertretung\b|\bvertritt\b|\bnur (?:diese|heute|für|bis)\b|\b(?:für|in) (?:diesen?|den nächsten) sprint\b|\bdiesen sprint\b|\bsolange\b|\bvorübergehend\b|\b(?:erst ?mal|vorerst|einstweilen|übergangsweise)\b",
    r"|\bhasta que\b|\bmientras\b|\b(?:sol[oa]|sólo|solamente) (?:esta|este|por|hoy|durante)\b|\b(?:en|durante|por|para) este sprint\b|\bde momento\b|\bpor ahora\b|\btemporalmente\b|\bsustituy(?:e|endo) a\b",
    r"|\bjusqu'(?:au retour|à ce que)|\bpendant (?:que|l'absence|les vacances|ses vacances)\b|\ben attendant\b|\b(?:juste|seulement|uniquement) (?:cette|ce|pour|aujourd)|\b(?:pour|pendant) ce sprint\b|\btemporairement\b|\bpour (?:l'instant|le moment)\b|\bprovisoirement\b|\bremplace [^,.;]{2,30} pendant\b",
    r"|回来(?:之前|以前|前|为止)|(?:只|仅|就)(?:是)?(?:这周|本周|今天|这个|本次)|(?:这个|本)(?:冲刺|迭代)|暂时|临时|代班|顶替|代管|戻るまで|戻ってくるまで|復帰するまで|復帰まで|(?:今週|今日|今回)(?:だけ|のみ)|スプリントの?間|(?:この|今)スプリント|一時的|とりあえず|当面|代理で",
));

/// It is so at times, and otherwise at others.
static AT_TIMES: Pattern = Pattern::new(
    r"(?i)\b(?:now and (?:then|again)|from time to time|sometimes|occasionally|once in a while|ab und zu|manchmal|gelegentlich|hin und wieder|a veces|de vez en cuando|parfois|de temps en temps|à l'occasion)\b|有时|偶尔|时不时|ときどき|時々|たまに",
);

/// It has an end.
static UNTIL: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:until|till|while|during|at the moment)\b|\bfor (?:a|an|one|two|three|\d+) (?:day|week|month|sprint)s?\b",
    r"|\b(?:bis|während|momentan|derzeit|zunächst|hasta|durante|jusqu|pendant|tant que)\b|期间|まで|の間",
));

/// A day or a week is named. What changes for good may be said of a day, too.
static DAY: Pattern = Pattern::new(
    r"(?i)\b(?:this week|next week|tomorrow|today|diese woche|nächste woche|heute|morgen|esta semana|hoy|mañana|cette semaine|aujourd'hui|demain)\b|这周|本周|今天|今週|今日",
);

/// From a day on: no end.
static FROM: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:since|from|as of|starting|effective|seit|ab|von|desde|a partir de|depuis|à partir d(?:e |')|dès) ?(?:today|tomorrow|this week|next week|heute|morgen|dieser woche|nächster woche|hoy|mañana|esta semana|aujourd'hui|demain|cette semaine)\b",
    r"|从(?:今天|这周|本周)|(?:今天|这周|本周)(?:起|开始)|(?:今日|今週)から",
));

/// It holds in some cases.
static IN_CASES: Pattern = Pattern::new(r"(?i)\b(?:when|whenever|if|unless|wenn|falls|cuando|si|quand)\b|とき");

/// Two changed places: what one of them does now says what the other does, too.
static SWAPS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:swap(?:ped|s|ping)?|trad(?:ed|es|ing)|switched|exchanged|changed) (?:(?:their |the )?(?:roles|places|duties|jobs|areas|projects|teams|responsibilities)|with \p{L}+)\b|\b\p{L}+ (?:and|&) \p{L}+ (?:have |just |recently )*(?:swapped|traded|switched)\b",
    r"|\b(?:haben|hat) [^.;]{0,40}\bgetauscht\b|\btauschen\b|\bintercambi\p{L}+\b|\b(?:se )?cambiaron (?:los|de) (?:papeles|roles|puestos)\b|\b(?:ont )?(?:échangé|permuté)\b|对调|互换|交换|对换|入れ替わ|入れ替え|交換",
));

/// A clause says that it is not so.
static DENIES: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:not|never|no longer|nobody|neither|nor|nicht|nie|niemals|kein(?:e[nmrs]?)?|nunca|jamás|tampoco|jamais|aucune?)\b|\b(?:no|ne|pas) |\w+n't\b|\bn'",
    r"|不(?:再|是|由|归|负责|管|会|用|在|发|能)|没有|并非|从不|从未|ません|ではない|じゃない|でない|しない|くない|わない|なくなっ|外れ",
));

/// How long a claim says that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// From now on, for all it says.
    Open,
    /// It names a day.
    Day,
    /// It names an end.
    Until,
    /// While somebody is away or for these days, at times, or by changing places: another thing holds otherwise.
    Beside,
}

impl Term {
    /// How long a text says that it holds; where a date was put for "this week", the words have to stand beside it.
    pub(super) fn of(text: &str) -> Self {
        let text = text.replace('’', "'");
        if is_for_a_while(&text) || AT_TIMES.is_match(&text) || SWAPS.is_match(&text) {
            Self::Beside
        } else if UNTIL.is_match(&text) {
            Self::Until
        } else if DAY.is_match(&FROM.replace_all(&text, "")) {
            Self::Day
        } else {
            Self::Open
        }
    }
}

/// Whether a text says that something is so while somebody is away or for these days.
pub(crate) fn is_for_a_while(text: &str) -> bool {
    let text = text.replace('’', "'");
    [&AWAY, &ENDS].into_iter().any(|pattern| pattern.is_match(&text))
}

/// Whether a text says something of some cases only.
pub(super) fn is_in_cases(text: &str) -> bool {
    IN_CASES.is_match(text)
}

/// Whether two changed places.
pub(super) fn is_swap(text: &str) -> bool {
    SWAPS.is_match(text)
}

/// Whether a clause says that it is not so.
pub(super) fn denies(clause: &str) -> bool {
    DENIES.is_match(&clause.replace('’', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_away_for_a_while_is_told_from_who_left_and_an_end_from_a_change() {
        for pattern in [&AWAY, &ENDS, &AT_TIMES, &UNTIL, &DAY, &FROM, &IN_CASES, &SWAPS, &DENIES] {
            assert!(pattern.is_whole());
        }
        for text in [
            "Priya is on vacation, Tom owns the billing service now.",
            "Priya is sick, Tom owns billing now.",
            "Priya's on parental leave, Tom owns billing now.",
            "Lena left the meeting early, Omar signs off copy changes now.",
            "Omar signs off copy changes now and then.",
            "We deploy on Mondays now, just this week.",
            "Tom owns billing for this sprint.",
            "Mia kümmert sich jetzt um das Payment-Modul, bis Jonas aus dem Urlaub zurück ist.",
            "Jonas ist im Urlaub, Mia kümmert sich jetzt darum.",
            "Ana está de vacaciones, Luis se encarga ahora del checkout.",
            "Tom s'occupe de la facturation maintenant, jusqu'au retour de Priya.",
            "小王在休假，支付模块现在由小张负责。",
            "田中さんが戻るまで、決済は佐藤さんが担当です。",
            "Priya and Tom swapped, Priya owns search now.",
        ] {
            assert_eq!(Term::of(text), Term::Beside, "{text:?}");
        }
        for text in [
            "Lena left, Omar signs off copy changes now.",
            "Priya is leaving, so Tom owns billing now.",
            "Jonas ist weg, Mia kümmert sich jetzt um das Payment-Modul.",
            "We switched from npm to pnpm.",
            "The vacation policy is in Notion now.",
        ] {
            assert_eq!(Term::of(text), Term::Open, "{text:?}");
        }
        assert_eq!(Term::of("Main is now frozen until December 17."), Term::Until);
        assert_eq!(Term::of("Ab heute kümmert sich Mia um das Payment-Modul."), Term::Open);
        assert_eq!(Term::of("Tom took over billing today."), Term::Day);
    }
}
