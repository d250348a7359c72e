//! Text that gives orders to whoever reads a memory: planted instructions in the clothes of one.
//!
//! Two questions, one table. [`found`]: what is an order beyond doubt, for findings about what lies in a store: a rule of
//! the person ("always use pnpm") is none, a download piped into a shell by standing order, words that set other
//! instructions aside, or a forged voice are. [`suspected`]: what only the person's own words may bring in, for
//! changes nobody has looked at. Not its job: what follows from either (see `super::instruction` and `crate::health`).

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder, RegexSet};

use crate::text::without_hidden;

/// How far back in a sentence a negation or a cue is looked for, in characters.
const REACH: usize = 160;

/// How much is quoted, in characters.
const QUOTED: usize = 200;

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// What it does: "it sets other instructions aside".
    pub(crate) what: &'static str,
    /// The beginning of the line, without what hides in it.
    pub(crate) text: String,
}

/// What makes words an order, besides themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing: nobody remembers such words for another reason.
    Nothing,
    /// A word like "always" or "first" near it.
    Cue,
    /// Such a word, or that the sentence begins with it: "send …" is an order, "we send …" a fact.
    CueOrLead,
}

/// Words of orders: what they do, what else it takes, how they are written.
const FORMS: [(&str, Needs, &str); 6] = [
    (
        "it sets other instructions aside",
        Needs::Nothing,
        r"(?ix)
        \b(?: ignore | disregard | forget | override | bypass )\s+
            (?: (?: all | any | the | your | every | these | those | of ) \s+ )*
            (?: previous | prior | earlier | above | preceding | former | system | other | existing ) \s+
            (?: (?: system | user ) \s+ )?
            (?: instructions? | prompts? | directives? | guidelines | guardrails | safety \s+ \w+ )\b
        | \bignorier\w* \s+ (?: (?: alle | die | deine ) \s+ )* (?: vorherigen | bisherigen | früheren | obigen ) \s+ (?: anweisung | instruktion )\w*
        | \bignore[rz]? \s+ (?: toutes \s+ )? les \s+ (?: instructions | consignes ) \s+ (?: précédentes | antérieures )
        | \bignor[ae] \s+ (?: todas \s+ )? las \s+ instrucciones \s+ (?: anteriores | previas )
        | \bignore \s+ (?: todas \s+ )? as \s+ instruções \s+ anteriores
        | игнорируй\w* \s+ (?: все \s+ )? (?: предыдущие | прежние ) \s+ (?: инструкции | указания )
        | (?: 忽略 | 无视 | 無視 ) (?: 掉 )? (?: 所有 | 一切 | 全部 )? (?: 之前 | 以前 | 先前 | 前面 | 以上 | 上述 ) 的? (?: 所有 | 一切 | 全部 )? 的? (?: 指令 | 指示 | 说明 | 提示 )
        | (?: 以前 | これまで | 上記 | 前 ) の (?: すべての | 全ての )? (?: 指示 | 命令 | プロンプト ) を (?: すべて | 全て )? 無視
        | 이전 (?: 의 )? \s* (?: 모든 \s* )? (?: 지시 | 명령 ) \S* \s+ (?: 모두 \s+ )? 무시",
    ),
    (
        "it speaks in a voice that is not the person's",
        Needs::Nothing,
        r"(?ix) < /? (?: system-reminder | system | system_prompt | im_start | im_end ) \s* > | <\| \s* (?: im_start | im_end | system | endoftext ) \s* \|> | \[/?INST\]
        | \b you \s+ are \s+ now \s+ (?: in \s+ )? (?: \w+ \s+ ){0,2} (?: mode | unrestricted | jailbroken | DAN ) \b",
    ),
    (
        "it asks to keep something from the person",
        Needs::Nothing,
        r"(?ix) \b(?: do \s+ not | don't | don’t | never ) \s+ (?:
              (?: tell | inform | notify | alert ) \s+ (?: the \s+ )? (?: user | human | person | anyone ) (?: \s+ (?: about \s+ )? (?: this | it | these ) \b | \s* (?: [.,;!] | $ ) )
            | (?: mention | reveal | disclose | show | report ) \s+ (?: this | it | these | any \s+ of \s+ this ) \s+ to \s+ (?: the \s+ )? (?: user | human | person | anyone ) \b )",
    ),
    (
        "it sends credentials away",
        Needs::CueOrLead,
        r"(?ix) \b(?: send | post | upload | exfiltrate | forward | leak ) \b [^\n.]{0,80}
            (?: \b(?: api \s* keys? | secrets? | tokens? | credentials? | passwords? | ssh \s+ keys? | private \s+ keys? ) | \.env ) \b
            [^\n]{0,80} \b to \b [^\n]{0,40} (?: https?:// | \w@\w )",
    ),
    (
        "it has a download run by a shell",
        Needs::Cue,
        r"(?ix) \b(?: curl | wget | iwr | irm | invoke-webrequest | invoke-restmethod ) \b [^\n|]{0,300} \| \s*
            (?: sudo \s+ (?: -\S+ \s+ )* )? (?: (?: /usr )? /bin/ )? (?: (?: ba | z | da | k | fi )? sh | python3? | perl | ruby | node | iex | invoke-expression ) \b
        | \b(?: (?: ba | z | da )? sh \s+ -c | eval | source | \. | (?: ba | z )? sh ) \s+ [\x22']? (?: <\( | \$\( | ` ) \s* (?: curl | wget ) \b
        | \bbase64 \s+ (?: -d | -D | --decode ) \b [^\n|]{0,200} \| \s* (?: sudo \s+ )? (?: ba | z | da )? sh \b",
    ),
    (
        "it has every check waved through",
        Needs::Cue,
        r"(?ix) \b(?: approve | accept | allow | grant | confirm ) \s+ (?: all | any | every ) \s+ (?: tool | command | permission | shell )s? (?: \s+ (?: call | request | prompt | use )s? )? \b
        | \brm \s+ -(?: rf | fr | r \s+ -f ) \s+ (?: --no-preserve-root \s+ )? (?: / | ~/? | \$HOME/? ) (?: \* )? (?: [\s`'\x22] | $ )",
    ),
];

/// Words that may be an order or a rule of the person: whose they are decides.
const SUSPECTS: [(&str, &str); 10] = [
    (
        "it pipes something to a shell or interpreter",
        r"\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:/\S*/)?(?:env\s+)?(?:ba|z|da|k|fi|c)?sh\b(?:\s|$|[`'\x22;&|)-])|\|\s*(?:sudo\s+)?(?:python3?|perl|ruby|node|php|iex|invoke-expression|powershell|pwsh)\b|\b(?:ba|z|da)?sh\s+(?:-c\s+[\x22']?)?(?:<\(|[\x22']?\$\()\s*(?:curl|wget)|\beval\s+[\x22']?\$\(",
    ),
    (
        "it gives a standing order to run something",
        r"\b(?:always|whenever|every time|each time|every session|from now on|first thing|before (?:anything|any|each|every|starting|you|doing)|at (?:the )?(?:start|beginning) of|on (?:start|startup)|(?:you|agents?|claude|assistants?|every session) must|must (?:always|first)|remember)\b[^.\n]{0,80}\b(?:run|execute|eval|invoke|launch|download|install|curl|wget|source)\b",
    ),
    (
        "it gives a standing order to run something",
        r"\b(?:run|execute|invoke|download|install)\b[^.\n]{0,120}\b(?:first\s*(?:[.,;:!)`]|$|and\b|then\b)|(?:before (?:anything|any|each|every|starting|you|doing)|every (?:time|session)|at (?:the )?(?:start|beginning) of|without asking|silently)\b)",
    ),
    (
        "it tells to ignore instructions or rules",
        r"\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)\b[^.\n]{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|guardrails?|polic(?:y|ies)|safety|permissions?|restrictions?|claude\.md|system message)\b",
    ),
    (
        "it tells to ignore instructions or rules",
        r"\b(?:you are now|you must now act|new instructions?:|system prompt:)|<\s*/?\s*system(?:-reminder)?\s*>|\[\s*system\s*\]|--dangerously-skip-permissions|--no-verify-permissions",
    ),
    (
        "it tells to send secrets or files away",
        r"\b(?:send|post|upload|forward|exfiltrate|leak|e-?mail|transmit|submit|copy|curl|wget)\b[^\n]{0,120}(?:\b(?:tokens?|secrets?|passwords?|credentials?|api[- ]?keys?|private keys?|ssh keys?|environment variables|env vars?)\b|\.env\b|~/\.(?:ssh|aws|netrc|gnupg)|id_rsa|/etc/passwd)",
    ),
    (
        "it tells to send things to an address",
        r"\b(?:send|post|upload|forward|exfiltrate|leak|transmit|submit)\b[^\n]{0,120}\b(?:to|at)\b[^\n]{0,40}https?://",
    ),
    (
        "it tells to hide something from the person",
        r"\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|telling|mention|mentioning|reveal|revealing|inform|informing|notify|notifying|show|showing|ask|asking)\b[^.\n]{0,20}\b(?:the )?(?:user|human|person|operator|developer)\b",
    ),
    (
        "it tells to destroy files",
        r"\brm\s+-[a-z]*(?:rf|fr)[a-z]*\s|\bmkfs\b|\bdd\s+if=|\bchmod\s+-R\s+777\b|:\(\)\s*\{",
    ),
    (
        "it gives a standing order to run something",
        r"(?:immer|jedes mal|zuerst|siempre|cada vez|primero|toujours|chaque fois|d'abord)[^.\n]{0,80}(?:ausführen|führe|starte|ejecuta|ejecutar|corre|exécute|exécuter|lance)\b|(?:总是|每次|始终|首先|先)[^。\n]{0,40}(?:运行|执行)|(?:必ず|毎回|常に|最初に)[^。\n]{0,40}(?:実行|起動)",
    ),
];

static SUSPECT_PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let build = |pattern| RegexBuilder::new(pattern).case_insensitive(true).size_limit(4 << 20).build().ok();
    SUSPECTS.iter().filter_map(|(what, pattern)| Some((*what, build(pattern)?))).collect()
});

static PATTERNS: LazyLock<Vec<(&'static str, Needs, Regex)>> = LazyLock::new(|| {
    FORMS.iter().filter_map(|(what, needs, form)| Some((*what, *needs, Regex::new(form).ok()?))).collect()
});

/// Tests that run against a database are nobody's order to run something.
static RUNS_ITSELF: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:run|execute)\s+(?:against|under|nightly|daily|weekly|twice)\b").ok());

