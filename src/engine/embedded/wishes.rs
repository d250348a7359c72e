//! How a person wants to be worked with, beyond plain orders: polite questions with a lasting word, what has to happen before
//! something, wishes, dislikes, praise that names its reason.
//!
//! Matched on masked text, all languages in one set. Not its job: plain rules ("always …", "don't …"), which each language's
//! cues know.

use std::sync::LazyLock;

use crate::memory::likeness::patterns::Set;

/// Polite forms that look like a question and ask for a habit.
static POLITE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:can|could|would|will) (?:we|you) (?:please |maybe |mind |just )*.{3,80}\b(?:from now on|going forward|in (?:the )?future|every time|each time)\b",
        r"^(?:can|could|would|will) (?:we|you) (?:please |maybe |mind |just )*(?:always|never|stop|start) \S+",
        r"^(?:kannst|könntest|würdest|können|könnten) (?:du|wir) (?:bitte |dir |das |uns )*.{0,60}\b(?:immer|in zukunft|künftig|ab jetzt|ab sofort|grundsätzlich|nie|nie mehr)\b",
        r"^(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous|on peut|on pourrait) .{0,60}(?:à partir de maintenant|désormais|à l'avenir|toujours|dorénavant|à chaque fois)",
        r"^¿?(?:puedes|podrías|podemos|podríamos) .{0,60}(?:de ahora en adelante|a partir de ahora|siempre|en el futuro|cada vez)",
        r"^(?:以后|今后|每次)?(?:能不能|可不可以|可以)(?:请)?(?:以后|今后|每次|一直|都).{3,}",
        r"(?:今後|これから|毎回|いつも).{3,}(?:もらえますか|いただけますか|くれますか|お願いできますか)",
    ])
});

/// Order verbs in English.
macro_rules! order {
    ($before:literal) => {
        concat!(
            $before,
            r"(?:please |always |just |first |only |at least |never |don't |do not )*(?:use|write|run|add|keep|put|make|ask|tell|show|explain|answer|reply|respond|format|name|commit|push|test|check|prefer|avoid|stop|include|skip|leave|give|start|end|begin|follow|open|create|wait|read|verify|confirm|double-check|summari[sz]e|propose|suggest|list|link|mention|update|bump|squash|rebase|tag|let me|send|draft)\b"
        )
    };
}

/// What a developer gets from the assistant.
macro_rules! work {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:comments?|commits?|tests|test names|names|answers|responses|explanations|diffs|summaries|functions|types|(?:error |log |commit )?messages|imports|abbreviations|docs|docstrings|prs|pull requests|chains|loops|one-liners|classes|globals|mocks|macros|dependencies|packages|libraries|todos|emojis|surprises|essays|walls? of text|tables|bullet points|code blocks|placeholders|stubs|snapshots|branches|merge commits|force pushes|magic numbers|ternaries)",
            $after
        )
    };
}

