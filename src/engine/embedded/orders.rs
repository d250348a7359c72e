//! Orders for the work at hand that carry a lasting word: "write a function that always returns true", "don't run it, just
//! tell me what's wrong", "same as always", "the client wants dark mode always on, put it in the css".
//!
//! Matched on masked text, all languages in one set; asked only of what looks like a memory otherwise. Not its job: orders
//! that each language's cues know (`task`), and what says how long it holds (see [`super::once`]).

use std::sync::LazyLock;

use super::sentences::Sentence;
use super::spans;
use crate::memory::likeness::patterns::Set;

/// Something is to be made, and what it always does is told with it.
static MAKES: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please |pls |can you |could you |now |and )*(?:write|make|create|build|add|implement|generate|code|give me) (?:me |us )?(?:an?|some|another) [^,;:]{2,60}? (?:that|which|who) (?:\S+ ){0,3}?(?:always|never)\b",
        r"^(?:please |pls |can you |could you |now |and )*(?:make|keep|set|show|render|display|paint|colou?r) (?:the|all|every) (?:[\w-]+ ){0,2}(?:buttons?|links?|headings?|titles?|headers?|footers?|menus?|logos?|icons?|fields?|pages?|images?|tables?|cards?|forms?|sidebars?|banners?|backgrounds?|fonts?|navbar)\b.*\b(?:always|never)\b",
        r"^(?:bitte |jetzt |mal |und )*(?:schreibe?|mache?|baue?|erstelle?|füge?|implementiere?|programmiere?|generiere?) (?:mir |uns |mal |bitte |noch )*(?:einen?|eine) [^;:]{2,60}?,? ?(?:die|der|das|den|welche[rs]?) (?:\S+ ){0,4}?(?:immer|nie|niemals|stets)\b",
        r"^(?:bitte |jetzt |mal |und )*(?:mache?|färbe?|setze?|zeige?|lasse?|halte?) (?:die|den|das|alle) (?:[\p{L}-]+ )?(?:buttons?|knöpfe?|knopf|links?|überschrift(?:en)?|titel|header|footer|menüs?|logos?|icons?|felder|seiten?|bilder?|texte?|tabellen?|karten?|kacheln?|formulare?|navigation|sidebar|banner|hintergrund|schrift)\b.*\b(?:immer|nie|niemals|stets)\b",
        r"^(?:por favor,? |ahora |y )*(?:crea|haz|escribe|genera|añade|agrega|implementa|programa|pon|necesito|quiero) (?:me )?(?:una?|unos|unas) [^;:]{2,60}? que (?:\S+ ){0,3}?(?:siempre|nunca|jamás)\b",
        r"^(?:por favor,? |ahora |y )*(?:haz|pon|deja|mantén) (?:que )?(?:los|las|el|la) (?:botones|botón|enlaces|títulos?|menú|logo|iconos?|páginas?|textos?|cabecera|tablas?|fondo)\b.*\b(?:siempre|nunca)\b",
        r"^(?:s'il te plaît,? |stp,? |maintenant |et )*(?:fais|crée|écris|ajoute|génère|implémente|code|mets)(?:-moi| moi)? (?:une?|des) [^;:]{2,60}? (?:qui|que|dont) (?:\S+ ){0,4}?(?:toujours|jamais)\b",
        r"^(?:s'il te plaît,? |stp,? |maintenant |et )*(?:fais|mets|rends|garde|laisse) (?:en sorte que )?(?:les|le|la|l') ?(?:boutons?|liens?|titres?|menus?|logos?|icônes?|pages?|textes?|en-tête|tableaux?|fond)\b.*\b(?:toujours|jamais)\b",
        r"^(?:请|帮我|给我|再)*(?:写|做|加|实现|建|创建|生成)一?(?:个|段|条|张).{0,16}(?:永远|总是|一直|从不|始终|每次都).{1,20}的.{1,12}$",
        r"(?:常に|いつも|必ず|絶対に|毎回).{2,30}(?:関数|ボタン|テスト|クラス|ページ|画面|スクリプト|メソッド|コンポーネント|機能|フォーム)を(?:書|作|実装|追加|用意)",
    ])
});

/// As it was done before; nobody can tell how from these words.
static AS_BEFORE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:\S+ ){0,5}(?:as|like|same as) (?:always|usual|before|last time|you always do)(?: please| pls)?[.!]*$",
        r"^(?:\S+ ){0,4}wie (?:immer|üblich|gehabt|sonst auch)(?: bitte| halt)?[.!]*$",
        r"^(?:\S+ ){0,4}(?:lo|como) (?:de )?siempre(?: por favor)?[.!]*$",
        r"^(?:\S+ ){0,4}comme (?:d'habitude|toujours|avant)(?: stp| s'il te plaît)?[.!]*$",
        r"^.{0,8}(?:老样子|照旧|跟(?:往常|以前|上次)一样|和(?:往常|以前|上次)一样).{0,4}$",
        r"^.{0,8}(?:いつも通り|いつもどおり|いつものように|前と同じ).{0,10}$",
    ])
});

