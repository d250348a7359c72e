//! How often the terms of a prompt stand in a text.
//!
//! One pass of an automaton over the text finds where a word might begin; only there words are cut out and stemmed. A text
//! with none of the words costs little more than reading it. Not its job: what an occurrence is worth.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::fold::{fold, is_dense};
use super::language::Stemmers;
use super::query::Term;

/// Occurrences of one term beyond this many say nothing more.
const MOST_COUNTED: f64 = 6.0;

/// What a part of a longer word counts: `datenbank` in `datenbankmigration`, `backoff` in `retryBackoff`.
const PART: f64 = 0.7;

/// Counts the terms of one query.
pub(super) struct Counter<'a> {
    terms: &'a [Term],
    stemmers: &'a Stemmers,
    automaton: Option<AhoCorasick>,
    /// For each needle the forms it stands for: term and form.
    owners: Vec<Vec<(usize, usize)>>,
}

/// How much of each term a text has, by the term's place in the query.
pub(super) type Counts = Vec<f64>;

impl<'a> Counter<'a> {
    pub(super) fn new(terms: &'a [Term], stemmers: &'a Stemmers) -> Self {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut needles: Vec<String> = Vec::new();
        let mut owners: Vec<Vec<(usize, usize)>> = Vec::new();
        for (at, term) in terms.iter().enumerate() {
            for (nth, form) in term.forms.iter().enumerate() {
                let needle = needle(&form.text, &form.stems);
                let place = *places.entry(needle.clone()).or_insert_with(|| {
                    needles.push(needle);
                    owners.push(Vec::new());
                    owners.len() - 1
                });
                if let Some(forms) = owners.get_mut(place) {
                    forms.push((at, nth));
                }
            }
        }
        // A DFA is the fastest to search, and the needles of one prompt are few.
        let automaton = (!needles.is_empty())
            .then(|| {
                AhoCorasick::builder()
                    .ascii_case_insensitive(true)
                    .match_kind(MatchKind::Standard)
                    .kind(Some(AhoCorasickKind::DFA))
                    .build(&needles)
                    .ok()
            })
            .flatten();
        Self { terms, stemmers, automaton, owners }
    }

    /// Adds what a text has, times `weight`, to the counts; says whether there was anything.
    pub(super) fn count(&self, text: &str, weight: f64, counts: &mut Counts) -> bool {
        let Some(automaton) = &self.automaton else { return false };
        let text = fold(text);
        let mut own: Counts = Vec::new();
        // The same word stands in a text more than once, and stems are what costs.
        let mut verdicts: HashMap<(usize, &str), Vec<(usize, f64)>> = HashMap::new();
        for hit in automaton.find_overlapping_iter(text.as_ref()) {
            let needle = hit.pattern().as_usize();
            let (start, end, before) = word_at(&text, hit.start());
            let word = text.get(hit.start()..end.max(hit.end())).unwrap_or_default();
            let is_start = start == hit.start();
            let found = verdicts
                .entry((needle * 2 + usize::from(is_start), word))
                .or_insert_with(|| self.verdict(needle, word, is_start, before));
            if own.is_empty() && !found.is_empty() {
                own = vec![0.0; self.terms.len()];
            }
            for (term, factor) in found.iter() {
                if let Some(count) = own.get_mut(*term) {
                    *count += factor;
                }
            }
        }
        if own.is_empty() {
            return false;
        }
        counts.resize(self.terms.len(), 0.0);
        for (count, own) in counts.iter_mut().zip(&own) {
            *count += own.min(MOST_COUNTED) * weight;
        }
        true
    }

    /// Which terms a word counts as, and how much.
    fn verdict(&self, needle: usize, word: &str, is_start: bool, before: usize) -> Vec<(usize, f64)> {
        let lower = word.to_lowercase();
        let stems = self.stemmers.stems(&lower);
        let mut best: Vec<(usize, f64)> = Vec::new();
        for (term, form) in self.owners.get(needle).into_iter().flatten() {
            let Some(form) = self.terms.get(*term).and_then(|found| found.forms.get(*form)) else { continue };
            let factor = form.factor * likeness(&form.text, &form.stems, &lower, &stems, is_start, before);
            if factor <= 0.0 {
                continue;
            }
            match best.iter_mut().find(|(other, _)| other == term) {
                Some((_, known)) => *known = known.max(factor),
                None => best.push((*term, factor)),
            }
        }
        best
    }
}

/// How much a word of a text is a form: 1 for the same, less for a part.
fn likeness(text: &str, own: &[String], word: &str, stems: &[String], is_start: bool, before: usize) -> f64 {
    if own.is_empty() {
        // A piece is found anywhere; one of letters has to begin where a word does.
        let is_found = text.starts_with(is_dense) || is_start;
        return if is_found { 1.0 } else { 0.0 };
    }
    let is_same = word == text || own.iter().zip(stems).any(|(own, stem)| own == stem);
    match (is_same, is_start) {
        (true, true) => 1.0,
        // `backoff` in `retryBackoff`, `test` in `integrationstest`; not `test` in `latest`, not `count` in `account`.
        (true, false) if before >= if text.len() >= 5 { 4 } else { 5 } && text.len() >= 4 => PART,
        // `datenbank` in `datenbankmigration`.
        (false, true) if text.len() >= 5 && word.starts_with(text) && word.len() >= text.len() + 4 => PART,
        _ => 0.0,
    }
}

/// The word around a place: its first byte, its end, and how many letters it has before the place.
fn word_at(text: &str, at: usize) -> (usize, usize, usize) {
    let head = text.get(..at).unwrap_or_default();
    let is_letter = |c: char| c.is_alphanumeric() && !is_dense(c);
    let before = head.chars().rev().take_while(|c| is_letter(*c)).take(64).map(char::len_utf8).sum::<usize>();
    let tail = text.get(at..).unwrap_or_default();
    let after = tail.chars().take_while(|c| is_letter(*c)).take(64).map(char::len_utf8).sum::<usize>();
    (at - before, at + after, before)
}

/// What every word that counts as a form begins with.
fn needle(text: &str, stems: &[String]) -> String {
    let mut shared = text;
    for stem in stems {
        let common = shared.chars().zip(stem.chars()).take_while(|(one, other)| one == other).count();
        let end = shared.char_indices().nth(common).map_or(shared.len(), |(at, _)| at);
        shared = shared.get(..end).unwrap_or(shared);
    }
    // `study` and `studies` differ in the last letter of the stem.
    let characters = shared.chars().count();
    if characters > 4 && !stems.is_empty() {
        let end = shared.char_indices().nth(characters - 1).map_or(shared.len(), |(at, _)| at);
        shared = shared.get(..end).unwrap_or(shared);
    }
    if shared.is_empty() { text.to_owned() } else { shared.to_owned() }
}
