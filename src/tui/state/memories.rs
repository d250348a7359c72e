//! The memory list: which memories, in which order, and where the cursor is.
//!
//! Rows are worked out once per scan, sort or filter, never per frame. The cursor follows its file, not its row.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::ListState;
use crate::health::{self, Finding, Severity};
use crate::memory::{Freshness, Memory, Snapshot};

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// What needs a person most, as [`crate::health::need()`] has it.
    #[default]
    Need,
    /// The oldest claim first.
    Age,
    /// By name.
    Name,
    /// By type, then by name.
    Kind,
}

impl Sort {
    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Need => Self::Age,
            Self::Age => Self::Name,
            Self::Name => Self::Kind,
            Self::Kind => Self::Need,
        }
    }

    /// The word after "by".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Need => "need",
            Self::Age => "age",
            Self::Name => "name",
            Self::Kind => "type",
        }
    }
}

/// One row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which memory of the snapshot.
    pub at: usize,
    /// The worst thing that is wrong with it.
    pub severity: Option<Severity>,
    /// Its badge in the light of evidence.
    pub freshness: Freshness,
    /// How much it needs a person.
    pub need: u32,
}

/// The memory list.
#[derive(Clone, Debug, Default)]
pub struct Memories {
    /// The rows that are shown, in order.
    pub rows: Vec<Row>,
    /// The cursor.
    pub list: ListState,
    /// The order.
    pub sort: Sort,
    /// The filter; empty: everything.
    pub filter: String,
    /// The files that are marked.
    pub marked: BTreeSet<String>,
    /// The file under the cursor, which the cursor follows.
    pub file: Option<String>,
    /// A file that was just made: the cursor goes there with the first scan that knows it.
    pub awaited: Option<String>,
}

impl Memories {
    /// Works the rows out again and puts the cursor back on its file; when that is gone, it stays at its row.
    pub fn arrange(&mut self, snapshot: &Snapshot, findings: &[Finding], height: usize) {
        self.marked.retain(|file| snapshot.memory(file).is_some());
        let by_file = by_file(findings);
        let row = |at: usize, memory: &Memory| {
            let of_it = || by_file.get(memory.file.as_str()).into_iter().flatten().copied();
            let own = (!memory.problems.is_empty()).then_some(Severity::Warning);
            let severity = of_it().map(|finding| finding.severity).max().max(own);
            let (freshness, need) = (health::badge(memory, of_it()), health::need(memory, of_it()).score);
            Row { at, severity, freshness, need }
        };
        let all = snapshot.memories.iter().enumerate();
        if self.filter.is_empty() {
            self.rows = all.map(|(at, memory)| row(at, memory)).collect();
            self.order(snapshot);
        } else {
            let matcher = matcher();
            let mut scored: Vec<(i64, Row)> = all
                .filter_map(|(at, memory)| Some((score(&matcher, memory, &self.filter)?, row(at, memory))))
                .collect();
            scored.sort_by_key(|(score, row)| (Reverse(*score), row.at));
            self.rows = scored.into_iter().map(|(_, row)| row).collect();
        }
        self.find_cursor(snapshot, height);
    }

    /// Remembers the file under the cursor.
    pub fn remember(&mut self, snapshot: &Snapshot) {
        self.file = self
            .rows
            .get(self.list.selected)
            .and_then(|row| snapshot.memories.get(row.at))
            .map(|memory| memory.file.clone());
    }

    fn find_cursor(&mut self, snapshot: &Snapshot, height: usize) {
        if self.awaited.as_ref().is_some_and(|file| snapshot.memory(file).is_some()) {
            self.file = self.awaited.take();
        }
        let is_it =
            |row: &Row| snapshot.memories.get(row.at).is_some_and(|memory| Some(&memory.file) == self.file.as_ref());
        if let Some(at) = self.rows.iter().position(is_it) {
            self.list.selected = at;
        }
        self.list.settle(self.rows.len(), height);
        self.remember(snapshot);
    }

    fn order(&mut self, snapshot: &Snapshot) {
        let memories = &snapshot.memories;
        let age = |memory: &Memory| Reverse(memory.age_days.unwrap_or(0));
        let name = |memory: &Memory| memory.name.to_lowercase();
        match self.sort {
            Sort::Need => self.rows.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                (Reverse(row.need), memory.map(age), memory.map(name))
            }),
            Sort::Age => self.rows.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                (memory.map(|memory| (memory.age_days.is_none(), age(memory))), memory.map(name))
            }),
            Sort::Name => self.rows.sort_by_cached_key(|row| memories.get(row.at).map(name)),
            Sort::Kind => self.rows.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                (memory.map(|memory| memory.kind.map_or(usize::MAX, |kind| kind as usize)), memory.map(name))
            }),
        }
    }
}

fn by_file(findings: &[Finding]) -> HashMap<&str, Vec<&Finding>> {
    let mut by_file: HashMap<&str, Vec<&Finding>> = HashMap::new();
    for finding in findings {
        by_file.entry(finding.file.as_str()).or_default().push(finding);
    }
    by_file
}

/// The best match of a filter in name, file and description, names counting twice.
fn score(matcher: &SkimMatcherV2, memory: &Memory, filter: &str) -> Option<i64> {
    let name = matcher.fuzzy_match(&memory.name, filter).map(|score| score * 2);
    let rest = [&memory.file, &memory.description].into_iter().filter_map(|text| matcher.fuzzy_match(text, filter));
    name.into_iter().chain(rest).max()
}

/// The characters of a name that a filter matches. Worked out for what is drawn only.
#[must_use]
pub fn matched(name: &str, filter: &str) -> Vec<usize> {
    if filter.is_empty() {
        return Vec::new();
    }
    matcher().fuzzy_indices(name, filter).map(|(_, matched)| matched).unwrap_or_default()
}

fn matcher() -> SkimMatcherV2 {
    SkimMatcherV2::default().smart_case()
}
