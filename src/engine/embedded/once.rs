//! What a person wants for once and not for good: "today: always answer in English", "… Just for this PR of course."
//!
//! Such words stand where the cues for a rule do not look: before the colon, or in a sentence of their own. Matched on masked
//! text, all languages in one set. Not its job: "for now" and its like inside a rule, which each language's cues know
//! (`fleeting`).

use std::sync::LazyLock;

use super::sentences::Sentence;
use super::spans;
use super::statement::Statement;
use crate::memory::Kind;
use crate::memory::likeness::patterns::Set;

/// What is at hand.
macro_rules! at_hand {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:prs?|pull requests?|branch|commits?|tickets?|tasks?|session|conversation|chat|sprint|release|change|patch|refactor(?:ing)?|experiment|prototype|spike|demo|repro|bug|file|one|time|sitzung|änderung|aufgabe|gespräch|datei|sesión|rama|tarea|cambio|conversación|tâche|branche|fichier|vez|fois)",
            $after
        )
    };
}

/// Only for once, at the beginning of a rule.
static BEGINS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        at_hand!(
            r"^(?:ok |so |and |but |now |please )*(?:just |only )?(?:for|in|on|during) (?:this|the current) (?:[a-z]+ )?",
            r"\b"
        ),
        r"^(?:ok |so |and |but |hey |please )*(?:just |only )?(?:for )?(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening|month|time|once))\b",
        r"^until (?:the |i |we |you |it |that |then|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
        at_hand!(
            r"^(?:bitte )?(?:nur )?(?:für|in|bei) (?:diese[mnrs]?|den aktuellen|dem aktuellen) (?:\p{L}+ )?",
            r"\b"
        ),
        r"^(?:bitte )?(?:nur )?(?:heute|diese woche|diesmal|heute abend|bis (?:morgen|heute|montag|dienstag|mittwoch|donnerstag|freitag))\b",
        at_hand!(r"^(?:seulement |juste )?(?:pour|dans|sur) (?:ce|cet|cette) ", r"\b"),
        r"^(?:juste |seulement )?(?:pour )?(?:aujourd'hui|ce soir|cette semaine|cette fois)\b|^jusqu'à (?:demain|ce soir|lundi|vendredi)",
        at_hand!(r"^(?:solo )?(?:para|en|por) (?:este|esta) ", r"\b"),
        r"^(?:solo )?(?:por )?(?:hoy|esta (?:semana|vez|tarde|noche))\b|^hasta (?:mañana|el lunes|el viernes)",
        r"^(?:就|只|仅)?(?:今天|这次|本次|这一次|今晚|这周|本周)(?:先|就|只|都|请|，|,|一律|你)?|^(?:今日|今回|今夜|今週)(?:だけ|のみ|は|、)",
    ])
});

/// Only for once, inside a rule.
static INSIDE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:today|tonight|this (?:week|weekend|morning|afternoon|evening))\b",
        r"\b(?:just|only) (?:for|on|in) (?:this|the current|today)\b|\btill i'm back\b|\b(?:till|until) (?:i'm|we're) (?:back|done|finished)\b",
        r"\bfor the (?:repro|experiment|spike|prototype|poc|demo|presentation|screenshot|benchmark|interview|call)\b",
        r"\b(?:heute|diese woche|nur diesmal)\b|\b(?:aujourd'hui|ce soir|cette semaine)\b|\b(?:solo por hoy|esta semana|esta tarde)\b",
        r"今天|今晚|本周|这周|今日だけ|今日は|今回だけ",
    ])
});

/// A sentence that is only about how long the one before it holds.
static LIMITS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        at_hand!(
            r"^(?:but |and |well |though |of course |obviously |that's |this is |it's |i mean )*(?:just|only|at least) (?:for|in|on|during) (?:this|the current|that|my) (?:[a-z]+ )?",
            r"\b"
        ),
        r"^(?:but |and |well |that's |this is |it's )*(?:just|only|at least) (?:for )?(?:now|today|tonight|tomorrow|this (?:week|once|time|one)|the (?:demo|time being|moment)|until|till)\b",
        r"^(?:but |well )*(?:this|that|it) (?:only |just )*(?:applies|goes|holds|counts) (?:only |just )*(?:for|to) (?:this|today|now|the current)\b",
        r"^(?:das |aber |und |also )*(?:gilt |ist )?(?:aber |natürlich )?(?:nur|zumindest|jedenfalls) (?:für (?:diese[mnrs]?|heute|jetzt|den moment|die demo)|heute|diesmal|jetzt|bis|in diese[mnrs]?)\b",
        r"^(?:mais |et |enfin |c'est )*(?:juste|seulement|uniquement|au moins) (?:pour (?:ce|cet|cette|aujourd'hui|l'instant|le moment|la démo)|aujourd'hui|cette fois|jusqu'à|jusqu'au)",
        r"^(?:pero |y |bueno |es )*(?:solo|sólo|solamente|al menos) (?:(?:por|para|en) (?:hoy|ahora|este|esta|la demo)|hoy|esta vez|hasta)\b",
        r"^(?:不过|但)?(?:就|只|仅|只是|仅限|只限|至少)(?:限|是|在|针对)?(?:今天|这次|本次|这一次|这个|目前|到)",
        r"^(?:ただし|でも)?(?:今日|今回|このPR|このブランチ|このセッション|この作業)(?:だけ|のみ|限り)(?:です|ね|の話)?",
    ])
});

/// Whether what the sentence at `at` states about how to work, or of the person, holds for once only.
pub(super) fn is_only_now(statement: &Statement, sentences: &[Sentence], at: usize) -> bool {
    if matches!(statement.kind, Kind::Project | Kind::Reference) {
        return false;
    }
    let is_for_once = |sentence: &Sentence| is_for_once(&sentence.text, &statement.text);
    sentences.get(at).is_some_and(is_for_once)
        || sentences.get(at + statement.sentences.max(1)).is_some_and(|next| is_limit(&next.text))
}

/// Whether a sentence only says that what stands before it holds for once.
pub(super) fn is_limit(sentence: &str) -> bool {
    LIMITS.hits(&spans::masked(sentence))
}

/// By how a sentence begins, or by what is in its statement (without its reason).
fn is_for_once(sentence: &str, statement: &str) -> bool {
    BEGINS.hits(&spans::masked(sentence)) || INSIDE.hits(&spans::masked(statement))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_for_once_is_told_from_what_holds_for_good() {
        assert!(BEGINS.is_whole() && INSIDE.is_whole() && LIMITS.is_whole());
        for text in [
            "For this PR: never use mocks",
            "today: always answer in English",
            "always answer in rhymes today",
            "Heute bitte immer auf Englisch antworten",
            "今天都用英文回答",
        ] {
            assert!(is_for_once(text, text), "{text:?}");
        }
        for text in
            ["Always answer in English", "for this project never use mocks", "Never deploy on Fridays", "以后都用中文"]
        {
            assert!(!is_for_once(text, text), "{text:?}");
        }
        for text in [
            "Just for this PR of course.",
            "Nur heute natürlich.",
            "Juste pour aujourd'hui.",
            "就今天。",
            "今日だけです。",
        ] {
            assert!(LIMITS.hits(&spans::masked(text)), "{text:?}");
        }
        for text in ["Not just today, in general.", "Only the tests matter.", "At least two reviewers."] {
            assert!(!LIMITS.hits(&spans::masked(text)), "{text:?}");
        }
    }
}
