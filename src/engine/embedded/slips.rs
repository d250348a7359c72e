//! "Apologies, I misread the calendar.", "not any more", "except debounce": a person notices that what they have just said
//! is wrong, or says where it does not hold.
//!
//! Where the words name the right value it takes the place of the wrong one (see [`super::amend`]); where they only object,
//! what was said does not stand: nothing is better than a wrong value. A limit is added to the person's own sentence. Not its
//! job: whether such words answer what was said right before them (see [`super::collect`]).

use std::sync::LazyLock;

use super::amend;
use super::statement::{Statement, finish};
use crate::memory::Kind;
use crate::memory::likeness::patterns::{OneOf, Pattern, Set};

/// What may stand before an objection and says nothing by itself.
macro_rules! objecting {
    ($rest:literal) => {
        concat!(
            r"(?i)^(?:(?:no|nope|oh|ah|uh|um|er|hm+|well|ok|okay|lol|haha|oops|whoops|sorry|apologies|wait|actually|nein|nee|ne|ach|äh|ähm|ups|upps|non|bon|euh|oups|bueno|uy|eh|na|perdón|啊|哦|呃|不|不对|抱歉|あ|ああ|いや|えっと|ごめん(?:なさい)?|すみません)[\s,.:;!?…—–、，。：！-]+)*",
            $rest
        )
    };
}

/// Words with which people take the blame for a wrong word.
static SURELY: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        objecting!(
            r"(?:i (?:misread|misremember(?:ed)?|misspoke|mistyped|mixed (?:it|that|them|this|those|up)|got (?:it|that|them|this) (?:wrong|mixed up|backwards)|had (?:it|that) wrong|was wrong|meant|stand corrected)|my (?:bad|mistake)|correction:?)\b"
        ),
        objecting!(
            r"(?:(?:not|no longer)(?: true| the case)? any ?more|(?:that|this|it)(?:'s| is| was| has)(?: been| already| now| all| actually)? (?:outdated|out of date|not true|no longer true|no longer the case|old news|slipped|postponed|pushed back|cancell?ed|delayed)|it (?:slipped|got moved|got pushed|got postponed|was moved|was postponed))\b"
        ),
        r"(?i)^(?:i was|i've been|i just got|they|he|she)(?: just| now)? told(?: me)?(?: that)? (?:it|that|this)(?:'s| is)(?: already| now| all)? (?:outdated|out of date|wrong|not true|no longer true|old news|over|gone)\b",
        objecting!(
            r"(?:(?:da )?(?:hab(?:e)?|hatte) ich mich (?:da )?ver\p{L}+|(?:ich )?hab(?:e)? mich ver\p{L}+|(?:da )?hab(?:e)? ich (?:was |etwas )?verwechselt|korrektur|quatsch|das (?:stimmt|gilt) (?:so |ja |doch |gar |leider )*nicht(?: mehr)?|nicht mehr|das ist (?:leider |schon |inzwischen )?(?:veraltet|überholt))\b"
        ),
        objecting!(
            r"(?:je me suis (?:tromp|emmêl)ée?|au temps pour moi|autant pour moi|erreur de ma part|mea culpa|j'ai mal lu|je voulais dire|(?:ce )?n'est plus (?:vrai|le cas|valable)|plus maintenant)"
        ),
        objecting!(
            r"(?:me (?:equivoqué|confundí|he equivocado|he confundido)|leí mal|error mío|fe de erratas|quería decir|quise decir|ya no(?: es así)?[,.]|eso ya no es (?:cierto|así))"
        ),
        objecting!(r"(?:我)?(?:看错|记错|搞错|说错|写错|打错|弄错|弄混|搞混)了?|^更正|^(?:已经)?过时了|^现在不是了"),
        objecting!(r"(?:見間違え|勘違い|言い間違え|書き間違え|間違えまし|間違えて|訂正|今は違い)"),
    ])
});

