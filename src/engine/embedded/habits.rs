//! Rules that say in other words than "always" that they are for good: by when they apply, by what a team does, by how often
//! they had to be said.
//!
//! Matched on masked text, all languages in one set. Not its job: plain rules, which each language's cues know
//! (`rule_strong`), and wishes (see [`super::wishes`]).

use std::sync::LazyLock;

use super::wishes;
use crate::memory::likeness::patterns::{Pattern, Set};

/// What an order in English begins with.
macro_rules! order {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:please |pls |always |just |then |also |first |don't |do not |never )*(?:add|ask|avoid|back up|build|bump|call|check|clear|comment|commit|confirm|copy|deploy|document|double[- ]check|explain|export|fetch|follow|format|generate|give|include|keep|leave|link|lint|list|log|look|make|mention|mock|move|name|note|notify|open|pin|ping|prefer|prefix|propose|pull|push|put|raise|read|rebase|rebuild|regen|regenerate|reload|remind|rename|reply|rerun|re-run|respond|restart|review|run|say|search|send|show|sign|skip|sort|split|squash|start|stick|stop|store|suggest|sync|tag|tell|test|update|upgrade|use|verify|wait|warn|work|wrap|write)",
            $after
        )
    };
}

/// What a developer gets from the assistant, one or many.
macro_rules! work {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:answers?|responses?|repl(?:y|ies)|explanations?|summar(?:y|ies)|messages?|sentences?|questions?|paragraphs?|bullet points?|bullets|lines|words|diffs?|patch(?:es)?|commits?|prs?|pull requests?|comments?|tests?|functions?|changes|steps?|options?|code blocks?|snippets?|branches|migrations?|docs|docstrings?|essays?|lists?|tables?|breakdowns?|overviews?)",
            $after
        )
    };
}

