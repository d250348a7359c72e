//! What people say of themselves in passing, beyond the plain "I am a …": studies, moves between teams, habits, fragments.
//!
//! Matched on masked text, all languages in one set: a phrase of one means nothing in another. Not its job: the plain
//! forms, which each language's cues know (`about_self`).

use std::sync::LazyLock;

use crate::memory::likeness::patterns::Set;

/// Occupations in English, which other languages borrow too.
macro_rules! role {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:data (?:scientist|engineer|analyst)|tech ?lead|team ?lead|product (?:owner|manager)|scrum master|full[- ]?stack(?: dev(?:eloper)?)?|(?:front|back)[- ]?end(?: (?:dev(?:eloper)?|engineer|person|guy))?|(?:[a-z+#]+ )?(?:dev|developer|engineer|programmer|designer|sysadmin|sre|devops|dba|researcher|physicist|analyst|scientist|freelancer|consultant|cto|maintainer|lead))",
            $after
        )
    };
}

/// Occupations that are none of ours.
macro_rules! profession {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:nurse|teacher|chef|cook|lawyer|paralegal|journalist|translator|librarian|photographer|illustrator|musician|electrician|mechanic|pharmacist|vet|veterinarian|social worker|therapist|psychologist|historian|farmer|carpenter|bookkeeper|accountant|auditor|actuary|economist|geographer|surveyor|meteorologist|tutor|lecturer|receptionist|salesperson|marketer|copywriter|editor|author|soldier|pilot|paramedic|physiotherapist|dentist|banker|recruiter|project manager|plumber|barista|waiter)",
            $after
        )
    };
}

/// Where a statement about oneself may begin in English.
macro_rules! myself {
    ($rest:literal) => {
        concat!(r"(?:^|[;—,.(]\s*|\b(?:and|but|so|as|since|because|that)\s+)", $rest)
    };
}

