//! "Forget what I said about var": what is left of a memory that says it.
//!
//! Nothing where the memory is about that alone, whatever reasons stand beside it; the other half where it says two things
//! of which one can be taken out in the person's own words. Not its job: which memory is meant (see [`super::revoke`]).

use std::collections::BTreeSet;

use super::naming::{has, words_of};
use super::statement::finish;
use crate::memory::likeness::patterns::Pattern;

/// What is left of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing: it was about that alone.
    Nothing,
    /// This.
    Part(String),
    /// Nobody can tell.
    Unclear,
}

/// Where a claim stops saying what holds and begins to say why.
static REASON: Pattern = Pattern::new(concat!(
    r"(?i)\s[—–-]{1,2}\s|\s\(|[,;]?\s(?:because|since|as (?:it|they|we|that|the)|given that|so that|weil|denn|damit|da (?:es|das|sie|wir)|parce qu|car|puisqu|porque|ya que|pues)\b",
    r"|,\s(?:it|it's|its|they|they're|that|that's|this|these|those|we|i|nobody|everyone|everybody|sie|es|das|die|der|wir|ich|niemand|keiner|il|elle|ils|elles|on|ça|c'est|nadie|nos|lo|la|son|es|está|están) ",
    r"|,\s[^,;.]{0,60}\b(?:is|are|was|were|has|have|had|makes?|breaks?|broke|causes?|costs?|takes?|fails?|failed|ist|sind|war|waren|hat|haben|macht|machen|kostet|fue|tiene|hace|est|sont|était|ont|fait) ",
    r"|，|因为|由于|。|ので|ため|から(?:です|。|$)",
));
/// How a clause begins that is a rule of its own.
static RULE: Pattern = Pattern::new(concat!(
    r"(?i)^(?:and |or |but |please |und |oder |bitte |y |et )*(?:always|never|don't|do not|dont|no|use|keep|avoid|prefer|write|run|ask|put|make|add|stop|check|name|test|commit|immer|nie|niemals|keine?n?|nutze?|verwende|schreibe?|halte|vermeide",
    r"|siempre|nunca|no|usa|evita|escribe|toujours|jamais|ne|n'\p{L}+|pas|utilise|évite|écris)\b|^(?:不要|别|必须|请|总是|一律|用)|(?:しない|使わ|必ず)",
));
/// What joins two things of which something is said.
static JOINT: Pattern = Pattern::new(r"(?i)\s(?:and|or|nor|plus|&|und|oder|sowie|noch|y|e|o|u|ni|et|ou)\s");
/// The same in Chinese and Japanese, where none can be taken out.
static SIGN_JOINT: Pattern = Pattern::new(r"、|和|或|以及|跟|[\p{Han}\p{Katakana}\w][やと][\p{Han}\p{Katakana}\w]");
/// Verbs and words of rules, which say nothing without what they are about.
const EMPTY: &str = "use using used always never don't do not no avoid prefer keep have please the a an any our your of in on for with \
    nutze verwende benutze immer nie keine keinen kein die der das den bitte usa usar no nunca siempre los las el la evita \
    utilise toujours jamais pas de des les le";

/// A claim without the reason that follows it.
pub(super) fn without_reason(claim: &str) -> &str {
    let claim = claim.trim();
    let cut = REASON.find_iter(claim).find(|hit| {
        let after = claim.get(hit.start()..).unwrap_or_default();
        !RULE.is_match(after.trim_start_matches([',', ';', ' ', '，', '。', '—', '–', '-']))
    });
    let first = claim.split_inclusive(". ").next().unwrap_or(claim);
    let end = cut.map_or(first.len(), |hit| hit.start().min(first.len()));
    claim.get(..end).filter(|main| !main.trim().is_empty()).unwrap_or(claim).trim()
}

/// What is left of a claim when what `about` names is forgotten.
pub(super) fn left(claim: &str, about: &str) -> Left {
    let main = without_reason(claim);
    let named = words_of(about, about);
    let rest = claim.trim().get(main.len()..).unwrap_or_default();
    let says_more =
        rest.split(['.', ';', '。']).any(|clause| RULE.is_match(clause.trim_start_matches([',', ' ', '，'])));
    let bare = main.trim_end_matches(['.', '!', '。']);
    let joints: Vec<_> = JOINT.find_iter(bare).collect();
    match joints.as_slice() {
        _ if SIGN_JOINT.is_match(bare) && !own(bare, &named).is_empty() => Left::Unclear,
        [] if says_more => Left::Unclear,
        [] => Left::Nothing,
        [joint] if !says_more && !bare.get(..joint.start()).unwrap_or_default().contains(", ") => {
            let (first, second) = (bare.get(..joint.start()), bare.get(joint.end()..));
            first.zip(second).map_or(Left::Unclear, |(first, second)| of_two(first, second, &named))
        }
        // "Pull requests small and focused": all that is listed is of what is forgotten.
        _ if own(bare, &named).is_empty() => Left::Nothing,
        _ => Left::Unclear,
    }
}

