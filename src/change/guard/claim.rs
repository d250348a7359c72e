//! One sentence, ready to be held against others: its words, and of each whether it is affirmed or denied.
//!
//! Not its job: which sentences have to be borne out (see [`super::evidence`]).

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::amounts::signs;
use super::heard::{self, Heard};
use super::stated::{Stated, is_covered};
use crate::memory::likeness::bare::{Placed, are_reordered, placed};
use crate::memory::likeness::{Shape, are_akin};

/// In a fact of a project one word in so many may be new where a sentence is only put in other words.
const NEW_IN: usize = 4;

/// From so many words on, a statement has an order that can be turned round.
const ENOUGH_TO_ORDER: usize = 3;

/// What stands for "not" before what follows it.
const INSTEAD: [(&str, &str); 6] = [
    (" instead of ", ", not "),
    (" rather than ", ", not "),
    (" statt ", ", nicht "),
    (" en lugar de ", ", no "),
    (" en vez de ", ", no "),
    (" au lieu de ", ", pas "),
];

/// Words that begin a clause of its own, in which a "not" before them does not count.
const JOINS: [&str; 29] = [
    " and not ",
    " und nicht ",
    " und nie ",
    " und immer ",
    " y no ",
    " et pas ",
    " et non ",
    " but ",
    " because ",
    " since ",
    " so ",
    " when ",
    " if ",
    " and always ",
    " and never ",
    " and do ",
    " and don't ",
    " and use ",
    " then ",
    " sondern ",
    " aber ",
    " weil ",
    " wenn ",
    " pero ",
    " sino ",
    " porque ",
    " mais ",
    " car ",
    " parce que ",
];

/// Small words that change what a sentence says: how sure it is, how much of it holds, and of whom.
const SMALL: [&str; 33] = [
    "may",
    "might",
    "can",
    "could",
    "optional",
    "optionally",
    "sometimes",
    "usually",
    "mostly",
    "often",
    "rarely",
    "perhaps",
    "probably",
    "should",
    "some",
    "most",
    "few",
    "only",
    "he",
    "she",
    "him",
    "her",
    "his",
    "hers",
    "kann",
    "können",
    "darf",
    "dürfen",
    "nur",
    "puede",
    "pueden",
    "peut",
    "peuvent",
];

/// A part of a sentence that affirms or denies as one.
#[derive(Debug)]
struct Clause {
    text: String,
    shape: Shape,
    places: Vec<Placed>,
}

/// A sentence.
#[derive(Debug)]
pub(super) struct Claim {
    text: String,
    shape: Shape,
    /// The words in their places of one that has no clauses.
    places: Vec<Placed>,
    clauses: Vec<Clause>,
    words: BTreeSet<String>,
    /// For each word whether some clause affirms it, and whether some denies it.
    sides: BTreeMap<String, (bool, bool)>,
    heard: Heard,
}

/// A sentence that stood there before, with the day from which its words for days are counted.
#[derive(Debug)]
pub(super) struct Stood {
    pub(super) claim: Claim,
    pub(super) day: Option<NaiveDate>,
}

impl Stood {
    /// What it states.
    pub(super) fn stated(&self) -> Stated {
        Stated::of(&self.claim.text, self.day)
    }
}

impl Claim {
    /// Takes a sentence apart, in the language of the whole.
    pub(super) fn of(text: &str, whole: &str) -> Self {
        let clauses: Vec<Clause> = clauses(text)
            .into_iter()
            .map(|part| Clause { shape: Shape::of_part(&part, whole), places: placed(&part, whole), text: part })
            .collect();
        let mut sides: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        for clause in &clauses {
            for word in &clause.shape.content {
                let side = sides.entry(word.clone()).or_default();
                side.0 |= !clause.shape.is_negative;
                side.1 |= clause.shape.is_negative;
            }
        }
        let shape = Shape::of_part(text, whole);
        let words = sides.keys().cloned().collect();
        let heard = Heard::of(clauses.iter().map(|clause| (clause.text.as_str(), &clause.shape)), whole);
        Self { text: text.to_owned(), shape, places: Vec::new(), clauses, words, sides, heard }
    }

    /// The words that carry meaning, as stems.
    pub(super) fn words(&self) -> &BTreeSet<String> {
        &self.words
    }

    /// How many words one affirms and the other denies.
    pub(super) fn contradicts(&self, other: &Self) -> usize {
        self.sides.iter().filter(|(word, side)| are_opposite(**side, other.sides.get(*word).copied())).count()
    }

    /// Whether it affirms a word that all of these deny, or the other way round.
    pub(super) fn is_against(&self, others: &[Self]) -> bool {
        self.words.iter().any(|word| self.is_against_in(word, others))
    }

    /// Whether it affirms this word and all of these deny it, or the other way round.
    pub(super) fn is_against_in(&self, word: &str, others: &[Self]) -> bool {
        let all = others.iter().filter_map(|other| other.sides.get(word));
        let theirs = all.copied().reduce(|one, other| (one.0 | other.0, one.1 | other.1));
        self.sides.get(word).is_some_and(|side| are_opposite(*side, theirs))
    }

