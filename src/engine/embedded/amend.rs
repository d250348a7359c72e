//! "We freeze on Monday. Correction: Tuesday.": what a person puts right as soon as they have said it.
//!
//! The next sentence or the next turn names the value that was meant, says that nothing is settled, or goes back to what
//! there was before. A value takes the place of the wrong one in the person's own sentence; where its place cannot be told,
//! the sentence does not stand. Not its job: what is taken back by its subject (see [`super::revoke`]), and a later claim of
//! its own that replaces an earlier one (see [`super::collect`]).

use std::ops::Range;
use std::sync::LazyLock;

use chrono::NaiveDate;

use super::dates;
use super::sentences::{self, Sentence};
use super::slips;
use super::statement::{Statement, finish};
use crate::memory::Kind;
use crate::memory::likeness::patterns::{OneOf, Pattern, Set};

/// What a sentence does to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Amendment {
    /// It names what was meant, and perhaps what was said instead of it.
    Value { meant: String, said: Option<String>, is_sure: bool },
    /// It says that it does not stand; the rest of the sentence may state something else.
    Withdrawn(String),
    /// It goes back to what was done before.
    Back,
}

/// How a correction begins. Group `sure`: words that nobody answers a question with.
static BEGINS: Pattern = Pattern::new(concat!(
    r"(?i)^(?:(?:no|nope|oh|ah|uh|um|er|hm+|well|ok|okay|lol|haha|nah?|nein|nee|ne|ach|äh|ähm|also|non|bon|euh|bueno|uy|eh|哦|啊|不|あ|ああ|えっと|actually|rather|eigentlich|eher|also eher|plutôt|enfin|mejor|",
    r"(?P<sure>sorry|wait|hang on|hold on|oops|whoops|my bad|my mistake|correction|make (?:that|it)|i mean|i meant|i misspoke|(?:my )?apologies|i misread (?:it|that|the [a-z]+)|i mixed (?:it|that|them) up|i got (?:it|that) wrong|(?:it|that) (?:slipped|got moved|got pushed|was moved|was pushed|was postponed)(?: again)?(?: to)?|quatsch|moment|korrektur|ich meine|ich meinte|(?:ich )?hab(?:e)? mich (?:vertan|verlesen|verhört|verschrieben|verguckt)|da hab(?:e)? ich mich (?:vertan|verlesen|verhört|verschrieben)|upps|ups|verlesen|vielmehr|besser gesagt|pardon|attends|désolée?|erratum|je voulais dire|je veux dire|oups|au temps pour moi|autant pour moi|je me suis trompée?|erreur de ma part|perdón|perdona|espera|digo|quiero decir|quería decir|quise decir|corrección|mejor dicho|miento|me equivoqué|me confundí|leí mal|(?:我)?(?:看|记|搞|写|打|弄)错了|不对|我?说错了|更正|应该是|口误|不是|いや|ごめん(?:なさい)?|すみません|失礼|訂正|見間違えました|間違えました|勘違い(?:でした|してました)|違う|違います))",
    r"(?:[\s,.:;!?…—–、，。：！-]+|$))+",
));

/// "It's Wednesday, not Monday", after what begins it.
static NOT_THAT: LazyLock<OneOf> = LazyLock::new(|| {
    OneOf::of(&[
        r"(?i)^(?:it'?s |it is |that'?s |i meant |i mean |make (?:it|that) |should be |on |ich meinte? |ich meine |es ist |das ist |am |die |der |das |quería decir |quise decir |es |son |el |la |je voulais dire |c'est |des |le |les )*(?P<meant>[^,;]{2,40}?),? (?:and not|not|instead of|rather than|und nicht|nicht|statt|y no|no|en vez de|et pas|pas|au lieu de) (?:on |am |die |der |das |den |el |la |los |las |des |le |les |du )?(?P<said>[^,;.!]{2,40}?)[.!]?$",
        r"^(?:应该)?(?:是)?(?P<meant>[^，,。]{1,16})[，,](?:而)?不是(?P<said>[^，,。]{1,16})[。！]?$",
        r"^(?:不是)?(?P<said>[^，,。是]{1,16})[，,](?:而|应该)?是(?P<meant>[^，,。]{1,16})[。！]?$",
        r"^(?P<said>[^、。]{1,16})(?:じゃなくて|ではなくて?|でなく)[、]?(?P<meant>[^、。]{1,16}?)(?:です|でした|だ)?[。！]?$",
    ])
});