/// All forms at once: most memories have none, and cost one pass.
static ANY: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(FORMS.map(|(_, _, form)| form)).ok());

/// What turns an order around: "never run …" is advice.
static NEGATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:never|not|don't|don’t|doesn't|won't|cannot|can't|must\s+not|avoid|refuse|reject|without|instead\s+of|rather\s+than|no\s+longer|stop|forbidden|banned|unsafe|dangerous|nie|niemals|nicht|kein\w*|jamais|pas|nunca|jamás|não|никогда|не)\b|不要|不得|不能|不可|禁止|勿|别|切勿|しない|禁止|말\s*것|금지",
    )
    .ok()
});

/// What makes a command a standing order.
static CUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:always|must|first|before|every|each|whenever|remember|immediately|automatically|at\s+the\s+(?:start|beginning)|on\s+start(?:up)?|immer|zuerst|jedes\s+mal|toujours|d['’]abord|chaque|siempre|primero|cada|sempre|всегда|сначала|каждый)\b|总是|始终|每次|必须|首先|一定|必ず|常に|毎回|最初に|항상|매번|먼저",
    )
    .ok()
});

/// The orders of a text, each line once. Lines count from the text's first.
pub(crate) fn found(whole: &str) -> Vec<Order> {
    // A word cannot hide by being cut with something nobody sees.
    let text = without_hidden(whole);
    certain(&text, true)
}

