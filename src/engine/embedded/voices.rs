//! Words that stand in a person's turn and are not what the person says for themselves: a text to be written or passed on, a
//! rule for another program, what a linter says, made-up people, the assistant's words said back to it.
//!
//! Matched on masked text, all languages in one set; asked only of what looks like a memory otherwise. Not its job: quotations
//! and pasted text with marks of their own (see [`super::sentences`]), and turns that are nothing but such a text
//! (`invented_turn` of each language's cues).

use std::sync::LazyLock;

use super::sentences::Sentence;
use super::spans;
use crate::memory::likeness::patterns::Set;

/// What opens somebody else's words: they go on to the end of the paragraph.
static OPENS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // Texts to write, in English.
        r"^(?:please |pls |can you |could you |now |then |and |also |ok |help me )*(?:reply|respond|write(?: back)?|email|mail|message|text|tell|inform|notify|let|ping|draft|remind) (?:an? |the |my |our |back )*(?:[\w'-]+ ){0,5}?(?:know )?(?:that|saying)\b",
        r"^(?:please |pls |can you |could you |now |then |and |also |ok |help me )*(?:write|reply|answer|respond|mail|email) (?:back )?to (?:the |my |our )?[\w '-]{2,24}: ",
        r"^(?:please |pls |can you |could you |now |then |and |also |ok |help me )*(?:tell|instruct|prompt|configure|ask) (?:the |that |your |our |my |a |another |other )*(?:[\w-]+ )?(?:sub-?agents?|agents?|bots?|models?|llms?|chatbots?|reviewers?|team|client|customer|users?)\b.{0,20}(?::| to | that )",
        r"^(?:please |pls |can you |could you |now |then |and |also |ok )*(?:add|put|write|insert|append|include|set|create|make|stick)\b[^.]{0,60}\b(?:rules?|lint|linter|eslint|config|clippy|prettier|contributing|readme|changelog|handbook|policy|policies|prompt|instructions|guidelines?|docs?|wiki|faq|footer|banner|footnote|file|section|template|spec|comment|docstring|slide|deck)\b[^.:]{0,30}[:—]",
        r"\b(?:system ?prompt|system message|bot's prompt|prompt template|persona)\b[^.:]{0,60}[:,—]",
        r"^(?:make|help me make|can you make|could you make|polish|improve|soften|tone down|reword|fix up)\b[^:]{0,60}:",
        r"^(?:possible |new |working |the |a |my )*(?:title|headline|caption|heading|subject|subject line|slogan|tagline|motto|tweet|post|toast|alert|banner|label|tooltip|placeholder|error message|commit message|release notes?|test name|chapter|slide|quote of the day|joke|riddle|song|lyrics?|poem|haiku|dialogue|line)(?: (?:idea|text|of|for|in|on)\b[^:]{0,60})?: ",
        r"\b(?:button|label|checkbox|message|text|title|banner|tooltip|heading|placeholder|caption|toast|notice) (?:must|should|has to|needs to|shall) (?:be|say|read|show)\b.{0,4}[:⟦]",
        r"^(?:now |and |same |please |the same )*(?:in|into|auf|en) (?:german|english|french|spanish|japanese|chinese|italian|portuguese|deutsch|englisch|français|anglais|español|inglés)(?: please| pls| bitte| s'il te plaît| por favor)?: |^(?:翻成|翻译成|用)?(?:英文|中文|日文)[：:]",
        r"^[^:.]{0,40}\b(?:story|tale|poem|ad|advert|newsletter|poster|flyer|post|tweet|announcement|invitation|speech|limerick|geschichte|gedicht|anzeige|aushang|plakat|slogan|spruch|cuento|poema|cartel|anuncio|historia|histoire|poème|affiche|annonce|récit)\b[^:]{0,20} ?: ",
        r"\b(?:the|our|an?) (?:e-?mail|mail|newsletter|reply|letter|ad|post|tweet|footer|page|popup|welcome text|error text) (?:should|must|has to|needs to) (?:say|read|state|tell)\b|\b(?:lines?|sentences?|text|words|something) for (?:the|our|an?) (?:newsletter|ad|flyer|website|landing page|mail|e-?mail|post|tweet|invitation|poster)\b",
        // Texts to translate or to sum up, whatever language they are in.
        r"^(?:please |pls |bitte |por favor,? |s'il te plaît,? |can you |could you |kannst du |peux-tu |puedes |now |and )*(?:translate|summari[sz]e|sum up|tl;?dr|paraphrase|rephrase|proofread|übersetze?n?|umformulieren|korrekturlesen|fasse? zusammen|zusammenfassen|traduce|traducir|traduis|traduisez|traduire|resume|resumir|résume[rz]?|reformula|reformuler?)\b[^:.!?]{0,50} ?[:：]",
        r"^(?:请|麻烦|帮我|请帮我)?(?:把下面)?(?:翻译|总结|概括|润色|改写|校对)(?:一下|以下|下面)?[^。：:]{0,12}[：:]|^[^。：:]{0,14}(?:訳して|翻訳|要約|まとめて|言い換えて|校正)(?:して)?(?:ください|下さい)?[：:]",
        // What a test is to have in it.
        r"^(?:please |pls |can you |could you |now |then |and |also |ok |let's )*(?:add|write|create|make|include|generate|extend)\b[^.:;]{0,40}\b(?:tests?|specs?|test cases?|cases?|scenarios?|fixtures?|examples?|seeds?)\b[^.:;,]{0,24},? (?:where|in which|whose)\b",
        r"^(?:bitte |kannst du |jetzt |und |dann )*(?:schreibe?|füge?|ergänze|erstelle|mach|mache|baue?)\b[^.:;]{0,40}(?:test|tests|testfall|fall|szenario|beispiel|fixture)\b[^.:;,]{0,24},? (?:wo|worin|in dem|bei dem|in der|bei der)\b",
        r"^(?:por favor,? |puedes |ahora |y )*(?:escribe|añade|agrega|crea|haz|pon)\b[^.:;]{0,40}\b(?:tests?|pruebas?|casos?|ejemplos?|escenarios?)\b[^.:;,]{0,24},? (?:donde|en (?:el|la|los|las) que|en que|con)\b",
        r"^(?:s'il te plaît,? |peux-tu |maintenant |et )*(?:écris|ajoute|crée|fais|mets)\b[^.:;]{0,40}\b(?:tests?|cas|exemples?|scénarios?)\b[^.:;,]{0,24},? (?:où|dans (?:lequel|laquelle)|avec)\b",
        r"^(?:请|麻烦|帮我|请帮我)?(?:加|写|添加|新增|补)(?:一)?(?:个|条|份).{2,40}的(?:单元)?(?:测试|用例|例子|场景)|(?:している|する|である|という)(?:単体)?(?:テスト|テストケース|ケース|例)を(?:書|追加|作|足)",
        // What a program or a document says.
        r"^(?:the |our |my |your |apparently )*(?:\p{L}+ )?(?:linter|lint|eslint|clippy|rustc|pylint|ruff|mypy|prettier|sonar(?:qube)?|compiler|ci|tsc|javac|checkstyle|rubocop|shellcheck|docs?|readme|guide|tutorial|spec|style ?guide|book|article|rfc|man ?page|homework|exercise|assignment|quiz|task description|ticket|review(?:er)?|stackoverflow|stack overflow|chatgpt|gpt|copilot|gemini)(?: (?:says|said|say|wants|want|complains|warns|suggests|recommends|claims|tells me|told me|insists|states|output|rule|comment)\b[^:]{0,40})?:\s",
        r"^(?:straight |quoted? |quoting |copied |taken )?(?:from|per|as per|according to) (?:the |our |their |your |its |a )*(?:[\w'.-]+ ){0,3}(?:docs?|documentation|guides?|guidelines|manual|handbook|readme|wiki|article|tutorial|book|spec|rfc|blog|post|changelog|faq|man ?page)\b[^:.]{0,30}:\s",
        r"^(?:zitat )?(?:aus|laut|gemäß|nach) (?:der |dem |den |unserer? |unserem )?(?:[\p{L}-]+ ){0,2}[\p{L}-]*(?:dokumentation|doku|docs|leitfaden|styleguide|style guide|handbuch|readme|wiki|artikel|tutorial|buch)\b[^:.]{0,30}:\s|^(?:extrait )?(?:de la|du|des|d'après (?:la|le|les)|selon (?:la|le|les)) (?:docs?|documentation|guide|manuel|readme|wiki|article|tutoriel|livre)\b[^:.]{0,30} ?:\s|^(?:de la|del|según (?:la|el|los)) (?:docs?|documentación|guía|manual|readme|wiki|artículo|tutorial|libro)\b[^:.]{0,30}:\s",
        r"^(?:摘自|引自|来自|根据|按照)?(?:官方|项目)?(?:文档|手册|指南|教程|文章|规范|README|readme)(?:里|中|上)?(?:说|写|写道|写着|规定)?[：:]|^(?:公式)?(?:ドキュメント|マニュアル|ガイド|スタイルガイド|記事|README|readme)(?:より|から|によると|には|引用)[：:]",
        r"^(?:todo|fixme|xxx|hack|nb|warning|note from \w+)\b\s?[:—(-]",
        // Made-up people and tasks.
        r"^(?:please |now |then )*(?:seed|fake|mock up|make up|invent|generate) (?:\w+ )?(?:\w+ )?(?:users?|people|persons?|customers?|members?|accounts?|companies)\b",
        r"\b(?:seed|sample|dummy|fake|mock|fixture) (?:data|users?|people|rows|records|company|accounts?|content|tenants?|customers?)\b|\b(?:users?|people|rows|records|accounts|customers|tenants) (?:for|in|into) the (?:demo|test|example|sandbox) (?:db|database|data|env|environment|account|shop|app)\b",
        r"\b(?:in|on|of|for|after|before) (?:level|chapter|scene|act|episode|stage|quest|round) (?:\d+|one|two|three|four|five)\b|\b(?:exercise|homework|quiz|puzzle|riddle|trivia|exam|crossword) (?:text|question|sheet|says|answer)\b|\bthe (?:npc|hero|heroine|villain|dragon|wizard|king|queen|princess|boss fight)\b|\b(?:kingdom|castle|dungeon|spaceship)\b",
        // German
        r"^(?:bitte |kannst du |könntest du |jetzt |und |hilf mir (?:mal )?)*(?:schreibe?|antworte|sage?|melde|maile?|formuliere?|verfasse?|teile?|bei|mit|richte) (?:\p{L}+ ){0,7}?(?:mail|e-mail|nachricht|brief|text|kunden?|team|chef|kollegen|[\p{L}]+)?(?:: |, dass )",
        r"^(?:bitte |kannst du |könntest du |jetzt |und )*(?:füge?|ergänze|schreibe?|setze?|pack|packe|nimm|trag|trage)\b[^.]{0,60}\b(?:regel|config|konfiguration|linter|eslint|readme|doku|wiki|faq|prompt|richtlinien?)\b[^.:]{0,30}:",
        // French
        r"^(?:s'il te plaît,? |peux-tu |tu peux |et |maintenant |aide-moi )*(?:rédige|écris|réponds|dis|envoie|prépare|préviens|informe|prévenir|rédiger)[^.:]{0,60}(?: :|:| qu'| que )",
        r"^(?:s'il te plaît,? |peux-tu |tu peux |et |maintenant )*(?:ajoute|mets|insère|écris)\b[^.]{0,60}\b(?:règle|config|linter|eslint|readme|doc|documentation|wiki|faq|prompt|pied de page)\b[^.:]{0,30}:",
        // Spanish
        r"^(?:por favor,? |puedes |ahora |y |ayúdame )*(?:escribe|redacta|responde|contesta|dile|diles|manda|envía|avisa|informa|contéstale|respóndele|escríbele|ayúdame|con)[^.:]{0,60}(?::| que )",
        r"^(?:por favor,? |puedes |ahora |y )*(?:añade|agrega|pon|mete|incluye|escribe)\b[^.]{0,60}\b(?:regla|linter|eslint|config|configuración|readme|docs?|documentación|wiki|faq|prompt)\b[^.]{0,30}(?::| que )",
        // Portuguese and Italian letters
        r"^(?:me ajuda|ajuda-me|responda|escreva|rispondi|scrivi|aiutami)\b[^.:]{0,60}(?::| que | che )",
        // Chinese and Japanese
        r"^(?:请|麻烦|帮我?|能不能)?.{0,4}(?:写|回复|回|起草|拟|发|润|改|告诉|通知|转告)(?:一下|一封|一份|个|封|份|给)?.{0,16}[：:]",
        r"^(?:标题|公告|文案|口号|按钮文字|提示语)[：:]",
        r"(?:文面|返信|返事|メール|お知らせ|告知|文章|タイトル|見出し|キャッチコピー|文言|台詞|セリフ).{0,14}[：:]",
        r"(?:シード|サンプル|ダミー|テスト)(?:データ|ユーザー)|(?:种子|示例|测试|演示)(?:数据(?:[^库]|$)|用户)",
    ])
});

