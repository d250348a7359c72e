//! How alike two texts are, without a model.
//!
//! Stemmed-token Jaccard and character-3 Jaccard, and the sets that have to be equal before two texts may be called the
//! same: numbers, identifiers, names, negation, opposites. Not its job: deciding what happens to similar memories (see
//! [`supersede`], and the engine).

pub(crate) mod bare;
pub(crate) mod candidates;
pub(crate) mod corrected;
pub(crate) mod dates;
mod duties;
pub(crate) mod language;
pub(crate) mod measured;
pub(crate) mod numerals;
pub(crate) mod passing;
pub(crate) mod patterns;
pub(crate) mod replaces;
mod reworded;
mod scopes;
mod slots;
pub(crate) mod spans;
mod subjects;
pub(crate) mod supersede;
pub(crate) mod updates;
mod values;
mod weekly;
mod words;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use patterns::Pattern;
pub(crate) use words::names;
use words::{DIRECTIONS, NEGATIONS, OPPOSITES, STOP_WORDS, normalise, stems, words};

/// From this token Jaccard on, together with [`SAME_TRIGRAMS`], two texts say the same.
const SAME_TOKENS: f64 = 0.72;
/// See [`SAME_TOKENS`].
const SAME_TRIGRAMS: f64 = 0.70;
/// The share of content words that is nearly all of them.
const NEARLY_ALL: f64 = 0.85;
/// From here on up to the above, somebody should look.
const MAYBE_TOKENS: f64 = 0.45;

/// A text, ready to be compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// The normalised text.
    pub(crate) plain: String,
    /// Stems, or n-grams where the language is not sure; sorted marks of them, as they are only compared.
    tokens: Vec<u64>,
    /// The tokens that carry meaning.
    pub(crate) content: BTreeSet<String>,
    trigrams: Vec<u64>,
    numbers: BTreeSet<String>,
    identifiers: BTreeSet<String>,
    names: BTreeSet<String>,
    opposites: BTreeSet<&'static str>,
    pub(crate) is_negative: bool,
    /// The first token that carries meaning: what the text begins to speak of.
    first: Option<String>,
    /// The tokens that carry meaning, as marks, in the order in which they first come.
    order: Vec<u64>,
    /// What a direction leads to: "from" and "to", "before" and "after", each with the token that carries meaning next.
    directed: Vec<(&'static str, u64)>,
}

/// How two texts relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// They say the same.
    Same,
    /// They might.
    Maybe,
    /// They do not.
    Different,
}

/// Where a resolved date says which words stood there: `("next Thursday", said 2026-04-04)`.
pub(crate) static SAID: Pattern = Pattern::new(r#" ?\("[^"\n]*", said \d{4}-\d{2}-\d{2}\)"#);

/// A text without those places.
pub(crate) fn without_said(text: &str) -> Cow<'_, str> {
    SAID.replace_all(text, "")
}

static NUMBER: Pattern = Pattern::new(r"\d+(?:[.,:/-]\d+)*");
static IDENTIFIER: Pattern = Pattern::new(
    r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b|\b\w+::\w+|#[A-Za-z][\w-]+|\b[A-Z]{2,}[A-Z0-9-]*\b|\bv\d+[\w.]*",
);

impl Shape {
    /// Takes a text's measure.
    pub(crate) fn of(text: &str) -> Self {
        Self::of_part(text, text)
    }

