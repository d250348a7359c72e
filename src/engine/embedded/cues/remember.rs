//! How people ask for something to be remembered, and how such a clause tells its type, per language.
//!
//! Openings match on the text as typed, in any case; the other patterns on masked text like all [cues](super). Not its
//! job: what speaks against storing a clause (see `explicit`).

use std::sync::LazyLock;

use super::super::language::Language;
use crate::memory::likeness::patterns::{OneOf, Set};

/// The patterns of one language, as text.
struct Table {
    language: Language,
    /// Asks plainly; what follows, in group `clause`, is meant to be stored.
    plain: &'static [&'static str],
    /// Asks in passing ("remember, we …"): the clause has to look like a statement or rule.
    passing: &'static [&'static str],
    /// Reminds of something to do ("don't forget to …"): an order for once, unless it says that it is for always.
    to_do: &'static [&'static str],
    /// Asks for what stands right before, or for what follows on the next line.
    pointing: &'static [&'static str],
    /// The clause is about every time.
    habit: &'static [&'static str],
    /// The clause is a rule.
    rule: &'static [&'static str],
    /// The clause is about the person.
    oneself: &'static [&'static str],
    /// The clause says what something is called or where it is.
    place: &'static [&'static str],
    /// The clause is only a thing, or about a past that both know, or cannot be read on its own.
    not_a_clause: &'static [&'static str],
}

/// The patterns of one language, compiled.
pub(in super::super) struct Remember {
    pub(in super::super) language: Language,
    pub(in super::super) plain: OneOf,
    pub(in super::super) passing: OneOf,
    pub(in super::super) to_do: OneOf,
    pub(in super::super) habit: Set,
    pub(in super::super) rule: Set,
    pub(in super::super) oneself: Set,
    pub(in super::super) place: Set,
    pub(in super::super) not_a_clause: Set,
}

/// What may stand before the request in English.
macro_rules! ask {
    ($rest:expr) => {
        concat!(
            r"(?i)^(?:(?:please|pls|also|and|oh|ok|okay|hey|btw|by the way|so|but|yes|no|important|one more thing|just|fyi|perfect|great|thanks|from now on)[,:!.]*\s+)*",
            $rest
        )
    };
}

