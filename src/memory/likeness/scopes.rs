//! Whether a later claim speaks of a part only: "security bugs", "for the mobile app", "in tests", "locally".
//!
//! What is narrower than a claim replaces none of it, whatever it says. Not its job: whether it would replace it otherwise
//! (see [`super::supersede`]).

use super::are_akin;
use super::slots::Word;
use super::words::STOP_WORDS;

/// Words that lead to what a claim is limited to, wherever they stand.
const LIMITS: &[&str] = &[
    "for", "of", "during", "when", "while", "if", "unless", "except", "besides", "inside", "within", "für", "bei",
    "beim", "während", "wenn", "falls", "außer", "pour", "lors", "pendant", "quand", "lorsque", "sauf", "para",
    "durante", "cuando", "salvo", "excepto",
];
/// The same at the beginning of a claim; elsewhere a value may follow them.
const LEADS: &[&str] = &["in", "on", "at", "im", "auf", "in", "dans", "sur", "en", "under"];
/// Words that limit a claim by themselves.
const ALONE: &[&str] = &["locally", "lokal", "localmente", "localement"];
/// After these no limit follows.
const NO_LIMITS: &[&str] = &[
    "now",
    "good",
    "ever",
    "everyone",
    "everything",
    "us",
    "it",
    "that",
    "both",
    "example",
    "instance",
    "years",
    "jetzt",
    "immer",
    "alle",
    "alles",
    "maintenant",
    "toujours",
    "tous",
    "tout",
    "ahora",
    "siempre",
    "todos",
    "todo",
    "clarity",
    "safety",
    "consistency",
    "reasons",
];
/// Words that go with a thing without making it another.
const PLAIN: &[&str] = &[
    "our", "the", "all", "every", "new", "old", "current", "same", "whole", "entire", "alle", "unsere", "neue",
    "neuen", "aktuelle", "of",
];
/// What something is done for.
const REASONS: &[&str] = &[
    "reason",
    "reasons",
    "cost",
    "costs",
    "speed",
    "performance",
    "simplicity",
    "legal",
    "compliance",
    "budget",
    "security",
    "gründen",
    "raisons",
    "motivos",
];
/// Verbs of change: what follows them is what changes.
const CHANGES: &[&str] = &[
    "moved",
    "moves",
    "switched",
    "switches",
    "changed",
    "replaced",
    "replaces",
    "migrated",
    "renamed",
    "dropped",
    "owns",
    "own",
    "uses",
    "use",
    "runs",
    "run",
    "leads",
    "maintains",
    "took",
    "takes",
    "handles",
    "keeps",
    "keep",
    "install",
    "installs",
    "deploy",
    "deploys",
    "do",
    "does",
];
/// Limits in Chinese and Japanese.
const SIGNS: &[&str] =
    &["时候", "测试时", "本地", "仅", "只在", "只有", "期间", "場合", "だけ", "のみ", "ローカル", "の間"];

/// Whether a later claim, of these words, is narrower than an earlier one.
pub(super) fn is_narrower(later: &[Word], earlier: &[Word]) -> bool {
    let knows = |word: &str| earlier.iter().any(|(known, _)| known == word || are_akin(known, word));
    let is_new = |word: &str| {
        let is_plain = STOP_WORDS.contains(&word) || NO_LIMITS.contains(&word) || PLAIN.contains(&word);
        !is_plain && word.chars().any(char::is_alphabetic) && !knows(word)
    };
    let subject =
        earlier.iter().map(|(word, _)| word.as_str()).find(|word| !ARTICLES.contains(word)).unwrap_or_default();
    let is_limited = later.iter().enumerate().any(|(at, (word, _))| {
        let word = word.as_str();
        if ALONE.contains(&word) {
            return !knows(word);
        }
        if !(LIMITS.contains(&word) || (at == 0 && LEADS.contains(&word))) {
            return false;
        }
        // "Because of", "out of" and "for cost reasons" give a reason, no limit.
        let before = at.checked_sub(1).and_then(|before| later.get(before)).map_or("", |(word, _)| word.as_str());
        let is_reason = later.iter().skip(at + 1).take(4).any(|(word, _)| REASONS.contains(&word.as_str()));
        if (word == "of" && !knows(before)) || is_reason {
            return false;
        }
        let next = later.iter().skip(at + 1).map(|(word, _)| word.as_str()).find(|word| !ARTICLES.contains(word));
        next.is_some_and(|next| is_new(next.trim_end_matches("'s")))
    });
    is_limited || is_of_a_kind(later, subject, &is_new, &knows) || has_signs(later, earlier)
}

/// Words between a preposition and what it leads to.
const ARTICLES: &[&str] = &[
    "the", "our", "a", "an", "my", "your", "all", "der", "die", "das", "den", "dem", "unsere", "unserem", "le", "la",
    "les", "l", "des", "el", "los", "las", "nuestra", "nuestro",
];

/// "Security bugs": a new word right before a known thing with which the claim begins or that "no longer" is said of; and
/// "the service's frontend".
fn is_of_a_kind(later: &[Word], subject: &str, is_new: &dyn Fn(&str) -> bool, knows: &dyn Fn(&str) -> bool) -> bool {
    let text = |at: usize| later.get(at).map_or("", |(word, _)| word.as_str());
    let begins = usize::from(ARTICLES.contains(&text(0)));
    let is_kind = |at: usize| {
        let (kind, thing) = (text(at), text(at + 1));
        is_new(kind) && !CHANGES.contains(&kind) && !STOP_WORDS.contains(&thing) && !thing.is_empty() && knows(thing)
    };
    let ends =
        later.windows(2).position(|pair| matches!(pair, [(no, _), (longer, _)] if no == "no" && longer == "longer"));
    let of_what_ended = ends.is_some_and(|at| knows(text(at + 2)) && is_kind(at + 3));
    let of_a_part = || {
        later.windows(2).any(|pair| {
            matches!(pair, [(whole, _), (part, _)] if whole.ends_with("'s") && knows(whole.trim_end_matches("'s")) && is_new(part))
        })
    };
    let is_a_name = later.get(begins).is_some_and(|(_, is_capital)| *is_capital && begins > 0);
    (is_kind(begins) && are_akin(text(begins + 1), subject) && !is_a_name) || of_what_ended || of_a_part()
}

fn has_signs(later: &[Word], earlier: &[Word]) -> bool {
    let joined = |words: &[Word]| words.iter().map(|(word, _)| word.as_str()).collect::<String>();
    let has_any = |words: &[Word]| words.iter().any(|(word, _)| !word.is_ascii());
    if !has_any(later) {
        return false;
    }
    let (later, earlier) = (joined(later), joined(earlier));
    SIGNS.iter().any(|sign| later.contains(sign) && !earlier.contains(sign))
}