/// Said back to the assistant, or agreed to in passing: the sentence only.
static SAID_BACK: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:so |ok |okay |right |wait |ah |oh |hm+ |then |alright |basically )*[, ]*(?:so )?(?:what you(?:'re| are) saying|you(?:'re| are) (?:basically )?saying|(?:basically |so |then )*you (?:basically )?mean\b|if i (?:get|got|understand|understood|read|hear) (?:you|it|that|this) (?:right|correctly|well)|in other words|to recap|to sum up|let me repeat)\b",
        r"^so basically (?:i|we|you|one|always|never|don't)\b|^(?:got it|i see|makes sense|understood)[,:] ",
        r"^(?:ah |ok |also |du meinst |moment )*(?:du meinst|wenn ich (?:dich|das|es) richtig verstehe|das heißt also|mit anderen worten)\b",
        r"^(?:donc |ok |ah )*(?:si je comprends bien|tu veux dire|autrement dit|en gros tu dis)\b|^(?:o sea|ah |vale |entonces )*(?:si (?:te )?entiendo bien|quieres decir|o sea que|en otras palabras)\b",
        r"^(?:所以)?(?:你的?意思是|也就是说|换句话说|你是说)|^(?:つまり|要するに).{2,}(?:ということ|って(?:こと|意味))",
    ])
});

