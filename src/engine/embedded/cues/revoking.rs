//! How a sentence takes back what was said before, in all languages at once: groups `about`, `more` and `rest` name what.
//!
//! Matched on text as typed, with one apostrophe, openings taken off. Not its job: which memory is meant (see
//! [`super::super::revoke`]).

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::memory::likeness::patterns::OneOf;

/// In what way a sentence takes something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Manner {
    /// It names what is to be forgotten: "forget what I said about early returns".
    Topic,
    /// A freeze, a ban or a limit is over: "the freeze is off".
    Norm,
    /// What was forbidden is allowed: "emojis in commits are fine again".
    Permit,
    /// A tool or a habit is given up: "we got rid of Yarn".
    Use,
    /// A thing is kept at another place: "bugs moved to Linear".
    Move,
    /// A duty has ended: "you don't have to run the linter any more".
    Duty,
    /// Anything else that holds no longer: "the runbooks aren't in Confluence any more".
    State,
}

/// Words without which no sentence takes anything back: asked first, of every sentence.
static MAY: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = [
        "switched",
        "moved",
        "migrated",
        "changed from",
        "took over",
        "taken over",
        "takes over",
        "taking over",
        "inherit",
        "umgestiegen",
        "gewechselt",
        "umgestellt",
        "umgezogen",
        "gewandert",
        "migr",
        "passé",
        "déplac",
        "pasado",
        "pasamos",
        "pasaron",
        "cambi",
        "movi",
        "mudar",
        "换",
        "迁",
        "搬",
        "不在",
        "から",
        "移",
        "from now on",
        "forget",
        "ignore",
        "drop",
        "scrap",
        "disregard",
        "remove",
        "delete",
        "no longer",
        "any more",
        "anymore",
        "any longer",
        "these days",
        "stopped",
        "rid of",
        "ditched",
        "given up",
        "gave up",
        "done with",
        "moved off",
        "moved away",
        "switched away",
        " off",
        "stop ",
        "over",
        "lifted",
        "gone",
        "unfrozen",
        "cancelled",
        "canceled",
        "called off",
        "revoked",
        "dropped",
        "obsolete",
        "void",
        "ended",
        "apply",
        "fine",
        "okay",
        " ok",
        "allowed",
        "welcome",
        "again",
        "vergiss",
        "vergesst",
        "vergessen",
        "ignorier",
        "streich",
        "lösch",
        "mehr",
        "aufgehoben",
        "vorbei",
        "beendet",
        "hinfällig",
        "abgesagt",
        "abgeschafft",
        "erlaubt",
        "in ordnung",
        "wieder",
        "gestrichen",
        "weg",
        "oubli",
        "plus",
        "levé",
        "annulé",
        "terminé",
        "fini",
        "supprimé",
        "permis",
        "autoris",
        "olvid",
        "ignora",
        "ya no",
        "levant",
        "termin",
        "acab",
        "permit",
        "dejamos",
        "cancel",
        "忘",
        "不用",
        "不再",
        "取消",
        "解除",
        "解冻",
        "解封",
        "忽略",
        "别管",
        "不管",
        "不需要",
        "不必",
        "作废",
        "结束",
        "没有了",
        "可以",
        "忘れ",
        "もう",
        "なくて",
        "中止",
        "キャンセル",
        "anul",
        "無効",
        "廃止",
        "撤回",
        "不要",
        "終わ",
        "終了",
        "いりません",
        "なしで",
        "構いません",
        "大丈夫",
        "今後",
        "これから",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()
});

/// Whether a sentence has one of the words that taking back takes.
pub(in super::super) fn may(text: &str) -> bool {
    MAY.as_ref().is_some_and(|marks| marks.is_match(text))
}

/// Words that ask to forget, in English.
macro_rules! forget {
    ($rest:literal) => {
        concat!(
            r"(?i)^(?:please |pls |then |so |you can |you may |we can |you could |feel free to |just |now )*(?:forget|ignore|drop|scrap|disregard|remove|delete) (?:about )?(?:all )?",
            $rest
        )
    };
}

/// What is off when it is over.
macro_rules! norm {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:freeze|moratorium|embargo|ban|limit|cap|restriction|requirement|rule|policy|convention|lockdown|quiet period|stopp?|regel|vorgabe|verbot|pflicht|grenze|beschränkung|limit|sperre|codefreeze|gel|règle|consigne|interdiction|limite|restriction|obligation|regla|norma|congelación|congelamiento|prohibición|límite|restricción|obligación)",
            $after
        )
    };
}