    /// Takes the measure of a part, in the language of the whole.
    pub(crate) fn of_part(text: &str, whole: &str) -> Self {
        let plain = normalise(text);
        let stemmer = words::stemmer(whole);
        let mut shape = Self { plain, ..Self::default() };
        let mut direction = None;
        for word in words(&shape.plain) {
            let is_stop = STOP_WORDS.contains(&word.as_str());
            if NEGATIONS.contains(&word.as_str()) {
                shape.is_negative = true;
            }
            if let Some(opposite) = OPPOSITES.iter().find(|opposite| **opposite == word) {
                shape.opposites.insert(opposite);
            }
            let points = DIRECTIONS.iter().find(|direction| **direction == word);
            for stem in stems(&word, stemmer) {
                let marked = mark(&stem);
                if !is_stop {
                    shape.first.get_or_insert_with(|| stem.clone());
                    if shape.content.insert(stem.clone()) {
                        shape.order.push(marked);
                    }
                    if let Some(direction) = direction.take().filter(|_| points.is_none()) {
                        shape.directed.push((direction, marked));
                    }
                }
                shape.tokens.push(marked);
            }
            direction = points.copied().or(direction);
        }
        sort(&mut shape.tokens);
        shape.is_negative |= shape.plain.contains("n't ")
            || ["不要", "别", "禁止", "不再", "从不", "ないで", "しない", "ません", "禁止"]
                .iter()
                .any(|mark| shape.plain.contains(mark));
        let characters: Vec<char> = shape.plain.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        shape.trigrams = characters
            .windows(3)
            .map(|three| three.iter().fold(0, |sum, c| (sum << 21) | u64::from(u32::from(*c))))
            .collect();
        sort(&mut shape.trigrams);
        shape.numbers = NUMBER.find_iter(text).map(|hit| hit.as_str().to_owned()).collect();
        shape.identifiers = IDENTIFIER.find_iter(text).map(|hit| hit.as_str().to_owned()).collect();
        for (range, kind) in spans::protected(text) {
            if kind != spans::Span::Quotation {
                shape.identifiers.insert(text.get(range).unwrap_or_default().trim_matches('`').to_lowercase());
            }
        }
        shape.names = names(text);
        shape
    }

    /// The first token that carries meaning.
    pub(crate) fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// Whether a name of this text stands in the other.
    pub(crate) fn names_a_name_of(&self, other: &Self) -> bool {
        self.names.iter().any(|name| other.plain.split(' ').any(|word| word == name))
    }

    /// Whether one has a word of which another one in its place makes another claim. "On" and "with" are such words only
    /// beside an "off" or "without".
    fn opposes(&self, other: &Self) -> bool {
        let is_loose = |word: &str| {
            let opposite = match word {
                "on" => "off",
                "with" => "without",
                _ => return false,
            };
            !self.opposites.contains(opposite) && !other.opposites.contains(opposite)
        };
        self.opposites.symmetric_difference(&other.opposites).any(|word| !is_loose(word))
    }

    /// Whether each has such a word where the other has another one.
    pub(crate) fn swaps_an_opposite(&self, other: &Self) -> bool {
        !self.opposites.is_subset(&other.opposites) && !other.opposites.is_subset(&self.opposites)
    }

    /// Whether every number, identifier and name of this text stands in the other.
    pub(crate) fn names_no_other(&self, other: &Self) -> bool {
        self.numbers.is_subset(&other.numbers)
            && self.identifiers.is_subset(&other.identifiers)
            && self.names.iter().all(|name| other.plain.split(' ').any(|word| word == name))
    }

    /// Whether numbers, identifiers and names are the same.
    pub(crate) fn names_the_same_as(&self, other: &Self) -> bool {
        self.numbers == other.numbers && self.identifiers == other.identifiers && self.names_differing(other).is_empty()
    }

    /// Whether nothing is left to compare.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Jaccard of the tokens.
    pub(crate) fn jaccard(&self, other: &Self) -> f64 {
        jaccard(&self.tokens, &other.tokens)
    }

    /// The share of this text's content words that the other has.
    pub(crate) fn contained_in(&self, other: &Self) -> f64 {
        if self.content.is_empty() {
            return 0.0;
        }
        self.content.intersection(&other.content).count() as f64 / self.content.len() as f64
    }

