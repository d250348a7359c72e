//! Words of a prompt that no memory has: mistyped ones, long ones that a memory says in parts, other forms.
//!
//! Looked up among the words of names and descriptions and among the word lists, which is where a near miss means
//! something. Not its job: words that are found.

use std::collections::BTreeSet;

use super::count::Counts;
use super::fold::{is_dense, lower};
use super::language::Stemmers;
use super::query::{self, Term};
use super::rank::Scored;
use super::words::WORDS;

/// The shortest word that can be a mistyped one.
const SHORTEST: usize = 5;

/// How much a corrected word counts beside one that is there.
const CORRECTED: f64 = 0.8;

/// How many words of a prompt are corrected.
const MOST: usize = 8;

/// What to look for in place of strong terms that nothing has, by the term's place.
pub(super) fn corrections(terms: &[Term], all: &[Scored<'_>], stemmers: &Stemmers) -> Vec<(usize, Term)> {
    let has = |counts: &Counts, at: usize| counts.get(at).is_some_and(|count| *count > 0.0);
    let missing: Vec<(usize, &Term)> = terms
        .iter()
        .enumerate()
        .filter(|(_, term)| term.is_strong && term.word.chars().count() >= SHORTEST && !term.word.contains(is_dense))
        .filter(|(at, _)| !all.iter().any(|scored| has(&scored.head, *at) || has(&scored.body, *at)))
        .take(MOST)
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let mut vocabulary: BTreeSet<String> = BTreeSet::new();
    for scored in all {
        for text in [&scored.memory.name, &scored.memory.description] {
            let words = text.split(|c: char| !c.is_alphanumeric()).map(lower);
            vocabulary.extend(words.filter(|word| word.chars().count() >= 4 && !word.contains(is_dense)));
        }
    }
    missing.into_iter().filter_map(|(at, term)| Some((at, corrected(term, &vocabulary, stemmers)?))).collect()
}

fn corrected(term: &Term, vocabulary: &BTreeSet<String>, stemmers: &Stemmers) -> Option<Term> {
    let word: Vec<char> = term.word.chars().collect();
    let likeness = |other: &str| likeness(&word, &other.chars().collect::<Vec<_>>());
    let near = vocabulary.iter().map(|other| (likeness(other), other.as_str()));
    let listed = WORDS.listed().map(|other| (likeness(other), other));
    let mut best: Vec<(f64, &str)> = near.chain(listed).filter(|(likeness, _)| *likeness > 0.0).collect();
    best.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    best.dedup_by(|one, other| one.1 == other.1);
    let most = best.first()?.0;
    // A long word may be two of them: both count.
    let mut forms = Vec::new();
    for (likeness, other) in best.iter().take(4).filter(|(likeness, _)| *likeness >= most * 0.7) {
        for found in query::terms(other, stemmers) {
            forms.extend(found.forms.into_iter().map(|form| query::Form { factor: form.factor * likeness, ..form }));
        }
    }
    (!forms.is_empty()).then(|| Term {
        word: term.word.clone(),
        weight: term.weight * CORRECTED,
        is_strong: true,
        forms,
    })
}

/// How likely one word was meant by the other, from 0 to 1.
fn likeness(word: &[char], other: &[char]) -> f64 {
    let (short, long) = (word.len().min(other.len()), word.len().max(other.len()));
    if word.first() == other.first() && short >= SHORTEST - 1 {
        let allowed = match long {
            0..=4 => 0,
            5..=8 => 1,
            _ => 2,
        };
        if long - short <= allowed && distance(word, other) <= allowed {
            return 1.0;
        }
        let shared = word.iter().zip(other).take_while(|(one, other)| one == other).count();
        if shared >= SHORTEST && shared * 10 >= long * 7 {
            return 0.8;
        }
    }
    let is_part = other.len() >= SHORTEST && word.len() >= other.len() + 4;
    if is_part && (word.starts_with(other) || word.ends_with(other)) { 0.8 } else { 0.0 }
}

/// Edits between two words; two letters that changed places are one.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, column) + usize::from(a != b)).min(at(&last, column + 1) + 1);
            least = least.min(at(&next, column) + 1);
            let swapped = row > 0 && column > 0 && one.get(row - 1) == Some(b) && other.get(column - 1) == Some(a);
            if swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or_default()
}