/// The patterns, the surest manner first.
pub(in super::super) static REVOKING: LazyLock<[(Manner, OneOf); 7]> = LazyLock::new(|| {
    [
        (Manner::Topic, OneOf::of(TOPIC)),
        (Manner::Norm, OneOf::of(NORM)),
        (Manner::Permit, OneOf::of(PERMIT)),
        (Manner::Use, OneOf::of(USE)),
        (Manner::Move, OneOf::of(MOVE)),
        (Manner::Duty, OneOf::of(DUTY)),
        (Manner::State, OneOf::of(STATE)),
    ]
});

const TOPIC: &[&str] = &[
    forget!(
        r"(?:the |that |my |our )?(?:old |previous )?(?:(?:rule|note|thing|memory|preference|policy|convention|instruction|freeze|requirement|ban|part|bit|stuff)s? (?:about|on|for|that|of|with|regarding|saying) )(?P<about>[^,;.:?—–]{3,80})"
    ),
    forget!(
        r"(?:what|everything|anything|all|whatever) (?:that )?(?:i|we)(?:'ve| have| had)? (?:ever )?(?:said|told you|wrote|asked(?: you)?|mentioned|taught you|explained)(?: (?:to you|before|back then|yesterday|the other day|last [a-z]+|some time ago|a while ago|in [a-z]+))* (?:about|on|regarding|concerning|for) (?P<about>[^,;.:?—–]{3,80})"
    ),
    r"(?i)^(?:please |you can |we can )*(?:forget|drop|scrap) (?:about )?(?:the |our |my )(?P<about>[^,;.:?—–]{3,60}?) (?:rule|policy|convention|preference|requirement|ban|thing|habit|note|memory)\b",
    r"(?i)^(?:please |you can )*forget that (?P<about>(?:i|i'm|we|we're|our|my|the) [^,;.:?—–]{5,80})",
    r"(?i)^i (?:don't|do not|dont|no longer) (?:really )?(?:care|insist|bother|mind)(?: about| for| on| if| whether)? (?P<about>[^,;.:?—–]{3,60}?) (?:any ?more|any longer)\b|^i no longer (?:care about|insist on|want|need|prefer|like|mind) (?P<more>[^,;.:?—–]{3,60})",
    // German
    r"(?i)^(?:bitte |du kannst |ihr könnt )*(?:vergiss|vergesst|ignoriere?|streiche?|lösche?)(?: bitte)?,? (?:die|das|den) (?:regel|sache|vorgabe|notiz|ding|wunsch|hinweis) (?:mit|zu|zum|zur|über|für|von|wegen) (?:den |der |dem |die |das )?(?P<about>[^,;.:?—–]{3,60})",
    r"(?i)^(?:bitte |du kannst )*(?:vergiss|vergesst|ignoriere?)(?: bitte)?,? (?:alles,? )?(?:was|das,? was) (?:ich|wir) (?:dir |euch )?(?:letzte\w* \w+ |damals |neulich |mal |früher )?(?:über|zu|zum|zur|wegen|von|vom|bezüglich) (?:den |der |dem |die |das )?(?P<about>[^,;.:?—–]{3,60}?) (?:gesagt|geschrieben|erzählt|meinte|sagte)\b",
    r"(?i)^(?:die |den |das )(?P<about>[^,;.:?—–]{3,60}?)(?:[- ]?(?:regel|vorgabe|vorschrift|konvention|sache))? (?:kannst|könnt|kann|darfst) (?:du|ihr|man) (?:jetzt |wieder |ruhig |getrost )*(?:vergessen|streichen|ignorieren)\b",
    // French
    r"(?i)^(?:tu peux )?(?:oublier?|ignorer?)(?: s'il te plaît)? (?:la règle|la consigne|le truc|la note|l'histoire) (?:sur|des|du|de la|de|pour|d')(?: les| la| le)? ?(?P<about>[^,;.:?—–]{3,60})",
    r"(?i)^(?:tu peux )?(?:oublier?|ignorer?)(?: tout)? ce que (?:je t'ai|j'ai|on a|je t'avais|j'avais) (?:dit|demandé|écrit|expliqué)(?: [^,;.:?—–]{2,20}?)? (?:sur|à propos (?:de|des|du)|au sujet (?:de|des|du)|concernant|pour)(?: les| la| le)? (?P<about>[^,;.:?—–]{3,60})",
    // Spanish
    r"(?i)^(?:puedes )?(?:olvidar?|ignorar?) (?:la regla|la norma|la nota|lo) (?:de|sobre|del)(?: los| las| la| el)? (?P<about>[^,;.:?—–]{3,60})",
    r"(?i)^(?:puedes )?(?:olvidar?|ignorar?) (?:todo )?lo que (?:te )?(?:dije|dijimos|he dicho|había dicho|pedí|conté|comenté)(?: [^,;.:?—–]{2,20}?)? (?:sobre|acerca de|respecto a|de)(?: los| las| la| el)? (?P<about>[^,;.:?—–]{3,60})",
    // Chinese
    r"^(?:请|你可以|麻烦)?(?:忘掉|忘了|忘记|不用管|别管|不用理会|忽略)(?:我|我们)(?:之前|以前|上次|上周|曾经)?(?:说过|说|讲|提|提过|告诉你|要求)(?:的)?(?:关于|有关)?(?P<about>[^，。,；]{2,30}?)(?:的)?(?:事|事情|话|规则|要求|那条|那些|内容)?[。！]?$",
    r"(?:忘掉|忘了|不用管|别管|取消|忽略)(?:之前)?(?:关于)?(?P<about>[^，。,；]{2,30}?)(?:的)?(?:规则|规定|要求|约定|那条|限制)",
    r"^(?:之前|以前|上次)(?:说过|说|讲|提)(?:的)?(?:关于)?(?P<about>[^，。,；]{2,30}?)(?:的)?(?:事|规则|要求|那条)?(?:就)?(?:忘了吧|忘掉吧|不用管了|作废|不算了)",
    // Japanese
    r"^(?P<about>[^、。；]{2,30}?)(?:の|という|との)(?:ルール|件|方針|話|決まり|お願い|指示)(?:は|も)(?:もう)?(?:忘れて|いりません|不要|なしで|無効|廃止|撤回)",
    r"^(?:以前|前に|先週|この前)?(?P<about>[^、。；]{2,30}?)(?:について|に関して)(?:私が|僕が|以前|前に|先週)*(?:言った|話した|頼んだ|お願いした)(?:こと|件|内容)は(?:もう)?(?:忘れて|無視して|なかったこと)",
];