static WISH: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // What has to happen around something that happens again and again.
        order!(
            r"^(?:before (?:you|we) (?:say|claim|tell|call|declare|push|commit|merge|deploy|release|open|touch|change|edit|start|begin|refactor|rewrite|delete|add|run|mark|hand)|when(?:ever)? i (?:ask|request|share|report)|every time|each time|any ?time) [^,]{2,70}, "
        ),
        r"^(?:please |pls |just |always )*(?:ask|check with|consult|warn) me (?:first |again |always )*(?:before|when(?:ever)? you(?:'re| are)? (?:about|unsure|not sure|going))\b",
        r"^(?:please |pls |always )*(?:show me|wait for|get) .{2,50} (?:before (?:you |any|writing|changing|touching|editing|coding|committing)|first and wait)\b",
        r"\b(?:don't|do not|dont|never|no) .{3,70} (?:unless|until) i (?:ask|say|tell|explicitly|request|approve|confirm|agree)\b",
        r"\b(?:don't|do not|dont|never|no) .{3,70} without (?:asking|telling|checking with|my (?:ok|okay|approval|consent))\b",
        r"^only .{3,50} (?:when|if|after) i (?:ask|say|tell|approve|confirm|agree)\b",
        // Wishes and dislikes.
        r"\bi(?:'d| would) (?:much |really )?(?:rather|prefer to|like to) (?:see|have|get|read|not see|not have|not get) (?:an?|your|one|two|small|short|[a-z]+s)\b.*(?:than|when|whenever|before|instead|rather)\b",
        r"\bi(?:'d| would) (?:much |really )?rather (?:you|have you)\b",
        work!(
            r"^(?:in general,? |generally,? )?i (?:really |just )?(?:don't|do not|never|only|hate|can't stand|dislike|love|like|want) (?:want |like |need |to see |reading )?(?:any |more |my |your |all |long |short |small |huge |nested |clever |wildcard )?",
            r"\b"
        ),
        r"^(?:in general,? |generally,? )?i (?:hate|can't stand|dislike) (?:it )?when (?:you|the code|code|tests|functions)\b",
        r"^for the (?:second|third|fourth|fifth|last|tenth|hundredth|nth) time[:,]? \S+",
        r"^[\w.+#/-]+, not [\w.+#/-]+,? (?:please|here|in (?:the |our |all |every )?[a-z]+s)\b",
        r"^(?:that's|that is|this is|it's) not how we (?:do|name|write|handle|use|test|structure|format)\b",
        r"^(?:please )?(?:answer|reply|respond|write|talk|speak) (?:to )?me (?:only |always )?in (?:english|german|french|spanish|italian|portuguese|japanese|chinese|korean|dutch|polish|russian|turkish)\b",
        r"^(?:please )?(?:keep|make) (?:your |all |the |my )?(?:answers?|responses?|repl(?:y|ies)|explanations?|diffs?|commits?|prs?|pull requests?|messages|functions|tests|changes) (?:as )?(?:short|small|brief|concise|tiny|focused|simple|minimal|atomic)\b",
        r"^no (?:more )?[a-z-]+(?: [a-z-]+){0,2} (?:anywhere )?in (?:the |our |my |your |any )?(?:[a-z]+ ){0,2}(?:commits?|messages?|responses?|answers?|comments?|docs|prs?|tests|changelogs?|logs)\b",
        r"^(?:please )?always (?:put|add|use|include|write|prefix|start|run|keep|do|ask|show|leave) \S+",
        // Things of which there are many: meant for all of them.
        r"^(?:please |pls )?(?:write|use|name|prefix|format|keep|sign|squash|split|group|sort|spell|indent|phrase|date) (?:your |my |our |all |every |any )?(?:[a-z]+ )?(?:commits?|commit messages|branches|branch names|tests|test names|prs|pull requests|comments|functions|variables|files|file names|migrations|error messages|log messages|messages|strings|names|identifiers|docs|docstrings|tabs|spaces|answers|responses|explanations|summaries|changelogs|imports|constants|sentences|dates|units|titles|headings)\b (?:in|as|with|after|like|short|small|lowercase|under|only|alphabetically|by)\b",
        r"^(?:please )?(?:don't|do not|dont|never) (?:guess|invent|assume|make up|hardcode|hard-code|abbreviate|mock|squash|rename|reformat|translate|reorder|inline) (?:any )?(?:[a-z]+ )?[a-z]+s\b",
        r"^less [a-z]+,? (?:and )?more [a-z]+\b",
        r"^no (?:more )?(?:explanations?|summar(?:y|ies)|apologies|preambles?|emojis?|small ?talk|fluff|filler|flattery|disclaimers?|recaps?)\b",
        r"^(?:please )?(?:give|show|send) me (?:only|just) (?:the )?(?:diff|code|commands?|answers?|result)s?\b.*\bno \w+|^(?:please )?(?:give|show|send) me the (?:diff|code|commands?|answers?) only\b.*\bno \w+",
        r"^(?:you (?:don't|do not) (?:need|have) to|no need to|stop) [a-z]+ .*(?:every time|each time|always|all the time|after every|in every)\b",
        r"^(?:all|every|any) (?:[a-z]+ ){0,2}(?:commits?|commit messages|branch(?:es)?|prs?|pull requests?|comments?|migrations?) (?:must|needs?|has to|have to) .{4,}",
        // Praise that says what for.
        r"^(?:great|good|nice|excellent|right|perfect) (?:call|choice|move|decision) (?:on |to |not |with )?[a-z]+ing? .{8,}",
        r"\b(?:exactly )?(?:how|what) i (?:like|want|prefer|need|love)(?: to see| to have)?(?:[.,!]|$)",
        r"^(?:the way|how) you .{6,} (?:was|is|were) (?:really |very |super |exactly |just )?(?:helpful|great|good|perfect|nice|useful|right|spot on|what)\b",
        r"\b(?:exactly )?(?:how|what) i (?:like|want|prefer|need|love) (?:my |the |all )?[a-z]+ ?(?:[a-z]+)?(?::|,|\.|$| from | by default| to )",
        r"\bi (?:really )?(?:like|love|appreciate) (?:how|the way|that) you .{6,}",
        // German
        r"\bmir (?:ist|sind|wäre|wären) .{0,60}\b(?:lieber|wichtig)\b.{6,}",
        r"\bich (?:hätte|möchte|will|wünsche mir|mag|hasse|brauche) .{0,40}\b(?:lieber|keine?n?|gerne?|dass du|es nicht|wenn du|immer)\b",
        r"^(?:bitte )?(?:frage?|zeige?|sage?|warne?)(?: mich| mir)(?: bitte)?(?: immer| erst| vorher| zuerst)* .*\b(?:bevor|ehe|vorher|zuerst)\b",
        r"^(?:bevor du|wenn ich|jedes mal,? wenn) [^,]{3,60}, (?:dann )?(?:frage?|zeige?|nutze?|lasse?|führe?|mache?|gib|antworte|erkläre?|schreibe?|warte|prüfe?|starte?|beginne?)\b",
        r"^(?:bitte )?keine?n? \p{L}+(?: \p{L}+)? (?:in|im|bei|für|auf) (?:den |die |der |dem |unseren )?\p{L}{4,}",
        r"^(?:bitte )?keine?n? (?:\p{L}+ )?\p{L}+(?:e|en|n|s|er),? (?:die|der|das|welche) (?:nur |bloß |einfach |lediglich |nicht |nichts |immer )*.{4,}",
        r"\b(?:gefällt|gefallen) mir\b.*\b(?:weiter|beibehalten|immer)\b|\bgenau so (?:mag|will|möchte|hätte) ich \p{L}+",
        r"^(?:lass|lasse) .{3,60} (?:in ruhe|so stehen|unangetastet)\b",
        r"^(?:bitte )?(?:nenne?|benenne?|schreibe?|formatiere?|halte?|begründe?|kommentiere?|beginne?|signiere?) (?:alle |die |deine |unsere )?(?:[\p{L}-]+ )?(?:branches|commits?|commit-?nachrichten|tests?|testnamen|kommentare|antworten|funktionen|variablen|dateien|migrationen|prs?|fehlermeldungen|klassen|texte)\b (?:bitte )?(?:in|im|auf|als|nach|mit|ohne|kurz|klein|immer|so|wie|unter|knapp)\b",
        r"^(?:in|für) (?:dem|diesem|unserem|das|dieses|unser) (?:projekt|repo|team|code) (?:gilt|gelten)\b|^(?:bitte )?(?:duze?|sieze?) mich\b|\bhalte? dich kurz\b",
        // French
        r"^(?:s'il te plaît,? |stp,? )?évite (?:les|des|de|d') ?(?:commentaires|abréviations|mocks|commits|tests|dépendances|résumés|explications|anglicismes|emojis)\b",
        r"\bje veux (?:voir|lire|valider) .{3,40} avant\b",
        r"^(?:s'il te plaît,? |stp,? )?(?:réponds|écris|parle)(?:-moi)?(?: toujours)? en (?:français|anglais|allemand|espagnol)\b",
        r"^(?:s'il te plaît,? |stp,? )?(?:nomme|écris|formate|garde|rédige|préfixe|signe|mets) (?:toujours )?(?:les|tes|des|nos) (?:\p{L}+ de )?(?:branches|commits?|messages|tests|commentaires|réponses|fonctions|variables|noms|migrations|erreurs|explications)\b (?:en|comme|avec|sans|d'après|selon|au|courts?|courtes?|par|après|avant|toujours)\b",
        r"^(?:s'il te plaît,? |stp,? )?(?:fais|mets|écris|utilise|réponds|garde|donne|explique|montre|évite|laisse)\b.{3,80}\b(?:à partir de maintenant|désormais|dorénavant|à l'avenir|à chaque fois|toujours)\b",
        r"\bje (?:préférerais|voudrais|n'aime pas|déteste|ne veux pas|ne veux plus|ne veux jamais|aimerais|veux) (?:que tu|quand tu|toujours) ?.{4,}|\bje (?:ne veux (?:pas|plus|jamais) de|n'aime pas les|déteste les) (?:commentaires|commits|tests|réponses|résumés|explications|messages|mocks|abréviations|noms)\b",
        r"^(?:s'il te plaît,? )?(?:demande|préviens|montre)[- ]moi .{0,40}avant (?:de|d'|toute?)\b",
        r"^avant de \p{L}+[^,]{0,50}, (?:demande|montre|lance|fais|vérifie|attends)\b",
        r"\b(?:comme ça que j'aime|j'aime (?:bien )?(?:ta façon|quand tu|la manière))\b.{4,}|\bcontinue (?:comme ça|ainsi)\b",
        r"^pas d(?:e |')\p{L}+(?: \p{L}+){0,4} (?:dans|en|sur|pour) (?:les|la|le|mes|nos|l')",
        // Spanish
        r"^(?:por favor,? )?(?:nombra|escribe|formatea|pon|mantén|redacta|prefija) (?:siempre )?(?:los|las|tus|nuestros|nuestras) (?:\p{L}+ de )?(?:ramas|commits?|mensajes|tests|pruebas|comentarios|respuestas|funciones|variables|nombres|migraciones|explicaciones)\b (?:en|como|con|sin|según|cortos|cortas|por|siempre)\b",
        r"^(?:por favor,? )?no me (?:hagas|des|pongas|escribas|mandes|expliques|pidas) .{4,}",
        r"\b(?:preferiría|quiero|no quiero|me gustaría|odio|no me gusta) (?:que|cuando) (?:siempre|nunca|me|no|hagas|pongas|uses|escribas|los|las|las)\b.{4,}|\b(?:no quiero|odio|no me gustan) (?:los |las |más )?(?:comentarios|commits|tests|respuestas|resúmenes|explicaciones|mensajes|mocks|abreviaturas|nombres)\b",
        r"^(?:por favor,? )?(?:pregúntame|avísame|enséñame|muéstrame) .{0,40}antes de\b",
        r"^antes de \p{L}+[^,]{0,50}, (?:pregunta|pregúntame|muestra|muéstrame|ejecuta|corre|pasa|lanza|revisa|espera)\b",
        r"\b(?:así (?:es como )?me gustan?|me gustan? (?:cómo|que|la forma)) .{6,}",
        r"^(?:por favor,? )?(?:nunca|jamás|siempre) \p{L}+ .{3,}",
        r"^nada de \p{L}+(?: \p{L}+){0,3} en (?:los|las|el|la)\b",
        // Chinese
        r"^.{2,20}(?:就应该|就要|就该|应该都)(?:这样|这么)(?:写|做|处理|改)?|^.{2,20}以后(?:都|也|就)(?:按|照|用|这样|这么).{0,20}",
        r"^(?:我)?(?:更)?(?:希望|想让?)你.{3,}",
        r"^(?:动手|修改|提交|改|推送|合并|部署|重构).{0,10}(?:之前|前)[，,]?(?:请|要|先|必须|都要).{3,}",
        r"^(?:请)?(?:分支|提交信息|注释|回答|回复|变量名|测试名)(?:名|名称|里|中)?.{0,6}(?:要|用|应该|统一|尽量|一律|必须).{2,}",
        // Japanese
        r"^(?:ブランチ|コミット|コミットメッセージ|コメント|変数|関数|回答|返事|コード|ドキュメント|説明|答え)(?:名|に|は|の).{0,20}(?:統一|短く|日本語で|英語で|簡潔|要りません|いりません|不要|書かないで|必ず|毎回|お願いします)",
        r".{4,}(?:ください|して)[、。]\s?(?:毎回|いつも|今後も|必ず)",
        r".{2,}(?:ほうが|方が|が)(?:好きです|好みです|好き|助かります|嬉しいです|ありがたいです)",
        r"^(?:毎回|いちいち|勝手に).{2,}(?:なくていい|不要|必要ありません|しないで|やめて)(?:です)?",
        r"^(?:変更|コミット|プッシュ|マージ|作業|実装|修正|着手).{0,8}(?:する)?前に.{2,}(?:ください|して|見せて|聞いて|確認して)",
        r".{3,}(?:書き方|やり方|形|調子|スタイル|方針)で.{0,6}(?:今後|これから|いつも|これからも).{0,10}(?:お願い|続けて|して)",
    ])
});