    /// Whether it affirms a word that these only deny.
    pub(super) fn affirms_what_is_denied(&self, others: &[Self]) -> bool {
        self.heard.affirms_what_is_denied(&others.iter().map(|other| &other.heard).collect::<Vec<_>>())
    }

    /// Whether it makes an exception that none of these does.
    pub(super) fn adds_an_exception(&self, others: &[Self]) -> bool {
        heard::excepts_more(&self.text, &others.iter().map(|other| other.text.as_str()).collect::<Vec<_>>())
    }

    /// Whether it is sure of what the most like of these is not.
    pub(super) fn is_surer(&self, others: &[Self]) -> bool {
        let nearest = others.iter().max_by_key(|other| self.words.intersection(&other.words).count());
        nearest.is_some_and(|nearest| heard::is_hedged(&nearest.text) && !heard::is_hedged(&self.text))
    }

    /// Whether it names who does what to whom in another order.
    pub(super) fn reorders(&self, other: &Self) -> bool {
        let parts = |claim: &Self| -> Vec<Vec<Placed>> {
            let parts: Vec<_> = claim.clauses.iter().map(|clause| clause.places.clone()).collect();
            if parts.is_empty() { vec![claim.places.clone()] } else { parts }
        };
        let theirs = parts(other);
        parts(self).iter().any(|part| theirs.iter().any(|other| are_reordered(part, other)))
    }

    /// Whether the same words stand in each other's places. Where something is denied, the sides of the words tell more.
    fn exchanges(&self, other: &Self) -> bool {
        let denies = |claim: &Self| claim.sides.values().any(|(_, denied)| *denied);
        !denies(self) && !denies(other) && self.shape.exchanges_words_with(&other.shape)
    }

    /// Whether it says the contrary of these, or puts one word in the place of another: half of what it shares with the
    /// nearest is on the other side, or a clause of it denies what the nearest clause affirms.
    pub(super) fn is_turned_round(&self, others: &[Self]) -> bool {
        let common = |other: &Self| self.words.intersection(&other.words).count();
        let Some(nearest) = others.iter().max_by_key(|other| common(other)).filter(|other| common(other) > 0) else {
            return false;
        };
        let elsewhere = |word: &&String| others.iter().any(|other| other.words.contains(*word));
        let mine: Vec<&String> = self.words.difference(&nearest.words).filter(|word| !elsewhere(word)).collect();
        let theirs: Vec<&String> = nearest.words.difference(&self.words).collect();
        let is_swapped = match (mine.as_slice(), theirs.as_slice()) {
            ([one], [other]) => common(nearest) > 1 && !is_value(one) && !are_akin(one, other),
            _ => false,
        };
        // One word in common is no place that others could be put in.
        let is_exchanged =
            common(nearest) > 1 && self.exchanges(nearest) && !self.shape.exchanges_neighbours(&nearest.shape);
        let is_reordered = mine.is_empty() && self.words.len() >= ENOUGH_TO_ORDER && self.reorders(nearest);
        self.contradicts(nearest) * 2 >= common(nearest)
            || is_swapped
            || is_reordered
            || is_exchanged
            || self.denies_a_clause_of(others)
    }

    /// Whether a clause affirms what the clause of these that is most like it denies, or the other way round.
    fn denies_a_clause_of(&self, others: &[Self]) -> bool {
        self.clauses.iter().any(|clause| {
            let common = |other: &Clause| clause.shape.content.intersection(&other.shape.content).count();
            let is_same = |other: &Clause| other.shape.is_negative == clause.shape.is_negative;
            let theirs = others.iter().flat_map(|other| &other.clauses);
            let nearest = theirs.max_by_key(|other| (common(other), is_same(other)));
            nearest.is_some_and(|nearest| {
                common(nearest) > 1 && common(nearest) * 2 >= clause.shape.content.len() && !is_same(nearest)
            })
        })
    }

    /// Whether it is one of these in other words: nearly all of its words are theirs, no value is new, nothing stands in the
    /// place of another word, and nothing is turned round or made less sure.
    pub(super) fn keeps(&self, others: &[Stood]) -> bool {
        others.iter().any(|stood| {
            let other = &stood.claim;
            let new = self.new_beside(other);
            // With all that stood there, a new word is an addition and no other word for something.
            let is_added = !new.is_empty() && other.words.is_subset(&self.words);
            new.len() * NEW_IN <= self.words.len()
                && !is_added
                && self.contradicts(other) == 0
                && !self.exchanges(other)
                && !self.reorders(other)
                && !self.replaces_a_word(other)
                && !self.qualifies(other)
                && signs(&self.text) == signs(&other.text)
                && is_covered(&self.text, &[&stood.stated()])
        })
    }