const NORM: &[&str] = &[
    norm!(
        r"(?i)^(?:the |our |that )?(?P<about>(?:[^,;.:?—–]{2,40} )?",
        r"(?: (?:on|of|for|from) [^,;.:?—–]{2,40}?)?)(?:'s| is| are| has been| have been| was| got| has)? (?:now |finally |officially |already |just )*(?:off|over|lifted|gone|void|obsolete|dead|done|cancelled|canceled|called off|revoked|dropped|abolished|ended|removed)(?: now| again| at last)?(?:[.,;!]|$| so\b| and\b| as of\b| since\b)"
    ),
    r"(?i)^(?:the |our |that )?(?P<about>[^,;.:?—–]{3,60}?)(?: rule| policy| convention| requirement| ban)? (?:no longer (?:applies|holds|matters|exists|counts)|is over(?: now)?(?:[.,;!]|$)|is (?:lifted|obsolete|void|cancelled|canceled|off the table)|(?:doesn't|does not) apply (?:any ?more|now)|(?:has been|was|is) (?:lifted|dropped|cancelled|canceled|called off|revoked))\b",
    r"(?i)^(?P<about>[^,;.:?—–]{2,40}) (?:is|are) (?:now |finally |officially )*(?P<more>unfrozen|unlocked|thawed)\b",
    // German
    norm!(
        r"(?i)^(?:die |der |das |unsere?r? )?(?P<about>(?:[^,;.:?—–]{2,40}[ -])?",
        r"(?: (?:für|auf|von|in|im) [^,;.:?—–]{2,40}?)?) (?:ist|sind|wurde|wurden) (?:jetzt |nun |endlich |schon |wieder )*(?:aufgehoben|vorbei|hinfällig|abgesagt|abgeschafft|gestrichen|beendet|weg|rum|um|zu ende|aus)(?:[.,;!]|$| und\b)"
    ),
    r"(?i)^(?:die |der |das |unsere? )?(?P<about>[^,;.:?—–]{3,60}?)(?:[- ]?(?:regel|vorgabe|konvention))? (?:gilt|gelten) nicht mehr\b|^(?:die |der |das )?(?P<more>[^,;.:?—–]{3,60}?) (?:ist|sind|wurde) (?:jetzt |endlich )?(?:aufgehoben|vorbei|hinfällig|abgesagt)\b",
    // French
    norm!(
        r"(?i)^(?:la |le |les |l'|notre )?(?P<about>",
        r"(?: (?:sur|de|des|du|pour|d')[^,;.:?—–]{2,40}?)?) (?:est|sont|a été) (?:maintenant |enfin |désormais )*(?:levée?s?|annulée?s?|terminée?s?|finie?s?|supprimée?s?|abolie?s?)\b"
    ),
    r"(?i)^(?:la |le |les |l')?(?P<about>[^,;.:?—–]{3,60}?) (?:ne s'applique(?:nt)? plus|n'est plus (?:valable|valide|vrai|en vigueur)|est levée?|est annulée?)\b",
    // Spanish
    norm!(
        r"(?i)^(?:la |el |los |las |nuestra |nuestro )?(?P<about>",
        r"(?: (?:de|del|sobre|para|en) [^,;.:?—–]{2,40}?)?) (?:ya )?(?:se (?:levantó|ha levantado|acabó|terminó|canceló|quitó)|terminó|acabó|está (?:levantad[oa]|anulad[oa]|cancelad[oa])|ha (?:terminado|acabado)|ya no (?:está|existe))\b"
    ),
    r"(?i)^(?:ya )?se (?:levantó|ha levantado|acabó|ha acabado|terminó|canceló|anuló|quitó) (?:la |el |los |las )(?P<about>[^,;.:?—–]{3,60})",
    r"(?i)^(?:la |el |los |las )?(?P<about>[^,;.:?—–]{3,60}?) (?:está|fue|ha sido|queda|se ha|se) (?:cancelad[oa]|anulad[oa]|canceló|anuló)\b",
    r"(?i)^(?:la |el |los |las )?(?P<about>[^,;.:?—–]{3,60}?) ya no (?:se )?(?:aplica|vale|rige|existe)n?\b",
    // Chinese
    r"^(?P<about>[^，。,；]{2,30}?)(?:的)?(?:规则|规定|要求|约定|限制)?(?:不再适用|已经?取消|已经?解除|已经?结束|解除了|取消了|结束了|作废了?)",
    r"^(?P<about>[^，。,；]{2,20}?)(?:已经|终于)?(?P<more>解冻|解封)了?[。！]?$",
    // Japanese
    r"^(?P<about>[^、。；]{2,30}?)(?:は|が)(?:もう|やっと)?(?:(?:中止|キャンセル)(?:です|になりました|になった|されました|となりました)|解除され(?:ました|た)|解除(?:です|になりました)|終わりました|終わった|終了しました|終了です|廃止(?:され|になり)ました|無効(?:です|になりました)|撤回され(?:ました|た))",
];