    /// Whether numbers, identifiers, names, negation and opposites are the same.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        self.is_negative == other.is_negative && !self.opposes(other) && self.names_the_same_as(other)
    }

    /// Whether everything (numbers, identifiers, names) that this text names is named by the other too, with the same polarity.
    pub(crate) fn is_covered_by(&self, other: &Self) -> bool {
        self.is_negative == other.is_negative && self.names_no_other(other)
    }

    /// Whether the other text says all that this one says; a word of its own in place of one of these makes it another claim.
    pub(crate) fn is_said_by(&self, other: &Self) -> bool {
        if self.likeness(other) == Likeness::Same {
            return true;
        }
        if self.exchanges_words_with(other) {
            return false;
        }
        let share = self.contained_in(other);
        let adds_nothing = other.content.is_subset(&self.content);
        self.content.len() >= 2 && self.is_covered_by(other) && (share > 0.999 || (share >= NEARLY_ALL && adds_nothing))
    }

    /// Whether no number of one stands against another number of the other.
    pub(crate) fn has_no_value_against(&self, other: &Self) -> bool {
        self.numbers.is_subset(&other.numbers) || other.numbers.is_subset(&self.numbers)
    }

    fn names_differing(&self, other: &Self) -> Vec<String> {
        let missing = |from: &Self, to: &Self| -> Vec<String> {
            from.names
                .iter()
                .filter(|name| !to.plain.split(' ').any(|word| word.trim_end_matches("'s") == name.as_str()))
                .cloned()
                .collect()
        };
        let mut differing = missing(self, other);
        differing.extend(missing(other, self));
        differing
    }

    /// Compares two texts.
    pub(crate) fn likeness(&self, other: &Self) -> Likeness {
        if self.is_empty() || other.is_empty() {
            return Likeness::Different;
        }
        if self.plain == other.plain {
            return Likeness::Same;
        }
        let tokens = self.jaccard(other);
        if tokens < MAYBE_TOKENS {
            return Likeness::Different;
        }
        if tokens >= SAME_TOKENS
            && jaccard(&self.trigrams, &other.trigrams) >= SAME_TRIGRAMS
            && self.agrees_with(other)
            && !self.swaps_one_word(other)
            && !self.exchanges_words_with(other)
        {
            return Likeness::Same;
        }
        Likeness::Maybe
    }

    /// The content words as numbers that are the same in every run, for looking up who shares them.
    pub(crate) fn marks(&self) -> Vec<u64> {
        self.content.iter().map(|token| mark(token)).collect()
    }

    /// Whether exactly one content word stands in the place of another: that looks like a changed value, not like the
    /// same thing said again.
    fn swaps_one_word(&self, other: &Self) -> bool {
        let only_here = self.content.difference(&other.content).count();
        let only_there = other.content.difference(&self.content).count();
        only_here == 1 && only_there == 1
    }

    /// Whether the same words stand in each other's places ("from A to B", "from B to A"), or others in the same places: a long
    /// text hides that from a measure of its words.
    pub(crate) fn exchanges_words_with(&self, other: &Self) -> bool {
        self.turns_a_direction(other) || self.swaps_two_words(other).unwrap_or_else(|| self.puts_others_in_place(other))
    }

    fn has(&self, mark: &u64) -> bool {
        self.tokens.binary_search(mark).is_ok()
    }

    /// Whether a direction ("from", "to") leads to one word here and to another there, and both texts have both words.
    fn turns_a_direction(&self, other: &Self) -> bool {
        let is_turned = |(direction, mark): &(&str, u64)| {
            let leads_to = |shape: &Self| {
                let mut all = shape.directed.iter().filter(|(known, _)| known == direction);
                all.next().filter(|_| all.next().is_none()).map(|(_, mark)| *mark)
            };
            match (leads_to(self), leads_to(other)) {
                (Some(_), Some(there)) => there != *mark && other.has(mark) && self.has(&there),
                _ => false,
            }
        };
        self.directed.iter().any(is_turned)
    }

    /// Whether all that is exchanged are two neighbours: "we moved deploys", "deploys moved".
    pub(crate) fn exchanges_neighbours(&self, other: &Self) -> bool {
        let (here, there) = (self.common_order(other), other.common_order(self));
        let moved = |at: &usize| here.get(*at) != there.get(*at);
        let places: Vec<usize> = (0..here.len()).filter(moved).collect();
        matches!(places.as_slice(), [one, next] if one + 1 == *next)
            && self.swaps_two_words(other) == Some(true)
            && !self.turns_a_direction(other)
    }

    /// The words that both have, in the order of this one.
    fn common_order(&self, other: &Self) -> Vec<u64> {
        self.order.iter().filter(|mark| other.has(mark)).copied().collect()
    }

    /// Whether two of the words that both have stand in each other's places; `None` when not exactly two places differ.
    fn swaps_two_words(&self, other: &Self) -> Option<bool> {
        let (here, there) = (self.common_order(other), other.common_order(self));
        let moved: Vec<(u64, u64)> =
            here.iter().zip(&there).filter(|(one, other)| one != other).map(|(one, other)| (*one, *other)).collect();
        let [(one, other), (second, first)] = moved.as_slice() else { return None };
        Some(here.len() == there.len() && one == first && other == second)
    }

    /// Whether more than one word was replaced, each by one in its place, and a value among them.
    fn puts_others_in_place(&self, other: &Self) -> bool {
        let is_in_place = |(one, two): (&u64, &u64)| one == two || (!other.has(one) && !self.has(two));
        let replaced = self.order.iter().zip(&other.order).filter(|(one, two)| one != two).count();
        replaced > 1
            && self.order.len() == other.order.len()
            && self.order.iter().zip(&other.order).all(is_in_place)
            && self.swaps_a_value(other)
    }

    /// Whether each of the two has a content word of its own that is no form of one of the other's own.
    pub(crate) fn swaps_a_value(&self, other: &Self) -> bool {
        let own = |this: &Self, that: &Self| {
            let theirs: Vec<&String> = that.content.difference(&this.content).collect();
            this.content.difference(&that.content).any(|word| !theirs.iter().any(|known| are_akin(known, word)))
        };
        own(self, other) && own(other, self)
    }
}