/// What may be an order, each line once: all that [`found`] finds, with and without what makes it certain, and more.
pub(crate) fn suspected(whole: &str) -> Vec<Order> {
    let text = without_hidden(whole);
    let mut orders = certain(&text, false);
    for (at, line) in text.lines().enumerate() {
        let is_known = orders.iter().any(|order| order.line == at + 1);
        let told = RUNS_ITSELF.as_ref().map_or(Cow::Borrowed(line), |pattern| pattern.replace_all(line, ""));
        if let Some((what, _)) = SUSPECT_PATTERNS.iter().find(|(_, pattern)| !is_known && pattern.is_match(&told)) {
            orders.push(order(&text, at + 1, what));
        }
    }
    orders.sort_by_key(|order| order.line);
    orders
}

fn certain(text: &str, has_needs: bool) -> Vec<Order> {
    let mut found: Vec<Order> = Vec::new();
    if !ANY.as_ref().is_some_and(|any| any.is_match(text)) {
        return found;
    }
    let is_near =
        |pattern: &LazyLock<Option<Regex>>, text: &str| pattern.as_ref().is_some_and(|one| one.is_match(text));
    for (what, needs, pattern) in PATTERNS.iter() {
        for hit in pattern.find_iter(text) {
            let before = text.get(..hit.start()).unwrap_or_default();
            let sentence = sentence(before);
            let is_advice = is_near(&NEGATION, sentence);
            let line_end = text.get(hit.end()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            let has_cue = || is_near(&CUE, sentence) || is_near(&CUE, line_end);
            let is_order = match needs {
                Needs::Nothing => true,
                Needs::Cue => has_cue(),
                Needs::CueOrLead => is_lead(sentence) || has_cue(),
            };
            let line = before.matches('\n').count() + 1;
            if !is_advice && (is_order || !has_needs) && found.iter().all(|order| order.line != line) {
                found.push(order(text, line, what));
            }
        }
    }
    found.sort_by_key(|order| order.line);
    found
}

fn order(text: &str, line: usize, what: &'static str) -> Order {
    let quoted = text.lines().nth(line - 1).unwrap_or_default().trim().chars().take(QUOTED).collect();
    Order { line, what, text: quoted }
}

/// Whether nothing but marks and fillers stands before the words.
fn is_lead(sentence: &str) -> bool {
    let words = sentence.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.into_iter().all(|word| {
        ["please", "then", "now", "also", "and", "remember"].iter().any(|filler| word.eq_ignore_ascii_case(filler))
    })
}

/// The sentence so far: what stands before a place, back to the last full stop, blank line or list item. A fence after
/// "always run this first:" belongs to it.
fn sentence(before: &str) -> &str {
    let start = before.char_indices().rev().take(REACH).last().map_or(0, |(at, _)| at);
    let near = before.get(start..).unwrap_or_default();
    const ENDS: [&str; 9] = [". ", ".\n", "! ", "? ", "。", "！", "？", "\n- ", "\n* "];
    let from = ENDS.iter().filter_map(|end| near.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    near.get(from..).unwrap_or_default()
}

#[cfg(test)]
#[path = "orders_tests.rs"]
mod tests;