/// What a page or a program is to look like or to do.
static PRODUCT: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:the |a |every |all |each )?(?:[\w-]+ ){0,2}(?:button|checkbox|input|form|icon|logo|link|toolbar|menu|navbar|spinner|avatar|popup|toggle|slider)s? (?:must|should|has to|have to|needs? to|is|are|always|never)\b",
        r"^(?:der|die|das|alle) (?:[\p{L}-]+ )?(?:button|knopf|formular|menü|eingabefeld|symbol|icon|logo|link)s? (?:muss|soll|darf|müssen|immer|ist)\b|^(?:el|los) (?:botón|botones|formulario|menú|icono|enlace)\b|^(?:le|les) (?:boutons?|formulaires?|menus?|icônes?|liens?)\b",
        r"^(?:所有)?(?:按钮|图标|输入框|表单|菜单|链接|页面|文案|弹框)|^(?:送信)?(?:ボタン|画面|フォーム|アイコン|リンク|ラベル|入力欄|メニュー)(?:は|を|が|の)",
        r"\b\d+\s?(?:px|%|rem|em|pixels?|pixeln?|píxeles|像素)\b|\d\s?px",
        r"\b(?:padding|margin|contrast|line height|footer|sidebar|viewport|tooltip|z-index|modal|dropdown|overlay|scrollbar|fußbereich|fußzeile|seitenleiste|pied de page|pie de página|coupons?|gutschein|cupón|vouchers?)\b",
        r"页脚|侧边栏|弹窗|优惠券|フッター|サイドバー|クーポン|ヘッダー",
    ])
});

