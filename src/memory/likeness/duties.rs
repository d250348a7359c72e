//! Who does what: "Priya owns the billing service", "um das Payment-Modul kümmert sich jetzt Mia".
//!
//! Two claims that give one thing to two people may put it in any order and many words; read as who, what and of which kind
//! they can be held against each other. Whoever only stands in until a day or while somebody is away takes nothing over, and
//! what several do side by side (reviewing) is not read at all. Not its job: claims that differ in one word (see
//! [`super::slots`]), and what is done about it (see [`super::supersede`]).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::passing::{self, Term};
use super::patterns::{OneOf, Pattern};
use super::slots::Slot;
use super::{are_same_words, words_as_said};

/// What somebody is to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Answers for it: one does.
    Owner,
    /// Leads it: one does.
    Lead,
    /// Sees to it: mostly one does.
    Keeper,
    /// Approves it: mostly one does.
    Approver,
    /// Is called when it breaks: one at a time.
    OnCall,
    /// Took over whatever it was that another did.
    Heir,
}

/// Who does what, as a claim says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Duty {
    role: Role,
    /// In small letters.
    holder: String,
    /// The words of the thing that carry meaning.
    thing: BTreeSet<String>,
    /// The same without "service" and its like: "billing" is the billing service, but the billing module may be another thing.
    bare: BTreeSet<String>,
    /// The words of each, where it is a list.
    parts: Vec<BTreeSet<String>>,
    /// Whether two changed places: what the other one does changed, too, and is not said.
    is_swap: bool,
}

macro_rules! holder {
    () => {
        r"(?P<holder>\p{Lu}\p{Ll}[\p{Ll}'-]+(?: \p{Lu}\p{Ll}[\p{Ll}'-]+)?|[Tt]he (?:[\w/&-]+ ){1,2}team)"
    };
}

/// Who it is, where a clause begins.
macro_rules! who {
    ($rest:literal) => {
        concat!(r"(?:^|[,;:.—(]\s+|\b(?:so|and|but|und|y|et|jetzt|nun|ahora|maintenant|désormais) |'est (?:maintenant |désormais |bien )?)", holder!(), r" (?:now |currently |jetzt |nun |inzwischen |ahora |ya |maintenant |désormais )?", $rest)
    };
}

/// What it is, up to the end of its clause.
macro_rules! thing {
    ($before:literal) => {
        concat!($before, r"(?P<thing>[^,;:!?()\n—]{2,80}?)(?: (?:now|currently|from now|these days|instead|again|since|as of|from \p{Lu}|because|so|jetzt|nun|inzwischen|seit|weil|ahora|desde|porque|maintenant|désormais|depuis|parce)\b|\.(?:\s|$)|[,;:!?()\n—]|$)")
    };
}

/// A thing that the clause begins with.
macro_rules! of_it {
    ($before:literal, $after:expr) => {
        concat!(r"(?:^|[,;:.—(]\s+)", $before, r"(?P<thing>[^,;:!?()\n—]{2,80}?)", $after)
    };
}

static DUTIES: LazyLock<[(Role, OneOf); 6]> = LazyLock::new(|| {
    [
        (Role::Heir, OneOf::of(HEIRS)),
        (Role::Owner, OneOf::of(OWNERS)),
        (Role::Lead, OneOf::of(LEADS)),
        (Role::Keeper, OneOf::of(KEEPERS)),
        (Role::Approver, OneOf::of(APPROVERS)),
        (Role::OnCall, OneOf::of(ON_CALL)),
    ]
});