const PERMIT: &[&str] = &[
    r"(?i)^(?P<about>[^,;.:?—–]{4,70}?) (?:is|are) (?:(?:actually |totally |perfectly )?(?:fine|ok|okay|allowed|permitted|welcome|possible)(?: (?:again|now|by now|from now on|these days|after all))|(?:now |again )(?:fine|ok|okay|allowed|permitted|welcome|possible))\b",
    r"(?i)^(?:you|we) (?:can|may|are allowed to) (?P<about>[^,;.:?—–]{4,70}?) (?:again|from now on)\b",
    r"(?i)^(?P<about>[^,;.:?—–]{4,70}?) (?:ist|sind) (?:jetzt |ab jetzt |ab sofort |inzwischen |wieder )+(?:erlaubt|ok|okay|in ordnung|möglich)\b",
    r"(?i)^(?:du|ihr|wir) (?:darfst|dürft|dürfen|kannst|könnt|können) (?:jetzt |ab jetzt )?wieder (?P<about>[^,;.:?—–]{4,70})",
    r"(?i)^(?P<about>[^,;.:?—–]{4,70}?) (?:est|sont) (?:maintenant |désormais |de nouveau |à nouveau )+(?:permise?s?|autorisée?s?|ok|possibles?)\b",
    r"(?i)^(?:tu peux|on peut|vous pouvez) (?:de nouveau|à nouveau) (?P<about>[^,;.:?—–]{4,70})",
    r"(?i)^(?P<about>[^,;.:?—–]{4,70}?) (?:está|están) (?:ahora |de nuevo |otra vez )*(?:permitid[oa]s?|bien)(?: de nuevo| otra vez| ahora)\b|^(?:ya |ahora )?(?:se puede|puedes|podemos) (?P<more>[^,;.:?—–]{4,70}?) (?:de nuevo|otra vez)\b",
    r"^(?:现在|以后)?(?:又)?可以(?:再)?(?P<about>[^，。,；]{2,30}?)了[。！]?$|^(?P<more>[^，。,；]{2,30}?)(?:现在|又|以后)(?:可以|允许)了[。！]?$",
    r"^(?P<about>[^，。,；]{2,20}?)(?:现在|又|以后)?可以(?:用|使用|写|加)?(?P<more>[^，。,；]{2,20}?)了[。！]?$",
    r"^(?P<about>[^、。；]{2,30}?)(?:は|も|て)(?:もう|今後は?|これからは?)(?:構いません|大丈夫|問題ありません|OK)(?:です)?",
];

