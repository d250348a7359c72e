//! The memory list: which memories, in which order, and where the cursor is.
//!
//! What is known of each memory is worked out once per scan or look for findings, the order once per sort; a key of the filter
//! only holds rows against it. Nothing of it happens per frame. The cursor follows its file, not its row.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::ListState;
use crate::filter::{Facts, Filter, Matcher, Subject};
use crate::health::{self, Finding, RecallUse, Severity};
use crate::memory::{Freshness, Memory, ShelfLife, Snapshot};

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

    /// The order a word names; need when it names none.
    #[must_use]
    pub fn of_word(word: &str) -> Self {
        let all = [Self::Need, Self::Age, Self::Name, Self::Kind];
        all.into_iter().find(|sort| sort.word() == word).unwrap_or_default()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which memory of the snapshot.
    pub at: usize,
    /// The worst thing that is wrong with it.
    pub severity: Option<Severity>,
    /// Its badge in the light of evidence.
    pub freshness: Freshness,
    /// How much it needs a person.
    pub need: u32,
    /// What a filter may ask of it.
    pub facts: Facts,
}

/// The memory list.
#[derive(Clone, Debug, Default)]
pub struct Memories {
    /// The rows that are shown, in order.
    pub rows: Vec<Row>,
    /// All rows, in order; worked out when the store or what is known of it changed.
    pub(in crate::tui) all: Vec<Row>,
    /// The order that `all` has.
    pub(in crate::tui) ordered: Option<Sort>,
    /// The name of each memory of the snapshot as it is compared; worked out with `all`.
    pub(in crate::tui) names: Vec<String>,
    /// The filter that was held against rows last, and which of `all` it let through.
    pub(in crate::tui) passed: Option<(Filter, Vec<usize>)>,
    /// The cursor.
    pub list: ListState,
    /// The order.
    pub sort: Sort,
    /// The filter as it was typed; empty: everything.
    pub filter: String,
    /// The files that are marked.
    pub marked: BTreeSet<String>,
    /// The file under the cursor, which the cursor follows.
    pub file: Option<String>,
    /// A file that was just made: the cursor goes there with the first scan that knows it.
    pub awaited: Option<String>,
    /// The files a verdict was given on since the person moved the cursor: wherever it brings one, the cursor goes on to the
    /// next that has none.
    pub judged: BTreeSet<String>,
}

impl Memories {
    /// Works out what is known of each memory. Follows each scan and each look for findings.
    pub fn gather(&mut self, snapshot: &Snapshot, findings: &[Finding], used: &RecallUse, shelf_life: &ShelfLife) {
        self.marked.retain(|file| snapshot.memory(file).is_some());
        let by_file = by_file(findings);
        let row = |(at, memory): (usize, &Memory)| {
            let findings = by_file.get(memory.file.as_str()).map(Vec::as_slice).unwrap_or_default();
            let of_it = || findings.iter().copied();
            let own = (!memory.problems.is_empty()).then_some(Severity::Warning);
            let severity = of_it().map(|finding| finding.severity).max().max(own);
            let facts = Facts::of(memory, findings, used, shelf_life);
            Row { at, severity, freshness: facts.freshness, need: health::need(memory, of_it()).score, facts }
        };
        self.all = snapshot.memories.iter().enumerate().map(row).collect();
        self.names = snapshot.memories.iter().map(|memory| memory.name.to_lowercase()).collect();
        self.ordered = None;
    }