const HEIRS: &[&str] = &[
    concat!(who!(r"(?:took|takes|has taken|is taking|will take) over "), thing!(r"(?:from \p{Lu}\p{Ll}+ as )?")),
    concat!(who!(r"(?:übernimmt|übernahm) (?:jetzt |nun )?"), thing!("")),
    concat!(
        who!(r"hat (?:jetzt |nun |inzwischen )?"),
        r"(?P<thing>[^,;:!?()\n—]{2,80}?) (?:von \p{Lu}\p{Ll}+ )?übernommen\b"
    ),
    concat!(who!(r"(?:reprend|a repris) "), thing!("")),
    concat!(who!(r"(?:asume|asumió|ha asumido) "), thing!("")),
    r"(?P<thing>[^，。；,;\s]{2,20}?)(?:现在|已经?|改)?(?:由|归)(?P<holder>\p{Han}{2,4}?|\p{Lu}\p{Ll}+)接手",
    r"^(?P<holder>\p{Han}{2,3}?|\p{Lu}\p{Ll}+)接手了?(?P<thing>[^，。；,;\s了]{2,20})",
    r"(?:^|、)(?P<holder>[^、。はがを]{1,8}さん|\p{Lu}\p{Ll}+)(?:が|は)(?P<thing>[^、。]{2,20}?)を引き継",
];

const OWNERS: &[&str] = &[
    concat!(
        who!(
            r"(?:owns|is (?:now )?(?:responsible|accountable|in charge|the (?:new )?owner) (?:for|of)|is the (?:new )?(?:contact|contact person|go-to person) for) "
        ),
        thing!(r"(?:now )?")
    ),
    concat!(of_it!("", r" (?:is|are) (?:now )?owned by (?:now )?"), holder!()),
    concat!(
        who!(
            r"(?:verantwortet|ist (?:jetzt |nun |inzwischen )?(?:zuständig|verantwortlich|verantwortliche?r? |ansprechpartner(?:in)?) für) (?:jetzt |nun )?"
        ),
        thing!("")
    ),
    concat!(
        who!(r"ist (?:jetzt |nun |inzwischen )?für "),
        r"(?P<thing>[^,;:!?()\n—]{2,80}?) (?:zuständig|verantwortlich)\b"
    ),
    concat!(of_it!(r"[Zz]uständig für ", r" ist (?:jetzt |nun |inzwischen )?(?:die |der )?"), holder!()),
    concat!(
        of_it!(r"[Ff]ür ", r" (?:ist|bin) (?:jetzt |nun |inzwischen |ab sofort )?(?:die |der )?"),
        holder!(),
        r" (?:zuständig|verantwortlich)\b"
    ),
    concat!(who!(r"es (?:ahora )?(?:el |la )?(?:nuev[oa] )?(?:responsable|encargad[oa]|dueñ[oa]) del? "), thing!("")),
    concat!(
        of_it!(r"(?:[Aa]hora )?(?:[Ee]l |[Ll]a )(?:nuev[oa] )?(?:responsable|encargad[oa]) del? ", r" es (?:ahora )?"),
        holder!()
    ),
    concat!(
        who!(r"est (?:maintenant |désormais )?(?:le |la )?(?:nouve(?:au|lle) )?(?:responsable|en charge) "),
        thing!(r"(?:du |de la |de l'|des |de |d')")
    ),
    concat!(
        of_it!(
            r"(?:[Ll]e |[Ll]a )(?:nouve(?:au|lle) )?responsable (?:du |de la |de l'|des |de |d')",
            r",? (?:c'est|est) (?:maintenant |désormais )?"
        ),
        holder!()
    ),
    r"(?P<thing>[^，。；,;\s]{2,20}?)(?:现在|目前|以后|今后|从现在起)?(?:已经?)?(?:改)?(?:由|归|是)\s?(?P<holder>\p{Han}{2,4}?|\p{Lu}\p{Ll}+)\s?(?:来|在)?(?:负责|主管|牵头)",
    r"(?:现在|目前|以后|今后|从现在起)(?:改)?由\s?(?P<holder>\p{Han}{2,4}?|\p{Lu}\p{Ll}+)\s?(?:来|在)?(?:负责|主管|牵头)(?P<thing>[^，。；,;\s了]{2,20})",
    r"^(?P<holder>\p{Han}{2,3}?|\p{Lu}\p{Ll}+)\s?(?:现在|目前)?(?:负责|主管|牵头)(?P<thing>[^，。；,;\s了]{2,20})",
    r"(?:^|、)(?P<thing>[^、。]{2,20}?)(?:は|の担当者?は|の責任者は)(?:今は|現在は|今では|これからは)?、?(?P<holder>[^、。はがの]{1,8}さん|\p{Lu}\p{Ll}+)(?:が|です|の)?(?:担当|責任|です)",
    r"(?:^|、)(?:今は|現在は|今では|これからは)?、?(?P<holder>[^、。はがの]{1,8}さん|\p{Lu}\p{Ll}+)(?:が|は)(?P<thing>[^、。]{2,20}?)(?:を|の)担当",
];

