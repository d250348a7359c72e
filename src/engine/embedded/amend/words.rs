//! The words of a correction, in every language: how it begins, where its value stands, and what it does to what was said.
//!
//! Not its job: what becomes of them (see [`super::of`]).

use std::sync::LazyLock;

use crate::memory::likeness::patterns::{OneOf, Pattern, Set};

/// How a correction begins. Group `sure`: words that nobody answers a question with.
pub(super) static BEGINS: Pattern = Pattern::new(concat!(
    r"(?i)^(?:(?:no|nope|oh|ah|uh|um|er|hm+|well|ok|okay|lol|haha|nah?|nein|nee|ne|ach|äh|ähm|also|non|bon|euh|bueno|uy|eh|哦|啊|不|あ|ああ|えっと|actually|rather|eigentlich|eher|also eher|plutôt|enfin|mejor|",
    r"(?P<sure>sorry|wait|hang on|hold on|oops|whoops|my bad|my mistake|correction|make (?:that|it)|i mean|i meant|i misspoke|(?:my )?apologies|i misread (?:it|that|the [a-z]+)|i mixed (?:it|that|them) up|i got (?:it|that) wrong|(?:it|that) (?:slipped|got moved|got pushed|was moved|was pushed|was postponed)(?: again)?(?: to)?|quatsch|moment|korrektur|ich meine|ich meinte|(?:ich )?hab(?:e)? mich (?:vertan|verlesen|verhört|verschrieben|verguckt)|da hab(?:e)? ich mich (?:vertan|verlesen|verhört|verschrieben)|upps|ups|verlesen|vielmehr|besser gesagt|pardon|attends|désolée?|erratum|je voulais dire|je veux dire|oups|au temps pour moi|autant pour moi|je me suis trompée?|erreur de ma part|perdón|perdona|espera|digo|quiero decir|quería decir|quise decir|corrección|mejor dicho|miento|me equivoqué|me confundí|leí mal|(?:我)?(?:看|记|搞|写|打|弄)错了|不对|我?说错了|更正|应该是|口误|不是|いや|ごめん(?:なさい)?|すみません|失礼|訂正|見間違えました|間違えました|勘違い(?:でした|してました)|違う|違います))",
    r"(?:[\s,.:;!?…—–、，。：！-]+|$))+",
));

/// "It's Wednesday, not Monday", after what begins it; group `led` says that a value comes.
pub(super) static NOT_THAT: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?i)^(?P<led>(?:it'?s |it is |that'?s |i meant |i mean |make (?:it|that) |should be |ich meinte? |ich meine |es ist |das ist |quería decir |quise decir |es |son |je voulais dire |c'est )*)(?:on |am |die |der |das |el |la |des |le |les )*(?P<meant>[^,;]{2,40}?),? (?:and not|not|instead of|rather than|und nicht|nicht|statt|y no|no|en vez de|et pas|pas|au lieu de) (?:on |am |die |der |das |den |el |la |los |las |des |le |les |du )?(?P<said>[^,;.!]{2,40}?)[.!]?$",
        r"^(?:应该)?(?:是)?(?P<meant>[^，,。]{1,16})[，,](?:而)?不是(?P<said>[^，,。]{1,16})[。！]?$",
        r"^(?:不是)?(?P<said>[^，,。是]{1,16})[，,](?:而|应该)?是(?P<meant>[^，,。]{1,16})[。！]?$",
        r"^(?P<said>[^、。]{1,16})(?:じゃなくて|ではなくて?|でなく)[、]?(?P<meant>[^、。]{1,16}?)(?:が担当)?(?:です|でした|だ)?[。！]?$",
    ])
});

/// "スペースの間違い": the value comes first.
pub(super) static MISTAKEN_FOR: Pattern =
    Pattern::new(r"^(?:.{0,8}[、，])?(?P<meant>[^、，。のは]{1,16})の(?:間違い|まちがい|誤り)(?:です|でした)?[。！]?$");

/// What stands around a bare value and is none of it.
pub(super) static AROUND: Pattern = Pattern::new(
    r"(?i)^(?:it'?s |it is |that'?s |on |am |es ist |c'est |es |el |是|应该是)+|(?: does| is| did| will| of course| instead| then| natürlich| war's| halt|でした|です|だ|负责)?[.!。！\s]*$",
);