/// What looks like a wish and is about the work at hand.
static OTHERWISE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\bi (?:want|like|need|'d like) (?:to (?:see|be able|have|add|know|try|do|make|change|get|use|understand|finish|go|move|test|check|start|keep going)|a|an|the|this|that|these|it|you to (?:add|fix|write|make|change|create|implement|run|look|check|find|refactor|update|remove|rename|move|explain|do))\b",
        r"^(?:can|could|would|will) (?:we|you) (?:please )?(?:always |never )?(?:show|display|render|return|make|load|open|hide|validate|set|sort|highlight|disable|enable|center|animate|start|stop) (?:the|a|an|all)\b",
        r"^(?:i(?:'d| would) (?:much )?rather have (?:the|it|this|that))\b",
        r"\b(?:the (?:first|second|third|last|other|next|old|new) (?:one|option|version|approach|idea|variant))\b",
    ])
});

/// Words of praise and of agreement that seem to point at something and only mean "the way you did".
const IDIOMS: &[&str] = &[
    "do that",
    "do it",
    "that's ",
    "that is ",
    "this is ",
    " like that",
    " like this",
    " that way",
    " this way",
    "those ",
    "these ",
    " here",
    "comme ça",
    "comme cela",
    "c'est ",
    "así",
    "das bitte weiter",
    "mach das",
    "genau so",
    "这样",
    "这么",
    "この書き方",
    "このやり方",
    "この形",
    "この調子",
    "こういう",
    "そういう",
];

