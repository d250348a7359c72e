//! Words that say a newer claim replaces an older one, per language.
//!
//! Not its job: what is replaced (see [`super::supersede`]).

use std::sync::LazyLock;

use super::patterns::Pattern;
use super::{Shape, spans};

/// What ends the old claim: "no longer", "instead of".
const ENDS: [&str; 6] = [
    r"\b(?:no longer|not any ?more|not .{1,40} any ?more|(?:was|were|is|are|has been|have been|got) (?:archived|retired|shut down|removed|closed|deprecated|turned off|abandoned))\b",
    r"\b(?:nicht mehr|kein(?:e|en|er|em)? .{1,40} mehr|abgeschafft|abgeschaltet|eingestellt)\b",
    r"\b(?:ya no|dejó de|dejamos de|dejaron de)\b",
    r"\bn(?:e |').{1,60}\bplus\b",
    r"不再|已停用|已废弃",
    r"ではなく|もう.{1,12}ない|廃止|もう使って",
];

/// What puts something new in its place.
const SWAPS: [&str; 6] = [
    r"\b(?:replaced(?: by)?|replaces|replacing|as of|instead of|in place of|moved (?:to|from)|changed (?:to|from)|switched (?:to|from|over)|is now|are now|now (?:owns|uses|runs|lives|leads|maintains)|postponed|extended (?:to|until|till)|pushed (?:back )?to|delayed (?:to|until)|supersedes?|took (?:it )?over|has taken over|takes over|is taking over|renamed to|migrated to|rescheduled|brought forward|\w+ again, not \w+)\b|\bnow, |, not (?:in |on |at )?\p{L}+[.!]?$",
    r"\b(?:anstelle|ersetzt|abgelöst|umgezogen|umgestellt auf|verschoben (?:auf|nach)|jetzt|ab sofort|wechselt zu|übernimmt|übernommen|verlängert bis)\b|\bstatt [\p{L}\d⟦]",
    r"\b(?:en lugar de|en vez de|reemplaz[aoó]|sustituy[eó]|se movió a|ahora|aplazad[oa] (?:a|hasta)|pas[aó] a|se retrasa)\b",
    r"\b(?:au lieu de|à la place de|remplacée?s?|remplace|déplacée? (?:à|vers|dans)|désormais|maintenant|reportée? (?:à|au)|passée?s? (?:à|au)|passe (?:à|au)|reprend)\b",
    r"改为|改成|变成|变为|换为|交给|转给|移交|改用|改到|换成|代替|取代|推迟到|延期到|提前到|现在由|现由|接手|搬到|迁移到|迁到",
    r"に変更|へ変更|に変わ|へ変わ|に交代|の代わりに|に移行|に移りました|に移した|延期|に引き継|に替わ|に代わ|になった",
];

/// What lifts a rule that the sentence names.
const LIFTS: &str = concat!(
    r"\b(?:no longer (?:applies|holds|counts|matters)|(?:allowed|fine|ok|okay) again|(?:is|are|was|were|has been|have been) lifted)\b",
    r"|\b(?:gilt|gelten) nicht mehr\b|\bwieder erlaubt\b|\baufgehoben\b",
    r"|\bya no (?:vale|aplica|rige)|\bde nuevo permitid|\bne s'applique plus\b|\bde nouveau (?:permis|autoris)|不再适用|又可以|適用されな|再び許可",
);

/// All languages at once: which one a sentence of five words is in is seldom sure, and none of these means anything in another.
static COMPILED: LazyLock<[Pattern; 2]> =
    LazyLock::new(|| [ENDS, SWAPS].map(|patterns| Pattern::of(patterns.join("|"))));

static LIFTING: Pattern = Pattern::new(LIFTS);

/// Whether a text says that a rule does not hold any more.
pub(crate) fn lifts(text: &str) -> bool {
    LIFTING.is_match(&spans::masked(text))
}