const ENGLISH: Table = Table {
    language: Language::English,
    plain: &[
        ask!(
            r"(?:(?:(?:i (?:want|need) you to|you (?:should|must|have to|need to)|always) )?(?:remember|memori[sz]e)|(?:keep|bear) in mind|(?:don['’]t|do not|dont|never)(?: ever)? forget|(?:make|take) (?:a )?note)(?:,? (?:please|for (?:next time|the future|later|future sessions)|from now on))*(?:\s*:+\s*|\s+[—–-]\s+|\s+(?:the fact )?that[:,]?\s+)(?P<clause>\S.*)$"
        ),
        ask!(
            r"(?:(?:save|store|add|commit|put|write|note)(?: this| that| it)?(?: down)? (?:to|in|into) (?:your |the )?(?:long[- ]term )?memory|(?:save|store|record|note|remember|memori[sz]e) (?:this|the following)(?: down)?(?: for (?:later|next time|the future))?|note (?:down|for (?:the )?future|for later|for next time|to self)|to remember|for (?:the )?(?:future|next time))(?:\s*:+\s*|\s+[—–-]\s+)(?P<clause>\S.*)$"
        ),
        ask!(r"for (?:future|later) reference\s*[:,—–-]+\s*(?P<clause>\S.*)$"),
    ],
    passing: &[
        ask!(
            r"(?:remember|(?:keep|bear) in mind|(?:don['’]t|do not|dont|never) forget|for (?:the )?future reference)(?:,? please)?,?\s+(?P<clause>\S.*)$"
        ),
        r"(?i)^(?:can|could|will|would) you (?:please )?(?:remember|keep in mind|note) that (?P<clause>(?:i['’]m|i (?:prefer|like|use|am|work|never|always|don['’]t)|we (?:use|always|never|deploy|prefer)|(?:my|our) [\w -]{3,30} (?:is|are))\b.*)\?$",
    ],
    to_do: &[ask!(r"(?:remember|(?:don['’]t|do not|dont|never)(?: ever)? forget) to (?P<clause>\S.*)$")],
    pointing: &[
        r"^(?:(?:please|and|so|ok|always) )*(?:remember|memori[sz]e|don't forget|do not forget|note|keep|bear|save|store) (?:this|that|it|the following)(?: (?:in mind|down|to memory|in memory|in your memory))?(?:,? (?:please|for (?:next time|the future|later|future sessions)))*[.!:]*$",
        r"^(?:please )?(?:remember|(?:keep|bear) in mind|note for (?:the )?(?:future|later)|for future reference)(?: please)?[.!:]*$",
    ],
    habit: &[
        r"\b(?:always|never|whenever|from now on|in (?:the )?future|each time|every (?:single )?time|before you|before (?:commit|push|merg|deploy|releas)\w*ing)\b",
        r"\b(?:every|each) (?:new )?(?:commit|push|pr|pull request|merge|release|deploy\w*|day|week|session|change|morning|sprint|⟦d⟧)",
    ],
    rule: &[
        r"^(?:please )?(?:always|never|don't|do not|dont|avoid|stop|prefer|no )\b",
        r"^(?:you|we) (?:\w+ )?(?:must|should|have to|may) (?:always|never|not)\b|^(?:we|you) (?:always|never)\b|^you (?:must|should|may not|can't|cannot)\b",
        r"\b(?:must|should) (?:always|never)\b",
        r"^(?:please )?(?:ask|deploy|answer|reply|respond|format|name|squash|rebase|wait|confirm|double-check|stick|follow|start|work|treat|assume)\b \S",
    ],
    oneself: &[r"^(?:i|i'm|i've|i'd|my)\b"],
    place: &[
        r"\b(?:is|are) (?:called|named)\b|\blives? (?:in|at|on|under)\b|⟦u⟧|\b(?:hosted|tracked|kept|stored|documented|located) (?:in|at|on|under|by)\b",
    ],
    not_a_clause: &[
        r"^(?:it|this|that|they|these|those|he|she|when|how|what|why|who|where|which|if|whether|about|to)\b(?:'|\s)",
        r"^(?:[a-z]+ )?(?:bug|issue|time|thing|error|function|file|pr|ticket|one|conversation|discussion|day|test|commit|problem|idea|script|trick|meeting|branch|class|method|change|feature|part|place)\b (?:from|we|i|you|in|that|where|when|with|on|about|last|⟦d⟧)",
        r"^(?:i|we|you) (?:just |already |once |also |even )?(?:said|told|talked|discussed|did|had (?:this|that|the)|saw|spoke|tried|asked|mentioned|changed|fixed|made|wrote|moved|renamed|added|removed)\b",
        r"\b(?:still|yet) (?:need|have to|has to|to)\b|^(?:we|i|you) (?:still|only have|need to|have to|only need)\b",
        r"^⟦[qc]⟧[.!]?$",
    ],
};

const GERMAN: Table = Table {
    language: Language::German,
    plain: &[
        r"(?i)^(?:(?:bitte|und|also|ok|okay|ach|übrigens|wichtig)[,:!]?\s+)*(?:merke? dir|notiere? dir|behalte?(?: das)? im (?:kopf|hinterkopf|gedächtnis)|vergiss(?: bitte)? (?:nicht|nie)|denke? (?:bitte )?(?:immer )?(?:daran|dran)|du sollst dir merken|bitte merken|merken)(?: bitte| für die zukunft| für später| in zukunft)*(?:\s*:\s*|,? dass\s+)(?P<clause>\S.*)$",
        r"(?i)^(?:bitte |und )?(?:(?:notiz )?für (?:die zukunft|später)|zum merken|merksatz|fürs gedächtnis)\s*:\s*(?P<clause>\S.*)$",
    ],
    passing: &[r"(?i)^(?:(?:bitte|und|also)[,:!]?\s+)*merke? dir(?: bitte)?,?\s+(?P<clause>\S.*)$"],
    to_do: &[
        r"(?i)^(?:(?:bitte|und|also)[,:!]?\s+)*(?:vergiss(?: bitte)? (?:nicht|nie)|denke? (?:bitte )?(?:daran|dran)),?\s+(?P<clause>\S.*)$",
        r"(?i)^(?:(?:bitte|und|also)[,:!]?\s+)*denke? (?:bitte )?(?P<clause>(?:in zukunft|künftig|ab jetzt|immer|jedes mal) (?:bitte )?(?:daran|dran),?\s+\S.*)$",
    ],
    pointing: &[
        r"^(?:bitte )?(?:merke? dir (?:das|dies|folgendes)|vergiss das nicht|behalte? das im (?:kopf|hinterkopf))(?: bitte| für (?:die zukunft|später|das nächste mal))*[.!:]*$",
        r"^(?:bitte )?merke? dir(?: bitte)?[.!:]*$",
    ],
    habit: &[
        r"\b(?:immer|nie|niemals|jedes mal|jede[rmns]?|in zukunft|künftig|ab jetzt|bevor du|vor jede[mrn]|grundsätzlich)\b",
    ],
    rule: &[
        r"^(?:bitte )?(?:immer|nie|niemals|keine?n?|nicht|vermeide)\b",
        r"\b(?:immer|nie|niemals|grundsätzlich)\b",
        r"\b(?:darfst|dürfen|sollst|musst)\b",
    ],
    oneself: &[r"^(?:ich|mein|meine|mir|mich)\b"],
    place: &[r"\b(?:heißt|heißen|liegt|liegen|findest du|finden sich)\b|⟦u⟧"],
    not_a_clause: &[
        r"^(?:es|das|dies|er|sie|wie|was|warum|wer|wo|wann|ob|wenn)\s",
        r"^(?:wir|ich|du) (?:noch|gerade)\b",
        r"^⟦[qc]⟧[.!]?$",
    ],
};

