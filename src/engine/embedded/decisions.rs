//! What a team has decided: "we decided to use Redis for the cache", also where the sentence names parts of a system.
//!
//! Not its job: decisions of one person about the code at hand, and reasons (see [`super::parts`]).

use std::sync::LazyLock;

use crate::memory::likeness::patterns::Set;

/// A group has made up its mind.
static DECIDED: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:we|the team|everyone|engineering|management|leadership)(?:'ve| have| has)? (?:just |finally |all |already |now |officially |both )*(?:decided|agreed|settled on|chosen|chose|opted) \S+ \S",
        r"(?:^|, |\band |\bbut )(?:we(?:'re| are)|the team is) (?:now |all |officially |finally |also )*(?:going|sticking) with \S",
        r"^(?:wir haben|das team hat) (?:uns |sich )?(?:.* )?(?:entschieden|beschlossen|geeinigt|abgemacht|vereinbart)\b",
        r"^(?:it's |that's )?(?:settled|decided|agreed|final) ?: .{6,}|\bwe(?:'re| are)? (?:all )?(?:stay|staying|sticking|remain|remaining) (?:on|with) [\w.+#-]+",
        r"^(?:es bleibt bei|wir bleiben (?:bei|auf)) \S+|^(?:c'est (?:acté|décidé|tranché) ?[:,] ?.{4,}|(?:on|nous) (?:reste|restons) (?:sur|avec|en) \S+)|^(?:decidido|acordado|está decidido) ?[:,] ?.{4,}|^nos quedamos con \S+",
        r"^wir nehmen (?:jetzt |nun |ab jetzt )?\S+ (?:statt|für)\b",
        r"^(?:hemos|el equipo ha|ya hemos) (?:decidido|acordado|elegido|quedado en)\b|^(?:decidimos|acordamos|quedamos en)\b",
        r"^(?:nous avons|on a|on s'est|l'équipe a) (?:finalement |enfin )?(?:décidé|convenu|choisi|mis d'accord)\b",
        r"^(?:我们|团队|大家)?(?:已经|最终|最后|一致)*(?:决定|商定|选定|定下来)(?:了)?(?:用|使用|采用|改用|选|选择|不再|放弃|迁移|切换|把|将).{2,}",
        r"^(?:チームで|我々は|私たちは)?.{3,}(?:に|ことに|ことで|と)(?:決め(?:た|ました)|決定(?:した|しました)|合意(?:した|しました))[。]?$",
    ])
});

/// The thing decided about is a piece of code at hand, or a matter of the moment.
static AT_HAND: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"⟦c⟧",
        r"\b(?:this|these|that|the|a|an|my|your) (?:[\w-]+ ){0,2}(?:function|file|class|method|test|line|loop|variable|branch|commit|pr|diff|button|handler|parser|bug|error|modal|helper|struct|enum|module|component|import|script|approach|refactor|change|fixture|hook|snippet|todo|warning|variant|version|names?)s?\b",
        r"\b(?:die|den|der|das|diese[nrs]?|eine?n?) (?:[\p{L}-]+ )?(?:funktion|datei|klasse|methode|test|zeile|schleife|variable|branch|commit|fehler|komponente|modul)\b",
        r"\b(?:la|el|esta|este|una?) (?:función|archivo|clase|método|test|línea|bucle|variable|rama|commit|error|componente|módulo)\b",
        r"\b(?:la|le|l'|cette|ce|une?) ?(?:fonction|fichier|classe|méthode|test|ligne|boucle|variable|branche|commit|erreur|composant|module)\b",
        r"函数|这个文件|变量|测试用例|関数|変数|ファイル",
        r"\b(?:earlier|before|in this|so far|here|instead of that|lunch|wait|to wait|stop|skip)\b",
    ])
});

/// A step in the code, or a look back at a choice.
static NO_CHOICE: LazyLock<Set> =
    LazyLock::new(|| Set::of(&[r"\b(?:return early|return \S+|too (?:early|late)|wrong|bad|poor|terrible)\b"]));

/// Whether words of a decision are about a step in the code, or look back at a choice.
pub(super) fn is_no_choice(text: &str) -> bool {
    NO_CHOICE.hits(text)
}

/// Whether a masked statement tells of a decision of a group about more than the code at hand.
pub(super) fn is_of_a_group(text: &str) -> bool {
    DECIDED.hits(text) && !AT_HAND.hits(text) && !is_no_choice(text)
}
