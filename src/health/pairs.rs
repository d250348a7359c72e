//! Memories that say the same, and memories that cannot both be right.
//!
//! The comparison is `crate::memory::likeness`, the one that dreams use. Not its job: merging, and deciding who is right.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::{Finding, Learnt};
use crate::memory::likeness::candidates;
use crate::memory::likeness::measured::{self, Measured};
use crate::memory::{Kind, Memory, ProblemCode, Snapshot, Topic};

/// So many measured memories are kept while pairs are compared; they are large.
const MOST_MEASURED: usize = 4_096;
/// Words that a memory has at least to be called the same as another: a single one says nothing that could be said twice.
const FEWEST_WORDS: usize = 2;
/// So many partners are named.
const MOST_NAMED: usize = 12;
/// So many characters of a claim are quoted.
const QUOTED: usize = 80;

/// What two memories are to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// They say the same.
    Same,
    /// They cannot both be right: what the first says, what the second.
    Conflict(String, String),
    /// Neither.
    Apart,
}

/// The words of a memory as numbers, with the type they are of, unless there is nothing to compare.
pub(super) fn saying(memory: &Memory, topic: &Topic) -> Option<(Option<Kind>, Vec<u64>)> {
    if topic.bytes.len() > measured::LONGEST {
        return None;
    }
    let measured = Measured::of(&memory.file, topic);
    let says_something = measured.kind.is_some() && !measured.shape.content.is_empty();
    (says_something && !measured::is_listing(&measured.body)).then(|| (measured.kind, measured.shape.marks()))
}

/// What all memories say.
#[derive(Debug, Default)]
pub(super) struct Sayings {
    files: Vec<String>,
    marks: Vec<(Option<Kind>, Vec<u64>)>,
}

impl Sayings {
    /// Adds what a memory says.
    pub(super) fn add(&mut self, file: &str, says: &(Option<Kind>, Vec<u64>)) {
        self.files.push(file.to_owned());
        self.marks.push(says.clone());
    }

    /// The findings: duplicates grouped, conflicts by pair, one for each file concerned, with its partners as evidence.
    pub(super) fn findings(&self, snapshot: &Snapshot, learnt: &mut Learnt) -> Vec<Finding> {
        let mut pairs = Vec::new();
        candidates::visit(&self.marks, &mut |one, other| pairs.push((one, other)));
        let mut known = Known { snapshot, files: &self.files, measured: HashMap::new() };
        let mut groups = Groups::default();
        let mut conflicts = Vec::new();
        for (one, other) in pairs {
            let hash = |at: usize| self.files.get(at).and_then(|file| learnt.hash(file));
            let (Some(first), Some(second)) = (hash(one), hash(other)) else { continue };
            match learnt.pair(first, second, || known.compare(one, other)) {
                Pair::Same => groups.join(one, other),
                Pair::Conflict(first, second) => conflicts.push((one, other, first, second)),
                Pair::Apart => {}
            }
        }
        let mut found = Vec::new();
        let mut add = |at: usize, code, message: String, partners: String| {
            let Some(file) = self.files.get(at).cloned() else { return };
            let mut finding = Finding::new(code, &file, None, message);
            finding.evidence = Some(partners);
            found.push(finding);
        };
        let name = |at: &usize| self.files.get(*at).cloned().unwrap_or_default();
        for group in groups.all() {
            for member in &group {
                let mut others: Vec<String> =
                    group.iter().filter(|other| *other != member).take(MOST_NAMED).map(name).collect();
                if group.len() - 1 > others.len() {
                    others.push(format!("{} more", group.len() - 1 - others.len()));
                }
                add(
                    *member,
                    ProblemCode::Duplicate,
                    format!("says the same as {}", others.join(", ")),
                    others.join(", "),
                );
            }
        }
        for (one, other, first, second) in conflicts {
            let message = |mine: &str, partner: String, theirs: &str| {
                format!("disagrees with {partner}: \"{mine}\" here, \"{theirs}\" there")
            };
            add(one, ProblemCode::Conflict, message(&first, name(&other), &second), name(&other));
            add(other, ProblemCode::Conflict, message(&second, name(&one), &first), name(&one));
        }
        found
    }
}

/// The beginning of a claim, on one line.
fn shown(fact: &str) -> String {
    let line = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= QUOTED { line } else { line.chars().take(QUOTED - 1).chain(['…']).collect() }
}

/// Measured memories, read again when asked for.
struct Known<'a> {
    snapshot: &'a Snapshot,
    files: &'a [String],
    measured: HashMap<usize, Rc<Measured>>,
}

impl Known<'_> {
    fn compare(&mut self, one: usize, other: usize) -> Option<Pair> {
        let (first, second) = (self.get(one)?, self.get(other)?);
        let is_short = first.shape.content.len().min(second.shape.content.len()) < FEWEST_WORDS;
        Some(if !is_short && (measured::is_same(&first, &second) || measured::is_copy(&first, &second)) {
            Pair::Same
        } else if measured::contradicts(&first, &second) {
            Pair::Conflict(shown(&first.fact), shown(&second.fact))
        } else {
            Pair::Apart
        })
    }

    fn get(&mut self, at: usize) -> Option<Rc<Measured>> {
        if let Some(known) = self.measured.get(&at) {
            return Some(Rc::clone(known));
        }
        let file = self.files.get(at)?;
        let measured = Rc::new(Measured::of(file, &self.snapshot.store.topic(file).ok()?));
        if self.measured.len() >= MOST_MEASURED {
            self.measured.clear();
        }
        self.measured.insert(at, Rc::clone(&measured));
        Some(measured)
    }
}

/// Which memories belong together, however they were found to.
#[derive(Debug, Default)]
struct Groups {
    leaders: BTreeMap<usize, usize>,
}

impl Groups {
    fn leader(&self, mut at: usize) -> usize {
        while let Some(next) = self.leaders.get(&at).filter(|next| **next != at) {
            at = *next;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (first, second) = (self.leader(one), self.leader(other));
        let (low, high) = (first.min(second), first.max(second));
        self.leaders.insert(low, low);
        self.leaders.insert(high, low);
    }

    fn all(&self) -> Vec<BTreeSet<usize>> {
        let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for member in self.leaders.keys() {
            groups.entry(self.leader(*member)).or_default().insert(*member);
        }
        groups.into_values().collect()
    }
}