const SPANISH: Table = Table {
    language: Language::Spanish,
    plain: &[
        r"(?i)^(?:(?:por favor|y|también|oye|ok|vale|importante)[,:!]?\s+)*(?:recuerda|recuerde|recordad|acuérdate(?: de)?|memoriza|ten(?:ga)?(?: siempre)? (?:en cuenta|presente|en mente)|no (?:te )?olvides(?: nunca)?(?: de)?|nunca olvides|apunta|anota|toma nota(?: de)?)(?:,? por favor)?(?:\s*:\s*|,?\s+que\s+)(?P<clause>\S.*)$",
        r"(?i)^(?:(?:nota )?para (?:el futuro|la próxima|más adelante)|para futuras? (?:referencias?|ocasiones)|a recordar)\s*[:,]\s*(?P<clause>\S.*)$",
    ],
    passing: &[],
    to_do: &[
        r"(?i)^(?:(?:por favor|y)[,:!]?\s+)*(?:recuerda|acuérdate de|no (?:te )?olvides(?: de)?)\s+(?P<clause>(?:siempre )?\p{L}+[aei]r(?:lo|la|los|las)?\b.*)$",
    ],
    pointing: &[
        r"^(?:por favor,? )?(?:recuérdalo|recuerda (?:esto|eso|lo siguiente)|no lo olvides|no olvides (?:esto|eso)|tenlo en cuenta|apúntalo|recuerda)(?:,? (?:por favor|para (?:el futuro|la próxima)))*[.!:]*$",
    ],
    habit: &[
        r"\b(?:siempre|nunca|jamás|cada (?:vez|commit|día|semana|cambio|push|despliegue)|antes de cada|todos los|en el futuro|a partir de ahora|de ahora en adelante)\b",
    ],
    rule: &[
        r"^(?:siempre|nunca|jamás|evita|no (?:uses|hagas|subas|escribas|toques|pongas|borres|despliegues|publiques|mezcles|empujes))\b",
        r"\b(?:siempre|nunca|jamás) (?:hay que|se debe|debes|debemos|hagas|uses|subas|despliegues)\b|\b(?:nunca|siempre) \p{L}+(?:mos|es|as)\b|\bhay que \p{L}+r (?:.* )?siempre\b",
    ],
    oneself: &[r"^(?:yo|soy|prefiero|mi|mis|me|trabajo|no me gusta)\b"],
    place: &[r"\b(?:se llama|se llaman|está en|están en|vive en|viven en|se encuentra|se encuentran)\b|⟦u⟧"],
    not_a_clause: &[
        r"^(?:esto|eso|ese|esa|él|ella|lo|cuando|cómo|qué|si|quién|dónde)\s",
        r"^(?:todavía|aún)\b",
        r"^⟦[qc]⟧[.!]?$",
    ],
};