/// Something is not to be done now, but another thing.
static INSTEAD: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please |pls |ok |no |so |hey |and )*(?:don't|dont|do not|stop|no need to|skip) [^;:]{2,60}?[,;—–-]+ ?(?:and |but |please )*(?:just|only|simply) (?:tell|show|explain|fix|answer|say|look|read|check|do|write|describe|find|change|make|add|point|help|undo|revert|run)\b",
        r"^(?:bitte |nein |ok |und )*(?:[^,;:]{3,60} )?(?:nicht|keine?n?)\b[^,;]{0,40}, (?:sag|sage|zeig|zeige|erklär|erkläre|guck|schau|fix|fixe|mach|mache|nenn|nenne|beschreib|gib|behebe?|ändere?) (?:mir |uns )?(?:bitte |doch )?(?:nur|einfach|bloß|lieber|erst(?:mal)?)\b",
        r"^(?:s'il te plaît,? |stp,? |non,? )*(?:ne |n').{2,50} (?:pas|plus|rien)\b[^;:]{0,40}, (?:(?:dis|montre|explique|corrige|regarde|donne|fais)(?:[- ]moi)? (?:juste|seulement|simplement|d'abord)|(?:juste|seulement) (?:dis|montre|explique|corrige|regarde|donne|fais))\b",
        r"^(?:por favor,? |no,? )*no \p{L}+[^;:]{2,50}, (?:(?:solo|sólo|simplemente|nada más) (?:dime|muéstrame|explica|explícame|arregla|corrige|haz|mira|di)|(?:dime|muéstrame|explícame|arregla|corrige|haz|mira) (?:solo|sólo|simplemente|primero|nada más))\b",
        r"^(?:请|先)?(?:别|不要|不用)[^。]{1,20}[，,](?:先|只|就|直接)(?:要|需)?(?:告诉|说|看|改|给|修|解释|把)",
        r"(?:しないで|せずに|しなくていいから|ないで)[、,](?:まず|とりあえず|ただ|単に)?.{1,20}だけ(?:を)?(?:教えて|見せて|直して|説明して|言って)",
    ])
});
/// The same, when the next sentence says what is to be done.
static STOPS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please |pls |ok |no )*(?:don't|dont|do not|stop)\b",
        r"^(?:bitte )?(?:hör|lass)\b|\bnicht[.!]*$",
        r"^(?:ne |n'|arrête)",
        r"^(?:no |deja de )",
        r"^(?:别|不要)|ないで(?:ください)?[。！]*$",
    ])
});
/// See [`STOPS`].
static JUST_DO: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:ok |so |and |please )*just (?:tell|show|explain|fix|answer|say|look|read|check|do|write|describe|find|change|make|add|point|help|undo|revert|run|give)\b",
        r"^(?:sag|zeig|erklär|fix|mach|behebe?) (?:mir )?(?:nur|einfach|bloß)\b|^(?:nur|einfach) (?:den|die|das)\b",
        r"^(?:juste|seulement) .{3,}|^(?:dis|montre|corrige)(?:-moi)? juste\b|^(?:solo|sólo|simplemente) (?:dime|arregla|corrige|muéstrame)\b",
        r"^(?:只|就)(?:要|需)?(?:告诉|改|修|看)|^.{1,16}だけ(?:直して|教えて|見せて)",
    ])
});
/// Words of a rule, and of what people say only to set one.
static LASTING: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:always|never|ever|from now on|going forward|in future|in the future|every time|each time|anymore|any more|unless)\b",
        r"\b(?:immer|nie|niemals|künftig|in zukunft|ab sofort|jedes mal|mehr|siempre|nunca|jamás|en adelante|más|toujours|jamais|désormais|dorénavant|plus)\b",
        r"以后|永远|今后|每次|总是|一律|今後|いつも|毎回|これから|絶対",
        // How somebody wants to be talked to is meant for good.
        r"\b(?:apologi[sz]e|apologi[sz]ing|sorry|explain|explaining|summari[sz]e|summari[sz]ing|repeat|repeating|thank|ask|asking|guess|guessing|lecture|lecturing|preambles?|fluff|filler|emojis?)\b",
        r"\b(?:entschuldig\p{L}*|erklär\p{L}* (?:mir )?nicht|zusammenfass\p{L}*|rumreden|drumherum|t'excuse|t'excuses|excuses|expliques|résume|résumes|te disculpes|disculpas|expliques|resumas)\b",
        r"废话|啰嗦|客套|道歉|解释|总结|谢って|謝ら|説明しないで|前置き",
    ])
});