/// Laments and phrases, which only look like a rule or a fact.
static LAMENTS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:it's |its |this is |always |why (?:is it )?)*always (?:the same|something|like this|like that|one of those|me|my luck)\b",
        r"^(?:es ist |ist ja )?(?:immer|jedes mal|ständig) (?:das gleiche|dasselbe|das selbe|dieselbe|die gleiche|der gleiche|derselbe|wieder|ich|so)\b",
        r"^(?:c'est )?toujours (?:pareil|la même|le même|les mêmes|pas)\b|^(?:es )?siempre (?:lo mismo|igual|la misma|el mismo|así)\b",
        r"^(?:每次|永远|总是|老是)(?:都)?(?:是)?(?:这样|同样|一样|如此|这个错|报错|编译不过|失败|出错)|^以后(?:再|有空|见|慢慢)(?:说|聊|看|弄|讲|吧|见)?",
        r"^(?:いつも|毎回|また)(?:同じ|これ|この|こう)(?:エラー|だ|です|ことで|失敗)?",
        r"\b(?:please |pls )?(?:don't|never) (?:ever )?change[,.!]*$|\bnever gonna\b|\bnever say never\b|\balways look on the bright side\b|\bnever ever ever\b",
        r"\bsaid no \p{L}+ ever\b|'s (?:worst )?(?:nightmare|dream)\b|\bit's not that i\b|\bnot that i (?:prefer|like|want|care)\b",
        r"\b(?:owns?|leads?|has|have) (?:an? )(?:[\p{L}-]+ )?(?:tesla|car|bike|house|flat|boat|dog|cat|horse|pet|life|band|restaurant|farm|guitar|family)\b",
        r"\bich hätte gerne? (?:immer |mal |auch )*so\b|\bi wish (?:it|i|we|you|the)\b",
        r"\bi (?:always|never|often|constantly|keep) (?:forget|forgetting|mix up|confuse|misspell|remember) (?:the (?:difference|syntax|name|command|flag|word|order|spelling)|which|how|what|whether|between)\b",
        r"^(?:buy|pick up|call|phone|book|pay|water|feed|walk|order|return) (?:some |the |my |a |more )?(?:milk|bread|groceries|eggs|coffee|mom|mum|dad|dentist|doctor|bills?|rent|plants?|dog|cat|flight|hotel|table|pizza|kids?|library)\b",
    ])
});