/// What is left of two things that a joint joins.
fn of_two(first: &str, second: &str, named: &BTreeSet<String>) -> Left {
    let (in_first, in_second) = (names(first, named), names(second, named));
    let has_rule = RULE.is_match(second);
    let kept = |text: &str| Left::Part(finish(text.trim()));
    match (in_first, in_second) {
        (true, true) => Left::Nothing,
        // "… and use early returns"
        (false, true) if own(second, named).is_empty() => kept(first),
        // "… or prettier before every commit"
        (false, true) => match goes_on(second) {
            Some((thing, rest)) if own(thing, named).is_empty() => kept(&format!("{first} {rest}")),
            _ => Left::Unclear,
        },
        (true, false) if has_rule && own(first, named).is_empty() => kept(second),
        // "Never use var or eval": what stands before the first one holds for the second.
        (true, false) if is_one_word(second) => match without_last(first, named) {
            Some(before) => kept(&format!("{before} {}", second.trim())),
            None => Left::Unclear,
        },
        _ => Left::Unclear,
    }
}

/// What follows a thing and holds for both: "in every package", "before you commit".
static GOES_ON: Pattern = Pattern::new(
    r"(?i)\s(?:in|on|at|before|after|for|when|with|during|vor|nach|bei|für|im|mit|wenn|antes|en|para|con|cuando|avant|dans|pour|après|quand)\s",
);

/// The thing that a clause begins with, and what follows it.
fn goes_on(clause: &str) -> Option<(&str, &str)> {
    let at = GOES_ON.find(clause)?.start();
    Some((clause.get(..at)?, clause.get(at..)?.trim()))
}

/// Whether a clause is one word, but for what holds for both.
fn is_one_word(clause: &str) -> bool {
    let thing = goes_on(clause).map_or(clause, |(thing, _)| thing);
    !thing.trim().contains(' ')
}

/// A clause without the words at its end that are named; nothing where others stand there.
fn without_last(clause: &str, named: &BTreeSet<String>) -> Option<String> {
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    let count = words.len();
    while words.last().is_some_and(|last| names(last, named)) {
        words.pop();
    }
    (words.len() < count && !words.is_empty() && !words.iter().any(|word| names(word, named))).then(|| words.join(" "))
}

fn names(clause: &str, named: &BTreeSet<String>) -> bool {
    words_of(clause, clause).iter().any(|word| has(named, word))
}

/// The words of a clause that say something else than what is named.
fn own(clause: &str, named: &BTreeSet<String>) -> Vec<String> {
    let is_empty = |word: &str| EMPTY.split_whitespace().any(|empty| empty == word);
    let words = clause.split_whitespace().filter(|word| !is_empty(&word.to_lowercase()));
    words_of(&words.collect::<Vec<_>>().join(" "), clause).into_iter().filter(|word| !has(named, word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_no_second_thing_and_of_two_things_one_is_left() {
        assert!(
            REASON.is_whole() && RULE.is_whole() && JOINT.is_whole() && SIGN_JOINT.is_whole() && GOES_ON.is_whole()
        );
        for (claim, about) in [
            ("Never use var, it's old and confusing.", "var"),
            ("Don't add docstrings to tests, they're noise and nobody reads them.", "docstrings in tests"),
            ("Never use var because it is hoisted, leaks and confuses people.", "var"),
            ("Never use var. It's hoisted, it leaks and it confuses people.", "var"),
            ("Never use var — old, confusing, and banned by the linter.", "var"),
            ("Keep pull requests small, big ones are slow and risky to review.", "pull requests"),
            ("Schreib keine Docstrings in Tests, die sind Rauschen und keiner liest sie.", "Docstrings"),
            ("No uses var, es viejo y confuso.", "var"),
            ("N'utilise jamais var, c'est vieux et confus.", "var"),
            ("Use pnpm, never npm.", "pnpm"),
            ("The user is a data scientist, mostly Python.", "I'm a data scientist"),
            ("以后不要用 var，又旧又乱。", "var"),
            ("varは使わないでください。古くて紛らわしいので。", "var"),
        ] {
            assert_eq!(left(claim, about), Left::Nothing, "{claim}");
        }
        for (claim, about, rest) in [
            ("Never use var or eval.", "eval", "Never use var."),
            ("Never use var or eval.", "var", "Never use eval."),
            ("Always use tabs and no semicolons.", "semicolons", "Always use tabs."),
            (
                "Keep functions short and use early returns, nested code is hard to read.",
                "early returns",
                "Keep functions short.",
            ),
            ("Use early returns and keep functions short.", "early returns", "Keep functions short."),
            ("Nutze nie var oder eval.", "eval", "Nutze nie var."),
            (
                "Always run eslint or prettier before every commit.",
                "prettier",
                "Always run eslint before every commit.",
            ),
            (
                "Always run eslint or prettier before every commit.",
                "eslint",
                "Always run prettier before every commit.",
            ),
        ] {
            assert_eq!(left(claim, about), Left::Part(rest.to_owned()), "{claim}");
        }
        for (claim, about) in [
            ("Use pnpm, ESLint and Prettier in every package.", "Prettier"),
            ("Never use var. Always write tests first.", "var"),
            ("Write short functions and test edge cases.", "short functions"),
        ] {
            assert_eq!(left(claim, about), Left::Unclear, "{claim}");
        }
    }
}