    /// Works the rows that are shown out again and puts the cursor back on its file; when that is gone, it stays at its row.
    pub fn arrange(&mut self, snapshot: &Snapshot, height: usize) {
        if self.ordered != Some(self.sort) {
            self.order(snapshot);
        }
        let filter = Filter::parse(&self.filter);
        if filter.terms.is_empty() {
            self.rows.clone_from(&self.all);
        } else {
            let matcher = Matcher::new(&filter);
            let score = |row: &Row| {
                let memory = snapshot.memories.get(row.at)?;
                let is_marked = self.marked.contains(&memory.file);
                let score = matcher.score(&Subject { memory, facts: &row.facts, is_marked, store: None })?;
                Some((score, *row))
            };
            let scored_at = |at: usize| self.all.get(at).and_then(score).map(|(score, row)| (score, at, row));
            // Of what a shorter word kept out, a longer one lets nothing through.
            let passed = self.passed.as_ref().filter(|(before, _)| filter.narrows(before)).map(|(_, passed)| passed);
            let mut scored: Vec<(i64, usize, Row)> = match passed {
                Some(passed) => passed.iter().copied().filter_map(scored_at).collect(),
                None => (0..self.all.len()).filter_map(scored_at).collect(),
            };
            self.passed = Some((filter.clone(), scored.iter().map(|(_, at, _)| *at).collect()));
            // What matches equally well stays in the order of the list.
            scored.sort_by_key(|(score, ..)| Reverse(*score));
            self.rows = scored.into_iter().map(|(.., row)| row).collect();
        }
        self.find_cursor(snapshot, height);
    }

    /// The directories that memories lie in, for completing a filter.
    #[must_use]
    pub fn directories(snapshot: &Snapshot) -> Vec<String> {
        let directories =
            snapshot.memories.iter().filter_map(|memory| Some(memory.file.rsplit_once('/')?.0.to_owned()));
        directories.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Remembers the file that the person put the cursor on.
    pub fn remember(&mut self, snapshot: &Snapshot) {
        self.judged.clear();
        self.file = self.file_at(snapshot, self.list.selected).map(str::to_owned);
    }

    fn file_at<'a>(&self, snapshot: &'a Snapshot, row: usize) -> Option<&'a str> {
        let memory = snapshot.memories.get(self.rows.get(row)?.at)?;
        Some(&memory.file)
    }

    fn find_cursor(&mut self, snapshot: &Snapshot, height: usize) {
        if self.awaited.as_ref().is_some_and(|file| snapshot.memory(file).is_some()) {
            self.file = self.awaited.take();
        }
        let file = |row: usize| self.file_at(snapshot, row).unwrap_or_default();
        let wanted = self.file.as_deref().unwrap_or_default();
        let at = if self.judged.contains(wanted) {
            (self.list.selected..self.rows.len()).find(|row| !self.judged.contains(file(*row)))
        } else {
            (0..self.rows.len()).find(|row| file(*row) == wanted)
        };
        self.list.selected = at.unwrap_or(self.list.selected);
        self.list.settle(self.rows.len(), height);
        self.file = self.file_at(snapshot, self.list.selected).map(str::to_owned);
    }

    fn order(&mut self, snapshot: &Snapshot) {
        let memories = &snapshot.memories;
        let age = |memory: &Memory| Reverse(memory.age_days.unwrap_or(0));
        let name = |row: &Row| self.names.get(row.at);
        match self.sort {
            Sort::Need => self.all.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                memory.map(|memory| health::need::order(row.need, memory.age_days, &memory.file))
            }),
            Sort::Age => self.all.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                (memory.map(|memory| (memory.age_days.is_none(), age(memory))), name(row))
            }),
            Sort::Name => self.all.sort_by_cached_key(name),
            Sort::Kind => self.all.sort_by_cached_key(|row| {
                let memory = memories.get(row.at);
                (memory.map(|memory| memory.kind.map_or(usize::MAX, |kind| kind as usize)), name(row))
            }),
        }
        self.ordered = Some(self.sort);
        self.passed = None;
    }
}

fn by_file(findings: &[Finding]) -> HashMap<&str, Vec<&Finding>> {
    let mut by_file: HashMap<&str, Vec<&Finding>> = HashMap::new();
    for finding in findings {
        by_file.entry(finding.file.as_str()).or_default().push(finding);
    }
    by_file
}