static ONESELF: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // English
        myself!(
            r"i(?:'m| am) (?:currently |still )?(?:doing|finishing|writing|starting|in the middle of|halfway through) (?:a|an|my) (?:[a-z-]+ ){0,2}(?:phd|ph\.d|doctorate|master'?s?|thesis|dissertation|bachelor'?s?|internship|apprenticeship|bootcamp|degree|postdoc)(?:$|[.,;!—]| (?:on|in|at|about|here|with|and|so|right|this|these|next|for)\b)"
        ),
        myself!(
            r"i(?:'ve| have)? (?:just |only |recently )*(?:joined|moved (?:over )?to|switched to|transferred to|came over from|started (?:at|in|with|on|as))\b.*\b(?:team|company|group|org|department|squad|startup|job|role)\b"
        ),
        myself!(
            r"i (?:basically |pretty much |mostly )?(?:live|spend my (?:day|days|time)) in (?:the )?(?:neovim|nvim|vim|emacs|terminal|shell|tmux|vs ?code|intellij|jupyter|notebooks?|excel|command line)\b"
        ),
        myself!(
            r"i(?:'ve| have)?(?: got| have)? (?:severe |mild |a bit of )?(?:dyslexia|dyscalculia|adhd|autism|rsi|carpal tunnel|tinnitus|low vision|poor eyesight|bad eyesight|migraines|epilepsy|a tremor|a (?:visual|hearing|motor) impairment)\b"
        ),
        // What they were before.
        myself!(r"i used to be an? (?:[\w+#-]+ ){0,4}[\w+#-]+"),
        profession!(
            r"(?:^|[;—,.(]\s*)(?:i )?(?:was|worked as|trained as|started (?:out )?as) an? (?:[\w+#-]+ ){0,2}",
            r"s?\b"
        ),
        r"^(?:i )?was an? [\w+#-]+(?: [\w+#-]+)? for (?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|a few|several|twenty|about|over) ?[\w+]* ?(?:years?|decades?)\b",
        profession!(
            r"(?:^|[;—,(]\s*|\b(?:and|but|so|as|since|because|that)\s+)i(?:'m| am) (?:actually |originally |also )?(?:an? )(?:[\w-]+ ){0,2}",
            r"\b"
        ),
        myself!(
            r"i(?:'ve| have)? (?:only |just )+(?:been )?(?:coding|programming|doing this|writing code|developing)\b.{0,10}\b(?:for|since)\b"
        ),
        r"\b(?:first|second|third|fourth|\d+(?:st|nd|rd|th)) (?:day|week|month|year) (?:of|with|on|in|doing|writing) [\w+#]+(?: [\w+#]+)? for me\b|, coming from [\w+#]+(?: [\w+#]+)?(?:,|$)",
        r"\bi(?:'m| am) in \p{L}+ (?:and|while|but) (?:the |my |our )?(?:rest of the |whole )?(?:team|others|company)\b",
        r"^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty) years of (?:java|kotlin|python|rust|go|c|c\+\+|c#|php|ruby|javascript|typescript|js|ts|perl|swift|scala|sql|haskell|cobol|fortran|r|matlab|react|vue|angular|django|rails|spring|devops|ops|frontend|backend|embedded|teaching|support)(?:,|$| and\b| but\b)",
        myself!(
            r"i(?:'m| am) (?:just |only )?(?:qa|pm|ops|sre|devops|support|management|sales|marketing|legal|finance|security)(?:,|$|\.| and\b| so\b| not\b)"
        ),
        r"\b(?:it's )?(?:just|only) me, |\bsolo (?:founder|dev|developer|maintainer)\b|\bone[- ](?:man|woman|person) (?:team|shop|band)\b",
        myself!(
            r"i only (?:get to|work on|have time for|do) (?:this|it|that|code|coding) (?:at night|in the evenings?|on (?:the )?weekends?|after work)\b"
        ),
        r"\bich bin (?:rentner(?:in)?|schüler(?:in)?|hobby\p{L}+|laie)\b|\bich (?:mache|lerne|programmiere) (?:das |es )?(?:nur |alles )?(?:als hobby|nebenbei|in der freizeit)\b|\bsoy (?:jubilad[oa]|aficionad[oa])\b|\bje viens (?:du|de) [\p{L}+#]+, .*(?:neuf|nouveau|débute|découvre)",
        r"(?:^|[，,])我(?:是|在读|读)?(?:大[一二三四]|研[一二三]|高[一二三])|(?:趣味|独学)で.{0,20}(?:です|書いて|やって|素人|勉強)",
        myself!(
            r"i (?:look after|run|lead|head|manage|maintain|coordinate|administer|supervise) (?:the|our|an?|all(?: the)?) (?:[\w/&-]+ ){0,3}(?:team|group|department|estate|platform|infrastructure|infra|cluster|servers|network|lab|site|shop|practice|division|project|product|community|migration)\b"
        ),
        myself!(
            r"i(?:'m| am) on an? (?:[\w-]+ ){0,2}(?:chromebook|laptop|machine|computer|tablet|ipad|phone|pc|mac)\b.{0,12}\b(?:so|and|where|without|i)\b"
        ),
        myself!(
            r"i(?:'m| am) (?:not |really )?(?:a |an )?(?:slow reader|visual (?:person|thinker|learner)|morning person|night owl|left-handed|beginner)\b"
        ),
        r"\bich hab(?:e)? (?:eine )?(?:leichte |starke )?(?:legasthenie|dyskalkulie|adhs|autismus|rot-grün-schwäche|sehschwäche|rsi|tinnitus|migräne)\b",
        r"\bich (?:mach|mache|schreibe|betreue|kümmere mich) (?:hier |bei uns )?(?:hauptsächlich|vor allem|meistens|überwiegend|eigentlich nur) .{4,}",
        r"\b(?:yo )?(?:soy|vengo) de (?:contabilidad|marketing|ventas|soporte|recursos humanos|finanzas|diseño|sistemas|operaciones|calidad|legal)\b",
        r"\bje suis (?:le |la |un |une )?(?:chef(?:fe)?|cheffe?|responsable|directeur|directrice|assistante?) (?:de |du |d')",
        r"(?:^|[，,。])我(?:的)?(?:英语|英文|日语|中文|数学|前端|后端)(?:不|很|不太|比较)(?:好|行|差|熟|弱)|(?:^|[，,。])我是(?:色盲|色弱|左撇子|视障)",
        // What they sit in front of.
        r"^(?:i'm )?on (?:an? |my )?(?:[\w-]+ )?(?:mac(?:book)?|laptop|pc|chromebook|thinkpad|raspberry pi|arch|nixos|wsl|arm)\b(?: here|, so| so)\b",
        r"^my (?:machine|laptop|computer|keyboard|screen|monitor|editor|terminal|os|box|workstation|desktop|eyes|hands|english|german|french|spanish) (?:is|are|runs|has|have|doesn't|don't|can't|only|uses)\b.{4,}",
        myself!(r"i know [\w+#]+(?: and [\w+#]+)? (?:very |pretty |quite |really )?(?:well|inside out|by heart)\b"),
        myself!(
            r"i (?:use|rely on|work with|depend on) (?:a |an )?(?:screen reader|magnifier|braille|voice control|dictation|high contrast)\b"
        ),
        myself!(
            r"i (?:usually|normally|mostly|mainly|typically|primarily) (?:work|code|develop|program|look (?:at|after)|deal with|write|use|do|live)\b"
        ),
        myself!(
            r"i (?:do|write|use|did) (?:mostly|mainly|primarily|only|usually) (?:back-?end|front-?end|devops|infra|data|ml|ai|mobile|embedded|games?|research|ops|qa|security|web|rust|go|python|java|kotlin|swift|c\+\+|c|c#|typescript|javascript|php|ruby|sql|r|scala|elixir|haskell|fortran|matlab)(?:$|[ ,.;!])"
        ),
        myself!(
            r"i(?:'m| am) (?:legally |partially |almost |nearly )?(?:blind|sighted|deaf|hard of hearing|dyslexic|autistic|adhd)\b"
        ),
        r"\b(?:is|are|was) (?:still |all |completely |totally |rather |pretty |quite )*(?:new (?:territory )?(?:to|for) me|not (?:really )?my (?:thing|strong suit|area)|foreign to me|greek to me)\b|\bisn't my (?:thing|strong suit|area|world)\b",
        r"\b(?:ist|sind) (?:alles |ganz |noch )*(?:neu für mich|nicht (?:so )?meins|neuland für mich)\b|\b(?:est|c'est) (?:tout )?nouveau pour moi\b|\bce n'est pas mon truc\b|\bno es lo mío\b|\b(?:es|son) nuev[oa]s? para mí\b",
        r"\bje suis (?:plutôt|surtout|plus) (?:de |du |dans le |dans la )?\p{L}{3,}|\bsoy más (?:de|del) \p{L}{3,}|\bich bin eher \p{L}{4,}",
        r"(?:^|[，,])我是(?:做|搞|干|写).{1,12}的",
        myself!(r"i (?:care|worry) (?:much |a lot )?(?:more|less) about\b"),
        myself!(
            r"i (?:don't|do not|no longer|hardly|rarely|barely|never) (?:really )?(?:code|program|write code|touch (?:css|frontend|backend|javascript|sql))\b"
        ),
        myself!(r"i (?:teach|mentor|coach|supervise|tutor) (?:an? |the |our |my )?[a-z]"),
        myself!(r"i(?:'m| am) (?:the only|one of (?:two|three|four)|[a-z]+ by (?:training|trade))\b"),
        myself!(r"i(?:'m| am) (?:in|on) the [\w/&-]+(?: [\w/&-]+){0,2} team\b"),
        r"\b(?:is not|isn't|is) my (?:first|native|mother|second|third) (?:language|tongue)\b",
        r"\bmy (?:long-term |main |personal )?goal (?:is|this (?:year|quarter) is)\b",
        r"^coming from (?:an? )?[\w+#/ -]{2,30}?(?: background| world)?, ",
        role!(
            r"^(?:(?:senior|junior|lead|staff|principal|former|long-?time|just an?) )?",
            r" (?:here(?:[,.!;]|$| so | with )|by (?:trade|training|day)\b)"
        ),
        role!(
            r"^(?:(?:senior|junior|lead|staff|principal|former|long-?time) )?",
            r", (?:not|no|new|so|never|mostly|mainly|zero|first time)\b"
        ),
        // German
        role!(
            r"\bich bin (?:der |die |ein |eine |als |hier |freiberuflicher? )?(?:senior |junior |leitender? )?",
            r"(?:in)?\b"
        ),
        r"\bich (?:promoviere|studiere|unterrichte)\b|\bich lerne (?:gerade |noch )?\p{L}+\b.{0,30}$|\bich komme (?:eigentlich |ursprünglich )?(?:aus|von) der \p{L}+",
        r"\bich (?:leite|verantworte|betreue|pflege|manage) (?:das|die|den|unser|unsere|ein|eine) \p{L}+",
        r"\bich kenne mich .{0,30}(?:gut|nicht|kaum|bestens|wenig) aus\b|\bkenne mich (?:mit|in|bei) .{2,30} (?:gut |nicht |kaum |bestens )aus\b",
        r"\bich (?:bin|habe) .{0,40}(?:angefangen|im team|in der firma|dazugekommen|gewechselt)\b",
        r"\bich (?:benutze|nutze|verwende) (?:einen |eine )?(?:screenreader|braillezeile|neovim|vim|emacs|linux|windows)\b",
        r"\b(?:deutsch|englisch) ist nicht meine muttersprache\b",
        // French
        role!(r"\bje suis (?:l'|le |la |un |une )?(?:seule? )?(?:senior |junior )?", r"\b"),
        r"\bje suis (?:(?:un |une |aussi |actuellement )*(?:prof|enseignante?|médecin|infirmi(?:er|ère)|comptable|journaliste|graphiste|avocate?|stagiaire|apprentie?|libraire|traduct(?:eur|rice)|bibliothécaire|biologiste|économiste|juriste)\b|en (?:stage|alternance|reconversion|thèse|formation)\b)",
        r"\bje (?:fais|termine|prépare|commence) (?:une|ma|mon|un) (?:thèse|doctorat|master|stage|alternance)\b",
        r"\bje (?:dirige|encadre|enseigne|forme|maintiens|gère) (?:une|un|l'|le|la|les|des)\b",
        r"\bje (?:code|programme|développe|bosse|travaille) (?:surtout|principalement|depuis|chez|comme|essentiellement)\b",
        r"\bje viens (?:plutôt )?(?:du|de la|de l'|d') ?(?:monde|\p{L}+)$|\bje débute (?:en|sur|avec)\b|\bje viens d'arriver dans\b",
        r"\bje (?:ne )?(?:connais|maîtrise) (?:pas|peu|mal|bien|très bien|à peine)\b|\bje (?:ne )?m'y connais (?:pas|peu)\b",
        // Spanish and Portuguese
        role!(r"\b(?:soy|sou) (?:el |la |un |una |o |a |um |uma )?(?:únic[oa] )?(?:senior |junior )?", r"\b"),
        r"\bsoy (?:(?:un |una )?(?:maestr[oa]|enfermer[oa]|contable|periodista|abogad[oa]|traductor[ae]?|bibliotecari[oa]|biólog[oa]|economista|becari[oa]|diseñador gráfico))\b|\bestoy (?:de|en) prácticas\b",
        r"\bich bin (?:(?:eigentlich |von beruf |gelernte[rn]? |ein |eine )*(?:ärzt(?:in)?|arzt|krankenpfleger(?:in)?|pfleger(?:in)?|buchhalter(?:in)?|journalist(?:in)?|anwält(?:in)?|anwalt|übersetzer(?:in)?|bibliothekar(?:in)?|biolog(?:e|in)|grafiker(?:in)?|praktikant(?:in)?|azubi|werkstudent(?:in)?|quereinsteiger(?:in)?|kauffrau|kaufmann))\b|\bich (?:war|komme) (?:vorher|früher|ursprünglich|eigentlich)\b.{3,}",
        r"\bestudio \p{L}+|\bhago (?:un|el|mi) (?:doctorado|máster|tesis)|\bdoy clases\b|\benseño \p{L}+|\b(?:dirijo|lidero|mantengo) (?:el|la|un|una) \p{L}+",
        r"\bacabo de (?:entrar|unirme|incorporarme)\b|\bvengo del? (?:la )?(?:mundo|\p{L}+)\b.{0,20}$",
        r"\bllevo (?:poco|poco tiempo|\p{L}+ (?:años|meses)|años|\d+ años) (?:con|en|usando|trabajando|programando)\b",
        // Chinese
        r"(?:^|[，,。])\s?我(?:写|做|用|搞|学)了?(?:快|大概|差不多)?(?:\d+|[一二三四五六七八九十两几]+)多?年(?:多|了)?\s?(?:[a-z]|后端|前端|算法|嵌入式|运维|游戏|移动端|安卓|数据库)",
        r"(?:^|[，,])我(?:在读|是在读|正在读|读)?.{0,6}(?:博士|硕士|研究生|实习生)",
        r"(?:^|[，,])我(?:主要|平时|一般|通常|基本)(?:都)?(?:用|写|看|做|负责|搞).{2,}",
        r"(?:^|[，,])我(?:刚|刚刚|上周|上个月|最近|今年)?.{0,4}(?:加入|入职|转到|转岗到).{1,}(?:团队|组|公司|部门)",
        r"(?:^|[，,])(?:我)?(?:对)?.{1,14}(?:几乎没|基本没|没怎么)(?:碰过|用过|写过|接触过)",
        r"(?:^|[，,])我(?:以前|之前|原来|本来)(?:是|做|搞|学|在).{2,}|(?:^|[，,])我(?:去年|今年|刚|才)?.{0,4}转行",
        // Japanese
        r"(?:^|、).{0,14}(?:教師|教員|先生|医師|看護師|会計士|弁護士|記者|翻訳者|司書|研修生|インターン)(?:です|なので|をして|で、)",
        r"(?:新卒|入社|社会人|エンジニア)?[\d一二三四五六七八九十]+年目(?:で|です|の|なので)|しかやったことが?な(?:い|く)",
        r"(?:^|、).{0,20}(?:エンジニア|開発者|プログラマー?|デザイナー|サイエンティスト|アナリスト|マネージャー|学生|研究者|コンサルタント|リーダー|フリーランス)(?:です|なので|をしています|で、|として働いて)",
        r"(?:^|、)(?:普段は?|主に|仕事では|いつもは)、?.{2,}(?:を|で)(?:使って|書いて|見て|担当して|開発して)(?:い)?(?:ます|る)",
        r"(?:は|が)(?:あまり|ほとんど|全然)?(?:詳しくない|わからない|苦手|得意|不慣れ)(?:です|なので|ので|で)",
        r"(?:年|年間|年ほど).{0,10}(?:書いて|やって|使って|開発して|経験)",
    ])
});

