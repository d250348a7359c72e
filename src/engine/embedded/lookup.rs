//! Which memories may be meant by a fact, found by the words they share instead of by asking every memory.
//!
//! It only ever leaves out what a comparison could not have met; the comparison itself decides (see [`super::settle`]).
//! Not its job: deciding anything.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::note::Note;
use crate::memory::Kind;
use crate::memory::likeness::measured;
use crate::memory::likeness::supersede::Claim;

/// For each word, by its mark, the memories that have it, by number.
#[derive(Debug, Default)]
struct Postings {
    lists: HashMap<u64, Vec<usize>>,
}

impl Postings {
    fn add(&mut self, number: usize, marks: impl IntoIterator<Item = u64>) {
        for mark in marks {
            let list = self.lists.entry(mark).or_default();
            // The words of one memory come together, so that a word it has twice is its last.
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
    }

    /// The memories that have at least so many of these different words. Asked for none, it cannot tell: `None`.
    fn sharing(&self, marks: &[u64], at_least: usize) -> Option<Vec<usize>> {
        if at_least == 0 {
            return None;
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for number in marks.iter().filter_map(|mark| self.lists.get(mark)).flatten() {
            *counts.entry(*number).or_default() += 1;
        }
        Some(counts.into_iter().filter(|(_, count)| *count >= at_least).map(|(number, _)| number).collect())
    }
}

/// What the memories of one type claim.
#[derive(Debug, Default)]
struct Claimed {
    /// The words of the facts that carry meaning.
    shapes: Postings,
    /// The words of facts and descriptions that carry meaning.
    content: Postings,
    /// Their words as they are written.
    words: Postings,
}

/// The lookup. Memories that changed since are taken in again by [`Lookup::refresh`].
#[derive(Debug, Default)]
pub(super) struct Lookup {
    /// The file of each number; `None`: it changed or went since.
    files: Vec<Option<String>>,
    numbers: HashMap<String, usize>,
    changed: BTreeSet<String>,
    said: Postings,
    claimed: BTreeMap<Kind, Claimed>,
    sources: HashMap<String, Vec<usize>>,
    sessions: HashMap<String, Vec<usize>>,
}

impl Lookup {
    /// A file is new, changed or gone.
    pub(super) fn touch(&mut self, file: &str) {
        self.changed.insert(file.to_owned());
    }

    /// Takes in what changed, and what memories of a type claim.
    pub(super) fn refresh(&mut self, notes: &BTreeMap<String, Note>, kind: Kind) {
        for file in std::mem::take(&mut self.changed) {
            self.forget(&file);
            if let Some(note) = notes.get(&file) {
                self.learn(note);
            }
        }
        if self.claimed.contains_key(&kind) {
            return;
        }
        let mut claimed = Claimed::default();
        for note in notes.values().filter(|note| note.kind == Some(kind)) {
            if let Some(number) = self.numbers.get(&note.file) {
                claimed.learn(*number, note);
            }
        }
        self.claimed.insert(kind, claimed);
    }

    fn forget(&mut self, file: &str) {
        if let Some(place) = self.numbers.remove(file).and_then(|number| self.files.get_mut(number)) {
            *place = None;
        }
    }

    fn learn(&mut self, note: &Note) {
        let number = self.files.len();
        self.files.push(Some(note.file.clone()));
        self.numbers.insert(note.file.clone(), number);
        self.said.add(number, note.everything().iter().copied());
        if let Some(claimed) = note.kind.and_then(|kind| self.claimed.get_mut(&kind)) {
            claimed.learn(number, note);
        }
        for line in note.body.lines().filter(|line| measured::is_source(line)) {
            self.sources.entry(line.trim().to_owned()).or_default().push(number);
        }
        if let Some(session) = &note.topic.frontmatter.origin_session {
            self.sessions.entry(session.clone()).or_default().push(number);
        }
    }

    /// The files of the memories with these numbers that are as they were, in their order.
    fn named(&self, numbers: impl IntoIterator<Item = usize>) -> BTreeSet<&str> {
        numbers.into_iter().filter_map(|number| self.files.get(number)?.as_deref()).collect()
    }

    fn all(&self) -> BTreeSet<&str> {
        self.files.iter().filter_map(Option::as_deref).collect()
    }

    /// The memories that may say what has these marks, name this source, or come from this session.
    pub(super) fn known(&self, marks: &[u64], source: &str, session: &str) -> BTreeSet<&str> {
        // As [`measured::Measured::may_say`] has it.
        let saying = self.said.sharing(marks, (marks.len() * 6).div_ceil(10));
        let mut files = saying.map_or_else(|| self.all(), |numbers| self.named(numbers));
        let others = [self.sources.get(source), self.sessions.get(session)];
        files.extend(self.named(others.into_iter().flatten().flatten().copied()));
        files
    }

    /// The memories of a type whose fact shares at least so many words with what has these marks.
    pub(super) fn alike(&self, kind: Kind, marks: &[u64], at_least: usize) -> BTreeSet<&str> {
        let sharing = self.claimed.get(&kind).and_then(|claimed| claimed.shapes.sharing(marks, at_least));
        sharing.map_or_else(|| self.all(), |numbers| self.named(numbers))
    }

    /// The memories of a type that a claim may replace.
    pub(super) fn replaceable(&self, kind: Kind, later: &Claim) -> BTreeSet<&str> {
        let Some(claimed) = self.claimed.get(&kind) else { return self.all() };
        let (words, at_least) = later.words_shared_with_a_rival();
        let Some(mut numbers) = claimed.words.sharing(&words, at_least) else { return self.all() };
        if later.says_so() || later.denies() || later.is_of_one_thing() {
            let is_short = later.denies() || later.is_of_one_thing();
            let at_least = if is_short { 1 } else { Claim::WORDS_SHARED_TO_REPLACE };
            match claimed.content.sharing(&later.shape.marks(), at_least) {
                Some(others) => numbers.extend(others),
                None => return self.all(),
            }
        }
        self.named(numbers)
    }
}

impl Claimed {
    fn learn(&mut self, number: usize, note: &Note) {
        self.shapes.add(number, note.shape.marks());
        for claim in note.claims() {
            self.content.add(number, claim.shape.marks());
            self.words.add(number, claim.word_marks());
        }
    }
}