/// What stands around a value with a figure: "on the 10th" and "el 12" need their words to be days.
pub(super) static AROUND_FIGURE: Pattern =
    Pattern::new(r"(?i)^(?:it'?s |it is |that'?s |es ist |c'est |es |是|应该是)+|(?:でした|です|だ)?[.!。！\s]*$");
/// A day of the month without its month.
pub(super) static BARE_DAY: Pattern = Pattern::new(
    r"(?i)^(?:(?:on|am|den|der|le|el|au|al|the) )+(?P<d>\d{1,2})(?:st|nd|rd|th|\.|er|º)?$|^(?P<marked>\d{1,2})(?:st|nd|rd|th|\.|er|º|号|日)$",
);
/// A name with a version: "node 20".
pub(super) static VERSION: Pattern = Pattern::new(r"(?i)^(?P<name>\p{L}[\w.+#-]*) (?P<version>v?\d[\w.]*)$");
/// Who does it now.
pub(super) static NOW_DOES: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?:^|[\s,])(?P<meant>\p{Lu}\p{Ll}[\p{Ll}'-]+) (?:does|is doing|handles|is handling|owns|has|runs|took over|is taking over) (?:it|that|this)(?: over)?(?: now)?[.!]?$",
        r"\bhanding (?:it|that|this) over to (?P<meant>\p{Lu}\p{Ll}[\p{Ll}'-]+)[.!]?$",
        r"\b[Dd]as (?:macht|übernimmt|betreut|hat) (?:jetzt|nun|inzwischen) (?:der |die )?(?P<meant>\p{Lu}\p{Ll}[\p{Ll}'-]+)[.!]?$",
        r"\b[Cc]'est (?P<meant>\p{Lu}\p{Ll}[\p{Ll}'-]+) (?:maintenant|qui s'en (?:occupe|charge)(?: maintenant)?)[.!]?$",
        r"\bahora (?:lo|la) (?:lleva|hace|tiene) (?P<meant>\p{Lu}\p{Ll}[\p{Ll}'-]+)[.!]?$",
        r"现在(?:是|由|归)?(?P<meant>\p{Han}{2,3})(?:负责|管|在管)了?[。！]?$",
        r"今は(?P<meant>[\p{Han}\p{Katakana}ー]{1,6}さん)(?:です|が担当(?:です|しています)?)?[。！]?$",
    ])
});
/// "Actually Alexandra is better."
pub(super) static BETTER: Pattern =
    Pattern::new(r"(?i)^(?P<meant>[\p{L}\w.+#-]+) (?:is|would be|sounds|works) better[.!]?$");

