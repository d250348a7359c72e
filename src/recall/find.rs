//! Searching the text of memories and of transcripts for a regular expression.
//!
//! A transcript holds its text as JSON strings. It is searched as bytes for a pattern that matches whatever the wanted one
//! could look like there; only lines that match are understood, and their text is searched once more. So a search costs
//! what reading costs, and no escape hides a hit. Not its job: which stores and sessions (see `crate::project`).

mod escaped;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::{WalkBuilder, WalkState};
use serde::Serialize;

use crate::memory::{INDEX_FILE, Store, StoreError};
use crate::secret;
use crate::session::reader::MAX_LINE;
use crate::session::{Block, Line};

/// More hits than this are counted, not kept.
pub const MOST_HITS: usize = 10_000;

/// How much text is shown around a hit, in characters.
const SHOWN: usize = 240;

/// How many hits one line of a transcript gives at most: it may hold a whole file.
const MOST_A_LINE: usize = 20;

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FoundLine {
    /// The file.
    pub file: PathBuf,
    /// The line in the file, from 1; of a transcript the line of the JSON object.
    pub line: u64,
    /// The text of the line, cut around the hit, without credentials. Not yet escaped for a terminal.
    pub text: String,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By file and line; at most [`MOST_HITS`].
    pub hits: Vec<FoundLine>,
    /// How many there were.
    pub total: usize,
    /// What could not be searched, in words.
    pub skipped: Vec<String>,
}

/// A pattern, ready to search with.
#[derive(Debug)]
pub struct Finder {
    /// For text.
    wanted: RegexMatcher,
    /// For text inside JSON strings: matches at least where the other would.
    escaped: RegexMatcher,
}

impl Finder {
    /// Understands a regular expression; small letters match capitals too, unless the pattern has a capital.
    ///
    /// # Errors
    /// What is wrong with the pattern, in words.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let build = |pattern: &str, is_smart: bool| {
            RegexMatcherBuilder::new()
                .case_smart(is_smart)
                .line_terminator(Some(b'\n'))
                .build(pattern)
                .map_err(|error| format!("the pattern is not a regular expression: {error}"))
        };
        let wanted = build(pattern, true)?;
        let escaped = build(&escaped::pattern(pattern)?, false)?;
        Ok(Self { wanted, escaped })
    }

    /// The hits in a store: its index and its memories.
    ///
    /// # Errors
    /// Only when the directory itself cannot be listed.
    pub fn store(
        &self,
        store: &Store,
        options: &crate::memory::ScanOptions,
        found: &mut Found,
    ) -> Result<(), StoreError> {
        let snapshot = store.scan(options)?;
        let index = snapshot.has_index.then(|| INDEX_FILE.to_owned());
        for file in index.into_iter().chain(snapshot.memories.iter().map(|memory| memory.file.clone())) {
            match store.bytes(&file) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    for (line, text) in (1..).zip(text.lines()) {
                        self.take(&store.path(&file), line, text, found);
                    }
                }
                Err(error) => found.skipped.push(format!("{}: {error}", store.path(&file).display())),
            }
        }
        Ok(())
    }

    /// The hits in the transcripts below these directories, with as many threads as the machine has.
    pub fn transcripts(&self, directories: &[PathBuf], found: &mut Found) {
        let Some((first, others)) = directories.split_first() else { return };
        let mut walk = WalkBuilder::new(first);
        for directory in others {
            walk.add(directory);
        }
        walk.standard_filters(false)
            .follow_links(false)
            .threads(std::thread::available_parallelism().map_or(2, Into::into));
        let all = Mutex::new(std::mem::take(found));
        walk.build_parallel().run(|| {
            // Lines that cannot end are given up instead of filling the memory.
            let mut searcher = SearcherBuilder::new()
                .binary_detection(BinaryDetection::none())
                .line_number(true)
                .heap_limit(Some(8 * MAX_LINE))
                .build();
            let all = &all;
            Box::new(move |entry| {
                let Ok(entry) = entry else { return WalkState::Continue };
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && entry.path().extension().is_some_and(|extension| extension == "jsonl") {
                    let mut own = Found::default();
                    self.transcript(&mut searcher, entry.path(), &mut own);
                    all.lock().unwrap_or_else(PoisonError::into_inner).add(own);
                }
                WalkState::Continue
            })
        });
        *found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    }

    fn transcript(&self, searcher: &mut Searcher, path: &Path, found: &mut Found) {
        let searched = searcher.search_path(
            &self.escaped,
            path,
            Bytes(|number, bytes| {
                if bytes.len() <= MAX_LINE {
                    self.line(path, number, bytes, found);
                } else {
                    found.skipped.push(format!("{}:{number}: the line is too long", path.display()));
                }
                Ok(true)
            }),
        );
        if let Err(error) = searched {
            found.skipped.push(format!("{}: {error}", path.display()));
        }
    }

    /// A line of a transcript that may hold a hit.
    fn line(&self, path: &Path, number: u64, bytes: &[u8], found: &mut Found) {
        let Some(line) = Line::parse(bytes) else { return };
        let mut left = MOST_A_LINE;
        for text in texts(line) {
            for text in text.lines() {
                if left > 0 && self.take(path, number, text, found) {
                    left -= 1;
                }
            }
        }
    }

    /// Takes a line of text if it matches.
    fn take(&self, path: &Path, line: u64, text: &str, found: &mut Found) -> bool {
        let Ok(Some(hit)) = self.wanted.find(text.as_bytes()) else { return false };
        found.total += 1;
        if found.hits.len() < MOST_HITS {
            found.hits.push(FoundLine { file: path.to_owned(), line, text: around(text, hit.start()) });
        }
        true
    }
}

impl Found {
    fn add(&mut self, other: Self) {
        self.total += other.total;
        let room = MOST_HITS.saturating_sub(self.hits.len());
        self.hits.extend(other.hits.into_iter().take(room));
        self.skipped.extend(other.skipped);
    }

    /// Puts the hits in order: threads find them in any.
    pub fn sort(&mut self) {
        self.hits.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    }
}

/// The texts of a line: what was said, asked of tools and answered by them, and titles.
fn texts(line: Line) -> Vec<String> {
    let mut texts: Vec<String> = line.title.into_iter().collect();
    for block in line.content {
        match block {
            Block::Text(text) | Block::ToolResult { text, .. } => texts.push(text),
            Block::ToolUse { input, .. } => strings(&input, &mut texts, 0),
            Block::Other => {}
        }
    }
    texts
}

/// The strings of a JSON value.
fn strings(value: &serde_json::Value, into: &mut Vec<String>, depth: usize) {
    match value {
        serde_json::Value::String(text) => into.push(text.clone()),
        serde_json::Value::Array(items) if depth < 32 => items.iter().for_each(|item| strings(item, into, depth + 1)),
        serde_json::Value::Object(fields) if depth < 32 => {
            fields.values().for_each(|field| strings(field, into, depth + 1));
        }
        _ => {}
    }
}

/// A line without its credentials, cut around a place. What is cut off is cut after the credentials went: half of one
/// would not be recognised.
fn around(text: &str, at: usize) -> String {
    let before = text.get(..at).map_or(0, |head| head.chars().count());
    let clean = secret::redacted(text);
    let characters = clean.chars().count();
    if characters <= SHOWN {
        return clean;
    }
    let start = before.saturating_sub(SHOWN / 3).min(characters - SHOWN);
    let mut cut: String = clean.chars().skip(start).take(SHOWN).collect();
    if start > 0 {
        cut.insert(0, '…');
    }
    if start + SHOWN < characters {
        cut.push('…');
    }
    cut
}