    /// Whether one word stands in the place of another, or it begins to speak of something else.
    pub(super) fn replaces_a_word(&self, other: &Self) -> bool {
        let akin = |word: &String, words: &BTreeSet<String>| words.iter().any(|known| are_akin(known, word));
        let own = |here: &Self, there: &Self| -> Vec<String> {
            let new = here.words.difference(&there.words).filter(|word| !akin(word, &there.words));
            new.filter(|word| !is_value(word)).cloned().collect()
        };
        let (mine, theirs) = (own(self, other), own(other, self));
        let begins_with = |claim: &Self, own: &[String]| {
            claim.shape.first().is_some_and(|first| own.iter().any(|word| word == first))
        };
        (mine.len() == 1 && theirs.len() == 1)
            || (begins_with(self, &mine) && begins_with(other, &theirs))
            || self.shape.swaps_an_opposite(&other.shape)
    }

    /// Whether it has a small word that the other has not and that changes what is said.
    fn qualifies(&self, other: &Self) -> bool {
        let small = |claim: &Self| -> BTreeSet<String> {
            let lower = claim.text.to_lowercase();
            let words = lower.split(|c: char| !c.is_alphanumeric()).map(str::to_owned);
            words.filter(|word| SMALL.contains(&word.as_str())).collect()
        };
        !small(self).is_subset(&small(other))
    }

    /// Whether each of its clauses says what one of these does and nothing else, and what those say is still among the words
    /// that stay.
    pub(super) fn keeps_all_of(&self, others: &[Stood], stays: &BTreeSet<String>) -> bool {
        self.clauses.iter().filter(|clause| !clause.shape.content.is_empty()).all(|clause| {
            let part = Self {
                text: clause.text.clone(),
                shape: clause.shape.clone(),
                places: clause.places.clone(),
                clauses: Vec::new(),
                heard: Heard::default(),
                words: clause.shape.content.clone(),
                sides: clause
                    .shape
                    .content
                    .iter()
                    .map(|word| (word.clone(), (!clause.shape.is_negative, clause.shape.is_negative)))
                    .collect(),
            };
            others.iter().any(|stood| {
                let other = &stood.claim;
                let gone =
                    other.words.difference(stays).filter(|word| !self.words.iter().any(|mine| are_akin(mine, word)));
                let is_dated = self.words.iter().any(|word| is_value(word));
                let may_go = if is_dated { 3.max(other.words.len() / 4) } else { other.words.len() / 4 };
                part.new_beside(other).is_empty()
                    && self.contradicts(other) == 0
                    && !part.exchanges(other)
                    && !part.reorders(other)
                    && !part.qualifies(other)
                    && gone.count() <= may_go
                    && is_covered(&part.text, &[&stood.stated()])
            })
        })
    }

    /// Its words that the other has in no form. Values are compared for themselves (see [`is_covered`]).
    fn new_beside<'a>(&'a self, other: &Self) -> Vec<&'a String> {
        let dropped: Vec<&String> = other.words.difference(&self.words).collect();
        self.words
            .iter()
            .filter(|word| !other.words.contains(*word) && !is_value(word))
            .filter(|word| !dropped.iter().any(|old| are_akin(old, word)))
            .collect()
    }

    /// Which of these are most like it, or like one of its clauses, whatever values they have.
    pub(super) fn nearest<'a>(&self, others: &'a [Stood]) -> Vec<&'a Stood> {
        let mut found: Vec<&Stood> = Vec::new();
        for words in std::iter::once(&self.words).chain(self.clauses.iter().map(|clause| &clause.shape.content)) {
            let common = |stood: &&Stood| words.intersection(&stood.claim.words).filter(|word| !is_value(word)).count();
            let most = others.iter().map(|stood| common(&stood)).max().unwrap_or_default();
            found.extend(others.iter().filter(|stood| most > 0 && common(stood) == most));
        }
        found
    }
}

/// Whether one only affirms what the other only denies.
const fn are_opposite(one: (bool, bool), other: Option<(bool, bool)>) -> bool {
    matches!((one, other), ((true, false), Some((false, true))) | ((false, true), Some((true, false))))
}

/// Whether a word holds a figure: a date, a number, a version.
pub(super) fn is_value(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// A sentence at its stops and joins.
fn clauses(text: &str) -> Vec<String> {
    let mut joined = text.replace('’', "'");
    for (word, not) in INSTEAD {
        joined = replaced(&joined, word, not);
    }
    for word in JOINS {
        joined = replaced(&joined, word, &format!(",{word}"));
    }
    let mut clauses = Vec::new();
    let mut clause = String::new();
    let mut characters = joined.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = match character {
            ',' | ';' | ':' | '.' | '!' | '?' => characters.peek().is_none_or(|next| next.is_whitespace()),
            '(' | ')' | '–' | '—' | '、' | '，' | '；' | '。' => true,
            _ => false,
        };
        if ends {
            clauses.push(std::mem::take(&mut clause));
        } else {
            clause.push(character);
        }
    }
    clauses.push(clause);
    clauses
}

/// A text with a word replaced, whatever its case.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(found) = crate::text::find_folded(rest, word, 0) {
        let (Some(before), Some(after)) = (rest.get(..found.start), rest.get(found.end..)) else { break };
        result.push_str(before);
        result.push_str(by);
        rest = after;
    }
    result + rest
}
