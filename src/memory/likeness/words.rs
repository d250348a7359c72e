//! From a text to its words: normalised, stemmed, and sorted into those that carry meaning and those that may not differ.
//!
//! Not its job: comparing (see [`super::Shape`]).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use super::language::{self, Language};
use super::patterns::Pattern;

/// Words without meaning of their own.
pub(super) const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by", "from", "as", "is", "are",
    "was", "were", "be", "been", "it", "its", "this", "that", "these", "those", "we", "you", "i", "they", "he", "she",
    "us", "our", "your", "my", "their", "them", "me", "do", "does", "did", "have", "has", "had", "will", "would",
    "can", "could", "should", "must", "may", "so", "if", "then", "there", "here", "all", "any", "when", "please",
    "just", "also", "not", "no", "never", "always", "don't", "dont", "im", "i'm", "we're", "it's", "user", "prefer",
    "use", "using", "into", "about", "than", "which", "who", "what", "how", "up", "out", "now", "der", "die", "das",
    "und", "ist", "ein", "eine", "nicht", "im", "zu", "mit", "auf", "für", "el", "la", "los", "las", "de", "que", "y",
    "en", "un", "una", "le", "les", "des", "et", "du", "est", "une", "pour", "dans", "keep", "make", "every", "each",
    "only", "too", "very", "really", "more", "am", "day", "thing", "things", "time", "way",
];

/// Words that turn a statement round.
pub(super) const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "without",
    "avoid",
    "stop",
    "don't",
    "dont",
    "doesn't",
    "isn't",
    "aren't",
    "can't",
    "cannot",
    "won't",
    "shouldn't",
    "mustn't",
    "neither",
    "nor",
    "none",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "nie",
    "niemals",
    "ohne",
    "nunca",
    "jamás",
    "sin",
    "ne",
    "pas",
    "jamais",
    "sans",
    "aucun",
    "forbidden",
    "prohibited",
    "banned",
];

/// Words of which another one in the same place makes another claim.
pub(super) const OPPOSITES: &[&str] = &[
    "enable",
    "disable",
    "enabled",
    "disabled",
    "allow",
    "forbid",
    "allowed",
    "forbidden",
    "before",
    "after",
    "frozen",
    "lifted",
    "with",
    "without",
    "include",
    "exclude",
    "tabs",
    "spaces",
    "public",
    "private",
    "staging",
    "production",
    "prod",
    "dev",
    "frontend",
    "backend",
    "client",
    "server",
    "start",
    "end",
    "starts",
    "ends",
    "open",
    "closed",
    "on",
    "off",
    "read",
    "write",
    "internal",
    "external",
    "squash",
    "rebase",
    "merge",
    "unit",
    "integration",
    "short",
    "long",
    "daily",
    "weekly",
    "monthly",
    "opens",
    "closes",
    "left",
    "right",
    "old",
    "new",
    "more",
    "less",
    "upper",
    "lower",
    "first",
    "last",
    "sync",
    "async",
];

/// Words that lead to what follows them, so that two things that change places behind them make another claim.
pub(super) const DIRECTIONS: &[&str] = &[
    "from", "to", "into", "onto", "before", "after", "over", "under", "above", "below", "than", "by", "until", "von",
    "aus", "nach", "vor", "zu", "zum", "zur", "bis", "statt", "über", "unter", "durch", "avant", "après", "depuis",
    "vers", "par", "sur", "sous", "antes", "después", "desde", "hasta", "hacia", "por", "sobre",
];

/// Words of which both cannot hold for one thing at one time.
pub(super) const CONTRADICTIONS: &[(&str, &str)] = &[
    ("enabled", "disabled"),
    ("enable", "disable"),
    ("allowed", "forbidden"),
    ("allow", "forbid"),
    ("on", "off"),
    ("open", "closed"),
    ("frozen", "lifted"),
    ("required", "optional"),
    ("public", "private"),
    ("tabs", "spaces"),
    ("aktiviert", "deaktiviert"),
    ("erlaubt", "verboten"),
    ("an", "aus"),
    ("offen", "geschlossen"),
    ("activé", "désactivé"),
    ("activée", "désactivée"),
    ("autorisé", "interdit"),
    ("ouvert", "fermé"),
    ("activado", "desactivado"),
    ("activada", "desactivada"),
    ("permitido", "prohibido"),
    ("abierto", "cerrado"),
];

static STEMMERS: LazyLock<[Stemmer; 4]> = LazyLock::new(|| {
    [Algorithm::English, Algorithm::German, Algorithm::French, Algorithm::Spanish].map(Stemmer::create)
});

/// The stemmer for a text, where its language is sure.
pub(super) fn stemmer(text: &str) -> Option<&'static Stemmer> {
    let [english, german, french, spanish] = &*STEMMERS;
    if language::is_surely_english(text) {
        return Some(english);
    }
    match language::surely_other(text)? {
        Language::German => Some(german),
        Language::French => Some(french),
        Language::Spanish => Some(spanish),
        _ => None,
    }
}
static MARKDOWN: Pattern = Pattern::new(r"\[([^\]]*)\]\(([^)]*)\)|\[\[([^\]|]*)(?:\|[^\]]*)?\]\]|(\*\*|__|~~)");

/// NFKC, small letters, without Markdown, on one line.
pub(super) fn normalise(text: &str) -> String {
    let plain = MARKDOWN.replace_all(text, "$1 $2$3");
    let folded: String = plain.nfkc().collect::<String>().to_lowercase().replace('’', "'");
    let cleaned: Vec<&str> = folded
        .lines()
        .map(|line| {
            line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '>' | '-' | '*' | '+' | '•'))
        })
        .flat_map(str::split_whitespace)
        .map(|word| {
            word.trim_matches(|c: char| {
                matches!(
                    c,
                    '.' | ',' | ';' | ':' | '!' | '?' | '*' | '(' | ')' | '"' | '“' | '”' | '。' | '，' | '、' | '！'
                )
            })
        })
        .filter(|word| !word.is_empty() && *word != "—" && *word != "–")
        .collect();
    cleaned.join(" ")
}

/// The words of a text: letters, digits and what joins them.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_' | '-' | '.' | '/' | '#' | '+' | '@' | ':')))
        .map(|word| word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '#' | '+'))).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether a character belongs to a script without blanks between words.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Stems of a word, or its n-grams where the language is not sure.
pub(super) fn stems(word: &str, stemmer: Option<&Stemmer>) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    if characters.iter().any(|c| is_ideograph(*c)) {
        let pairs: Vec<String> = characters.windows(2).map(|pair| pair.iter().collect()).collect();
        return if pairs.is_empty() { vec![word.to_owned()] } else { pairs };
    }
    match stemmer {
        Some(stemmer) if word.chars().all(|c| c.is_alphabetic() || c == '\'') => vec![stemmer.stem(word).into_owned()],
        _ => vec![word.to_owned()],
    }
}

/// Words with a capital inside a sentence, in small letters: names of people, teams, products.
pub(crate) fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut starts_sentence = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut characters = bare.chars();
        let is_capitalised = characters.next().is_some_and(char::is_uppercase)
            && characters.all(|c| c.is_lowercase() || !c.is_alphabetic());
        if is_capitalised && !starts_sentence && bare.chars().count() > 1 {
            names.insert(bare.to_lowercase().trim_end_matches("'s").to_owned());
        }
        starts_sentence = word.ends_with(['.', '!', '?', ':', '*', '。']) || matches!(word, "-" | "*" | "#");
    }
    names
}