/// A masked statement without them.
pub(super) fn without_idioms(text: &str) -> String {
    IDIOMS.iter().fold(text.to_owned(), |text, idiom| text.replace(idiom, " ")).trim().to_owned()
}

/// Files that are to be left alone.
static LEFT_ALONE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please )?(?:don't|do not|dont|never) (?:ever )?(?:edit|touch|change|modify|commit|format|reformat|write to|delete|import from) .{0,30}⟦c⟧",
        r"^(?:please )?(?:don't|do not|dont|never|hands off|stay out of|keep out of) (?:ever )?(?:edit |touch |change |modify |format )?.{0,30}(?:⟦c⟧|\b[\w-]+/|\b(?:folder|directory|dir)\b)|^(?:please )?leave .{0,20}⟦c⟧.{0,20} alone\b",
        r"^(?:bitte )?(?:fass|fasse|ändere|bearbeite|formatiere|committe) .{0,40}⟦c⟧.{0,10}(?:nicht|nie|niemals)\b|^(?:bitte )?nichts (?:in|unter) ⟦c⟧ (?:ändern|anfassen|bearbeiten)",
        r"^(?:s'il te plaît,? )?ne (?:touche|modifie|édite|commite|change)z? (?:pas|jamais|rien) .{0,30}⟦c⟧",
        r"^(?:por favor,? )?(?:no|nunca) (?:toques|edites|modifiques|cambies|formatees) .{0,30}⟦c⟧",
        r"(?:不要|别|请勿)(?:改|动|碰|编辑|修改).{0,10}⟦c⟧|⟦c⟧.{0,12}(?:不要|别)(?:改|动|碰|编辑|修改)",
        r"⟦c⟧.{0,12}(?:は|を|には)(?:編集|変更|手動で編集)(?:しないで|するな)|⟦c⟧.{0,12}(?:触ら|いじら)ないで",
    ])
});
/// All of a place is meant, or a reason is given: not an order for once.
static FOR_ALWAYS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:anything|any files?|files|stuff|by hand|manually|nichts|rien|nada|de hand)\b|手动|手で",
        r"(?:,|—|;|，|、) ?(?:it|they|that|those|everything|the|das|die|wird|werden|sie|es|ils?|elles?|se|lo|los|它|会|是|自動|because|weil|parce|porque|因为)",
        r"\b(?:generated|overwritten|vendored|generiert|überschrieben|générée?s?|écrasée?s?|generad[oa]s?|sobrescrib\w+)\b|自动生成|自動生成|覆盖|上書き",
    ])
});

