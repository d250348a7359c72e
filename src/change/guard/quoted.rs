//! What is quoted, and what a sentence may rest on it.
//!
//! Not its job: which sentences have to be borne out (see [`super::evidence`]), and whether a quote is really a person's (the
//! run looks it up in the transcript).

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::claim::{Claim, Stood, is_value};
use super::sentences;
use super::stated::{Stated, is_covered};
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

/// A quote, with the day it was said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote<'a> {
    pub(super) text: &'a str,
    pub(super) day: Option<NaiveDate>,
}

/// What is quoted.
pub(super) struct Quoted<'a> {
    texts: Vec<String>,
    /// Each sentence of a quote that is more than a fragment, as it is written, folded, with what it says.
    raw: Vec<String>,
    claims: Vec<Claim>,
    /// Of each whether it is a question.
    asked: Vec<bool>,
    folded: Vec<String>,
    words: BTreeSet<String>,
    /// What stood in the same files before, and its words.
    stood: &'a [Stood],
    before: BTreeSet<String>,
    stated: Vec<Stated>,
}

impl<'a> Quoted<'a> {
    /// Of quotes, beside what stood in the files that change `before`.
    pub(super) fn of(quotes: &[Quote<'_>], stood: &'a [Stood], whole: &str) -> Self {
        let long = quotes.iter().map(|quote| quote.text).filter(|quote| is_whole(quote));
        let raw: Vec<String> = long.flat_map(sentences::raw).collect();
        let is_question = |text: &str| quotes.iter().any(|quote| quote.text.contains(&format!("{text}?")));
        let claims: Vec<Claim> = raw.iter().map(|text| Claim::of(text, whole)).collect();
        let words = claims.iter().flat_map(|claim| claim.words().iter().cloned()).collect();
        Self {
            texts: quotes.iter().map(|quote| sentences::folded(quote.text)).collect(),
            folded: raw.iter().map(|text| sentences::folded(text)).collect(),
            asked: raw.iter().map(|text| is_question(text)).collect(),
            raw,
            claims,
            words,
            stood,
            before: stood.iter().flat_map(|stood| stood.claim.words().iter().cloned()).collect(),
            stated: quotes.iter().map(|quote| Stated::of(quote.text, quote.day)).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a word stands in a quote, in some form.
    pub(super) fn has(&self, word: &str) -> bool {
        has_akin(&self.words, word)
    }

    /// Whether the numbers, days, hours, names and addresses of a text were quoted, or stood before in the sentence that it
    /// is like.
    pub(super) fn has_values_of(&self, text: &str, claim: &Claim) -> bool {
        let before: Vec<Stated> = claim.nearest(self.stood).into_iter().map(Stood::stated).collect();
        is_covered(text, &self.stated.iter().chain(&before).collect::<Vec<_>>())
    }

    /// Whether a sentence stands letter for letter in what is quoted. What a quote denies is not said by the words behind its
    /// "not".
    fn holds(&self, folded: &str, claim: &Claim) -> bool {
        let is_in = |quote: &String| {
            format!(" {quote} ").contains(&format!(" {folded} ")) || (is_dense(folded) && quote.contains(folded))
        };
        let in_sentence = self.folded.iter().zip(&self.claims);
        self.texts.iter().any(|quote| quote == folded)
            || in_sentence.into_iter().any(|(quote, said)| {
                is_in(quote)
                    && claim.contradicts(said) == 0
                    && !claim.affirms_what_is_denied(std::slice::from_ref(said))
            })
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
        let is_said = |word: &&&String| self.words.contains(**word) && !claim.is_against_in(word, &self.claims);
        let is_put_right = !fresh.is_empty() && fresh.iter().all(is_said);
        (new * most <= meant.len() || is_put_right)
            && common >= meant.len().min(2)
            && self.agrees_with(text, claim)
            && (beside.is_some() || self.is_as_said(claim))
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
        let meant: Vec<&String> = claim.words().iter().filter(|word| !is_frame(word) && !is_value(word)).collect();
        let quoted = meant.iter().filter(|word| self.has(word)).count();
        let is_shared = if beside.is_some() {
            let known = |word: &&&String| self.has(word) || self.before.contains(**word) || has_exactly(beside, word);
            let common = meant.iter().filter(known).count();
            common * 3 >= meant.len() && common > 0
        } else {
            let fresh: Vec<&&String> = meant.iter().filter(|word| !self.before.contains(**word)).collect();
            fresh.iter().filter(|word| self.has(word)).count() * 2 >= fresh.len() && quoted > 0
        };
        is_shared
            && self.agrees_with(text, claim)
            && (beside.is_some() || (self.is_as_said(claim) && !self.is_asked(claim)))
    }

    /// Whether a claim affirms nothing that is only denied, makes no exception of its own and is no surer than its quote.
    fn is_as_said(&self, claim: &Claim) -> bool {
        !claim.affirms_what_is_denied(&self.claims)
            && !claim.adds_an_exception(&self.claims)
            && !claim.is_surer(&self.claims)
    }

    /// Whether what the claim rests on is a question.
    fn is_asked(&self, claim: &Claim) -> bool {
        let common = |said: &Claim| said.words().intersection(claim.words()).count();
        let nearest = self.claims.iter().zip(&self.asked).max_by_key(|(said, asked)| (common(said), !**asked));
        nearest.is_some_and(|(_, asked)| *asked)
    }

    /// Whether a sentence names nothing that no quote names, and turns none round.
    fn agrees_with(&self, text: &str, claim: &Claim) -> bool {
        self.has_values_of(text, claim) && !claim.is_turned_round(&self.claims) && !self.names_another(text)
    }

    /// Whether a sentence begins with a name in the place of one that a quote has: who does it is another one.
    fn names_another(&self, text: &str) -> bool {
        let plain = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let own = plain(text);
        let [first, next, ..] = own.as_slice() else { return false };
        let has = |words: &[String], word: &str| words.iter().any(|known| known.to_lowercase() == word.to_lowercase());
        let is_name = |word: &str| word.starts_with(char::is_uppercase);
        if !is_name(first)
            || has_akin(&self.words, &first.to_lowercase())
            || has_akin(&self.before, &first.to_lowercase())
        {
            return false;
        }
        self.raw.iter().map(|text| plain(text)).any(|quote| {
            let mut pairs = quote.windows(2);
            pairs.any(|pair| matches!(pair, [named, then] if then == next && is_name(named) && !has(&own, named)))
        })
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
