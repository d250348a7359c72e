//! Statements that no cue knows, told by their manner: a small scorer over classes of words, trained on the develop half of
//! `tests/extraction/` (weights and word lists in `assets/manner/`).
//!
//! It is asked last, and only of what nothing speaks against. Its features are classes of function words and of the field's
//! plain words, the same for all six languages; no sentence is known by its own words. Not its job: what speaks against a whole
//! sentence (see [`super::classify`]).

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::cues::{Cues, PLACE};
use super::language::Language;
use super::parts::Parts;
use super::sentences::Sentence;
use super::{habits, wishes};
use crate::memory::Kind;

/// What a sentence may be; the first is no statement at all.
const ANSWERS: [Option<Kind>; 5] =
    [None, Some(Kind::User), Some(Kind::Feedback), Some(Kind::Project), Some(Kind::Reference)];

/// Fewer words than these have no manner to speak of.
const FEWEST_WORDS: usize = 6;

/// With this likelihood by its words alone, no cues make a sentence a sure one.
const HARDLY: f64 = 0.1;

/// Where a sentence stands in its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    at: usize,
    of: usize,
}

impl Place {
    /// The place of the sentence at `at`.
    pub(super) fn of(sentences: &[Sentence], at: usize) -> Self {
        Self { at, of: sentences.len() }
    }
}

/// The classes of words.
struct Words {
    names: Vec<&'static str>,
    phrases: AhoCorasick,
    /// Of each phrase: its class, and whether a word may go on after it, or begin before it.
    of: Vec<(usize, bool, bool)>,
}

impl Words {
    fn read(text: &'static str) -> Option<Self> {
        let (mut names, mut phrases, mut of) = (Vec::new(), Vec::new(), Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, listed) = line.split_once(": ")?;
            for phrase in listed.split(", ") {
                let whole = phrase.trim_end_matches('*');
                of.push((names.len(), whole != phrase, whole.contains(|c: char| c >= '\u{2e80}' || c == '⟦')));
                phrases.push(whole);
            }
            names.push(name);
        }
        Some(Self { names, phrases: AhoCorasick::new(phrases).ok()?, of })
    }

    /// How often each class is in a text, and whether it begins it.
    fn count(&self, text: &str) -> Vec<(usize, bool)> {
        let mut counts = vec![(0, false); self.names.len()];
        for hit in self.phrases.find_overlapping_iter(text) {
            let Some((class, may_go_on, is_free)) = self.of.get(hit.pattern().as_usize()) else { continue };
            let before = text.get(..hit.start()).and_then(|before| before.chars().next_back());
            let after = text.get(hit.end()..).and_then(|after| after.chars().next());
            let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let goes_on =
                is_inside(after) || (after == Some('\'') && !text.get(..hit.end()).unwrap_or("").ends_with('\''));
            if !is_free && (is_inside(before) || (goes_on && !may_go_on)) {
                continue;
            }
            if let Some((count, begins)) = counts.get_mut(*class) {
                *count += 1;
                *begins |= hit.start() == 0;
            }
        }
        counts
    }
}

static WORDS: LazyLock<Option<Words>> = LazyLock::new(|| Words::read(include_str!("../../../assets/manner/words.txt")));

/// A pair of classes that say more together: the second not there (`!`), or the first at the beginning (`^`).
const PAIRS: [(&str, &str); 24] = [
    ("event", "named"),
    ("org", "named"),
    ("^i", "trade"),
    ("i", "trade"),
    ("prefer", "i"),
    ("we", "no"),
    ("place", "kept"),
    ("every", "no"),
    ("^order", "the"),
    ("work", "prefer"),
    ("duty", "org"),
    ("code", "the"),
    ("trade", "!we"),
    ("work", "please"),
    ("event", "org"),
    ("i", "body"),
    ("always", "!order"),
    ("past", "!trade"),
    ("we", "is"),
    ("we", "!past"),
    ("work", "!the"),
    ("prefer", "!we"),
    ("duty", "!order"),
    ("prod", "we"),
];

/// The features that a sentence has by its words and shape, by name.
fn by_words(parts: &Parts, language: Language, place: Place) -> Option<Vec<String>> {
    let words = WORDS.as_ref()?;
    let text = parts.masked.as_str();
    let counts = words.count(text);
    let mut all = vec!["any".to_owned()];
    for (name, (count, begins)) in words.names.iter().zip(&counts) {
        let ways = [(*count > 0, ""), (*begins, "^"), (*count > 1, "2")];
        all.extend(ways.iter().filter(|(is_so, _)| *is_so).map(|(_, way)| format!("{way}{name}")));
    }
    let of = |name: &str| words.names.iter().position(|one| *one == name).and_then(|at| counts.get(at)).copied();
    let is_there = |name: &str| match (name.strip_prefix('!'), name.strip_prefix('^')) {
        (Some(bare), _) => of(bare).is_none_or(|(count, _)| count == 0),
        (_, Some(bare)) => of(bare).is_some_and(|(_, begins)| begins),
        _ => of(name).is_some_and(|(count, _)| count > 0),
    };
    let pairs = PAIRS.iter().filter(|(one, other)| is_there(one) && is_there(other));
    all.extend(pairs.map(|(one, other)| format!("{one}+{other}")));
    let has_name = language != Language::German
        && parts.cased.split_whitespace().skip(1).any(|word| {
            let mut letters = word.chars();
            letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
        });
    let length = match language {
        Language::Chinese | Language::Japanese => text.chars().count() / 2,
        _ => text.split_whitespace().count(),
    };
    let shape = [
        ("name", has_name),
        ("name+duty", has_name && is_there("duty")),
        ("to 4 words", length <= 4),
        ("to 8 words", (5..=8).contains(&length)),
        ("to 14 words", (9..=14).contains(&length)),
        ("to 24 words", (15..=24).contains(&length)),
        ("over 24 words", length > 24),
        ("alone", place.of == 1),
        ("first of several", place.of > 1 && place.at == 0),
        ("last of several", place.of > 1 && place.at + 1 == place.of),
        ("of many", place.of > 3),
        ("comma", text.contains(", ")),
        ("colon", text.contains(':')),
        ("digit", text.contains(|c: char| c.is_ascii_digit())),
        ("reason", parts.why.is_some()),
        ("no person", !is_there("i") && !is_there("we") && !is_there("you")),
    ];
    all.extend(shape.iter().filter(|(_, is_so)| *is_so).map(|(name, _)| (*name).to_owned()));
    all.push(format!("in {language:?}").to_lowercase());
    Some(all)
}