const LEADS: &[&str] = &[
    concat!(
        who!(r"(?:leads|heads|is (?:now )?the (?:new )?(?:tech |team )?lead (?:of|for|on)) "),
        thing!(r"(?:now )?")
    ),
    concat!(of_it!("", r" (?:is|are) (?:now )?led by (?:now )?"), holder!()),
    concat!(who!(r"leitet (?:jetzt |nun |inzwischen )?"), thing!("")),
    concat!(of_it!("", r" leitet (?:jetzt|nun|inzwischen) (?:der |die )?"), holder!()),
    concat!(who!(r"(?:dirige|lidera) (?:ahora )?"), thing!("")),
    concat!(who!(r"(?:dirige|pilote) (?:maintenant |désormais )?"), thing!("")),
];

const KEEPERS: &[&str] = &[
    concat!(who!(r"(?:maintains|manages|handles|looks after|takes care of) "), thing!(r"(?:now )?")),
    concat!(of_it!("", r" (?:is|are) (?:now )?(?:maintained|managed|handled|looked after) by (?:now )?"), holder!()),
    concat!(who!(r"kümmert sich (?:jetzt |nun |inzwischen |ab sofort )?um "), thing!("")),
    concat!(who!(r"(?:betreut|pflegt|macht) (?:jetzt |nun |inzwischen |ab sofort )?"), thing!("")),
    concat!(of_it!(r"[Uu]m ", r" kümmert sich (?:jetzt |nun |inzwischen |ab sofort )?(?:die |der )?"), holder!()),
    concat!(of_it!("", r" (?:betreut|pflegt|macht) (?:jetzt|nun|inzwischen|ab sofort) (?:die |der )?"), holder!()),
    concat!(who!(r"(?:se encarga|se ocupa|está a cargo) (?:ahora )?del? "), thing!("")),
    concat!(who!(r"(?:lleva|mantiene|gestiona) (?:ahora )?"), thing!("")),
    concat!(of_it!("", r" (?:ahora )?(?:lo|la|los|las) (?:lleva|gestiona|mantiene|hace) (?:ahora )?"), holder!()),
    concat!(of_it!(r"[Dd]el? ", r" (?:ahora )?se (?:encarga|ocupa) (?:ahora )?"), holder!()),
    concat!(
        who!(r"(?:qui )?s(?:e |')(?:occupe|charge) (?:maintenant |désormais )?"),
        thing!(r"(?:du |de la |de l'|des |de |d')")
    ),
    concat!(who!(r"(?:qui )?(?:gère|maintient) (?:maintenant |désormais )?"), thing!(r"(?:le |la |l'|les )?")),
    r"(?P<thing>[^，。；,;\s]{2,20}?)(?:现在|目前|以后|今后)?(?:改)?(?:由|归|是)\s?(?P<holder>\p{Han}{2,4}?|\p{Lu}\p{Ll}+)\s?(?:来|在)?(?:维护|管)",
    r"(?:^|、)(?P<thing>[^、。]{2,20}?)は(?:今は|現在は|今では|これからは)?、?(?P<holder>[^、。はがの]{1,8}さん|\p{Lu}\p{Ll}+)が(?:管理|見て)",
];

const APPROVERS: &[&str] = &[
    concat!(who!(r"(?:approves|signs off(?: on)?) "), thing!(r"(?:now )?")),
    concat!(of_it!("", r" (?:is|are) (?:now )?(?:approved|signed off) by (?:now )?"), holder!()),
    concat!(who!(r"genehmigt (?:jetzt |nun |inzwischen )?"), thing!("")),
    concat!(of_it!("", r" genehmigt (?:jetzt|nun|inzwischen) (?:die |der )?"), holder!()),
    concat!(who!(r"(?:aprueba|autoriza) (?:ahora )?"), thing!("")),
    concat!(who!(r"(?:approuve|valide) (?:maintenant |désormais )?"), thing!("")),
];

