//! "Forget the rule about early returns": what a person takes back that an earlier session stored.
//!
//! One of the two ways to take such a memory back. Here the sentence names a rule by its subject, and the memory is found by
//! that subject alone; a sentence that instead says what holds now is compared claim by claim in [`super::retractions`],
//! which sees only what is not taken here. Nothing is removed: the memory then says that it no longer holds, and what it said
//! before. Only when exactly one memory is about what the sentence names; anything less sure is left alone. Not its job:
//! what is taken back in the session it was said in (see [`super::collect`]).

use std::sync::LazyLock;

use super::cues;
use super::desk::Desk;
use super::language;
use super::parts::without_opening;
use super::similarity::Shape;
use super::spans;
use super::statement::{Statement, finish};
use crate::memory::Kind;
use crate::memory::likeness::patterns::OneOf;

/// How a sentence revokes; group `about` names what.
static REVOKES: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?i)^(?:please |you can |we can )*(?:forget|drop|ignore|scrap|disregard|remove|delete) (?:about )?(?:the |that |my |our )?(?:old |previous )?(?:(?:rule|note|thing|memory|preference|policy|convention|instruction|freeze|requirement|ban|part|bit)s? (?:about|on|for|that|of|with|regarding|saying) )(?P<about>[^,;.]{3,80})",
        r"(?i)^(?:please )?(?:forget|drop|scrap) (?:the |our |my )(?P<about>[^,;.]{3,60}?) (?:rule|policy|convention|preference|requirement|ban)\b",
        r"(?i)^(?:the |our |that )?(?P<about>[^,;.]{3,60}?)(?: rule| policy| convention| requirement| ban)? (?:no longer (?:applies|holds|matters|exists|counts)|is over(?: now)?(?:[.,;!]|$)|is (?:lifted|obsolete|void|cancelled|canceled|off the table)|(?:doesn't|does not) apply (?:any ?more|now)|(?:has been|was|is) (?:lifted|dropped|cancelled|canceled|called off|revoked))\b",
        r"(?i)^we (?:don't|do not|no longer) (?:do|use|need|have|follow|want|enforce) (?P<about>[^,;.]{3,60}?) (?:any ?more|any longer)\b",
        r"(?i)^we no longer (?:do|use|need|have|follow|want|enforce) (?P<about>[^,;.]{3,60})",
        r"(?i)^(?:bitte )?vergiss (?:die|das|den) (?:regel|sache|vorgabe|notiz|ding) (?:mit|zu|über|für|von) (?P<about>[^,;.]{3,60})",
        r"(?i)^(?:die |der |das |unsere? )?(?P<about>[^,;.]{3,60}?) (?:gilt|gelten) nicht mehr\b|^(?:die |der |das )?(?P<over>[^,;.]{3,60}?) (?:ist|sind) (?:aufgehoben|vorbei|hinfällig|abgesagt)\b",
        r"(?i)^(?:tu peux )?oublier? (?:la règle|la consigne|le truc|la note) (?:sur|de|des|du|pour|d') ?(?P<about>[^,;.]{3,60})",
        r"(?i)^(?:la |le |les |l')?(?P<about>[^,;.]{3,60}?) (?:ne s'applique(?:nt)? plus|n'est plus (?:valable|valide|vrai)|est levée?|est annulée?)\b",
        r"(?i)^(?:olvida|ignora) (?:la regla|la norma|la nota|lo) (?:de|sobre|del) (?P<about>[^,;.]{3,60})",
        r"(?i)^(?:la |el |los |las )?(?P<about>[^,;.]{3,60}?) ya no (?:se )?(?:aplica|vale|rige|existe)n?\b",
        r"(?:忘掉|不用管|别管|取消|忽略)(?:之前)?(?:关于)?(?P<about>[^，。,；]{2,30}?)(?:的)?(?:规则|规定|要求|约定|那条|限制)",
        r"^(?P<about>[^，。,；]{2,30}?)(?:的)?(?:规则|规定|要求|约定|冻结|限制)?(?:不再适用|已经?取消|已经?解除|作废了?)",
        r"^(?P<about>[^、。；]{2,30}?)の(?:ルール|件|方針|話|決まり)は(?:もう)?(?:忘れて|いりません|不要|なしで|無効|廃止|撤回)",
    ])
});

/// What a sentence revokes, in its words.
pub(super) fn about(text: &str) -> Option<String> {
    let cues = cues::of(language::of(text));
    let bare = without_opening(text, cues).replace('’', "'");
    // What few sentences say is asked first.
    let about = REVOKES.may_match(&bare).find_map(|pattern| {
        let found = pattern.captures(&bare)?;
        let about = found.name("about").or_else(|| found.name("over"))?;
        Some(about.as_str().trim().to_owned())
    })?;
    let masked = spans::masked(&bare);
    let is_against = cues.question.hits(&masked) || cues.hypothetical.hits(&masked) || cues.reported.hits(&masked);
    (!is_against).then_some(about)
}

/// The sentence as a statement that only has something to say to the memory that it revokes.
pub(super) fn bare(text: &str) -> Statement {
    let language = language::of(text);
    let text = finish(&without_opening(text, cues::of(language)));
    Statement { kind: Kind::Reference, ..Statement::rule(text, language) }
}

/// Whether a statement says nothing without that memory.
pub(super) fn is_bare(statement: &Statement) -> bool {
    statement.revokes.is_some() && statement.kind == Kind::Reference
}

/// The one memory that is about this; none when there are several.
pub(super) fn target(desk: &Desk<'_>, about: &str, said: chrono::DateTime<chrono::Utc>) -> Option<String> {
    let named = Shape::of(about);
    if named.content.is_empty() {
        return None;
    }
    let mut fitting = desk.notes.values().filter_map(|note| {
        note.kind.filter(|kind| matches!(kind, Kind::Feedback | Kind::Project))?;
        let claim = Shape::of(&format!("{} {}", note.description, note.fact));
        let is_earlier = note.claimed.is_none_or(|claimed| claimed < said);
        // One word names a memory only when the memory says little else.
        let is_about = named.content.is_subset(&claim.content) && (named.content.len() > 1 || claim.content.len() <= 6);
        (note.is_open && is_earlier && is_about).then(|| note.file.clone())
    });
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_what_it_revokes() {
        assert!(REVOKES.is_whole());
        let rows = [
            ("forget the rule about early returns, we don't do that any more", "early returns"),
            ("The merge freeze is lifted.", "merge freeze"),
            ("we no longer use the staging bucket", "the staging bucket"),
            ("Vergiss die Regel mit den Tabs.", "den Tabs"),
            ("la règle des tabulations ne s'applique plus", "règle des tabulations"),
            ("取消关于周五发布的规定", "周五发布"),
            ("タブのルールはもう不要です", "タブ"),
        ];
        for (text, named) in rows {
            assert_eq!(about(text).as_deref(), Some(named), "{text:?}");
        }
        for text in ["is the freeze lifted?", "if the freeze is lifted, merge it", "forget it", "the test is over 2 s"]
        {
            assert_eq!(about(text), None, "{text:?}");
        }
    }
}