static HABITS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // By when they apply.
        order!(r"^whenever (?:you|we|i|u|there|something|a|an|anything)\b[^,]{3,70}, ", r" \S"),
        order!(r"^", r" [^,]{3,70} whenever (?:you|we|i|u|there|something|a|an|anything)(?:'s|'re|\b)[^,]{3,60}$"),
        order!(r"^when (?:you|we) [a-z]+ (?:an?|any|new|another|something)\b[^,]{2,60},? ", r" \S.{3,}"),
        r"^(?:if|when|whenever) (?:you(?:'re| are)?|ur|u|something(?:'s| is)?|anything(?:'s| is)?|things are|it's)? ?(?:ever )?(?:not (?:100% |fully |really |completely |quite )?(?:sure|certain|clear)|unsure|in doubt|uncertain|unclear|ambiguous|don't know|do not know|dunno)\b[^,]{0,40},? (?:please |just |then |always )*(?:ask|check|stop|tell|say|don't|do not|come|ping|leave|look|raise)\b",
        order!(
            r"^",
            r" .{2,70}\b(?:everywhere|throughout|across the board|no matter what|in (?:every|each|any|all our) (?:repo|repository|project|codebase|service|module|package)s?)[.!]*$"
        ),
        r"^(?:please |pls )*(?:don't|do not|dont|never) .{3,60} (?:once|after) (?:they|it|that|these|something)(?:'re|'s| are| is| have been| has been| has| were| was) (?:been )?(?:merged|released|published|pushed|shipped|reviewed|tagged|deployed|committed|live|out|approved)\b",
        r"^(?:please |pls )*only (?:ever )?(?:touch|change|edit|modify|commit|fix|rename) (?:the (?:lines|files|code|parts|things|bits) |what |stuff )(?:that )?(?:you|i|we|is|are)\b.{4,}",
        r"^(?:please |pls )*(?:use|write in|stick (?:to|with)) (?:(?:british|american|us|uk|metric|imperial|single|double|straight|curly|snake|camel|kebab|pascal|german|english|french|spanish|conventional|semantic|iso|unix|windows|present|imperative|oxford|active|plain|two|four) ){1,2}(?:case|tense|mood|commas?|voice|spaces?|spelling|units|quotes|naming|notation|indentation|english|grammar|punctuation|date formats?|line endings|commits|commit messages)\b",
        // By how much of something they want, in few words.
        work!(
            r"^(?:please |just |only |max |at most )*(?:one|two|three|four|five|\d+|a single|max(?:imum)? \w+|at most \w+|no more than \w+|up to \w+) (?:[\w-]+ ){0,2}",
            r"\b.{0,20}\b(?:max|at most|at a time|at once|tops|per \w+|unless i|is enough|are enough|or less|or fewer)\b"
        ),
        work!(
            r"^(?:please |just |only )*(?:short|shorter|small|smaller|brief|briefer|fewer|less|simpler|tiny) (?:[\w-]+ ){0,1}",
            r"\b,? (?:please|pls|for me|from now on|next time)"
        ),
        work!(
            r"^(?:all |your |our |my )?(?:commit |branch |pr |test |variable |log |error )?",
            r"(?: (?:names?|titles?))?: .*\b(?:imperative|lower ?case|upper ?case|max|at most|always|never|no|only|in english|prefix|prefixed|short|present tense|under \d+|chars|characters|kebab|snake|camel)\b"
        ),
        r"^(?:i (?:really )?(?:like|love|prefer)) (?:to (?:see|read|get|have|know|review)|seeing|reading|getting|having|it when (?:you|i (?:see|get))) .{3,60}\b(?:first|before|up ?front|separately|at the (?:top|end|start|beginning)|in one|side by side|every time|one by one)\b",
        r"^i (?:don't|do not|dont) want to (?:see|read|get|find) .{3,40} (?:from you|in (?:the |our |your |my )?(?:code|diffs?|prs?|commits?|repo|tests|answers|comments))\b",
        r"^(?:please )?(?:run|check|test|build|verify|lint|try) .{3,40} before you (?:tell|say|claim|call|report|hand|mark|commit|push|declare)\b.{3,}",
        r"^you (?:don't|do not|dont) (?:have|need) to (?:ask|explain|apologi[sz]e|confirm|check|justify|summari[sz]e|repeat|thank|announce)\b.{0,30}\b(?:every|each|all the|any|always)\b.{3,}",
        r"^(?:[a-z]+ )?(?:keywords|names|identifiers|terms|titles|headings|constants|strings|columns|tables|variables|enums|imports|keys) (?:stay |go |are |must be |should be |get )?(?:in |all )?(?:upper ?case|lower ?case|german|english|french|snake ?case|camel ?case|kebab|plural|singular|sorted|alphabetical)\b.{2,}",
        r"^(?:less|fewer|no more) [a-z]+(?: [a-z]+)?,? (?:please|pls)\b",
        r"^leave .{3,40} to (?:me|us|the [a-z]+|[a-z]+), (?:don't|do not|never|no)\b.{4,}",
        // By what is out of the question.
        r"^(?:please |you |we )*(?:must|may|can|should|shall) ?(?:not|never|n't) .{4,80}(?:\bever\b|\bat all\b|\bunder any circumstances\b|\bwithout (?:asking|my|approval|review)\b|\bno matter what\b)",
        r"^(?:using |direct |the use of )?[\w.`-]{2,20}(?: [\w.-]+)? (?:is|are) (?:strictly |simply )?(?:banned|forbidden|off[- ]limits|a no-go|no-gos|taboo)\b",
        // By what the person always wants, or never.
        r"^i (?:always|generally|usually|only ever) (?:want|need|like|expect) .{4,}",
        r"^i (?:really |just )?never (?:ever )?(?:want|need|expect) (?:you )?to .{4,}",
        r"^i (?:really |just )?(?:don't|do not|dont) (?:ever )?want (?:you )?(?:to )?(?:ever |[a-z]+ (?:any|my|all|every|our|other|external|new|third)\b|any\b|another\b|more\b)",
        r"\b(?:exactly|precisely|just) (?:that|this|the) (?:kind|sort|type|level|amount|style) of .{3,60}(?:is|are|was) (?:exactly |just )?(?:what|how) i (?:want|wanted|like|need|love|expect)",
        r"^(?:that|this|the) .{4,50} (?:was|is) (?:really |very |super |so |exactly |just )*(?:great|perfect|helpful|good|nice|awesome|useful|spot on|right)\b.{0,10}, (?:please )?(?:do|keep|more|always|use|give) .{6,}",
        // By what a team does.
        r"^(?:for [a-z ]{2,30},? )?we (?:don't|do not|dont|never) (?:really |ever )?(?:use|do|write|allow|mock|commit|import|add|want|ship|push|merge|deploy|squash|rebase|nest|abbreviate|throw|catch|log|print|hard-?code|vendor|pin|have|test) .{2,70}?(?:\b(?:in|on|at|for) (?:our|the|any|these) (?:[\w-]+ )?(?:repos?|codebase|projects?|team|company|services?|libs?|tests|code|stack|shop|org|monorepo)\b|\bhere\b|\banywhere\b|, (?:we|only|but|just|it's|that's|because)\b)",
        r"^(?:for [a-z ]{2,30},? )?we (?:do|use|write|go with|name|number|put|prefix|tag|format|call|keep|version|sort|group|structure) .{2,60}\b(?:in|for|by|with|as|under|after) .{2,60}(?:\b(?:not|never|instead of|rather than)\b|, (?:please |so )?(?:stick to|follow|keep to) (?:that|it|this)|\band \S+ (?:in|for|with) )",
        r"^before (?:you |you are |you're |you start |ever )?\w+ (?:some|any|a|an|anything|something|whatever|stuff)\b[^.]{0,50}\b(?:ask|tell|show|warn|check with|consult)\b (?:to |with )?(?:me|us)\b",
        // German
        r"^(?:wenn|falls|sobald) (?:du|dir|etwas|was|irgendwas|irgendetwas)\b[^,]{0,40}(?:unsicher|nicht sicher|unklar|zweifel|nicht weißt|nicht weiter weißt)\b[^,]{0,15}, (?:dann )?(?:frage?|sage?|melde?|stopp|warte|lass)\b|^im zweifel(?:sfall)?,? .{4,}",
        r"\bsprich mich\b.{0,20}\bmit (?:du|sie|vornamen)\b|\b(?:kannst|darfst) (?:du )?mich (?:gerne? |ruhig |auch )*(?:duzen|siezen)\b|\b(?:wir|lass uns) (?:können uns |uns )?(?:gerne? |ruhig )*duzen\b",
        r"^(?:bitte )?fass dich (?:bitte )?(?:kurz|kürzer|knapp\p{L}*)\b|^(?:bitte )?nicht raten[.!]*$|^(?:bitte )?vor jede[mr] (?:commit|push|merge|deploy\p{L}*|release|pr|änderung)\b.{4,}",
        r"^bevor du [^,]{3,60}, (?:fragst|zeigst|sagst|wartest|meldest) du\b",
        r"^(?:bitte )?(?:höchstens|maximal|nicht mehr als) (?:ein\w*|zwei|drei|vier|fünf|\d+) (?:sätze?n?|zeilen|fragen?|punkte|absätze|optionen)\b|\b(?:ein|zwei|drei|\d+) sätze? (?:reichen|genügen|sind genug)\b",
        r"^(?:bitte )?(?:alle |unsere )?(?:code-?)?(?:kommentare|bezeichner|commits?|commit-?nachrichten|branches|variablen(?:namen)?|fehlermeldungen|testnamen)\b.{0,20}\b(?:auf|in|im|mit|ohne) (?:deutsch|englisch|imperativ|klein\p{L}*|ticket\p{L}*|präfix)\b",
        r"^(?:bitte )?(?:schreibe?|gib|antworte|erkläre?|mache?|schicke?) (?:mir )?(?:bitte )?nicht (?:immer|ständig|dauernd|jedes mal|gleich) .{4,}",
        r"^bei uns (?:wird|werden|nutzt|nutzen|heißt|heißen|macht|machen|schreibt|schreiben|gibt es) .{6,}",
        // Spanish
        r"^antes de \p{L}+ (?:algo|nada|cualquier cosa|lo que sea|un\w* \p{L}+|cualquier \p{L}+),? (?:por favor )?(?:siempre )?(?:pregúntame|avísame|consúltame|consulta conmigo|dime|enséñame)\b",
        r"^no se (?:usan?|permiten?|tocan?|hacen?|suben?|mezclan?|commitean?) .{2,}|^(?:máximo|como mucho) (?:un\w*|dos|tres|\d+) \p{L}+",
        r"^(?:por favor,? )?nada de (?:emojis?|rollos?|disculpas|resúmenes|introducciones|comentarios|parrafadas|anglicismos)\b",
        r"^(?:si|cuando|ante) (?:tienes |tengas |hay |la |alguna )*(?:dudas?|no (?:estás|estas|estés) segur[oa]|no (?:lo )?sabes|no lo tienes claro)\b[^,]{0,20},? (?:por favor )?(?:pregunta|pregúntame|dime|avisa|avísame|para|no)\b.*",
        r"\bno (?:me )?vuelvas a \p{L}+",
        r"\b(?:puedes tutearme|tutéame|trátame de (?:tú|usted))\b",
        r"^(?:por favor,? )?(?:las |tus )?respuestas (?:más |muy )?(?:cortas|breves|concisas|directas)\b|^antes de \p{L}+ (?:algo|nada|cualquier cosa|lo que sea|un\w* \p{L}+),? (?:me )?(?:preguntas|avisas|dices|consultas)\b",
        // French
        r"^(?:fais|sois) (?:plus |très )?(?:courte?|bref|brève|concise?) (?:dans|pour) (?:tes|les) (?:réponses|explications|messages)\b|^avant de \p{L}+ (?:quoi que ce soit|quelque chose|une? \p{L}+),? tu (?:me )?(?:demandes|préviens|montres|dis)\b",
        r"^(?:si tu (?:hésites|doutes|n'es pas sûre?|ne sais pas)|en cas de doute|dans le doute)\b[^,]{0,20},? (?:demande|pose|dis|préviens|arrête|ne |n'|alors demande).{4,}",
        r"\barrêtez? (?:de|d'|avec) ?.{3,40}\b(?:à chaque|tout le temps|sans arrêt|systématiquement|toujours)\b",
        r"\btu peux me (?:tutoyer|vouvoyer)\b|\b(?:tutoie|vouvoie)-moi\b",
        r"^pas d(?:e |')(?:pavés?|romans?|blabla|emojis?|résumés?|introductions?|anglicismes|excuses|flatteries|commentaires inutiles)\b|^(?:maximum|au plus) (?:une?|deux|trois|\d+) \p{L}+",
        r"^on n(?:e |')\p{L}+ (?:pas|jamais) .{3,}\b(?:chez nous|dans (?:le|notre) (?:projet|code|dépôt|équipe))\b",
        // Chinese
        r"^(?:请)?(?:commit|提交|注释|回答|回复|代码|变量|文档|日志|pr|标题|分支).{0,6}(?:麻烦|请|都|最好|尽量|一律|统一)?(?:用|写成)(?:中文|英文|日文|英语|汉语)",
        r"^(?:如果|要是)?(?:你)?(?:不确定|拿不准|没把握|有疑问|不清楚|不懂)(?:的话|时|的时候|的地方)?[，,]?(?:就|请|先|直接)?(?:来)?(?:问|别|不要|停|告诉)",
        r"我们(?:组|团队|这边|公司|项目)?(?:里)?(?:都|一直|统一|一律|向来|从来)(?:是|用|写|放|走|按|只)(?:用|写)?.{2,}",
        r"^(?:改|删|提交|推送|动|合并)(?:任何.{1,4}|东西|代码|文件)?(?:之前|前)[，,]?(?:先|要|必须|都要)(?:跟我|问我|和我|告诉我|让我)|^(?:别|不要)(?:废话|啰嗦|客套|道歉)",
        // Japanese
        r"^(?:消す|変える|直す|コミットする|プッシュする|実行する|削除する)前に.{0,8}(?:一言|確認|聞いて|相談)|^結論(?:から|を先に)|前置きは?(?:要らない|いらない|不要)",
        r"(?:短く|簡潔に|丁寧に|詳しく|具体的に|日本語で|英語で|順番に)(?:して|書いて|答えて|説明して|返して)(?:もらえる|くれる|いただける)と(?:助か|嬉し|ありがた)",
        r"(?:わからない|分からない|不明な|迷った|迷う|自信がない|不確かな)(?:とき|時|場合|こと|点)(?:は|が).{0,20}(?:聞いて|質問して|確認して|止まって)",
        r"(?:敬語|タメ口|丁寧語)(?:は|で|じゃなくて|でなくて)?(?:いらない|不要|いい(?:よ|です)?|お願い|話して)",
    ])
});