const ON_CALL: &[&str] = &[
    concat!(who!(r"is (?:now )?on[- ]call for "), thing!("")),
    concat!(who!(r"hat (?:jetzt |nun )?(?:die )?(?:Ruf)?[Bb]ereitschaft für "), thing!("")),
];

/// Letters without which nothing of this is said: asked first, of every claim.
static MAY: Pattern = Pattern::new(concat!(
    "owns|owned by|responsible|accountable|in charge|owner of|owner for|contact for|contact person|go-to|take over|takes over|took over|taken over|taking over",
    "|leads|heads |lead of|lead for|lead on|led by|maintain|manages|managed by|handles|handled by|looks after|looked after|takes care|approve|signs off|signed off|call for",
    "|übern|verantwort|uständig|nsprechpartner|leitet|kümmer|betreut|pflegt| macht |genehmigt|ereitschaft",
    "|responsable|encarga|dueñ|a cargo| ocupa| lleva|mantiene|gestiona| hace |dirige|lidera|asum|aprueba|autoriza",
    "|repri|'occupe|charge|gère|maintient|pilote|approuve|valide |负责|主管|牵头|接手|维护|管|担当|責任|管理|見て|引き継|です",
));

/// Whoever did it is not there any more.
static LEFT: Pattern = Pattern::new(concat!(
    r"\b\p{Lu}\p{Ll}+(?:'s| has| is)? (?:just |recently )?(?:left|leaving|gone|moved on|quit|retired|changed teams|switched teams|moved to another team)\b",
    r"|\b\p{Lu}\p{Ll}+ (?:ist (?:weg|gegangen|raus|nicht mehr da|nicht mehr bei uns)|hat (?:gekündigt|aufgehört|uns verlassen))\b",
    r"|\b\p{Lu}\p{Ll}+ (?:se (?:ha )?(?:fue|ido|marchó)|ya no (?:está|trabaja)|dejó (?:el equipo|la empresa))\b|\b\p{Lu}\p{Ll}+ (?:est partie?|a quitté|n'est plus (?:là|chez nous))",
    r"|离职|走了|退職|退社|異動",
));

/// Words before a thing that name no part of it.
const ALL: &[&str] = &["all", "whole", "entire", "alle", "ganze", "todo", "todos", "todas", "tous", "toutes", "tout"];
/// What a thing is: "billing" and "the billing service" are one.
const SORTS: &[&str] = &[
    "service",
    "services",
    "module",
    "modul",
    "component",
    "system",
    "area",
    "stuff",
    "work",
    "package",
    "repo",
    "repository",
    "code",
    "changes",
    "servicio",
    "módulo",
];

/// What a claim that holds so long says of who does what; several things, or nothing.
pub(super) fn of(text: &str, term: Term) -> Vec<Duty> {
    let text = text.replace('’', "'");
    let is_swap = passing::is_swap(&text);
    if !MAY.is_match(&text) || passing::is_in_cases(&text) || (term > Term::Day && !is_swap) {
        return Vec::new();
    }
    let mut found: Vec<Duty> = Vec::new();
    // Who does it on a day does it on that day, but it is taken over for good.
    let is_meant = |role: Role| term != Term::Day || role == Role::Heir;
    for (role, patterns) in DUTIES.iter().filter(|(role, _)| is_meant(*role)) {
        for pattern in patterns.may_match(&text) {
            for hit in pattern.captures_iter(&text) {
                if hit.get(0).is_some_and(|whole| is_denied(&text, whole.range())) {
                    continue;
                }
                let group = |name: &str| hit.name(name).map_or("", |part| part.as_str().trim());
                let duty = Duty::new(*role, group("holder"), group("thing")).map(|duty| Duty { is_swap, ..duty });
                // One thing is taken over once, however it is put.
                found.extend(
                    duty.filter(|new| !found.iter().any(|known| known.is_about(new) && known.holder == new.holder)),
                );
            }
        }
    }
    found
}

