//! Words around a sentence that say nothing by themselves, in all languages at once: "small correction:", "heads up,
//! guys:", "… btw".
//!
//! Not its job: openings that one language has (`lead_in`), and what a correction does to what was said right before it
//! (see [`super::super::amend`]).

use std::sync::LazyLock;

use crate::memory::likeness::patterns::{OneOf, Pattern};

/// News or a correction is announced, up to where it begins. What is announced needs a mark before it: "update the docs"
/// and "correction fluid" announce nothing.
const ANNOUNCES: &[&str] = &[
    r"(?i)^(?:(?:an?|the|one|another|just|quick|small|minor|tiny|slight|little|big|important|late|last-minute|latest|new|further|some) )*(?:correction|update|change|amendment|revision|clarification|news|erratum|addendum|edit|change of plans?|change of dates?|plan change|schedule change|date change|status update|heads?[- ]up|fyi|psa|for your info(?:rmation)?|just to let you know|to let you know|for everyone's information|plans? (?:has |have )?changed|i (?:was wrong|misspoke|stand corrected)|my mistake|my bad)(?:,? (?:guys|folks|team|all|everyone|everybody))?\s*(?:[:,;!–—]+|\s-+)\s+",
    r"(?i)^(?:(?:eine?|noch eine?|noch ein|nur eine|kurze[rs]?|kleine[rs]?|wichtige[rs]?|neue[rs]?|letzte|kleine|kurz) )*(?:korrektur|änderung|aktualisierung|update|berichtigung|richtigstellung|nachtrag|planänderung|terminänderung|neuigkeit|info|zur info|nur zur info|fyi|neuer stand|stand jetzt|achtung|mein fehler|ich hab(?:e)? mich (?:vertan|geirrt))(?:,? (?:leute|team|zusammen|alle))?\s*(?:[:,;!–—]+|\s-+)\s+",
    r"(?i)^(?:(?:una|otra|un|otro|pequeñ[oa]|breve|últim[oa]|nuev[oa]|importante) )*(?:corrección|rectificación|cambio|cambio de (?:planes?|fecha)|actualización|novedad|fe de erratas|aviso|ojo|rectifico|corrijo|update|fyi|para que (?:lo )?sepas|me equivoqué)(?:,? (?:chicos|gente|equipo))?\s*(?:[:,;!–—]+|\s-+)\s+",
    r"(?i)^(?:(?:une|une autre|un|petite?|nouvelle|dernière|dernier) )*(?:correction|rectificatif|rectification|erratum|mise à jour|màj|maj|changement(?: de (?:plan|date|programme))?|précision|info|pour info|pour information|update|fyi|je me suis trompée?|au temps pour moi)(?:,? (?:les gars|l'équipe|tout le monde))?\s*(?:[:,;!–—]+|\s-+)\s+",
    r"^(?:一个|有个|有一个|小|补充|最新|重要)*(?:更正|纠正|勘误|更新|变更|变动|改动|通知|补充|计划有变|计划变了|跟大家说一下|同步一下|我说错了|说错了)(?:一下|一点|一个)?[：:，,！!]\s*",
    r"^(?:一点|小さな|重要な)?(?:訂正|更新|変更|お知らせ|連絡|補足|追記|共有|予定変更)(?:です|します|があります|まで|ですが|なのですが)?[：:、,！!]\s*",
];
static ANNOUNCING: LazyLock<OneOf> = LazyLock::new(|| OneOf::of(ANNOUNCES));

/// And a correction among them.
static CORRECTS: Pattern = Pattern::new(concat!(
    r"(?i)^(?:\S+ ){0,3}?(?:corrections?|erratum|amendment|i (?:was wrong|misspoke|stand corrected)|my mistake|my bad|change|korrektur|berichtigung|richtigstellung|änderung|mein fehler|vertan|geirrt",
    r"|corrección|rectificación|fe de erratas|rectifico|corrijo|me equivoqué|cambio|rectificatif|rectification|trompée?|au temps pour moi|changement)\b|^.{0,4}(?:更正|纠正|勘误|说错了|变更|訂正|変更)",
));

/// Somebody is called.
static CALLS: Pattern = Pattern::new(
    r"(?i)^(?:(?:hey|hi|hello|ok|okay|so|hallo|hola|salut) )*(?:guys|folks|team|everyone|everybody|y'all|leute|ihr lieben|chicos|chicas|gente|equipo|les gars|tout le monde|大家|各位|皆さん|みんな)\s*[,:!–—，、：！]+\s*",
);