/// Words that go back on a rule that was all that was said.
static REVERSED: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"(?i)^(?:hm+|ugh|meh|oh|ok|okay|well|no)?[,.… ]*nah\b",
        r"(?i)^(?:hm+|ugh|meh|oh|ok|okay|well|no|nope|actually|wait)[,.… ]+(?:rather not|better not|let's (?:stay|keep|stick)|(?:stay|stick) with)\b|^on second thoughts?,? (?:don't|no|not|keep|let's)\b",
        r"(?i)^(?:hm+|na|ach|oh|nee|ne|nein|ok|okay|also)[,.… ]+(?:warte[, ]+)?(?:doch|lieber doch|dann doch)(?: lieber| nur)? \p{L}+(?:,|\.|$)",
        r"(?i)^(?:ach |oh )*(?:ne|nee|nein),? (?:warte|moment)\b",
        r"(?i)^(?:bon|non|en fait|finalement|hm+|ah)[,. ]+(?:finalement |plutôt |non )*(?:on reste|restons|on garde|gardons|plutôt|mieux vaut)\b|^finalement non\b",
        r"(?i)^(?:na|no|bueno|mm+|hm+|ay|uy|espera)[,. ]+(?:mejor|al final|dejemos|quedémonos|seguimos con)\b",
        r"^(?:嗯|呃|算了|不)[，,]?(?:还是|继续)(?:用|保持|按)?\S{1,12}(?:吧|好了|[，。]|$)",
        r"^(?:やっぱり?|やはり)[^、。]{1,14}(?:で(?:お願い|いい|行き|いき)|に(?:して|します|しましょう))",
    ])
});

/// Of somebody who turns out not to be the one.
static NOT_THEM: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"(?i)^(?:ach |oh |äh )*(?:nee|ne|nein|quatsch|moment),? (?:warte,? )?(?:die|der|er|sie) (?:ist|war|hat|macht|geht|wurde) (?:ja|doch|jetzt|nun|schon|nicht)\b",
        r"(?i)^(?:oh |ah |no |nope |wait |sorry |actually |right )+,? ?(?:he|she|they)(?:'s| is|'re| are| has| have) (?:on leave|out|away|left|gone|moved|retired|no longer|not)\b",
        r"(?i)^(?:ah |oh |non |pardon )+,? ?(?:il|elle) (?:est|n'est|a) (?:en congé|partie?|plus|absente?)\b|^(?:ah |uy |no |perdón )+,? ?(?:él |ella )?(?:ya no|está de baja|se fue)\b",
    ])
});

/// A sentence that only takes the blame: what was meant may follow.
static APOLOGY: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        objecting!(
            r"(?:i (?:misread|misremember|misspoke|mistyped|mixed|got|had) ?[^,.;]{0,30}|my (?:bad|mistake)|correction|(?:hab(?:e)? )?(?:ich )?(?:hab(?:e)? )?mich (?:vertan|verlesen|verhört|verschrieben)|korrektur|quatsch|je me suis trompée?|au temps pour moi|erreur de ma part|me (?:equivoqué|confundí)|leí mal|(?:我)?(?:看错|记错|搞错|说错|写错|打错|弄错)了|更正|訂正(?:です|します)?|間違えました|勘違い(?:でした|してました))[.!。！]*$"
        ),
        r"(?i)^(?:(?:oh|ah|uh|no|very|so) )*(?:sorry|apologies|my apologies|oops|whoops|upps|ups|oups|pardon|perdón|抱歉|ごめん(?:なさい)?|すみません)[.!。！]*$",
    ])
});

/// Where what was said does not hold, or only holds; group `rest` goes on with the person's sentence.
static LIMITS: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?i)^(?:(?:oh|and|but|well|ok|ah|und|aber|et|mais|y|pero)[, ]+)*(?P<rest>(?:except|unless|other than|apart from|but not|außer|ausgenommen|sauf|excepté|salvo|excepto|aparte de)\b.{2,100})$",
        r"(?i)^(?:i mean|i meant|meaning|ich meine|je veux dire|quiero decir)[, ]+(?P<on>(?:to|on|in|for|from|at|with|when|unless|only|if|auf|für|bei|wenn|nur|sur|dans|pour|en|para|cuando|solo)\b.{2,100})$",
        r"(?i)^(?P<rest>(?:and|und|et|y) [^,.;]{2,40}),? (?:i )?(?:forgot|hab ich vergessen|hatte ich vergessen|vergessen|j'ai oublié|oublié|se me olvidó|lo olvidé)(?: that| to (?:say|mention) that| das)?[.!]*$",
        r"^(?P<rest>(?:除了|但是?|不过).{2,30}(?:除外|例外|以外)|还有.{1,16})[，,。]?(?:忘了说?)?[。！]*$",
        r"^(?P<rest>ただし.{2,40})$",
    ])
});