/// Whether the clause that begins with these words, or goes on behind them, says that somebody does not do it.
fn is_denied(text: &str, hit: Range<usize>) -> bool {
    const ENDS: [char; 12] = [',', ';', '.', '!', '?', '\n', '，', '；', '。', '、', '！', '？'];
    let said = text.get(hit.clone()).unwrap_or_default().trim_start_matches(|c: char| ENDS.contains(&c) || c == ' ');
    let is_open = !said.ends_with(ENDS);
    let rest = text.get(hit.end..).and_then(|rest| rest.split(ENDS).next()).filter(|_| is_open).unwrap_or_default();
    passing::denies(&format!("{said}{rest}"))
}

/// Whether a claim says itself that it is so from now on: somebody left, or somebody took it over.
pub(super) fn is_handed_over(duties: &[Duty], text: &str) -> bool {
    !duties.is_empty() && (duties.iter().any(|duty| duty.role == Role::Heir) || LEFT.is_match(text))
}

impl Duty {
    fn new(role: Role, holder: &str, thing: &str) -> Option<Self> {
        let holder = holder.to_lowercase();
        let holder = holder.trim_start_matches("the ").trim_end_matches("'s").to_owned();
        // "现在由小张负责…" names the thing behind the name.
        let thing = if NO_THINGS.contains(&thing) { "" } else { thing };
        let parts = things(thing).into_iter().map(|part| content(part, ALL)).filter(|part| !part.is_empty()).collect();
        let bare = content(thing, &[ALL, SORTS].concat());
        let thing = content(thing, ALL);
        (!thing.is_empty() && !holder.is_empty() && !NOBODY.contains(&holder.as_str())).then_some(Self {
            role,
            holder,
            thing,
            bare,
            parts,
            is_swap: false,
        })
    }

    fn is_about(&self, other: &Self) -> bool {
        [(&self.thing, &other.thing), (&self.bare, &other.thing), (&self.thing, &other.bare)]
            .into_iter()
            .any(|(one, two)| are_same_words(one, two))
    }

    /// What the duty of one is to the same of another.
    fn slot(&self, other: &Self, is_newer: bool) -> Option<Slot> {
        if self.holder == other.holder {
            return None;
        }
        if !self.is_about(other) {
            let has = |list: &Self, one: &Self| {
                list.parts.len() > 1 && list.parts.iter().any(|part| are_same_words(part, &one.thing))
            };
            let is_part = self.role == other.role && (has(self, other) || has(other, self));
            return is_part.then_some(Slot::Unsure);
        }
        if self.is_swap || other.is_swap {
            return Some(Slot::Unsure);
        }
        match (self.role, other.role) {
            (Role::Owner, Role::Owner) | (Role::Lead, Role::Lead) => Some(Slot::Exclusive),
            (one, two) if one == two || [one, two].contains(&Role::Heir) => Some(Slot::Usual),
            (Role::Owner | Role::Keeper | Role::Lead, Role::Owner | Role::Keeper | Role::Lead) => {
                is_newer.then_some(Slot::Unsure)
            }
            _ => None,
        }
    }
}

/// Words that stand where a name would and name nobody.
const NOBODY: &[&str] = &[
    "it",
    "this",
    "that",
    "he",
    "she",
    "they",
    "we",
    "who",
    "what",
    "which",
    "nobody",
    "someone",
    "everyone",
    "es",
    "er",
    "sie",
    "das",
    "wer",
    "niemand",
    "jemand",
    "ella",
    "él",
    "nadie",
    "alguien",
    "elle",
    "il",
    "personne",
    "now",
    "jetzt",
    "ahora",
    "maintenant",
    "所有",
];

/// Words that stand where a thing would and name none.
const NO_THINGS: &[&str] = &["现在", "目前", "以后", "今后", "从现在起", "今は", "現在は"];

/// What stands between two things of a list.
static LIST: Pattern = Pattern::new(r"(?i)\s+(?:and|und|sowie|y|e|et)\s+|\s*[&/]\s*|和|与|及|、|と");

/// The things of a list.
fn things(list: &str) -> Vec<&str> {
    let mut at = 0;
    let mut found: Vec<&str> = Vec::new();
    for joint in LIST.find_iter(list) {
        found.extend(list.get(at..joint.start()));
        at = joint.end();
    }
    found.extend(list.get(at..));
    found
}