const USE: &[&str] = &[
    r"(?i)^we (?:don't|do not|dont|no longer) (?:do|use|need|have|follow|want|enforce|support) (?P<about>[^,;.:?—–]{3,60}?) (?:any ?more|any longer|these days)\b",
    r"(?i)^we(?:'re| are)? no longer (?:do|doing|use|using|need|have|follow|following|want|enforce|enforcing|support|on) (?P<about>[^,;.:?—–]{3,60})",
    r"(?i)^we(?:'re| are) not (?:using|doing|following|on|enforcing|supporting) (?P<about>[^,;.:?—–]{2,60}?) (?:any ?more|any longer|these days)\b",
    r"(?i)^we(?:'ve| have)? (?:finally |now )?(?:stopped using|quit using|got rid of|gotten rid of|ditched|given up(?: on)?|gave up(?: on)?|moved (?:off|away from)|switched away from|stopped with) (?P<about>[^,;.:?—–]{2,60})",
    r"(?i)^we(?:'ve| have)? (?:just |now |finally |recently )*(?:switched|moved|migrated|changed) (?:over )?from (?P<about>[^,;.:?—–]{2,40}?) to\b",
    r"(?i)^wir (?:sind|haben) (?:jetzt |inzwischen )?von (?P<about>[^,;.:?—–]{2,40}?) (?:auf|zu) [^,;.:?—–]{2,40} (?:umgestiegen|gewechselt|umgestellt|migriert)\b",
    r"(?i)^(?:on est passés?|nous sommes passés?|on a migré|nous avons migré) de (?P<about>[^,;.:?—–]{2,40}?) (?:à|vers|sur)\b",
    r"(?i)^(?:hemos pasado|pasamos|cambiamos|migramos|hemos migrado|hemos cambiado) de (?P<about>[^,;.:?—–]{2,40}?) a\b",
    r"^(?:我们)?(?:已经|现在)?(?:从|由)\s?(?P<about>[^，。,；]{2,20}?)\s?(?:换成|换到|迁移到|迁到|改成|改用|切换到)",
    r"^(?P<about>[^、。；]{2,20}?)から[^、。；]{2,20}(?:に|へ)(?:移行しました|乗り換えました|切り替えました|移行済み)",
    r"(?i)^we(?:'re| are) (?:done with|off) (?P<about>[^,;.:?—–]{2,60}?)(?: now)?(?:[.,;!]|$)",
    r"(?i)^(?P<about>[\w.+#-]+(?: [\w.+#-]+)?) is (?:gone|history|out)(?: now)?[,;] we(?:'re| are)? (?:now )?(?:use|using|install|build|deploy|run|on|have|do|go)\b",
    r"(?i)^wir (?:nutzen|benutzen|verwenden|haben|brauchen|machen) (?:kein(?:e|en)? )?(?P<about>[^,;.:?—–]{2,60}?) (?:nicht )?mehr(?:[.,;!]|$| und\b| seit\b)",
    r"(?i)^(?P<about>[^,;.:?—–]{2,40}?) (?:brauchen|nutzen|benutzen|verwenden|haben|setzen) wir (?:jetzt |inzwischen |eigentlich )?(?:gar )?nicht mehr(?: ein)?(?:[.,;!]|$| und\b| seit\b)",
    r"(?i)^(?P<about>[^,;.:?—–]{2,40}?),? ya no (?:lo|la|los|las) (?:usamos|utilizamos|necesitamos)\b",
    r"(?i)^(?P<about>[^,;.:?—–]{2,40}?),? on (?:ne |n')?(?:l'utilise|les utilise|en a|s'en sert|s'en) plus\b",
    r"^(?P<about>[^，。,；]{2,20}?)\s?(?:我们)?(?:已经|现在)?(?:不再用|不再使用|不用|不使用|弃用)了(?:[，。,；！]|$)",
    r"(?i)^on (?:n'|ne )?(?:utilise|se sert|a|fait) plus (?:de |d'|du )?(?P<about>[^,;.:?—–]{2,60})",
    r"(?i)^(?:nosotros )?(?:ya no (?:usamos|utilizamos|tenemos|hacemos)|dejamos de usar|hemos dejado de usar) (?P<about>[^,;.:?—–]{2,60})",
    r"^(?:我们)?(?:已经|现在)?(?:不再用|不再使用|不用|不使用|弃用)\s?(?P<about>[^，。,；]{2,20}?)\s?了?[，。,；！]|^(?:我们)?(?:已经|现在)?(?:不再用|不再使用|不用|不使用|弃用)\s?(?P<more>[^，。,；]{2,20}?)\s?了?$",
    r"^(?:うちは|私たちは)?(?:もう)?(?P<about>[^、。；]{2,20}?)は?を?もう(?:使っていません|使いません|使ってない|使わない|やめました)|^もう(?P<more>[^、。；]{2,20}?)は?を?(?:使っていません|使いません|使ってない|使わない|やめました)",
];