/// Whether the sentence at `at` is not the person's own word: it, or one before it in its paragraph, opens somebody else's.
pub(super) fn is_someone_elses(sentences: &[Sentence], at: usize) -> bool {
    let Some(sentence) = sentences.get(at) else { return false };
    let is_said_back = || {
        let masked = spans::masked(&sentence.text);
        SAID_BACK.hits(&masked) || LAMENTS.hits(&masked)
    };
    let before = sentences.get(..=at).unwrap_or_default().iter().rev();
    let mut same = before.take_while(|before| before.paragraph == sentence.paragraph);
    same.any(|before| OPENS.hits(&spans::masked(&before.text))) || is_said_back()
}

/// Whether a clause is a lament or a phrase, whatever asks for it.
pub(super) fn is_a_phrase(text: &str) -> bool {
    LAMENTS.hits(&spans::masked(text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::sentences;
    use super::*;

    #[test]
    fn what_somebody_else_says_is_told_from_what_the_person_says() {
        assert!(OPENS.is_whole() && SAID_BACK.is_whole() && LAMENTS.is_whole());
        let last = |text: &str| {
            let sentences = sentences::split(text);
            is_someone_elses(&sentences, sentences.len() - 1)
        };
        for text in [
            "reply to Bob that Ana owns the frontend now",
            "Linter says: Never use var. Always use const.",
            "tell the subagent: always use ripgrep",
            "Antworte Bob, dass Ana jetzt für das Frontend zuständig ist",
            "Réponds à Bob que Paul gère les releases",
            "回复一下老王：以后统一由小张负责发布",
            "so what you are saying is: never use eval",
            "Always the same error.",
        ] {
            assert!(last(text), "{text:?}");
        }
        for text in [
            "Answer me in German that I can practise.",
            "Always use const.",
            "Never tell the user that it failed without a reason.",
            "Antworte immer auf Deutsch.",
            "Réponds toujours en français.",
            "以后都用中文回复",
            "Mira leads a team of five.",
        ] {
            assert!(!last(text), "{text:?}");
        }
        let two = sentences::split("Linter says: never use var.\n\nAlways use pnpm.");
        assert!(!is_someone_elses(&two, 1));
    }
}