const FRENCH: Table = Table {
    language: Language::French,
    plain: &[
        r"(?i)^(?:(?:s['’]il te plaît|et|aussi|ok|au fait|important)[,:!]?\s+)*(?:souviens-toi(?: bien)?|souvenez-vous|rappelle-toi(?: bien)?|retiens(?: bien)?|retenez|mémorise|n['’]oublie (?:pas|jamais)|n['’]oubliez pas|garde(?: bien)? (?:en tête|à l['’]esprit|en mémoire)|note bien|prends note)(?:,? s['’]il te plaît)?(?:\s*:\s*|,?\s+qu(?:e\s+|['’]))(?P<clause>\S.*)$",
        r"(?i)^(?:note pour (?:l['’]avenir|plus tard|la suite)|pour (?:l['’]avenir|la prochaine fois|mémoire|référence)|à retenir)\s*[:,]\s*(?P<clause>\S.*)$",
    ],
    passing: &[],
    to_do: &[
        r"(?i)^(?:(?:s['’]il te plaît|et)[,:!]?\s+)*(?:n['’]oublie (?:pas|jamais)|n['’]oubliez pas|pense|souviens-toi) (?:bien )?(?:à |de |d['’])(?P<clause>\S.*)$",
    ],
    pointing: &[
        r"^(?:s'il te plaît,? )?(?:retiens(?:-le| ça| cela| ceci)?|souviens-t'en|souviens-toi de (?:ça|cela|ceci)|n'oublie pas (?:ça|cela)|ne l'oublie pas|mémorise(?:-le| ça| cela))(?:,? (?:s'il te plaît|pour (?:l'avenir|la prochaine fois)))*\s*[.!:]*$",
    ],
    habit: &[
        r"\b(?:toujours|jamais|à chaque|chaque (?:fois|commit|jour|semaine|push|déploiement)|avant chaque|tous les|à l'avenir|désormais|dorénavant)\b",
    ],
    rule: &[
        r"^(?:toujours|jamais|évite|(?:ne |n')\p{L}+ (?:pas|jamais))\b",
        r"\b(?:il faut toujours|il ne faut (?:jamais|pas)|tu ne dois (?:jamais|pas)|on ne \p{L}+ jamais|nous ne \p{L}+ jamais|on \p{L}+ toujours|nous \p{L}+ toujours)\b",
    ],
    oneself: &[r"^(?:je |j'|mon |ma |mes |moi)"],
    place: &[r"\b(?:s'appelle|s'appellent|se trouve|se trouvent|est hébergée?|est sur|sont sur)\b|⟦u⟧"],
    not_a_clause: &[
        r"^(?:ça|cela|ceci|ce|il|elle|quand|comment|si|quoi|où|qui)\s",
        r"^(?:on|nous) (?:doit|devons|a|avons) encore\b",
        r"^⟦[qc]⟧[.!]?$",
    ],
};

const CHINESE: Table = Table {
    language: Language::Chinese,
    plain: &[
        r"^(?:好的?[，,]|对了[，,]|另外[，,]?)?(?:请|麻烦)?(?:你)?(?:一定|务必|要|帮我|永远)?(?:记住|牢记|记一下|记下(?:来)?|记到记忆里|存到记忆里)(?:了)?[：:，,、—\s]+(?P<clause>[^：:，,、。！\s].*)$",
        r"^(?:给以后的备注|备忘|以后参考|供以后参考)[：:，,]\s*(?P<clause>\S.*)$",
        r"^(?P<clause>.{5,})[，,](?:请)?(?:你)?(?:一定要?|务必)?(?:记住|牢记)(?:了|这一?点)?[。！!]?$",
    ],
    passing: &[
        r"^(?:另外[，,]?)?(?:请|麻烦)?(?:你)?(?:一定|务必|要|帮我|永远)?(?:记住|牢记)(?P<clause>[^：:，,、。！\s].*)$",
    ],
    to_do: &[
        r"^(?:请|麻烦|另外[，,]?)?(?:你)?(?:一定|务必|要)?(?:记得|别忘了?|别忘记|不要忘记|不要忘了?|请勿忘记)[：:，,\s]*(?P<clause>\S.*)$",
    ],
    pointing: &[
        r"^(?:请|你)?(?:一定要?|务必)?(?:记住|牢记|别忘了|记下来|记一下)(?:了|这个|这点|这一点|这条|以下(?:几点|内容)?)?[。！!：:]*$",
    ],
    habit: &[r"每次|总是|永远|一律|以后|今后|每个|每天|始终|都要|都必须|前一定|前必须|从不"],
    rule: &[
        r"^(?:永远|绝对|千万|一律|始终|总是|每次|不要|别|禁止|必须|务必|不准|不能)",
        r"前(?:一定|必须|都|务必|总是)?(?:一定)?要?先|一定要|必须|不要|禁止|都要|不能",
    ],
    oneself: &[r"^我(?:[^们]|$)"],
    place: &[r"叫做?|名为|名字是|地址(?:是|在)|位于|放在|存在|⟦u⟧"],
    not_a_clause: &[r"^(?:这|那|它|他|她|什么|怎么|为什么|谁|哪|要|去|把)", r"^⟦[qc]⟧[。！]?$", r"^(?:昨天|上次|刚才)"],
};