/// What was said does not stand.
pub(super) static WITHDRAWS: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?i)^(?:(?:or|well|hm+|ok|okay|no|oh|ugh|ah|nah|actually|wait|sorry|on second thoughts?)[\s,.:!…—–-]+)+(?:(?:just |let's |we )?(?:leave|keep) (?:it|things|that|everything) (?:as (?:it is|it was|is|they are)|like that|be)\b|not really\b|not quite\b|that's not (?:true|right|quite right|quite true)\b|let's not\b|(?:it's |that's )?fine,? (?:use|do|keep|go|just|leave)\b|nothing(?:'s| is) (?:decided|fixed|settled)|(?:there's |there is |we have )?no (?:date|decision) yet|(?:it's |that's )?not (?:decided|settled|fixed|final|clear|confirmed) yet)[\s,.:;!—–-]*",
        r"(?i)^(?:(?:ach|oder|hm+|na|ok|nee|ne|nein|moment|sorry|quatsch)[\s,.:!…—–-]+)+(?:lass(?: es)? (?:mal|gut sein|so|bleiben)\b|(?:es |alles )?bleibt (?:alles |es )?(?:so|wie es ist|dabei|beim alten)|doch nicht\b|(?:doch )?nicht wirklich\b|(?:das )?steht noch nicht fest|(?:das )?ist noch nicht (?:sicher|entschieden|klar))[\s,.:;!—–-]*",
        r"(?i)^(?:(?:bon|non|euh|ah|oh|pardon|attends|en fait)[\s,.:!…—–-]+)+(?:en fait (?:si|non)|(?:finalement )?(?:si|non|pas)\b.{0,12}$|laisse(?: tomber| comme (?:ça|c'est))?\b|on garde comme (?:ça|c'est)|pas vraiment\b|(?:ce )?n'est pas encore (?:décidé|fixé|sûr)|pas encore (?:décidé|fixé))[\s,.:;!—–-]*",
        r"(?i)^(?:(?:bueno|no|ay|uy|espera|perdón|miento|mejor|o)[\s,.:!…—–-]+)+(?:déjalo(?: (?:así|como está))?\b|mejor no\b|en realidad (?:sí|no)\b|no del todo\b|todavía no (?:hay|está|se sabe)\b|aún no (?:hay|está|se sabe)\b)[\s,.:;!—–-]*",
        r"^(?:(?:啊|哦|呃|不|不对|等等|等下|抱歉|不好意思)[，,。！\s]*)+(?:还没(?:有)?(?:定|确定|决定)|先?当我没说|保持(?:原样|不变)|别改了|还是算了|不用了)[，,。！]?",
        r"^(?:還是|还是)(?:算了|保持原样|不用了|别改了)[，,。！]?",
        r"^(?:(?:あ|ああ|いや|ごめん(?:なさい)?|すみません|えっと|やっぱり)[、，。！\s]*)+(?:まだ決まって|未定|そのままで?(?:いい|お願い)|やめ(?:ます|て|とき)|なしで)",
    ])
});

/// Back to what there was.
pub(super) static BACK: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"(?i)(?:^|[,;—] ?(?:and |but )?)(?:(?:hm+|ok|okay|alright|so|well|then|fine|ugh|let's|we(?:'re| are)?|i(?:'m| am)?|just|please)[\s,.:!…—–-]+)*(?:back|go(?:ing)? back|switch(?:ing)? back|revert(?:ing)?|return(?:ing)?) to \S+",
        r"(?i)(?:^|[,;—] ?(?:und |aber )?)(?:(?:hm+|ok|okay|gut|dann|also|na)[\s,.:!…—–-]+)*(?:doch (?:lieber )?wieder|zurück zu|wieder zurück zu|bleiben wir (?:doch )?bei|wir gehen (?:wieder )?zurück (?:zu|auf)) \S+",
        r"(?i)^(?:(?:ne|nee|nein|ach|hm+|moment|warte|doch)[\s,.!…]+)+.{0,80}\b(?:wir )?bleiben (?:wir )?(?:doch |lieber |dann )*bei \S+",
        r"(?i)^(?:(?:no|nah|wait|hm+|nope|actually|ugh)[\s,.!…]+)+.{0,80}\b(?:stay|stick|staying|sticking) with \S+",
        r"(?i)(?:^|[,;—] ?(?:et |mais )?)(?:(?:bon|ok|alors|donc)[\s,.:!…—–-]+)*(?:on (?:revient|repasse|retourne)|revenons|reviens|repasse) (?:à|au|aux|sur) \S+",
        r"(?i)(?:^|[,;—] ?(?:y |pero )?)(?:(?:bueno|ok|vale|pues|entonces)[\s,.:!…—–-]+)*(?:volvemos|volvamos|vuelve|regresamos) (?:a|al) \S+",
        r"^(?:.{0,20}[，,])?(?:那)?(?:就)?还是(?:换回|用回|改回|回到).{1,}|^(?:那)?(?:就)?(?:换回|用回|改回).{1,}",
        r"^(?:やっぱり|じゃあ)?.{1,16}(?:に戻し(?:ます|ましょう|て|た)|に戻そう)",
    ])
});

/// A correction inside a sentence; what follows from group `mark` on is one of its own.
pub(super) static INSIDE: Pattern = Pattern::new(
    r"(?i)(?:,|;|…|\.\.\.|\s[—–-]|，|、)\s*(?P<mark>(?:(?:no|oh|ah|nein|non|啊|あ),? )?(?:wait,? no|no,? wait|hang on|hold on|no,? sorry|sorry,? no|i mean,? |i meant |correction:|quatsch|nein,? moment|ich mein(?:e|te),? |non,? pardon|je veux dire|no,? perdón|no,? espera|digo,? |quiero decir|mejor dicho|啊?不对[，,]|说错了|いや、|じゃなくて、).{2,60})$",
);