/// The words of a thing that carry meaning, without some unless there are no others.
fn content(thing: &str, without: &[&str]) -> BTreeSet<String> {
    let thing = thing.trim_end_matches(['的', 'の']).replace("'s", "");
    let kept = |word: &&str| !without.contains(&word.to_lowercase().as_str());
    let plain = thing.split([' ', '-']).filter(kept).collect::<Vec<_>>().join(" ");
    let told = words_as_said(&plain);
    if told.is_empty() { words_as_said(&thing) } else { told }
}

/// Whether the later claim is about a part only of what the earlier one gives to somebody: "the tests of the payment module".
pub(super) fn are_narrower(earlier: &[Duty], later: &[Duty]) -> bool {
    let is_part = |one: &Duty, other: &Duty| other.thing.is_superset(&one.bare) && !one.is_about(other);
    !later.is_empty() && later.iter().all(|other| earlier.iter().any(|one| is_part(one, other)))
}

/// The slot of the one thing that both claims give to somebody else; `None`: there is none. More than one is unsure.
pub(super) fn slot(earlier: &[Duty], later: &[Duty], is_newer: bool) -> Option<Slot> {
    let mut slots = earlier.iter().flat_map(|one| later.iter().filter_map(move |other| one.slot(other, is_newer)));
    let first = slots.next()?;
    let is_one = earlier.len() == 1 && later.len() == 1;
    Some(if is_one && slots.next().is_none() { first } else { Slot::Unsure })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(DUTIES.iter().all(|(_, patterns)| patterns.is_whole()));
        assert!(MAY.is_whole() && LEFT.is_whole() && LIST.is_whole());
    }

    #[test]
    fn who_does_what_is_read_in_any_order_of_words() {
        for (text, role, holder) in [
            ("Priya owns the billing service.", Role::Owner, "priya"),
            ("Billing is owned by Priya.", Role::Owner, "priya"),
            ("Lena left, Omar signs off copy changes now.", Role::Approver, "omar"),
            ("Tom took over the importer from Priya.", Role::Heir, "tom"),
            ("The platform team maintains the deploy pipeline.", Role::Keeper, "platform team"),
            ("Um das Payment-Modul kümmert sich jetzt Mia.", Role::Keeper, "mia"),
            ("Für die Abrechnung ist jetzt Mia zuständig.", Role::Owner, "mia"),
            ("Zuständig für die Abrechnung ist jetzt Mia.", Role::Owner, "mia"),
            ("Mia hat den Importer von Jonas übernommen.", Role::Heir, "mia"),
            ("el módulo de pagos ahora lo lleva Marta", Role::Keeper, "marta"),
            ("Ahora la responsable de la facturación es Marta.", Role::Owner, "marta"),
            ("c'est maintenant Paul qui s'occupe du module de paiement", Role::Keeper, "paul"),
            ("支付模块现在由小张负责。", Role::Owner, "小张"),
            ("现在由小张负责支付模块。", Role::Owner, "小张"),
            ("今は佐藤さんが決済モジュールを担当しています。", Role::Owner, "佐藤さん"),
            ("決済モジュールは今は佐藤さんが担当しています。", Role::Owner, "佐藤さん"),
        ] {
            let found = of(text, Term::of(text));
            let read: Vec<(Role, &str)> = found.iter().map(|duty| (duty.role, duty.holder.as_str())).collect();
            assert_eq!(read, [(role, holder)], "{text:?}");
        }
    }

    #[test]
    fn who_stands_in_for_a_while_or_reviews_beside_others_takes_nothing_over() {
        for text in [
            "Tom owns billing until Friday.",
            "Omar signs off copy changes while Lena is away.",
            "Mia kümmert sich diese Woche um das Payment-Modul.",
            "Noa reviews the API pull requests.",
            "The function owns the buffer.",
            "It handles the retries.",
            "Priya is on vacation, Tom owns the billing service now.",
            "小李不负责支付模块。",
            "決済モジュールは今は佐藤さんが担当ではありません。",
            "Mia betreut nicht den Importer.",
        ] {
            assert_eq!(of(text, Term::of(text)), [], "{text:?}");
        }
    }
}
