//! Reading stores with a query in hand: each file once, counting on the way.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::count::{Counter, Counts};
use super::language::Stemmers;
use super::query::{self, Term};
use crate::memory::names::TEAM_DIRECTORY;
use crate::memory::store::ScanOptions;
use crate::memory::{INDEX_FILE, Memory, Snapshot, Store, StoreError, StoreKind};

/// Lines of a store from which its language is told.
const SAMPLE_LINES: usize = 60;

/// How many memories of a store without an index are looked at for its language.
const SAMPLE_FILES: usize = 24;

/// A prompt, read, with what the answer may not hold.
pub struct Question {
    /// The prompt.
    pub prompt: String,
    /// Tools in use: notes on how to use them are lowered.
    pub tools: Vec<String>,
    /// Files that were shown already, by path or by name in the store.
    pub shown: Vec<String>,
    pub(super) stemmers: Stemmers,
    pub(super) terms: Vec<Term>,
}

/// A store, read with a question in hand.
#[derive(Debug)]
pub struct Examined {
    /// What the scan found.
    pub snapshot: Snapshot,
    /// What the bodies hold of the terms, by file.
    pub(super) bodies: HashMap<String, Counts>,
}

impl Question {
    /// Understands a prompt that is asked of these stores: their language decides how words are compared.
    #[must_use]
    pub fn new(prompt: &str, stores: &[Store]) -> Self {
        let sample: Vec<String> = stores.iter().take(SAMPLE_FILES).flat_map(sample).collect();
        let stemmers = Stemmers::of(prompt, &sample);
        let terms = query::terms(prompt, &stemmers);
        Self { prompt: prompt.to_owned(), tools: Vec::new(), shown: Vec::new(), stemmers, terms }
    }

    /// Reads a store once: its snapshot, and what its memories hold of the question.
    ///
    /// # Errors
    /// Only when the directory itself cannot be listed.
    pub fn examine(&self, store: &Store, options: &ScanOptions) -> Result<Examined, StoreError> {
        let counter = Counter::new(&self.terms, &self.stemmers);
        let bodies: Mutex<HashMap<String, Counts>> = Mutex::new(HashMap::new());
        let snapshot = store.scan_reading(options, &|file, body| {
            let mut counts = Counts::new();
            if counter.count(body, 1.0, &mut counts) {
                bodies.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), counts);
            }
        })?;
        Ok(Examined { snapshot, bodies: bodies.into_inner().unwrap_or_else(PoisonError::into_inner) })
    }

    /// Reads a store with what a team shares in it, which is a store of its own: a session of the project may be reminded of
    /// both. What the team's directory keeps from being read is left out.
    ///
    /// # Errors
    /// Only when the store's directory itself cannot be listed.
    pub fn examine_shared(&self, store: &Store, options: &ScanOptions) -> Result<Examined, StoreError> {
        let mut examined = self.examine(store, options)?;
        let team = store.team();
        if team.root().is_dir()
            && team.kind() == StoreKind::Team
            && let Ok(shared) = self.examine(&team, options)
        {
            examined.take(TEAM_DIRECTORY, shared);
        }
        Ok(examined)
    }
}

impl Examined {
    /// Takes what lies in a directory of the store, under the names it has there.
    fn take(&mut self, directory: &str, other: Self) {
        let name = |file: &str| format!("{directory}/{file}");
        self.bodies.extend(other.bodies.into_iter().map(|(file, counts)| (name(&file), counts)));
        let memories = other.snapshot.memories.into_iter().map(|memory| Memory { file: name(&memory.file), ..memory });
        self.snapshot.memories.extend(memories);
    }
}

/// Some lines of a store: of its index, else of the first memories.
fn sample(store: &Store) -> Vec<String> {
    let index = store.bytes(INDEX_FILE).unwrap_or_default();
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.len() > 20).take(SAMPLE_LINES).map(str::to_owned).collect()
    };
    let found = lines(&String::from_utf8_lossy(&index));
    if found.len() >= 5 {
        return found;
    }
    let names = std::fs::read_dir(store.root()).into_iter().flatten().flatten();
    let mut names: Vec<String> = names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| crate::memory::names::is_markdown(name) && name != INDEX_FILE)
        .collect();
    names.sort_unstable();
    // Spread over the whole list: files of one type, or of one person, begin alike.
    let step = names.len().div_ceil(SAMPLE_FILES).max(1);
    let topics = names.iter().step_by(step).filter_map(|name| store.topic(name).ok());
    topics
        .flat_map(|topic| {
            let said = topic.frontmatter.description.clone();
            let body = topic.body();
            said.into_iter().chain(lines(&body).into_iter().take(3)).collect::<Vec<_>>()
        })
        .collect()
}