/// A name in a script with capitals.
pub(super) static NAME: Pattern = Pattern::new(r"\p{Lu}\p{Ll}[\p{Ll}'-]+(?: \p{Lu}\p{Ll}[\p{Ll}'-]+)?");
/// "… and Tom owns search": a second name that does something, or shares in it.
pub(super) static NAMES_ANOTHER: Pattern = Pattern::new(
    r"(?:[,;]|\b(?:and|or|while|but|und|oder|aber|während|y|e|o|pero|et|ou|mais|tandis que))\s+(?:(?:the|der|die|el|la|le)\s+)?\p{Lu}\p{Ll}[\p{Ll}'-]+(?:\s+\p{Lu}\p{Ll}[\p{Ll}'-]+)?\s+(?:\p{Ll}|s')|^\p{Lu}\p{Ll}[\p{Ll}'-]+\s+(?:and|or|und|oder|y|o|et|ou)\s+\p{Lu}",
);
/// Where a sentence names who, other than at its beginning.
pub(super) static WHO: Pattern = Pattern::new(
    r"\b(?:by|is|von|vom|ist|par|est|por|es) (?P<name>\p{Lu}\p{Ll}[\p{Ll}'-]+(?: \p{Lu}\p{Ll}[\p{Ll}'-]+)?)[.]?$",
);
/// Where a Chinese or Japanese sentence names who does something.
pub(super) static NAMED_THERE: Pattern = Pattern::new(
    r"由(?P<a>\p{Han}{2,4}?)(?:负责|管|维护|接手|牵头)|^(?P<b>\p{Han}{2,3}?)(?:负责|管|维护|接手|牵头)|(?P<c>[\p{Han}\p{Katakana}ー]{1,6}さん)",
);
/// What a rule wants to be used.
pub(super) static USED_THERE: Pattern = Pattern::new(
    r"(?i)\b(?:use|prefer|nutze|nutzen wir|verwende|benutze|nehmen wir|usa|usamos|utiliza|utilizamos|utilise|utilisons) (?:(?:always|immer|siempre|toujours|des|les) )*(?P<a>[\w.+#@-]+)|(?:都|要|请|一律)?(?:用|使用)\s?(?P<b>[^，。,\s]{1,12}?)(?:[。！]|$)|(?P<c>[\p{Katakana}ー\w.+-]+)を使",
);
/// What a person says that they are.
pub(super) static IS_SAID: Pattern = Pattern::new(
    r"(?i)^(?:Call me|Nenn mich|I'm|I am|Ich bin|Je suis|(?:Yo )?soy)(?: (?:an?|ein|eine|un|une|una))? (?P<a>[^,;.]{2,40})\.?$",
);

/// "No, Thursday."
pub(super) static BARE_NO: Pattern = Pattern::new(
    r"(?i)^(?:oh |ah |ach |ay |uy )?(?:no|nope|nein|nee|ne|non|不|不对|いや|いいえ|違う)[\s,.!，。、]+[^.!?\n。！？]{2,40}[.!。！]?$",
);

/// Words that are no value.
pub(super) const NO_VALUES: &[&str] = &[
    "it",
    "that",
    "this",
    "really",
    "seriously",
    "thanks",
    "danke",
    "gracias",
    "merci",
    "yes",
    "for",
    "about",
    "but",
    "to",
    "if",
    "i",
    "i'm",
    "i'll",
    "we",
    "you",
    "and",
    "let",
    "let's",
    "so",
    "what",
    "he",
    "she",
    "they",
    "there",
    "one",
    "ich",
    "wir",
    "du",
    "für",
    "dass",
    "aber",
    "je",
    "tu",
    "on",
    "mais",
    "pour",
    "yo",
    "pero",
    "por",
    "para",
    "just",
    "not",
    "no",
    "my",
    "wrong",
    "late",
    "typo",
    "again",
    "here",
    "done",
    "was",
    "is",
    "are",
    "can",
    "could",
    "please",
    "never",
    "always",
];