static OTHERWISE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:line|zeile|ligne|línea) \d|\d\s?行",
        r"\b(?:not sure|sure|stuck|tired|done|afraid|sorry|happy|sicher|müde|bloquée?|fatiguée?|crevée?|atascad[oa]|cansad[oa]|segur[oa])\b",
        r"⟦[cq]⟧",
        r"^my \w+ (?:is|are|has|keeps?) (?:so |too |really |just |all |been )*(?:slow|broken|dead|frozen|freezing|down|crashed|crashing|full|hot|loud|stuck|locked|gone|black|blank|acting|out of)\b",
        r"\b(?:this|that|these|those) (?:bug|file|issue|error|branch|pr|ticket|thing|function|test|version|option|approach|one|way|problem|change|code|task|commit|design|solution|idea|name|layout|format|part|repo|crate)\b",
        r"^(?:i (?:usually|normally|mostly|mainly|typically) (?:do|use|write) (?:this|that|it|them|the)\b)",
        r"\b(?:test|tests|prueba|pruebas)$",
        r"卡在|卡住|累|詰ま|疲れ|困って",
    ])
});

/// Whether a masked statement says something lasting about the person.
pub(super) fn speaks_of_themselves(text: &str) -> bool {
    ONESELF.hits(text) && !OTHERWISE.hits(text)
}

/// Words that begin a consequence: what stands before them has to hold by itself.
const CONSEQUENCES: &[&str] = &[
    ", so ",
    " so you ",
    " so please ",
    " so don't ",
    " so no ",
    " so feel ",
    " so bear ",
    " so go ",
    ", also ",
    ", daher ",
    ", deshalb ",
    ", donc ",
    ", du coup ",
    ", así que ",
    ", por eso ",
    ", de modo que ",
    "，所以",
    ",所以",
    "ので、",
    "だから",
    "ため、",
];

/// The statement up to where its consequence begins.
pub(super) fn before_consequence(text: &str) -> &str {
    CONSEQUENCES.iter().filter_map(|mark| text.find(mark)).min().and_then(|at| text.get(..at)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(ONESELF.is_whole() && OTHERWISE.is_whole());
    }
}