/// A claim that says itself that it replaces another.
#[derive(Clone, Debug)]
pub(super) struct Cue {
    /// What the sentence says before the cue.
    pub(super) before: Shape,
    /// Whether the cue ends what the subject did ("X no longer does Y"), rather than naming what was there ("Y, no longer Z").
    pub(super) is_verb: bool,
    /// The clause that the cue stands in.
    pub(super) clause: Shape,
    /// Whether the sentence also says what still holds.
    pub(super) is_still: bool,
    /// Whether it says no more than "now".
    pub(super) is_now: bool,
    /// Whether its clause says that something is not so, rather than what is.
    pub(super) is_denial: bool,
}

/// Words of cues that mean nothing beside them, as stems.
const ENDING: [&str; 7] = ["longer", "anymor", "anymore", "mehr", "plus", "ya", "dejó"];

/// What still holds beside what ended.
static STILL: Pattern = Pattern::new(
    r"\b(?:still|remains?|immer noch|weiterhin|nach wie vor|bleibt|toujours|encore|reste|sigue|todavía|aún)\b|仍然|仍旧|依然|还是|引き続き|まだ",
);
/// What says that it is so by now, and nothing of a change.
static NOW: Pattern = Pattern::new(r"(?i)\b(?:now|jetzt|ahora|maintenant|désormais)\b|^现在?由");
/// Where one clause ends and the next begins.
static CLAUSE: Pattern = Pattern::new(
    r"[,;:，；。]|[.!?] | — |\b(?:since|because|but|weil|denn|sondern|aber|porque|pero|sino|parce que|car|mais)\b",
);

/// Whether a text has such a cue.
pub(crate) fn says_so(text: &str) -> bool {
    let masked = spans::masked(text);
    COMPILED.iter().any(|pattern| pattern.is_match(&masked))
}

/// The first such cue of a text.
pub(super) fn cue(text: &str) -> Option<Cue> {
    let masked = spans::masked(text);
    let [ends, swaps] = &*COMPILED;
    let (ends, swaps) = (ends.find(&masked), swaps.find(&masked));
    let is_verb = match (&ends, &swaps) {
        (Some(ends), Some(swaps)) => ends.start() < swaps.start(),
        (ends, _) => ends.is_some(),
    };
    let is_ended = ends.is_some();
    let hit = if is_verb { ends } else { swaps }?;
    let before = masked.get(..hit.start()).unwrap_or_default();
    let is_verb = is_verb && !before.trim_end().ends_with([',', ';', ':', '，', '、', '—', '–', '(']);

    let mut clause = 0..masked.len();
    for end in CLAUSE.find_iter(&masked) {
        if end.end() <= hit.start() {
            clause.start = end.end();
        } else if end.start() >= hit.end() {
            clause.end = end.start();
            break;
        }
    }
    let mut clause = Shape::of_part(masked.get(clause).unwrap_or(&masked), text);
    clause.content.retain(|word| !ENDING.contains(&word.as_str()));
    let is_now = !is_verb && NOW.is_match(hit.as_str());
    // ", not in Jira" names what stood there.
    let is_denial = !is_ended && clause.is_negative && !hit.as_str().contains(',');
    let is_still = STILL.is_match(&masked);
    Some(Cue { before: Shape::of_part(before, text), is_verb, clause, is_still, is_now, is_denial })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_every_language_has_its_words() {
        assert!(COMPILED.iter().all(Pattern::is_whole) && LIFTING.is_whole());
        assert!(STILL.is_whole() && CLAUSE.is_whole() && NOW.is_whole());
        let rows = [
            "We no longer deploy on Thursdays.",
            "The client is WireGuard, it replaced Cisco Secure.",
            "Pakete werden nicht mehr mit npm installiert.",
            "La pasarela ya no escucha en el puerto 8443.",
            "Le site n'est plus hébergé chez OVH.",
            "订单库不再使用MySQL。",
            "担当は佐藤さんではなく、高橋さんになった。",
        ];
        for text in rows {
            assert!(cue(text).is_some(), "{text:?}");
        }
        for text in ["The web server runs on Node 22.", "Die Abnahme findet am Montag um 9 Uhr statt."] {
            assert!(cue(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn what_ends_a_claim_is_told_from_what_names_the_old_value() {
        assert!(cue("The docs site no longer needs the VPN.").is_some_and(|cue| cue.is_verb));
        assert!(cue("Prefers spaces, no longer tabs.").is_some_and(|cue| !cue.is_verb));
    }
}
