//! What a person let go: evidence of which nothing is stored again.
//!
//! A memory that was removed, undone, rejected or merged away was made of sentences somebody said. They are kept here as
//! hashes, each with where it was said and when it was let go; no word of them. Of a turn, the sentences that were let go
//! are told by these. What is said anew, after that, is another statement and is none of them. Not its job: telling which
//! evidence leaves a store (see `evidence` and `record`), and what an engine makes of it (`crate::engine`).

mod evidence;
pub(super) mod record;

pub(crate) use record::understood;

use std::collections::HashMap;
use std::ops::Range;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::memory::ContentHash;
use crate::memory::likeness::Shape;
use crate::session::HumanTurn;
use crate::text::folded_words;

/// What stands in a turn in the place of a sentence that was let go.
pub const IN_ITS_PLACE: &str = "[let go by the developer; nothing of it is to be stored]";

/// So many words that carry meaning make a sentence one that nobody says by chance: without them it is let go only where it
/// was said ("yes, always do that").
const TELLING: usize = 2;
/// A stretch of a sentence tells the sentence from so many words on; what is shorter has to be all of it.
const STRETCH: usize = 3;

/// A sentence that was let go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Bar {
    /// Of its words, folded.
    hash: String,
    /// How many words.
    words: usize,
    /// The session it was said in, or the daily log; `None`: only that a memory said so is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// The line there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// When the memory says that it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said_at: Option<DateTime<Utc>>,
    /// Whether it is one that nobody says by chance.
    is_telling: bool,
    /// When it was let go.
    at: DateTime<Utc>,
    /// The entry of the history, or of the inbox, that let it go.
    by: String,
}

impl Bar {
    fn of(sentence: &str, session: Option<&str>, line: Option<u64>) -> Self {
        Self {
            hash: hash(sentence),
            words: sentence.split(' ').count(),
            session: session.map(str::to_owned),
            line,
            said_at: None,
            is_telling: Shape::of(sentence).content.len() >= TELLING,
            at: DateTime::UNIX_EPOCH,
            by: String::new(),
        }
    }

    /// Whether both are the same sentence of the same place.
    fn is_of(&self, other: &Self) -> bool {
        (&self.hash, &self.session, self.line) == (&other.hash, &other.session, other.line)
    }

    /// Whether it was said in this turn. `id`: what the file of the turn's session is called.
    fn is_from(&self, id: &str, turn: &HumanTurn) -> bool {
        let is_session = self.session.as_deref().is_some_and(|session| session == id || session == turn.session);
        is_session && self.line == Some(turn.line)
    }

    /// Whether the same sentence in this turn is the one that was let go: there, in a copy of that turn (a fork), or said
    /// before a person let it go, who knew of it then.
    fn counts_for(&self, id: &str, turn: &HumanTurn) -> bool {
        let is_copy = || turn.at.is_some() && turn.at == self.said_at && self.line == Some(turn.line);
        let is_before = || self.is_telling && turn.at.is_some_and(|at| at < self.at);
        self.is_from(id, turn) || is_copy() || is_before()
    }
}

/// What was let go of a store.
#[derive(Clone, Debug, Default)]
pub struct LetGo {
    bars: Vec<Bar>,
    by_hash: HashMap<String, Vec<usize>>,
    by_place: HashMap<(String, u64), Vec<usize>>,
}

/// The sentences of one turn that were let go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gone {
    /// Where in the turn's text, with the words folded.
    sentences: Vec<(Range<usize>, String)>,
}