/// A number for a token, the same in every run.
fn mark(token: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    token.hash(&mut hasher);
    hasher.finish()
}

fn sort(marks: &mut Vec<u64>) {
    marks.sort_unstable();
    marks.dedup();
}

/// Jaccard of two sorted lists.
fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let (mut common, mut at) = (0_usize, 0_usize);
    for mark in one {
        while other.get(at).is_some_and(|known| known < mark) {
            at += 1;
        }
        if other.get(at) == Some(mark) {
            common += 1;
        }
    }
    let all = one.len() + other.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// The words of a part of a text that carry meaning, without stems: of how few words the language is sure differs.
fn words_as_said(text: &str) -> BTreeSet<String> {
    Shape::of_part(text, "").content
}

/// Whether these are the same words but for endings of the plural and their like.
fn are_same_words(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let is_same = |a: &str, b: &str| {
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let is_ending = |rest: &str| matches!(rest, "s" | "es" | "e" | "en" | "n") && short.len() > 3;
        short == long || (short.is_ascii() && long.strip_prefix(short).is_some_and(is_ending))
    };
    one.len() == other.len() && one.iter().all(|word| other.iter().any(|known| is_same(word, known)))
}

/// Whether two words look like forms of one: "hide" and "hidden".
pub(crate) fn are_akin(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    common >= 3 && common * 5 >= shorter * 3
}

/// Whether a word or a form of it is among these.
pub(crate) fn has_akin(words: &BTreeSet<String>, word: &str) -> bool {
    words.contains(word) || words.iter().any(|known| are_akin(known, word))
}

#[cfg(test)]
mod tests;
