//! Memories that say the same, and memories that cannot both be right.
//!
//! The comparison is `crate::memory::likeness`, the one that dreams use. Not its job: merging, and deciding who is right.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::Finding;
use crate::memory::likeness::measured::{self, Measured};
use crate::memory::{Kind, Memory, ProblemCode, Snapshot, Topic};

/// So many measured memories are kept while pairs are compared; they are large.
const MOST_MEASURED: usize = 4_096;
/// Words that a memory has at least to be compared.
const FEWEST_WORDS: usize = 2;
/// So many partners are named.
const MOST_NAMED: usize = 12;
/// So many characters of a claim are quoted.
const QUOTED: usize = 80;

/// What all memories say, one number a word, gathered while bodies are read.
#[derive(Debug, Default)]
pub(super) struct Sayings {
    files: Vec<String>,
    marks: Vec<(Option<Kind>, Vec<u64>)>,
}

impl Sayings {
    /// Adds a memory, unless there is nothing to compare.
    pub(super) fn add(&mut self, memory: &Memory, topic: &Topic) {
        if topic.bytes.len() > measured::LONGEST {
            return;
        }
        let measured = Measured::of(&memory.file, topic);
        // A single word says nothing that could be said twice.
        let says_something = measured.kind.is_some() && measured.shape.content.len() >= FEWEST_WORDS;
        if says_something && !measured::is_listing(&measured.body) {
            self.files.push(memory.file.clone());
            self.marks.push((measured.kind, measured.shape.marks()));
        }
    }

    /// The findings: duplicates grouped, conflicts by pair, one for each file concerned, with its partners as evidence.
    pub(super) fn findings(&self, snapshot: &Snapshot) -> Vec<Finding> {
        let mut pairs = Vec::new();
        measured::candidates(&self.marks, &mut |one, other| pairs.push((one, other)));
        let mut known = Known { snapshot, files: &self.files, measured: HashMap::new() };
        let mut groups = Groups::default();
        let mut conflicts = Vec::new();
        for (one, other) in pairs {
            let (Some(first), Some(second)) = (known.get(one), known.get(other)) else { continue };
            if measured::is_same(&first, &second) {
                groups.join(one, other);
            } else if measured::contradicts(&first, &second) {
                conflicts.push((one, other, shown(&first.fact), shown(&second.fact)));
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
