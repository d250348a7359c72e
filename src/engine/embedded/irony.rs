//! What is said and not meant: "Oh sure, always deploy on Friday night, what could go wrong".
//!
//! Such a sentence states the opposite of what its words say, and is nothing to remember either way. Matched on masked text,
//! all languages in one set. Not its job: jokes that say so ("just kidding"), which take back what was said.

use std::sync::LazyLock;

use super::sentences::Sentence;
use super::spans;
use crate::memory::likeness::patterns::Set;

/// Phrases that turn the whole sentence round, wherever they stand in it.
static MOCKS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // How it begins.
        r"^(?:oh,? (?:sure|great|brilliant|wonderful|fantastic|lovely|perfect|please)|yeah,? (?:right|sure)|sure,? (?:because|why not)|right,? because|(?:great|brilliant|genius|what a (?:great|brilliant)) idea,? (?:let's|to (?:always|never|just)))\b[,.!:—–-]*\s",
        r"^(?:and |so |then )?(?:let's|why don't we|why not) (?:just|simply) (?:always|never)\b",
        r"^(?:ja,? (?:klar|sicher)|na klar|aber klar(?: doch)?|klar doch|ja ne(?:e)?,? is(?:t)? klar|super idee|tolle idee|ganz toll)[,.!:—–-]+\s",
        r"^(?:mais bien sûr|oui,? bien sûr|ben voyons|ben oui|super idée|quelle bonne idée)[,.!:—–-]+\s",
        r"^(?:sí,? claro|claro,? claro|ya,? claro|qué gran idea|gran idea)[,.!:—–-]+\s",
        r"^(?:呵呵|行啊|好啊好啊|真行|真是(?:个)?好主意|好主意啊)[，,。！!]",
        r"^(?:はいはい|へえへえ|さすがですね|素晴らしい(?:アイデア|考え)ですね)[、。！!]",
        // How it ends.
        r"\bwhat (?:could|can|would|will)(?: possibly| ever)? (?:go|be) wrong\b|\bwhat's the worst (?:that|thing|which)?\s?(?:could|can|that could) (?:happen|go wrong)\b",
        r"\b(?:because|since|as) (?:that|this|it) (?:always |has always |surely )?(?:went|works|worked|goes|ends|ended|turned out) (?:so |really |very |out )*(?:well|great|wonderfully|smoothly|brilliantly)\b",
        r"\bwho needs (?:\p{L}+ ){0,2}\p{L}+(?: anyway| anyways)?[.!?]*$|\bsaid (?:no ?one|nobody) ever\b|\bhow hard can it be\b|\bworked (?:so |really )?(?:well|great) last time\b|(?:^|\s)/s[.!]*$|🙄|🙃",
        r"\bwas (?:soll|sollte|kann|könnte) (?:da |denn |dabei )?(?:schon )?(?:schief ?gehen|passieren)\b|\bwer braucht (?:denn |schon )\p{L}+|\b(?:hat|ging) (?:ja )?(?:letztes|beim letzten) mal (?:ja )?(?:super|toll|bestens|hervorragend) (?:geklappt|funktioniert)\b",
        r"\bqu'est-ce qui pourrait (?:bien )?(?:mal (?:tourner|se passer)|arriver)\b|\bqui a besoin (?:de |d')\p{L}+[.!?\s]*$",
        r"\bqué (?:podría|puede) salir mal\b|\bquién necesita \p{L}+[.!?\s]*$",
        r"能出什么(?:问题|错|事|岔子)|还能(?:出)?(?:什么|啥)(?:问题|错|事)|谁需要\S{1,6}啊",
        r"何(?:か|が)?(?:問題|まずいこと)(?:が)?(?:起き|起こ|ある)(?:る)?(?:わけ|はず)(?:が)?ない|うまくいくに決まって(?:る|います)(?:よね)?[(（]?笑|[(（]笑[)）]$",
    ])
});

/// A sentence that is nothing but such a phrase: what stands right before it is not meant.
static TAIL: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:i mean,? |after all,? |and |so )?(?:what (?:could|can|would)(?: possibly| ever)? go wrong|what's the worst (?:that )?(?:could|can) happen|how hard can it be|said (?:no ?one|nobody) ever|/s|yeah,? right)[.!?…\s]*$",
        r"^(?:because |since )?(?:that|it|this) (?:always )?(?:went|works|worked|ended) (?:so |really |out )*(?:well|great|wonderfully)(?: last time| before)?[.!?…\s]*$",
        r"^(?:und )?(?:was (?:soll|sollte|kann|könnte) (?:da |denn )?(?:schon )?(?:schief ?gehen|passieren)|hat ja (?:letztes mal|beim letzten mal) (?:super|toll|bestens) geklappt)[.!?…\s]*$",
        r"^(?:qu'est-ce qui pourrait (?:bien )?mal (?:tourner|se passer)|¿?qué (?:podría|puede) salir mal)[.!?…\s]*$",
        r"^(?:能出什么(?:问题|错|事|岔子)|还能(?:出)?(?:什么|啥)(?:问题|错|事))(?:呢|啊|嘛)?[。！？!?…]*$",
    ])
});

/// Whether the sentence at `at` is not meant as it stands.
pub(super) fn is_meant_otherwise(sentences: &[Sentence], at: usize) -> bool {
    let Some(sentence) = sentences.get(at) else { return false };
    let is_mocked_by = |next: &Sentence| next.paragraph == sentence.paragraph && TAIL.hits(&spans::masked(&next.text));
    MOCKS.hits(&spans::masked(&sentence.text)) || sentences.get(at + 1).is_some_and(is_mocked_by)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::sentences;
    use super::*;

    #[test]
    fn what_is_mocked_is_told_from_what_is_meant() {
        assert!(MOCKS.is_whole() && TAIL.is_whole());
        let is_mocked = |text: &str| is_meant_otherwise(&sentences::split(text), 0);
        for text in [
            "Oh sure, always deploy on Friday night, what could go wrong",
            "Always deploy on Friday night. What could possibly go wrong?",
            "yeah right, never write tests",
            "let's just never review anything",
            "great idea, let's skip the migrations again",
            "never back up the database, who needs backups anyway",
            "always push straight to main, because that worked so well last time",
            "Na klar, immer freitags deployen, was soll schon schiefgehen.",
            "Mais bien sûr, toujours déployer le vendredi soir.",
            "Sí, claro, siempre desplegar los viernes, ¿qué podría salir mal?",
            "呵呵，以后都在周五晚上上线，能出什么问题",
        ] {
            assert!(is_mocked(text), "{text:?}");
        }
        for text in [
            "Sure, always use tabs.",
            "Yes, always run the linter first.",
            "Always check what could break before you deploy.",
            "Oh, always use pnpm, npm breaks the lockfile.",
            "Great, never mock the database.",
            "Let's always squash before merging.",
            "Klar, immer erst testen.",
            "Bien sûr, toujours en français.",
            "Tell me who needs access to the bucket and keep the list short.",
            "好，以后都用中文回答",
        ] {
            assert!(!is_mocked(text), "{text:?}");
        }
    }
}