const MOVE: &[&str] = &[
    r"(?i)^(?:the |our |all |all our )?(?P<about>[^,;.:?—–]{3,40}?) (?:have |has |are |is |were |was |just |now |all |recently )*(?:moved|migrated|moving|relocated) (?:over )?to\b",
    r"(?i)^(?:die |der |das |unsere? |alle )?(?P<about>[^,;.:?—–]{3,40}?) (?:ist|sind|wurden?) (?:jetzt |nun |inzwischen )*(?:nach|zu|in|auf) [^,;.:?—–]{2,40} (?:umgezogen|gewandert|verschoben|migriert)\b",
    r"(?i)^(?:les |la |le |nos |tous les )?(?P<about>[^,;.:?—–]{3,40}?) (?:ont été|a été|sont|est) (?:maintenant )?(?:déplacée?s?|migrée?s?|passée?s?) (?:vers|dans|sur|à)\b",
    r"(?i)^(?:los |las |la |el |nuestros |nuestras )?(?P<about>[^,;.:?—–]{3,40}?) (?:se (?:movieron|movió|mudaron|mudó|pasaron|pasó|migraron)|pasaron|han pasado) (?:a|al)\b",
    r"^(?:我们的)?(?P<about>[^，。,；]{2,16}?)(?:已经|现在|都)*(?:搬到|迁到|迁移到|移到|搬去)了?",
    r"^(?P<about>[^、。；]{2,16}?)は(?:もう|今は|すべて)?[^、。；]{2,20}(?:に|へ)(?:移りました|移行しました|移した|移動しました)",
];