/// What looks like that and is about one place in the work at hand.
static AT_HAND: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:max|at most|tops) (?:for|in|on|per) (?:the|this|a|each)\b",
        r"^the [\w-]+ (?:is|are) (?:strictly )?(?:banned|forbidden|off[- ]limits)\b",
    ])
});

/// Praise of how something was done, and the wish for more of it; it points at what was done and names it.
static PRAISE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        work!(
            r"^(?:these|those|the|your|this|that) (?:[\w-]+ ){0,3}",
            r"\b.{3,50}\b(?:easier|better|nicer|perfect|great|lovely|clearer|helpful|ideal|good|spot on)\b.{0,30}, (?:so )?(?:please )?(?:keep|stay|stick|continue|go on|more of|do more) .{3,}"
        ),
        r"^(?:good|great|nice|glad|happy|perfect) (?:that )?you .{6,60}, (?:please )?(?:always|keep|continue)\b.{4,}",
    ])
});

/// Whether a masked statement praises how something was done and asks for more of it.
pub(super) fn is_praise(text: &str) -> bool {
    PRAISE.hits(text)
}

/// That something had to be said before, at the beginning of a sentence as typed.
static INSISTS: Pattern = Pattern::new(concat!(
    r"(?i)^(?:(?:as |like )?i(?:['’]ve| have)?(?: already| just)? (?:told you|said|asked you|mentioned|repeated)(?: this| that| it)?(?: (?:already|before|twice|(?:about |a |like )?(?:\w+|\d+) times?|again and again|over and over|yesterday|last time))+",
    r"|(?:this is (?:already )?the )?(?:second|third|fourth|fifth|tenth|hundredth|nth|last) time (?:i'm|i am|im|i) (?:saying|say|asking|telling|writing)(?: you)?(?: this| that| it)?|how (?:many times|often) (?:do|must|should|did) i (?:have |need )?(?:to )?(?:say|tell|repeat|ask)(?: you)?(?: this| that| it)?",
    r"|(?:(?:wie )?(?:ich )?hab(?:e|['’]s| es)?(?: ich)?(?: es| das)?|wie ich|das hab(?:e)? ich) (?:dir |euch )?(?:schon|bereits|doch)? ?[\p{L}\d ]{0,20}(?:gesagt|erwähnt|geschrieben)(?: habe?)?|wie (?:schon |bereits )?(?:\p{L}+mal )?gesagt|wie oft (?:soll|muss) ich[\p{L} ]{0,20} sagen|zum \p{L}+ten mal",
    r"|(?:ya )?te (?:lo )?(?:he dicho|dije|repito)(?: ya)?(?: \p{L}+){0,3}|cuántas veces[\p{L} ]{2,30}|como (?:ya )?(?:te )?(?:he dicho|dije)|por enésima vez",
    r"|je (?:te )?l['’]ai (?:déjà )?dit(?: \p{L}+){0,3}|combien de fois[\p{L}' -]{2,30}(?:dire|répéter)|comme (?:je l['’]ai |déjà )*dit|pour la \p{L}+ fois",
    r"|(?:我)?(?:都|已经|早就)?(?:跟你|和你|给你)?(?:都|已经)?说(?:过|了)(?:好多|多少|好几|很多|无数|几|三|两)?(?:次|遍|回)?了?",
    r"|(?:何度も|前にも|さっきも|もう何回も|何回も)(?:言って(?:い)?(?:る|ます|た)|言い(?:ました|ます)|言った|書いた|お願いして(?:い)?(?:る|ます))(?:けど|けれど|が|ように|通り|とおり)?)",
    r"\s*[,:.!—–，、：。-]+\s*",
));

