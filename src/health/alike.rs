//! Whether a statement says what another says, in words that may differ a little.
//!
//! Stems of the words that carry meaning; numbers, names in code and polarity have to agree. Not its job: deciding what
//! follows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use rust_stemmers::{Algorithm, Stemmer};

/// From this share of the words on, what holds them says the same; of few words all are needed, since one of them may be
/// the very value that differs.
const NEARLY_ALL: f64 = 0.8;

/// From so many words on one may be missing.
const MANY: usize = 6;

/// Words whose forms no stemmer brings together.
const FORMS: &[(&str, &str)] = &[
    ("kept", "keep"),
    ("written", "write"),
    ("wrote", "write"),
    ("built", "build"),
    ("ran", "run"),
    ("made", "make"),
    ("sent", "send"),
    ("held", "hold"),
    ("done", "do"),
    ("given", "give"),
    ("taken", "take"),
    ("chosen", "choose"),
    ("thrown", "throw"),
    ("stood", "stand"),
];

/// So many words have to be the same at least: short sentences are alike by chance.
const FEWEST: usize = 3;

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"`([^`]+)`|\b\d+(?:[.,:/-]\d+)*\b").ok());

/// Words that carry no meaning of their own, or only how strongly something is meant.
const EMPTY: &[&str] = &[
    "a", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but", "by", "can",
    "do", "does", "each", "every", "for", "from", "has", "have", "if", "in", "into", "is", "it", "its", "may", "must",
    "of", "on", "only", "or", "our", "please", "prefer", "shall", "should", "so", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "to", "us", "use", "used", "uses", "using", "was", "we", "when", "which",
    "will", "with", "you", "your", "der", "die", "das", "und", "immer", "ein", "eine", "ist", "mit", "für", "le", "la",
    "les", "et", "des", "el", "los", "las", "y", "de", "en",
];

/// Words that turn a statement round.
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "don't", "dont", "doesn't", "avoid", "without", "kein", "keine", "nicht", "nie", "niemals",
    "ne", "pas", "jamais", "nunca",
];

/// A statement, ready to be compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    words: BTreeSet<String>,
    exact: BTreeSet<String>,
    is_negative: bool,
}

impl Statement {
    /// Takes the measure of a statement.
    pub(super) fn of(text: &str) -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let lower = text.to_lowercase().replace('’', "'");
        let mut statement = Self::default();
        if let Some(pattern) = CODE.as_ref() {
            statement.exact = pattern.find_iter(&lower).map(|hit| hit.as_str().trim_matches('`').to_owned()).collect();
        }
        for word in lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()) {
            let word = word.trim_matches('\'');
            let word = FORMS.iter().find(|(form, _)| *form == word).map_or(word, |(_, plain)| plain);
            if NEGATIONS.contains(&word) {
                statement.is_negative = true;
            } else if !word.is_ascii() && word.chars().any(|c| c > '\u{2E80}') {
                // Scripts without spaces: pairs of characters.
                let characters: Vec<char> = word.chars().collect();
                statement.words.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
            } else if !EMPTY.contains(&word) && word.chars().count() > 1 {
                statement.words.insert(stemmer.stem(word).into_owned());
            }
        }
        statement.is_negative |= ["不要", "禁止", "不得", "ないで", "しない"].iter().any(|mark| lower.contains(mark));
        statement
    }

    /// Whether it says enough to be compared.
    pub(super) fn is_telling(&self) -> bool {
        self.words.len() >= FEWEST
    }

    /// Whether `other` says all that this says.
    pub(super) fn is_said_by(&self, other: &Self) -> bool {
        let common = self.words.intersection(&other.words).count();
        let needed = if self.words.len() < MANY { 1.0 } else { NEARLY_ALL } * self.words.len() as f64;
        let is_most = common >= FEWEST && common as f64 >= needed;
        is_most && self.is_negative == other.is_negative && self.exact.is_subset(&other.exact)
    }

    /// The statement of both together.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            words: self.words.union(&other.words).cloned().collect(),
            exact: self.exact.union(&other.exact).cloned().collect(),
            is_negative: self.is_negative || other.is_negative,
        }
    }
}