/// The features that it has by the cues of its language.
fn by_cues(parts: &Parts, cues: &Cues) -> Vec<String> {
    let text = parts.masked.as_str();
    let shape = [
        ("no rule", cues.not_rule.hits(text)),
        ("task", cues.task.hits(text)),
        ("code talk", cues.code_talk.hits(text)),
        ("on screen", cues.on_screen.hits(text)),
        ("located", cues.located.hits(text)),
        ("at a place", PLACE.hits(text)),
        ("scheduled", cues.scheduled.hits(text)),
        ("rule", cues.rule_plain.hits(text) || cues.rule_strong.hits(text)),
        ("rule with reason", cues.rule_with_reason.hits(text)),
    ];
    shape.iter().filter(|(_, is_so)| *is_so).map(|(name, _)| (*name).to_owned()).collect()
}

/// Whether nothing speaks against a statement: it is long enough, is not only thought about, is not for now, points at
/// nothing outside of itself, and is not about one place in the code or on a page.
fn is_open(parts: &Parts, cues: &Cues) -> bool {
    let text = parts.masked.as_str();
    // What points in a later clause may point at the first one.
    let plain = habits::without_tails(text);
    let first_clause = plain.split([',', ';', '，', '、']).next().unwrap_or_default();
    let is_spaced = !text.contains(|c: char| c >= '\u{2e80}');
    let is_remark = is_spaced && text.split_whitespace().count() < FEWEST_WORDS;
    let speaks_against = is_remark
        || cues.hypothetical.hits(text)
        || cues.pointing.hits(first_clause)
        || cues.particular.hits(text)
        || cues.fleeting.hits(&text.replace("⟦d⟧", ""))
        || cues.in_the_code.hits(text)
        || wishes::is_about_the_product(text);
    !speaks_against
}

/// The weights of a feature, one for each of [`ANSWERS`].
type Weights = [f64; ANSWERS.len()];

/// What was learned.
struct Model {
    /// From which likelihood on an answer counts.
    sure: f64,
    /// By the name of the feature.
    weights: std::collections::HashMap<String, Weights>,
}

impl Model {
    /// Reads `likelihood`, then a line for each feature: its weights in thousandths, and its name.
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let sure = lines.next()?.parse().ok()?;
        let weights = lines.map(|line| {
            let mut cells = line.split('\t');
            let name = cells.next()?.to_owned();
            let mut weights = Weights::default();
            for weight in &mut weights {
                *weight = cells.next()?.parse::<f64>().ok()? / 1000.0;
            }
            Some((name, weights))
        });
        Some(Self { sure, weights: weights.collect::<Option<_>>()? })
    }

    /// The likelihood of each answer.
    fn likelihoods(&self, features: &[String]) -> Weights {
        let mut sums = Weights::default();
        for weights in features.iter().filter_map(|name| self.weights.get(name)) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        let most = sums.iter().copied().fold(f64::MIN, f64::max);
        let whole: f64 = sums.iter().map(|sum| (sum - most).exp()).sum();
        sums.map(|sum| (sum - most).exp() / whole)
    }
}

static MODEL: LazyLock<Option<Model>> =
    LazyLock::new(|| Model::read(include_str!("../../../assets/manner/weights.tsv")));

/// The likeliest type and how likely it is.
fn best(likelihoods: Weights) -> (Option<Kind>, f64) {
    let kinds = ANSWERS.into_iter().zip(likelihoods).filter(|(kind, _)| kind.is_some());
    kinds.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((None, 0.0))
}

/// The type of a sentence that no cue knows, when its manner leaves little doubt.
pub(super) fn kind_of(parts: &Parts, cues: &Cues, language: Language, place: Place) -> Option<Kind> {
    let model = MODEL.as_ref()?;
    let mut features = by_words(parts, language, place)?;
    // The cheap question first: most sentences are out by their words alone.
    if best(model.likelihoods(&features)).1 < HARDLY || !is_open(parts, cues) {
        return None;
    }
    features.extend(by_cues(parts, cues));
    let (kind, likelihood) = best(model.likelihoods(&features));
    kind.filter(|_| likelihood >= model.sure)
}

#[cfg(test)]
#[path = "manner_training.rs"]
mod training;