/// What an announced sentence must not begin with: without the announcement it would lose what it is about.
static POINTS: Pattern = Pattern::new(
    r"(?i)^(?:it|it's|its|that|that's|this|these|those|they|they're|he|she|there|es|das (?:ist|war|wird|geht|gilt|stimmt|hat|macht|kommt)|dies|er|sie|il|elle|ça|c'est|ce|eso|esto|ella|它|他|她|这|那|それ|これ|彼)\b|^[它他她这那]|^(?:それ|これ)",
);

/// What closes a sentence and is no part of it.
static CLOSES: Pattern = Pattern::new(concat!(
    r"(?i)(?:[\s,;–—-]+(?:btw|by the way|fyi|for your info(?:rmation)?|just so you know|just fyi|guys|folks|y'all|lol|haha+|thx|thanks|cheers",
    r"|übrigens|nur zur info|zur info|leute|danke|por cierto|chicos|gente|gracias|au fait|pour info|les gars|merci))+[.!…]*$",
    r"|[，,]?(?:哈|顺便说一下|顺便说一句|谢谢|跟大家说一声)[。！]*$|[、,]?(?:ちなみに|念のため|ありがとう|以上です)[。！]*$",
));

/// Whether a sentence announces that it puts something right.
pub(in super::super) fn corrects(text: &str) -> bool {
    announced(text).is_some_and(|rest| {
        text.get(..text.len() - rest.len()).is_some_and(|announcement| CORRECTS.is_match(announcement))
    })
}

/// What is announced, if a sentence announces something or calls somebody.
pub(in super::super) fn announced(text: &str) -> Option<&str> {
    if let Some(hit) = CALLS.find(text) {
        return text.get(hit.end()..).filter(|rest| !rest.is_empty());
    }
    let hit = ANNOUNCING.may_match(text).find_map(|pattern| pattern.find(text))?;
    let rest = text.get(hit.end()..)?.trim_start();
    (!rest.is_empty() && !POINTS.is_match(rest)).then_some(rest)
}

/// A sentence without what closes it; as it is where nothing else is left.
pub(in super::super) fn without_close(text: &str) -> &str {
    let Some(hit) = CLOSES.find(text) else { return text };
    let rest = text.get(..hit.start()).unwrap_or_default();
    if rest.chars().filter(|c| c.is_alphanumeric()).count() < 4 { text } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_is_told_from_what_only_begins_so() {
        assert!(ANNOUNCING.is_whole() && POINTS.is_whole() && CLOSES.is_whole());
        assert!(CORRECTS.is_whole() && CALLS.is_whole());
        for (text, rest) in [
            ("Correction: the launch is on December 17.", "the launch is on December 17."),
            ("small change: the demo is Friday", "the demo is Friday"),
            ("heads up, guys: main is frozen", "main is frozen"),
            ("Change of plans — we ship on Monday", "we ship on Monday"),
            ("Kleine Korrektur: das Release ist am 17.", "das Release ist am 17."),
            ("Pequeño cambio: la entrega es el 12.", "la entrega es el 12."),
            ("Rectificatif : la démo est le 9.", "la démo est le 9."),
            ("更正：上线是12月17号。", "上线是12月17号。"),
            ("訂正です、リリースは17日です。", "リリースは17日です。"),
        ] {
            assert_eq!(announced(text), Some(rest), "{text}");
            assert_eq!(corrects(text), !text.starts_with("heads"), "{text}");
        }
        for text in [
            "Update the docs.",
            "Correction fluid is white.",
            "change: it is blue now",
            "Update: that works now",
            "The update: it failed",
            "Korrektur: das war falsch",
            "更新文档",
        ] {
            assert_eq!(announced(text), None, "{text}");
        }
        for (text, bare) in [
            ("The freeze is off btw.", "The freeze is off"),
            ("the freeze is off, by the way, guys", "the freeze is off"),
            ("der Freeze ist vorbei übrigens", "der Freeze ist vorbei"),
            ("封版解除了，谢谢", "封版解除了"),
            ("ok guys", "ok guys"),
        ] {
            assert_eq!(without_close(text), bare, "{text}");
        }
    }
}