impl LetGo {
    fn of(bars: Vec<Bar>) -> Self {
        let mut let_go = Self { bars, ..Self::default() };
        for (at, bar) in let_go.bars.iter().enumerate() {
            let_go.by_hash.entry(bar.hash.clone()).or_default().push(at);
            if let (Some(session), Some(line)) = (&bar.session, bar.line) {
                let_go.by_place.entry((session.clone(), line)).or_default().push(at);
            }
        }
        let_go
    }

    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bars.is_empty()
    }

    /// What was let go of a turn. `id`: what the file of its session is called.
    #[must_use]
    pub fn of_turn(&self, id: &str, turn: &HumanTurn) -> Gone {
        if self.is_empty() {
            return Gone::default();
        }
        let places = [id, &turn.session].map(|session| self.by_place.get(&(session.to_owned(), turn.line)));
        let here: Vec<&Bar> = self.named(places.into_iter().flatten().flatten()).collect();
        let is_gone = |folded: &str| {
            let same = self.by_hash.get(&hash(folded)).into_iter().flatten();
            self.named(same).any(|bar| bar.counts_for(id, turn)) || here.iter().any(|bar| has_stretch(folded, bar))
        };
        let sentences = sentences(&turn.text);
        Gone { sentences: sentences.into_iter().filter(|(_, folded)| is_gone(folded)).collect() }
    }

    /// Whether what an engine took out of a turn was let go: at least half of its sentences were.
    #[must_use]
    pub fn holds(&self, id: &str, turn: &HumanTurn, quote: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let gone = self.of_turn(id, turn);
        let is_gone = |folded: &str| {
            let same = self.by_hash.get(&hash(folded)).into_iter().flatten();
            gone.covers(folded) || self.named(same).any(|bar| bar.counts_for(id, turn))
        };
        let said = sentences(quote);
        let count = said.iter().filter(|(_, folded)| is_gone(folded)).count();
        count > 0 && count * 2 >= said.len()
    }

    /// Whether a quote of a daily log was let go.
    #[must_use]
    pub fn holds_of_log(&self, log: &str, quote: &str) -> bool {
        let is_gone = |folded: &str| {
            let same = self.by_hash.get(&hash(folded)).into_iter().flatten();
            self.named(same).any(|bar| bar.session.as_deref() == Some(log))
        };
        !self.is_empty() && sentences(quote).iter().any(|(_, folded)| is_gone(folded))
    }

    fn named<'a>(&'a self, numbers: impl Iterator<Item = &'a usize>) -> impl Iterator<Item = &'a Bar> {
        numbers.filter_map(|at| self.bars.get(*at))
    }
}

impl Gone {
    /// Whether nothing was let go.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The turn's text without it, with [`IN_ITS_PLACE`].
    #[must_use]
    pub fn cut_from(&self, text: &str) -> String {
        let (mut left, mut from) = (String::new(), 0);
        for (range, _) in &self.sentences {
            left.push_str(text.get(from..range.start).unwrap_or_default());
            left.push_str(IN_ITS_PLACE);
            from = range.end;
        }
        left.push_str(text.get(from..).unwrap_or_default());
        left
    }

    /// Whether nothing is left in a text that it was cut from.
    #[must_use]
    pub fn is_all_of(&self, cut: &str) -> bool {
        !self.is_empty() && folded_words(&cut.replace(IN_ITS_PLACE, " ")).is_empty()
    }

    /// What is left of a quote; `None`: all of it was let go.
    #[must_use]
    pub fn rest_of(&self, quote: &str) -> Option<String> {
        let said = sentences(quote);
        let stays: Vec<&str> = said
            .iter()
            .filter(|(_, folded)| !self.covers(folded))
            .filter_map(|(range, _)| quote.get(range.clone()))
            .collect();
        if stays.len() == said.len() {
            return Some(quote.to_owned());
        }
        (!stays.is_empty()).then(|| stays.join(" "))
    }

    /// Whether a sentence is one of them, a part of one, or holds one.
    fn covers(&self, folded: &str) -> bool {
        let within = |part: &str, whole: &str| format!(" {whole} ").contains(&format!(" {part} "));
        self.sentences.iter().any(|(_, gone)| within(folded, gone) || within(gone, folded))
    }
}

/// Whether a sentence has the words of a bar in a row.
fn has_stretch(folded: &str, bar: &Bar) -> bool {
    let words: Vec<&str> = folded.split(' ').collect();
    if bar.words == 0 || (bar.words < STRETCH && bar.words != words.len()) {
        return false;
    }
    words.windows(bar.words).any(|stretch| hash(&stretch.join(" ")) == bar.hash)
}

fn hash(folded: &str) -> String {
    ContentHash::of(folded.as_bytes()).to_string()
}

/// The sentences of a text, each with its place and its words folded. Those without words are none.
fn sentences(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        let ends = match character {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => characters.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends || characters.peek().is_none() {
            let sentence = text.get(start..end).unwrap_or_default();
            let blank = sentence.len() - sentence.trim_start().len();
            let range = start + blank..start + sentence.trim_end().len().max(blank);
            let folded = folded_words(sentence);
            if !folded.is_empty() {
                found.push((range, folded));
            }
            start = end;
        }
    }
    found
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
