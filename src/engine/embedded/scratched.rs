//! "Scratch that", "never mind": what is taken back without being named.
//!
//! Such words say so of what was said right before, if they stand alone. With words of their own ("never mind, found the bug")
//! they speak of what these name, and of nothing else. Not its job: telling that a sentence takes something back (`take_back`
//! of each language's cues), and what is named as the thing to be forgotten (see [`super::revoke`]).

use crate::memory::likeness::patterns::Pattern;

/// Words that name nothing beside such ones.
const EMPTY: &str = "scratch scrap strike cancel undo ignore disregard discard forget forgot that it what i i'm im said just about my last \
    previous earlier the rule instruction request take back on second thought thoughts was were wrong misspoke kidding only joke a \
    mistake actually wait sorry no nope never mind nevermind hmm hm oh ah ok okay jk please this all of everything bad idea stupid \
    silly nonsense changed don't dont do after all for let's leave well so and but then my bad apologies you can again \
    vergiss das es was ich gesagt habe hab streich nehme zurück doch nicht ignoriere ignorier war ein irrtum nur scherz ach egal moment warte \
    äh nein nee ne bitte alles wieder quatsch blödsinn dumme idee sorry \
    oublie ça ce que j'ai dit je retire ignore plaisante me suis trompé trompée finalement non attends pardon en fait laisse tomber \
    peu importe c'était une erreur bêtise mauvaise idée tout s'il te plaît \
    olvida eso lo que dije olvídalo retiro dicho ignora era broma me equivoqué mejor no espera perdón en realidad da igual todo por favor \
    una mala tontería";
/// The same in Chinese and Japanese, the longest first.
const EMPTY_SIGNS: &[&str] = &[
    "忘れてください",
    "無視してください",
    "間違えました",
    "当我没说",
    "我说错了",
    "やっぱり",
    "さっきの",
    "刚才说的",
    "刚才的话",
    "すみません",
    "ごめん",
    "冗談です",
    "開玩笑",
    "开玩笑",
    "今のなし",
    "忘れて",
    "待って",
    "撤回します",
    "撤回",
    "します",
    "なしで",
    "なし",
    "です",
    "いい",
    "やめ",
    "算了",
    "忘了",
    "忘掉",
    "忽略",
    "收回",
    "刚才",
    "上面",
    "等等",
    "不对",
    "不是",
    "这个",
    "那个",
    "这",
    "那",
    "我",
    "的",
    "话",
    "吧",
    "了",
    "哦",
    "啊",
    "不",
    "あ",
    "いや",
    "違",
    "う",
    "い",
    "ま",
    "す",
    "た",
    "こと",
    "は",
    "を",
    "の",
    "ね",
    "よ",
];

/// Words that point at what was said.
const THAT: &str =
    "that said previous earlier misspoke kidding ça cela dit das gesagt irrtum scherz eso esto dije dicho broma";
/// The same in Chinese and Japanese.
const THAT_SIGNS: &[&str] = &["这", "那", "刚才", "说错", "收回", "今の", "さっき", "撤回", "間違え"];

/// Whether a sentence that takes something back points at what was said before: a clause of it does and has no words of its
/// own ("forget that, the formatter decides").
pub(super) fn points_back(text: &str) -> bool {
    let points = |clause: &str| {
        let lower = clause.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        words.any(|word| THAT.split_whitespace().any(|that| that == word))
            || THAT_SIGNS.iter().any(|sign| lower.contains(sign))
    };
    let mut clauses = text.split([',', ';', '.', ':', '!', '—', '–', '，', '。', '；', '、']);
    clauses.any(|clause| points(clause) && is_bare(clause))
}

/// What tells that a task is done or off, or names what is dropped: then nothing that was stated is meant.
static OF_A_TASK: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:i(?:'ve| have|'ll| will| just| already)* (?:found|fixed|solved|figured|got|did|do|sorted|managed|see|saw|spotted)|found (?:it|the|a)|(?:fixed|solved) it|it (?:works|was my)|works now|myself|scratch (?:that|this|the) (?:\w+ )?\w+)\b",
    r"|\bich (?:hab|habe) (?:es|den|das|die|ihn)\b|\b(?:gefunden|gelöst|erledigt|selbst|selber|geht (?:jetzt|wieder))\b|\bj'ai (?:trouvé|réglé|corrigé|compris)\b|\b(?:moi-même|ça marche)\b",
    r"|\b(?:encontré|arreglé|solucioné|resolví|lo hago yo|ya funciona|yo mism[oa])\b|找到了|解决了|修好了|自己(?:找|改|弄|修|来)|自分で|直しました|見つけました|解決し",
));

/// Whether a sentence that takes something back is about a task, not about a statement.
pub(super) fn is_of_a_task(text: &str) -> bool {
    OF_A_TASK.is_match(text)
}

/// Whether a sentence that takes something back has no words of its own.
pub(super) fn is_bare(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let left = EMPTY_SIGNS.iter().fold(lower, |text, empty| text.replace(empty, " "));
    left.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .all(|word| EMPTY.split_whitespace().any(|empty| empty == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_its_own_name_what_is_taken_back() {
        assert!(OF_A_TASK.is_whole() && !is_of_a_task("never mind, legal says otherwise"));
        for text in [
            "scratch that",
            "Never mind.",
            "on second thought, no",
            "I take that back, sorry!",
            "forget what I said",
            "vergiss das",
            "ach egal",
            "oublie ça",
            "laisse tomber",
            "olvídalo",
            "算了",
            "算了，当我没说",
            "やっぱりなしで",
            "忘れてください。",
            "non en fait oublie ça, c'est le formateur qui décide",
            "scratch that, the formatter does it",
            "forget what I said, the formatter does it",
        ] {
            assert!(is_bare(text) || points_back(text), "{text:?}");
        }
        for text in [
            "never mind, found the bug",
            "forget it, i'll do the button myself",
            "scratch that test, it's useless",
            "olvídalo, ya encontré el error",
            "laisse tomber, j'ai trouvé le bug",
            "算了，bug我自己找到了",
            "やっぱりいいです、自分で直しました",
        ] {
            assert!(!is_bare(text) && !points_back(text) && is_of_a_task(text), "{text:?}");
        }
    }
}