/// What is added to a rule and says no more.
static TAILS: Pattern = Pattern::new(
    r"[,;.—]? ?(?:so |and )?(?:please |pls )?(?:stick to (?:that|it|this)|keep (?:that|this|it) in mind|keep it that way|follow that|bear that in mind|remember that|thanks|thank you|thx|ok|okay|please|pls|bitte|danke|gracias|por favor|merci|stp|记着点|记住了?|谢谢)[.!。！]*$",
);

/// Whether a masked statement is a rule for good; it may begin with "if" or "when".
pub(super) fn is_one(text: &str) -> bool {
    HABITS.hits(text) && !AT_HAND.hits(text)
}

/// A masked statement without what only seems to point at something.
pub(super) fn without_tails(text: &str) -> String {
    let plain = wishes::without_idioms(&TAILS.replace_all(text, ""));
    ["why that one", "that kind of", "this kind of", "that sort of", "this sort of", " them ", " here"]
        .iter()
        .fold(plain, |text, idiom| text.replace(idiom, " "))
}

/// Where a sentence goes on after "I told you three times already,".
pub(super) fn after_insisting(text: &str) -> Option<&str> {
    let hit = INSISTS.find(text)?;
    text.get(hit.end()..).filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile_and_only_rules_for_good_are_found() {
        assert!(PRAISE.is_whole() && AT_HAND.is_whole());
        assert!(HABITS.is_whole() && INSISTS.is_whole() && TAILS.is_whole());
        for text in [
            "whenever you touch the schema, regenerate the client with make gen",
            "if you are unsure, ask me instead of guessing",
            "please use british spelling everywhere",
            "we don't use moment in our repo, we use date-fns",
            "i never want you to rewrite history",
            "si tu hésites, demande-moi plutôt que de deviner",
        ] {
            assert!(is_one(text), "{text:?}");
        }
        for text in [
            "whenever i start the app, nothing happens",
            "if you are done, ask me",
            "we don't use it",
            "i don't want you to change the test",
            "when i run the tests, it crashes",
            "use the english text",
            "two lines please",
            "tests: 3 failed, 2 passed",
        ] {
            assert!(!is_one(text), "{text:?}");
        }
        assert_eq!(after_insisting("I told you three times already, never push"), Some("never push"));
        assert_eq!(after_insisting("I told you about the cat"), None);
    }
}