/// A role of the person, said more exactly: "well, acting tech lead, until Bea is back".
static MORE_EXACTLY: Pattern = Pattern::new(
    r"(?i)^(?:well|actually|or rather|rather|i mean|naja|na ja|genauer|also eher|enfin|plutôt|bueno|mejor dicho)[\s,.:…—–-]+(?P<exact>[\p{L}-]+ (?P<role>[^,.;]{3,40}?))(?P<more>,[^.;]{2,80})?[.!]?$",
);

/// How surely a sentence says that what was said before it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objection {
    /// The person takes the blame for it.
    Surely,
    /// They go back on a rule, if it was all that was said.
    Reversed,
    /// Whoever was named is not the one.
    NotThem,
}

/// Whether a sentence objects to what its speaker said before it.
pub(super) fn objection(text: &str) -> Option<Objection> {
    let text = amend::folded(text)?;
    if SURELY.hits(&text) {
        Some(Objection::Surely)
    } else if REVERSED.hits(&text) {
        Some(Objection::Reversed)
    } else {
        NOT_THEM.hits(&text).then_some(Objection::NotThem)
    }
}

/// Whether a sentence is nothing but an apology: the next one may name what was meant.
pub(super) fn is_apology(text: &str) -> bool {
    amend::folded(text).is_some_and(|text| APOLOGY.hits(&text))
}

/// A statement with the limit that a sentence sets to it.
pub(super) fn limited(statement: &Statement, text: &str) -> Option<String> {
    let folded = amend::folded(text)?;
    let found = LIMITS.may_match(&folded).find_map(|pattern| pattern.captures(&folded))?;
    let bare = statement.text.trim_end_matches(['.', '!', '。', '！']);
    let joint = if statement.text.ends_with('。') { "，" } else { ", " };
    match found.name("on") {
        Some(on) => Some(finish(&format!("{bare} {}", on.as_str()))),
        None => {
            let rest = found.name("rest")?.as_str();
            let mut letters = rest.chars();
            let first = letters.next()?.to_lowercase();
            Some(finish(&format!("{bare}{joint}{first}{}", letters.as_str())))
        }
    }
}

/// What the person is, said more exactly.
pub(super) fn more_exactly(statement: &Statement, text: &str) -> Option<String> {
    if statement.kind != Kind::User {
        return None;
    }
    let folded = amend::folded(text)?;
    let found = MORE_EXACTLY.captures(&folded)?;
    let (exact, role) = (found.name("exact")?.as_str(), found.name("role")?.as_str());
    let place = amend::place_of(&statement.text, role)?;
    let (before, after) = (statement.text.get(..place.start)?, statement.text.get(place.end..)?);
    let more = found.name("more").map_or("", |more| more.as_str());
    Some(finish(&format!("{before}{exact}{}{more}", after.trim_end_matches(['.', '!']))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objection_is_told_from_an_answer() {
        assert!(SURELY.is_whole() && REVERSED.is_whole() && NOT_THEM.is_whole() && APOLOGY.is_whole());
        assert!(LIMITS.is_whole() && MORE_EXACTLY.is_whole());
        for text in [
            "Not any more apparently, he just told me he's handing it over to Greta",
            "lol no i meant my dad uses windows, this one is a chromebook",
            "I was told that's outdated.",
            "actually it slipped again",
            "Au temps pour moi, c'est encore le 9 je crois bien",
            "das stimmt leider nicht mehr",
        ] {
            assert_eq!(objection(text), Some(Objection::Surely), "{text}");
        }
        for text in ["hm, doch deutsch, der chef will das so", "na, mejor espacios, el linter se queja"] {
            assert_eq!(objection(text), Some(Objection::Reversed), "{text}");
        }
        assert_eq!(objection("ach nee, die ist ja in Elternzeit"), Some(Objection::NotThem));
        for text in [
            "Actually, can you show me the diff first?",
            "No, that's the wrong file.",
            "sorry, one more thing: the login page",
            "it was moved to utils.rs by the refactoring, wasn't it?",
            "ok, doch noch eine Frage zum Login",
            "hm, no idea",
        ] {
            assert_eq!(objection(text), None, "{text}");
        }
    }
}