const JAPANESE: Table = Table {
    language: Language::Japanese,
    plain: &[
        r"^(?:あと|ちなみに|それと)?[、,]?(?:必ず|ちゃんと)?(?:覚えておいて|覚えて(?:い)?て|記憶して(?:おいて)?|メモして(?:おいて)?)(?:ください|下さい|ね|ほしい|くれ|ほしいのですが|ほしいんですが)?[：:、。，]\s*(?P<clause>\S.*)$",
        r"^(?:今後のため(?:に|のメモ)?|今後の参考に|次回のため(?:に)?|備忘録?)[：:、]\s*(?P<clause>\S.*)$",
        r"^(?P<clause>.{4,}?)(?:という|って)?(?:こと|の|点)(?:を|は)(?:必ず|ちゃんと)?(?:覚えておいて|覚えて(?:い)?て|頭に入れておいて|念頭に置いて|記憶して(?:おいて)?)(?:ください|下さい|ね|ほしい|くれ|おいて)*[。！!]?$",
        r"^(?P<clause>.{4,}?)(?:と|って)覚えておいて(?:ください|下さい|ね|ほしい)?[。！!]?$",
    ],
    passing: &[],
    to_do: &[
        r"^(?P<clause>.{4,}?)(?:という)?(?:こと|の|点)?(?:を|は)(?:絶対に?|決して)?忘れないで(?:ください|下さい|ね|ほしい|くれ)?[。！!]?$",
    ],
    pointing: &[
        r"^(?:これ|それ|以下)?(?:を|は)?(?:必ず|ちゃんと)?(?:覚えておいて|忘れないで|記憶しておいて|メモしておいて)(?:ください|下さい|ね)?[。！!：:]*$",
    ],
    habit: &[
        r"必ず|常に|毎回|いつも|毎日|する前に(?:は)?必ず|今後|である$|です$|は.+にある$|は.+で(?:ある|す)$|なっている$",
    ],
    rule: &[r"必ず|常に|絶対に|毎回|いつも|決して|ないで|てはいけない|てはならない|禁止|してください|すること"],
    oneself: &[r"^(?:私|僕|俺|自分|わたし)"],
    place: &[r"という名前|と呼ばれ|にあります|にある|に置いて|⟦u⟧"],
    not_a_clause: &[r"^(?:この|その|あの|これ|それ|あれ|昨日|先週|さっき|後で|あとで)", r"^⟦[qc]⟧[。！]?$"],
};

/// Every language's patterns. The request itself shows its language, better than the few words around it.
pub(in super::super) static REMEMBER: LazyLock<Vec<Remember>> = LazyLock::new(|| {
    TABLES
        .iter()
        .map(|table| Remember {
            language: table.language,
            plain: OneOf::of(table.plain),
            passing: OneOf::of(table.passing),
            to_do: OneOf::of(table.to_do),
            habit: Set::of(table.habit),
            rule: Set::of(table.rule),
            oneself: Set::of(table.oneself),
            place: Set::of(table.place),
            not_a_clause: Set::of(table.not_a_clause),
        })
        .collect()
});

/// Whether a text as typed asks for something to be remembered in one of the languages: most do not.
pub(in super::super) static ASKS: LazyLock<Set> = LazyLock::new(|| {
    let patterns = TABLES.iter().flat_map(|table| [table.plain, table.passing, table.to_do]).flatten().copied();
    Set::of(&patterns.collect::<Vec<_>>())
});

/// The same for masked text that points at what is to be remembered.
pub(in super::super) static POINTS: LazyLock<Set> =
    LazyLock::new(|| Set::of(&TABLES.iter().flat_map(|table| table.pointing).copied().collect::<Vec<_>>()));

const TABLES: &[Table] = &[ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE, JAPANESE];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_every_language_compiles() {
        assert!(ASKS.is_whole() && POINTS.is_whole());
        for (table, compiled) in TABLES.iter().zip(REMEMBER.iter()) {
            for patterns in [&compiled.plain, &compiled.passing, &compiled.to_do] {
                assert!(patterns.is_whole(), "{:?}", table.language);
            }
            for set in [&compiled.habit, &compiled.rule, &compiled.oneself, &compiled.place, &compiled.not_a_clause] {
                assert!(set.is_whole(), "{:?}", table.language);
            }
        }
    }
}
