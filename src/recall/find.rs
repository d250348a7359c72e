//! Searching the text of memories and of transcripts for a regular expression.
//!
//! A transcript holds its text as JSON strings. It is searched as bytes for a pattern that matches whatever the wanted one
//! could look like there; only lines that match are understood, and their text is searched once more. So a search costs
//! what reading costs, and no escape hides a hit. Not its job: which stores and sessions (see `crate::project`).

mod escaped;
pub mod hunt;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::{WalkBuilder, WalkState};
use serde::Serialize;

use crate::memory::{ContentHash, INDEX_FILE, Store, StoreError};
use crate::secret;
use crate::session::reader::MAX_LINE;
use crate::session::{Block, Line, Role, Speakers, human_text};

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
    /// Whose words they are.
    #[serde(skip)]
    pub voice: Voice,
    /// Other files with the same content, whose hits are not told again: copies of one memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<PathBuf>,
}

/// Whose words a line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// A file's.
    #[default]
    File,
    /// The person's.
    Person,
    /// The assistant's.
    Assistant,
    /// What a tool was asked or answered.
    Tool,
    /// What the client put in.
    Client,
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
    /// Of each content that was searched, the files that have it.
    contents: HashMap<ContentHash, Vec<PathBuf>>,
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
            RegexMatcherBuilder::new().case_smart(is_smart).line_terminator(Some(b'\n')).build(pattern).map_err(
                |error| {
                    // The whole error draws the pattern over several lines; its last one says what is wrong.
                    let error = error.to_string();
                    let why = error.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
                    format!("the pattern is not a regular expression: {}", why.trim_start_matches("error: "))
                },
            )
        };
        let wanted = build(pattern, true)?;
        let escaped = build(&escaped::pattern(pattern)?, false)?;
        Ok(Self { wanted, escaped })
    }

    /// Understands a text, letter by letter.
    ///
    /// # Errors
    /// When it is too long to be looked for.
    pub fn literal(text: &str) -> Result<Self, String> {
        Self::new(&regex_syntax::escape(text))
    }

    /// What of a text matches; byte ranges, in order.
    #[must_use]
    pub fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let mut marks = Vec::new();
        let _ = self.wanted.find_iter(text.as_bytes(), |found| {
            let mark = found.start()..found.end();
            // A match of nothing cannot be shown.
            marks.extend(Some(mark).filter(|mark| !mark.is_empty() && text.get(mark.clone()).is_some()));
            true
        });
        marks
    }

    /// The hits in a store: its index and its memories. A file with the content of one that was searched before is a copy:
    /// it is named with that one's hits.
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
                    let path = store.path(&file);
                    let places = found.contents.entry(ContentHash::of(&bytes)).or_default();
                    let is_copy = !places.is_empty();
                    // A link and what it leads to are one place.
                    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
                    if !places.iter().any(|known| real(known) == real(&path)) {
                        places.push(path.clone());
                    }
                    if is_copy {
                        continue;
                    }
                    let text = String::from_utf8_lossy(&bytes);
                    for (line, text) in (1..).zip(text.lines()) {
                        self.take(&path, line, text, Voice::File, found);
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
            let mut searcher = searcher();
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
        match crate::state::open_file(path) {
            Ok(file) => self.stream(searcher, path, file, usize::MAX, found),
            Err(error) => found.skipped.push(format!("{}: {error}", path.display())),
        }
    }

    /// The nearest line of a transcript with a hit below a line, or above it.
    #[must_use]
    pub fn next_line(&self, path: &Path, line: u64, is_down: bool) -> Option<u64> {
        let mut nearest = None;
        let sink = Bytes(|number, bytes| {
            let is_beyond = if is_down { number > line } else { number < line };
            if !is_beyond {
                // Above: what follows is not wanted.
                return Ok(is_down);
            }
            let mut found = Found::default();
            self.line(path, number, bytes, &mut found);
            if found.total > 0 {
                nearest = Some(number);
            }
            Ok(nearest.is_none() || !is_down)
        });
        searcher().search_path(&self.escaped, path, sink).ok()?;
        nearest
    }

    /// The hits in a transcript that comes as bytes; no more than `most` and those of one line.
    fn stream(&self, searcher: &mut Searcher, path: &Path, bytes: impl std::io::Read, most: usize, found: &mut Found) {
        let searched = searcher.search_reader(
            &self.escaped,
            bytes,
            Bytes(|number, bytes| {
                if bytes.len() <= MAX_LINE {
                    self.line(path, number, bytes, found);
                } else {
                    found.skipped.push(format!("{}:{number}: the line is too long", path.display()));
                }
                Ok(found.total < most)
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
        for (voice, text) in texts(line) {
            for text in text.lines() {
                if left > 0 && self.take(path, number, text, voice, found) {
                    left -= 1;
                }
            }
        }
    }

    /// Takes a line of text if it matches.
    fn take(&self, path: &Path, line: u64, text: &str, voice: Voice, found: &mut Found) -> bool {
        let Ok(Some(hit)) = self.wanted.find(text.as_bytes()) else { return false };
        found.total += 1;
        if found.hits.len() < MOST_HITS {
            let (file, text) = (path.to_owned(), around(text, hit.start()));
            found.hits.push(FoundLine { file, line, text, voice, copies: Vec::new() });
        }
        true
    }
}

/// What searches transcripts. Lines that cannot end are given up instead of filling the memory.
fn searcher() -> Searcher {
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::none())
        .line_number(true)
        .heap_limit(Some(8 * MAX_LINE))
        .build()
}

impl Found {
    fn add(&mut self, other: Self) {
        self.total += other.total;
        let room = MOST_HITS.saturating_sub(self.hits.len());
        self.hits.extend(other.hits.into_iter().take(room));
        self.skipped.extend(other.skipped);
    }

    /// The files of stores whose content lies elsewhere too, each with where.
    pub fn copies(&self) -> impl Iterator<Item = (&PathBuf, &[PathBuf])> {
        self.contents.values().filter_map(|places| places.split_first().filter(|(_, rest)| !rest.is_empty()))
    }

    /// Puts the hits in order, for threads find them in any, and names the copies.
    pub fn sort(&mut self) {
        let copies: HashMap<PathBuf, Vec<PathBuf>> =
            self.copies().map(|(first, rest)| (first.clone(), rest.to_vec())).collect();
        for hit in &mut self.hits {
            hit.copies = copies.get(&hit.file).cloned().unwrap_or_default();
        }
        self.hits.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    }
}

/// The texts of a line, and whose they are: what was said, asked of tools and answered by them, and titles.
fn texts(line: Line) -> Vec<(Voice, String)> {
    let said = match line.role {
        Role::Assistant => Voice::Assistant,
        Role::User if human_text(&line, Speakers::Persons).is_some() => Voice::Person,
        Role::User | Role::Other => Voice::Client,
    };
    let mut texts: Vec<(Voice, String)> = line.title.into_iter().map(|title| (Voice::Client, title)).collect();
    for block in line.content {
        match block {
            Block::Text(text) | Block::Refusal(text) => texts.push((said, text)),
            Block::ToolResult { text, .. } => texts.push((Voice::Tool, text)),
            Block::ToolUse { input, .. } => {
                let mut inputs = Vec::new();
                strings(&input, &mut inputs, 0);
                texts.extend(inputs.into_iter().map(|text| (Voice::Tool, text)));
            }
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