/// Whether a masked sentence asks to leave files of some place alone for good.
pub(super) fn leaves_alone(sentence: &str) -> bool {
    LEFT_ALONE.hits(sentence) && FOR_ALWAYS.hits(sentence)
}

/// A sentence that only says "always".
static ALWAYS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please )?(?:always|every time|every single time|everywhere|immer|überall|toujours|partout|siempre|en todas partes|永远|总是|每次都是|いつも|必ず|常に|(?:今後も|これからも)?ずっと(?:で|です)?|(?:今後も|これからも)(?:お願いします|で)?|以后(?:都|也)(?:这样|一样))[.!。！]*$",
    ])
});

/// Whether "pnpm." followed by "Always." makes a rule.
pub(super) fn makes_a_rule_of(text: &str, next: &str) -> bool {
    let words = text.split_whitespace().count();
    words <= 4 && !text.ends_with(['?', '？', ':', '：']) && ALWAYS.hits(&super::spans::masked(next))
}

/// Whether a masked sentence asks politely for a habit; it may be phrased as a question.
pub(super) fn is_polite(text: &str) -> bool {
    POLITE.hits(text) && !OTHERWISE.hits(text) && !PRODUCT.hits(text)
}

/// Whether a masked statement says how the person wants things done.
pub(super) fn is_wish(text: &str) -> bool {
    is_polite(text) || (WISH.hits(text) && !OTHERWISE.hits(text) && !PRODUCT.hits(text))
}

/// Whether a masked statement is about what a page or a program does, not about how to work.
pub(super) fn is_about_the_product(text: &str) -> bool {
    PRODUCT.hits(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(LEFT_ALONE.is_whole() && FOR_ALWAYS.is_whole() && ALWAYS.is_whole());
        assert!(POLITE.is_whole() && WISH.is_whole() && PRODUCT.is_whole() && OTHERWISE.is_whole());
    }
}