const DUTY: &[&str] = &[
    r"(?i)^(?:you|we) (?:don't|do not|dont|no longer) (?:really )?(?:have|need|got) to (?P<about>[^,;.:?—–]{4,70}?) (?:any ?more|any longer|from now on|these days)\b",
    r"(?i)^(?:you|we) no longer (?:have|need) to (?P<about>[^,;.:?—–]{4,70})",
    r"(?i)^(?:there(?:'s| is) )?no (?:more )?need to (?P<about>[^,;.:?—–]{4,70}?) (?:any ?more|any longer|from now on)\b",
    r"(?i)^(?:please )?(?:you can |you may |we can )?(?:stop|quit) (?P<about>[a-z]+ing [^,;.:?—–]{4,70}? (?:every|each|all the|any more|anymore)\b[^,;.:?—–]{0,30})",
    r"(?i)^(?:du|ihr|wir) (?:musst|müsst|müssen|brauchst|braucht|brauchen) (?P<about>[^,;.:?—–]{3,60}?) nicht mehr(?P<more>[^,;.:?—–]{0,50})",
    r"(?i)^(?:tu n'as|vous n'avez|on n'a|il n'y a|t'as|y a)? ?plus besoin (?:de |d')(?P<about>[^,;.:?—–]{4,70})|^(?:tu n'es|vous n'êtes) plus obligée?s? (?:de |d')(?P<more>[^,;.:?—–]{4,70})",
    r"(?i)^ya no (?:hace falta|es necesario|tienes que|necesitas|hay que|tenemos que)(?: que)? (?P<about>[^,;.:?—–]{4,70})",
    r"^(?:你)?(?P<about>[^，。,；]{0,12}?)(?:以后|今后|现在)?(?:不用再|不需要再|不必再|不用|不需要|不必)(?P<more>[^，。,；]{2,30}?)了[。！，]?",
    r"^(?P<about>[^、。；]{2,20}?(?:前に|たびに|毎回|いちいち|必ず)[^、。；]{1,16}?)なくて(?:も)?(?:いい|よい|大丈夫|構いません|結構)(?:です)?[。！]?$",
    r"^(?:もう|今後は?|これからは?)(?P<about>[^、。；]{2,30}?)(?:しなくて(?:も)?(?:いい|よい|大丈夫|構いません)|なくて(?:も)?(?:いい|よい|大丈夫|構いません)|する必要は(?:もう)?(?:ありません|ない))|^(?P<more>[^、。；]{2,30}?)(?:は|を|の)?もう(?:しなくて(?:も)?(?:いい|大丈夫)|必要ありません|不要です|いりません|する必要は(?:ありません|ない))",
];

const STATE: &[&str] = &[
    r"(?i)^(?P<about>[^,;.:?—–]{1,60}?)\bno longer\b(?P<more>[^,;.:?—–]{2,80})",
    r"(?i)^(?P<about>[^,;.:?—–]{1,60}?)(?:\b(?:do|does|is|are|was|were|have|has|need)(?:n't|nt)|(?:'m|'s|'re)? not|\bdo not|\bdoes not)\b(?P<more>[^,;.:?—–]{2,70}?)(?: any ?more| any longer)\b",
    r"(?i)^(?P<about>[^,;.:?—–]{1,60}?)\b(?:nicht|keine?[nmrs]?)\b(?P<more>[^,;.:?—–]{0,60}?)\bmehr\b(?P<rest>[^,;.:?—–]{0,60})",
    r"(?i)^(?P<about>[^,;.:?—–]{1,60}?)\b(?:ne |n')(?P<more>[^,;.:?—–]{1,50}?) plus\b(?P<rest>[^,;.:?—–]{0,60})",
    r"(?i)^(?P<about>[^,;.:?—–]{0,60}?)\bya no\b(?P<more>[^,;.:?—–]{2,70})",
    r"^(?P<about>[^，。,；：？]{0,16}?)(?:已经|现在|以后|今后)?(?:不再|不用再|不在)(?P<more>[^，。,；：？]{2,30}?)了?(?:[，。,；！]|$)",
    r"^(?P<about>[^、。；：？]{1,20}?)(?:の担当)?は(?P<more>[^、。；：？]{1,12}?)から[^、。；：？]{1,12}(?:に|へ)(?:変わり|交代|代わり|替わり|引き継)",
    r"(?i)^\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]+)? (?:just |now |has |have )*(?:took over|taken over|takes over|is taking over|inherits|inherited) (?P<about>[^,;.:?—–]{3,40}?) from (?P<more>[^,;.:?—–]{2,40})",
    r"^(?P<about>[^、。；：？]{2,30}?)(?:は|を|で|に)もう(?P<more>[^、。；：？]{0,20}?)(?:していません|しません|してない|ていません|ません|ない|なくなりました)[。！]?$",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(MAY.is_some());
        assert!(REVOKING.iter().all(|(_, patterns)| patterns.is_whole()));
    }
}