/// Somebody who pays or plans wants the product to be so.
static WANTED: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:the |our |my |a )?(?:client|customer|pm|po|product owner|boss|designer|marketing|ceo|stakeholder|user)s? (?:also |now |just |really )*(?:wants?|needs?|prefers?|likes?|asked for|would like) ",
        r"^(?:der|die|unser|unsere) (?:kunde|kundin|chef|chefin|pm|designer|designerin|marketing) (?:will|möchte|braucht|hätte gerne?) ",
        r"^(?:el|la|nuestro|nuestra) (?:cliente|jefe|jefa|pm|diseñador|diseñadora) (?:quiere|necesita|prefiere|pide) ",
        r"^(?:le|la|notre) (?:client|cliente|chef|cheffe|pm|designer) (?:veut|voudrait|préfère|demande) ",
        r"^(?:客户|老板|产品|领导)(?:想要?|要求?|希望)|^(?:お客様|お客さん|クライアント|顧客|PM|pm|上司)(?:が|は)",
    ])
});
/// And the assistant is to make it so.
static MAKE_IT_SO: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"(?:^|, (?:so |and )?)(?:so |please |ok |can you )*(?:make it so|do (?:it|that)|put|fix|make|add|change|implement|remove|set|move|update|build|adjust)\b",
        r"(?:^|, )(?:also |bitte )*(?:bau|baue|mach|mache|füge?|pack|packe|fix|fixe|ändere?|setze?|passe?|entferne?)\b",
        r"(?:^|, )(?:ponl[oa]|hazlo|arregla|añade|cambia|pon|haz|quita|quital[oa]|mets|fais|ajoute|corrige|change|enlève|modifie)\b",
        r"(?:^|[，,])(?:你|帮我?|请|就)?(?:改|加|做|把|调|去掉|实现)|(?:追加|修正|対応|変更|削除|直)して",
    ])
});

/// Whether the sentence at `at` is an order for the work at hand, whatever lasting word it has.
pub(super) fn is_one(sentences: &[Sentence], at: usize) -> bool {
    let Some(sentence) = sentences.get(at) else { return false };
    let masked = spans::masked(&sentence.text);
    let next = || {
        let next = sentences.get(at + 1).filter(|next| next.paragraph == sentence.paragraph)?;
        Some(spans::masked(&next.text))
    };
    if MAKES.hits(&masked) || AS_BEFORE.hits(&masked) {
        return true;
    }
    if WANTED.hits(&masked) {
        return MAKE_IT_SO.hits(&masked) || next().is_some_and(|next| MAKE_IT_SO.hits(&next));
    }
    let is_for_now = INSTEAD.hits(&masked) || (STOPS.hits(&masked) && next().is_some_and(|next| JUST_DO.hits(&next)));
    is_for_now && !LASTING.hits(&masked)
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;

    #[test]
    fn an_order_for_the_work_at_hand_is_told_from_a_rule() {
        for set in [&MAKES, &AS_BEFORE, &INSTEAD, &STOPS, &JUST_DO, &LASTING, &WANTED, &MAKE_IT_SO] {
            assert!(set.is_whole());
        }
        for text in [
            "write a function that always returns true",
            "schreib eine funktion die immer true liefert",
            "mach die buttons immer blau",
            "crea una función que nunca lance excepciones",
            "haz un test que siempre falle",
            "fais un bouton qui reste toujours visible",
            "写一个永远返回true的函数",
            "常に最新の値を返す関数を書いて",
            "mach das wie immer",
            "haz lo de siempre",
            "dont run npm install, just tell me what's wrong",
            "ne lance pas les tests, dis-moi juste ce qui cloche",
            "别跑测试，先告诉我哪里错了",
            "テストは実行しないで、原因だけ教えて",
            "Stop adding stuff. Just fix the typo.",
            "the client wants dark mode always on, put it in the css",
            "the client wants every page to load under 2s. make it so",
            "our PM wants the logo always visible, fix the header",
        ] {
            assert!(is_one(&sentences::split(text), 0), "{text}");
        }
        for text in [
            "Never run npm install, just tell me the command.",
            "Schreib immer einen Test, der den Fehler zeigt.",
            "mach die commits immer klein",
            "don't mock the database, we got burned",
            "The client wants weekly releases.",
            "Lance toujours les tests, dis-moi juste le résultat.",
            "以后别跑测试，先告诉我哪里错了",
            "Antworte wie immer auf Deutsch und ohne Umschweife",
        ] {
            assert!(!is_one(&sentences::split(text), 0), "{text}");
        }
    }
}