/// "スペースの間違い": the value comes first.
static MISTAKEN_FOR: Pattern =
    Pattern::new(r"^(?:.{0,8}[、，])?(?P<meant>[^、，。のは]{1,16})の(?:間違い|まちがい|誤り)(?:です|でした)?[。！]?$");

/// What stands around a bare value and is none of it.
static AROUND: Pattern = Pattern::new(
    r"(?i)^(?:it'?s |it is |that'?s |on |am |es ist |c'est |es |el |是|应该是)+|(?: does| is| did| will| of course| instead| then| natürlich| war's| halt|でした|です|だ|负责)?[.!。！\s]*$",
);

/// What stands around a value with a figure: "on the 10th" and "el 12" need their words to be days.
static AROUND_FIGURE: Pattern =
    Pattern::new(r"(?i)^(?:it'?s |it is |that'?s |es ist |c'est |es |是|应该是)+|(?:でした|です|だ)?[.!。！\s]*$");
/// A day of the month without its month.
static BARE_DAY: Pattern = Pattern::new(
    r"(?i)^(?:(?:on|am|den|der|le|el|au|al|the) )+(?P<d>\d{1,2})(?:st|nd|rd|th|\.|er|º)?$|^(?P<marked>\d{1,2})(?:st|nd|rd|th|\.|er|º|号|日)$",
);
/// A name with a version: "node 20".
static VERSION: Pattern = Pattern::new(r"(?i)^(?P<name>\p{L}[\w.+#-]*) (?P<version>v?\d[\w.]*)$");
/// Who does it now.
static NOW_DOES: LazyLock<OneOf> = LazyLock::new(|| {
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
static BETTER: Pattern = Pattern::new(r"(?i)^(?P<meant>[\p{L}\w.+#-]+) (?:is|would be|sounds|works) better[.!]?$");

/// What was said does not stand.
static WITHDRAWS: LazyLock<OneOf> = LazyLock::new(|| {
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
static BACK: LazyLock<Set> = LazyLock::new(|| {
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
static INSIDE: Pattern = Pattern::new(
    r"(?i)(?:,|;|…|\.\.\.|\s[—–-]|，|、)\s*(?P<mark>(?:(?:no|oh|ah|nein|non|啊|あ),? )?(?:wait,? no|no,? wait|hang on|hold on|no,? sorry|sorry,? no|i mean,? |i meant |correction:|quatsch|nein,? moment|ich mein(?:e|te),? |non,? pardon|je veux dire|no,? perdón|no,? espera|digo,? |quiero decir|mejor dicho|啊?不对[，,]|说错了|いや、|じゃなくて、).{2,60})$",
);

/// A name in a script with capitals.
static NAME: Pattern = Pattern::new(r"\p{Lu}\p{Ll}[\p{Ll}'-]+(?: \p{Lu}\p{Ll}[\p{Ll}'-]+)?");
/// Where a sentence names who, other than at its beginning.
static WHO: Pattern = Pattern::new(
    r"\b(?:by|is|von|vom|ist|par|est|por|es) (?P<name>\p{Lu}\p{Ll}[\p{Ll}'-]+(?: \p{Lu}\p{Ll}[\p{Ll}'-]+)?)[.]?$",
);
/// Where a Chinese or Japanese sentence names who does something.
static NAMED_THERE: Pattern = Pattern::new(
    r"由(?P<a>\p{Han}{2,4}?)(?:负责|管|维护|接手|牵头)|^(?P<b>\p{Han}{2,3}?)(?:负责|管|维护|接手|牵头)|(?P<c>[\p{Han}\p{Katakana}ー]{1,6}さん)",
);
/// What a rule wants to be used.
static USED_THERE: Pattern = Pattern::new(
    r"(?i)\b(?:use|prefer|nutze|nutzen wir|verwende|benutze|nehmen wir|usa|usamos|utiliza|utilizamos|utilise|utilisons) (?:(?:always|immer|siempre|toujours|des|les) )*(?P<a>[\w.+#@-]+)|(?:都|要|请|一律)?(?:用|使用)\s?(?P<b>[^，。,\s]{1,12}?)(?:[。！]|$)|(?P<c>[\p{Katakana}ー\w.+-]+)を使",
);
/// What a person says that they are.
static IS_SAID: Pattern = Pattern::new(
    r"(?i)^(?:Call me|Nenn mich|I'm|I am|Ich bin|Je suis|(?:Yo )?soy)(?: (?:an?|ein|eine|un|une|una))? (?P<a>[^,;.]{2,40})\.?$",
);

/// Words that are no value.
const NO_VALUES: &[&str] = &[
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

/// A sentence that is no question, with one form of apostrophe.
pub(super) fn folded(text: &str) -> Option<String> {
    let folded = text.trim().replace('’', "'");
    (!folded.ends_with(['?', '？'])).then_some(folded)
}

/// What a sentence amends, if it is one that does.
pub(super) fn of(text: &str) -> Option<Amendment> {
    let folded = folded(text)?;
    let text = folded.as_str();
    if let Some(hit) = WITHDRAWS.may_match(text).find_map(|pattern| pattern.find(text)) {
        return Some(Amendment::Withdrawn(text.get(hit.end()..).unwrap_or_default().to_owned()));
    }
    if BACK.hits(text) {
        return Some(Amendment::Back);
    }
    let value = |meant: &str, said: Option<&str>, is_sure| {
        let meant = meant.trim().to_owned();
        let is_one = !meant.is_empty() && !NO_VALUES.contains(&meant.to_lowercase().as_str());
        is_one.then(|| Amendment::Value { meant, said: said.map(|said| said.trim().to_owned()), is_sure })
    };
    if let Some(found) = MISTAKEN_FOR.captures(text) {
        return value(found.name("meant")?.as_str(), None, true);
    }
    let begun = BEGINS.captures(text);
    let is_sure = begun.as_ref().is_some_and(|begun| begun.name("sure").is_some());
    let rest = begun.as_ref().and_then(|begun| begun.get(0)).and_then(|hit| text.get(hit.end()..)).unwrap_or(text);
    if let Some(found) = NOT_THAT.may_match(rest).find_map(|pattern| pattern.captures(rest)) {
        return value(found.name("meant")?.as_str(), Some(found.name("said")?.as_str()), is_sure);
    }
    if let Some(found) = NOW_DOES.may_match(rest).find_map(|pattern| pattern.captures(rest))
        && (begun.is_some() || slips::objection(text).is_some())
    {
        return value(found.name("meant")?.as_str(), None, true);
    }
    begun?;
    if let Some(found) = BETTER.captures(rest) {
        return value(found.name("meant")?.as_str(), None, is_sure);
    }
    let has_figure = rest.contains(|c: char| c.is_ascii_digit());
    let bare = if has_figure { AROUND_FIGURE.replace_all(rest, "") } else { AROUND.replace_all(rest, "") };
    // "Sorry for being picky" and "wait, I will look" go on as a sentence of their own.
    let first = bare.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default().to_lowercase();
    if NO_VALUES.contains(&first.as_str()) && !BARE_DAY.is_match(&bare) {
        return None;
    }
    let is_short = bare.split_whitespace().count() <= 4 && (bare.is_ascii() || bare.chars().count() <= 24);
    if is_short {
        return value(bare.trim_end_matches([',', '.', '!']), None, is_sure);
    }
    // "Korrektur, am 4., der 3. ist ja der Workshop": a day or a version speaks for itself.
    let clause = bare.split([',', ';', '，', '、', '。']).next().unwrap_or_default().trim();
    let is_plain = BARE_DAY.is_match(clause) || VERSION.is_match(clause) || dates::is_named(clause);
    if is_sure && is_plain { value(clause.trim_end_matches('.'), None, true) } else { None }
}

/// Whether a turn may amend what was said before it.
pub(super) fn may_amend(turn: &str) -> bool {
    sentences::split(turn).iter().any(|sentence| of(&sentence.text).is_some())
}

/// What a statement says once it is put right; nothing where the place of the value cannot be told.
pub(super) fn amended(statement: &Statement, meant: &str, said: Option<&str>, day: NaiveDate) -> Option<String> {
    let text = &statement.text;
    let (place, meant) = match said {
        Some(said) => (place_of(text, said)?, meant.to_owned()),
        None => value_in(statement, meant, day)?,
    };
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    Some(finish(&format!("{before}{meant}{after}")))
}

/// Where words stand in a text, as words of their own.
pub(super) fn place_of(text: &str, words: &str) -> Option<Range<usize>> {
    let (lower, words) = (text.to_lowercase(), words.to_lowercase());
    if lower.len() != text.len() {
        return None;
    }
    let start = lower.find(&words)?;
    let end = start + words.len();
    let is_word = |c: char| c.is_alphanumeric() && c.is_ascii();
    let is_cut = lower.get(..start)?.ends_with(is_word) || lower.get(end..)?.starts_with(is_word);
    (!is_cut).then_some(start..end)
}

/// The value that a bare one takes the place of: of the same kind, and the only one; and how it reads there.
fn value_in(statement: &Statement, meant: &str, day: NaiveDate) -> Option<(Range<usize>, String)> {
    let text = &statement.text;
    if let Some(found) = BARE_DAY.captures(meant) {
        let days = dates::days(text, day);
        let [(place, there)] = days.as_slice() else { return None };
        let number = found.name("d").or_else(|| found.name("marked"))?.as_str();
        let meant = dates::same_month(*there, number.parse().ok()?, day)?;
        return Some((place.clone(), meant.to_string()));
    }
    if let Some(place) = version_in(text, meant) {
        return Some((place, meant.to_owned()));
    }
    // A date alone does not show its language.
    let both = format!("{text}; {meant}");
    let (there, here): (Vec<_>, Vec<_>) =
        dates::mentions(&both, day).into_iter().partition(|date| date.start < text.len());
    if let [date] = here.as_slice() {
        let [place] = there.as_slice() else { return None };
        return Some((place.clone(), both.get(date.clone())?.to_owned()));
    }
    let group = |pattern: &Pattern| {
        let found = pattern.captures(text)?;
        let hit = ["a", "b", "c"].into_iter().find_map(|name| found.name(name))?;
        Some(hit.range())
    };
    let whole = match statement.kind {
        Kind::Project => {
            let is_name = NAME.find(meant).is_some_and(|hit| hit.range() == (0..meant.len()));
            let first = NAME.find(text).filter(|hit| is_name && hit.start() == 0);
            match first {
                Some(first) => Some(first.range()),
                None if is_name => only_name(text),
                None if meant.is_ascii() => None,
                None => group(&NAMED_THERE),
            }
        }
        Kind::Feedback if meant.split_whitespace().count() <= 2 => group(&USED_THERE),
        Kind::User => group(&IS_SAID),
        Kind::Feedback | Kind::Reference => None,
    };
    let is_named_so = |place: &Range<usize>| text.get(place.clone()).is_some_and(|there| there.ends_with("さん"));
    whole.map(|place| {
        let meant =
            if is_named_so(&place) && !meant.ends_with("さん") { format!("{meant}さん") } else { meant.to_owned() };
        (place, meant)
    })
}

/// "Node 18" in a text that is told to be "node 20".
fn version_in(text: &str, meant: &str) -> Option<Range<usize>> {
    let found = VERSION.captures(meant)?;
    let name = place_of(text, found.name("name")?.as_str())?;
    let after = text.get(name.end..)?.strip_prefix(' ')?;
    let version = after.split(|c: char| !(c.is_alphanumeric() || c == '.')).next()?.trim_end_matches('.');
    let is_one = version.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit());
    is_one.then_some(name.start..name.end + 1 + version.len())
}

/// "Owned by Tom": the name that stands where a sentence says who.
fn only_name(text: &str) -> Option<Range<usize>> {
    WHO.captures(text)?.name("name").map(|hit| hit.range())
}

/// Takes sentences apart that correct themselves half way: "Ana owns it, no wait, Eva".
pub(super) fn apart(sentences: Vec<Sentence>, turn: &str) -> Vec<Sentence> {
    if !sentences.iter().any(|sentence| INSIDE.is_match(&sentence.text)) {
        return sentences;
    }
    sentences.into_iter().flat_map(|sentence| halves(sentence, turn)).collect()
}

fn halves(sentence: Sentence, turn: &str) -> Vec<Sentence> {
    let cut = || {
        let raw = turn.get(sentence.range.clone())?;
        let found = INSIDE.captures(raw)?;
        let (first, second) = (raw.get(..found.get(0)?.start())?, found.name("mark")?);
        let half = |range: Range<usize>| Sentence {
            text: turn.get(range.clone()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
            range,
            paragraph: sentence.paragraph,
        };
        let start = sentence.range.start;
        (first.chars().count() >= 8)
            .then(|| vec![half(start..start + first.len()), half(start + second.start()..sentence.range.end)])
    };
    cut().unwrap_or_else(|| vec![sentence])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_patterns_compile() {
        for pattern in [
            &BEGINS,
            &MISTAKEN_FOR,
            &AROUND,
            &INSIDE,
            &NAME,
            &WHO,
            &NAMED_THERE,
            &USED_THERE,
            &IS_SAID,
            &BARE_DAY,
            &VERSION,
            &BETTER,
            &AROUND_FIGURE,
        ] {
            assert!(pattern.is_whole());
        }
        assert!(NOW_DOES.is_whole() && NOT_THAT.is_whole() && WITHDRAWS.is_whole() && BACK.is_whole());
    }

    #[test]
    fn a_correction_names_what_was_meant_and_a_plain_answer_is_none() {
        let value = |text: &str| match of(text) {
            Some(Amendment::Value { meant, said, .. }) => Some((meant, said)),
            _ => None,
        };
        for (text, meant, said) in [
            ("No, sorry, Tim does.", "Tim", None),
            ("Correction: Tuesday.", "Tuesday", None),
            ("sorry, it's Wednesday, not Monday", "Wednesday", Some("Monday")),
            ("sorry, I meant spaces, not tabs", "spaces", Some("tabs")),
            ("Quatsch, Tim.", "Tim", None),
            ("perdón, quería decir espacios, no tabuladores", "espacios", Some("tabuladores")),
            ("说错了，是空格", "空格", None),
            ("ごめん、スペースの間違い", "スペース", None),
            ("すみません、20日じゃなくて27日です", "27日", Some("20日")),
            ("Apologies, it is Sudhir, not Suresh.", "Sudhir", Some("Suresh")),
            ("Korrektur, am 4., der 3. ist ja der Workshop", "am 4", None),
            ("ups, leí mal, es el 12", "el 12", None),
            ("au temps pour moi, c'est le 9", "le 9", None),
            ("看错了，是12月9号", "12月9号", None),
            ("no sorry node 20, upgraded last month", "node 20", None),
            ("ach nee, die ist ja in Elternzeit, das macht jetzt der Uwe", "Uwe", None),
            ("actually Alexandra is better", "Alexandra", None),
            ("actually it slipped, friday", "friday", None),
        ] {
            assert_eq!(value(text), Some((meant.to_owned(), said.map(str::to_owned))), "{text:?}");
        }
        for text in [
            "No, I don't care that it's only docs.",
            "Sorry for being picky.",
            "sorry, wrong window",
            "Actually, is it green?",
            "Tim.",
        ] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_value_takes_the_place_of_the_one_of_its_kind() {
        let day: NaiveDate = "2026-03-11".parse().unwrap();
        let of = |kind, text: &str, meant: &str| {
            let statement = Statement { kind, ..Statement::rule(text.to_owned(), super::super::language::of(text)) };
            amended(&statement, meant, None, day)
        };
        for (kind, text, meant, right) in [
            (Kind::Project, "Tom owns billing.", "Tim", "Tim owns billing."),
            (Kind::Project, "Das Release ist am 20. März.", "27. März", "Das Release ist am 27. März."),
            (Kind::Project, "支付模块由小王负责。", "小张", "支付模块由小张负责。"),
            (Kind::Feedback, "Always use tabs.", "spaces", "Always use spaces."),
            (Kind::User, "Ich bin Backend-Entwickler.", "Data Scientist", "Ich bin Data Scientist."),
            (Kind::Project, "Das Release ist am 20. März.", "am 27", "Das Release ist am 2026-03-27."),
            (Kind::Project, "The launch is on Thursday.", "the 3rd", "The launch is on 2026-04-03."),
            (Kind::Project, "La entrega es el 5 de abril.", "el 12", "La entrega es el 2026-04-12."),
            (Kind::Project, "We're on node 18.", "node 20", "We're on node 20."),
            (Kind::User, "Call me Alex.", "Alexandra", "Call me Alexandra."),
        ] {
            assert_eq!(of(kind, text, meant).as_deref(), Some(right));
        }
        assert_eq!(of(Kind::Project, "We ship on Fridays.", "Tim"), None);
    }

    #[test]
    fn a_sentence_that_corrects_itself_half_way_is_two() {
        let turn = "Bo owns the importer, no wait, Silvia does.";
        let texts: Vec<String> = apart(sentences::split(turn), turn).into_iter().map(|half| half.text).collect();
        assert_eq!(texts, ["Bo owns the importer", "no wait, Silvia does."]);
        let turn = "Never push to main, I said no such thing.";
        assert_eq!(apart(sentences::split(turn), turn).len(), 1);
    }
}
