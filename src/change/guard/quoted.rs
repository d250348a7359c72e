//! What is quoted, and what a sentence may rest on it.
//!
//! Not its job: which sentences have to be borne out (see [`super::evidence`]), and whether a quote is really a person's (the
//! run looks it up in the transcript).

use std::collections::BTreeSet;

use super::claim::{Claim, is_day};
use super::sentences;
use super::stated::Stated;
use crate::memory::likeness::has_akin;

/// A quote of fewer words than this bears out nothing but the same words.
const SHORTEST_QUOTE: usize = 3;

/// Words by which a memory only introduces what was said.
const FRAMES: [&str; 20] = [
    "user",
    "users",
    "developer",
    "develop",
    "person",
    "want",
    "wants",
    "like",
    "likes",
    "ask",
    "asks",
    "asked",
    "need",
    "needs",
    "work",
    "works",
    "say",
    "says",
    "said",
    "agent",
];

/// What is quoted.
pub(super) struct Quoted {
    texts: Vec<String>,
    /// Each sentence of a quote that is more than a fragment, folded, with what it says.
    claims: Vec<Claim>,
    folded: Vec<String>,
    words: BTreeSet<String>,
    /// The words of what stood in the same file before.
    before: BTreeSet<String>,
    stated: Stated,
}

impl Quoted {
    /// Of quotes, beside what stood in the files that change `before`.
    pub(super) fn of(quotes: &[&str], before: &[&str], whole: &str) -> Self {
        let long = quotes.iter().filter(|quote| is_whole(quote));
        let raw: Vec<String> = long.flat_map(|quote| sentences::raw(quote)).collect();
        let claims: Vec<Claim> = raw.iter().map(|text| Claim::of(text, whole)).collect();
        let words = claims.iter().flat_map(|claim| claim.words().iter().cloned()).collect();
        Self {
            texts: quotes.iter().map(|quote| sentences::folded(quote)).collect(),
            folded: raw.iter().map(|text| sentences::folded(text)).collect(),
            claims,
            words,
            before: before.iter().flat_map(|text| Claim::of(text, whole).words().clone()).collect(),
            stated: Stated::of(quotes.iter().copied(), before.iter().copied()),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a word stands in a quote, in some form.
    pub(super) fn has(&self, word: &str) -> bool {
        has_akin(&self.words, word)
    }

    /// Whether the numbers, days, hours, names and addresses of a text were quoted, or stood there before.
    pub(super) fn has_values_of(&self, text: &str) -> bool {
        self.stated.covers(text)
    }

    /// Whether a sentence stands letter for letter in what is quoted. What a quote denies is not said by the words behind its
    /// "not".
    fn holds(&self, folded: &str, claim: &Claim) -> bool {
        let is_in = |quote: &String| {
            format!(" {quote} ").contains(&format!(" {folded} ")) || (is_dense(folded) && quote.contains(folded))
        };
        let in_sentence = self.folded.iter().zip(&self.claims);
        self.texts.iter().any(|quote| quote == folded)
            || in_sentence.into_iter().any(|(quote, said)| is_in(quote) && claim.contradicts(said) == 0)
    }

    /// Whether a person's own sentence is quoted, or says what is with no more than a third of its words new; half of them in
    /// what stands `beside` the claim, which may rest on the claim too. Words that stood there before are new only where no
    /// quote has changed them.
    pub(super) fn bears(&self, text: &str, claim: &Claim, beside: Option<&BTreeSet<String>>) -> bool {
        if self.holds(&sentences::folded(text), claim) {
            return true;
        }
        let meant: Vec<&String> = claim.words().iter().filter(|word| !is_frame(word)).collect();
        let is_there = |word: &&&String| self.words.contains(**word) || has_exactly(beside, word);
        let common = meant.iter().filter(is_there).count();
        let new = meant.len() - common;
        let most = if beside.is_some() { 2 } else { 3 };
        // A sentence that stood there before, with nothing in it changed but to words of the quote.
        let fresh: Vec<&&String> = meant.iter().filter(|word| !self.before.contains(**word)).collect();
        let is_put_right = !fresh.is_empty() && fresh.iter().all(|word| self.words.contains(**word));
        (new * most <= meant.len() || is_put_right) && common >= meant.len().min(2) && self.agrees_with(text, claim)
    }

    /// Whether quotes speak of a fact: half of the words that did not stand there before are theirs. What stands `beside` the
    /// claim needs a third of its words, of the claim too.
    pub(super) fn speaks_of(&self, text: &str, claim: &Claim, beside: Option<&BTreeSet<String>>) -> bool {
        if self.is_empty() {
            return false;
        }
        if self.holds(&sentences::folded(text), claim) {
            return true;
        }
        // Days are counted from when a thing was said, so they stand in few quotes.
        let meant: Vec<&String> = claim.words().iter().filter(|word| !is_frame(word) && !is_day(word)).collect();
        let quoted = meant.iter().filter(|word| self.has(word)).count();
        let is_shared = if beside.is_some() {
            let known = |word: &&&String| self.has(word) || self.before.contains(**word) || has_exactly(beside, word);
            let common = meant.iter().filter(known).count();
            common * 3 >= meant.len() && common > 0
        } else {
            let fresh: Vec<&&String> = meant.iter().filter(|word| !self.before.contains(**word)).collect();
            fresh.iter().filter(|word| self.has(word)).count() * 2 >= fresh.len() && quoted > 0
        };
        is_shared && self.agrees_with(text, claim)
    }

    /// Whether a sentence names nothing that no quote names, and turns none round.
    fn agrees_with(&self, text: &str, claim: &Claim) -> bool {
        self.has_values_of(text) && !claim.is_turned_round(&self.claims)
    }
}

fn has_exactly(beside: Option<&BTreeSet<String>>, word: &str) -> bool {
    beside.is_some_and(|words| words.contains(word))
}

fn is_frame(word: &str) -> bool {
    FRAMES.contains(&word)
}

/// Whether a quote is more than a fragment.
fn is_whole(quote: &str) -> bool {
    let folded = sentences::folded(quote);
    folded.split(' ').count() >= SHORTEST_QUOTE || is_dense(&folded)
}

/// Whether a folded text is a sentence in a script without blanks.
pub(super) fn is_dense(folded: &str) -> bool {
    folded.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')).count() > SHORTEST_QUOTE
}
