//! A session as the conversation it was: what the person said, what the assistant answered, and which tools it called.
//!
//! Lines are taken in the order of the file, which is not the order of time. The lines of one response are one turn, its
//! tokens counted once; a line that stands in two files (after a resume or a fork) is one line; a turn that was taken back
//! by a rewind is there and marked. Not its job: who a line of type `user` speaks for (see [`super::speech`]).

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::line::Usage;
use super::speech::human_text;
use super::{Block, Damage, Line, Reader, Role};

/// Who speaks in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person.
    Person,
    /// The assistant.
    Assistant,
}

/// A tool call of the assistant's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its input as JSON.
    pub input: String,
    /// Whether it failed; `None`: no result of it is there.
    pub is_error: Option<bool>,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Who speaks.
    pub speaker: Speaker,
    /// Which of the files it stands in, from 0.
    #[serde(skip)]
    pub file: usize,
    /// Its first line, from 1.
    pub line: u64,
    /// When it was said.
    pub at: Option<DateTime<Utc>>,
    /// The text.
    pub text: String,
    /// The tools it called, in order.
    pub calls: Vec<Call>,
    /// The tokens of the response, once, as the last of its lines has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Usage>,
    /// Whether the person went back behind it and took another way.
    pub rewound: bool,
    /// Whether a sub-agent is speaking, or spoken to.
    pub sidechain: bool,
    /// Its lines, from 1.
    #[serde(skip)]
    pub lines: Vec<u64>,
    #[serde(skip)]
    uuids: Vec<String>,
}

/// A session, or several that continue one another.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// The turns, in the order of the files.
    pub turns: Vec<Turn>,
    /// What was stepped over.
    pub damage: Damage,
}

impl Conversation {
    /// Reads transcripts, the earlier ones first. `stop` is asked between lines and within endless ones.
    ///
    /// # Errors
    /// When a file cannot be opened or read.
    pub fn read(paths: &[PathBuf], stop: &dyn Fn() -> bool) -> io::Result<Self> {
        let mut gathering = Gathering::default();
        for (file, path) in paths.iter().enumerate() {
            gathering.read(file, path, stop)?;
        }
        Ok(gathering.finish())
    }

    /// The turn that a line of a file belongs to.
    #[must_use]
    pub fn at(&self, file: usize, line: u64) -> Option<usize> {
        self.turns.iter().position(|turn| turn.file == file && turn.lines.contains(&line))
    }

    /// The tokens of all responses, each counted once.
    #[must_use]
    pub fn tokens(&self) -> Usage {
        self.turns.iter().filter_map(|turn| turn.tokens).fold(Usage::default(), Usage::plus)
    }
}

/// A line of the graph.
struct Node {
    parent: Option<String>,
    /// Its place in the order of reading.
    order: usize,
    /// Whether it may end a thread: a person's, an assistant's or a tool's, not a notice hung on beside.
    is_spoken: bool,
}

#[derive(Default)]
struct Gathering {
    turns: Vec<Turn>,
    damage: Damage,
    graph: HashMap<String, Node>,
    /// The turn of each response, by the message's id.
    responses: HashMap<String, usize>,
    /// The turn and the place in it of each call, by the call's id.
    calls: HashMap<String, (usize, usize)>,
}

impl Gathering {
    fn read(&mut self, file: usize, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<()> {
        let mut reader = Reader::new(BufReader::with_capacity(128 * 1024, File::open(path)?));
        let mut unreadable = 0;
        while let Some(raw) = reader.next_line_unless(stop)? {
            match Line::parse(raw.bytes) {
                Some(line) => self.take(file, raw.number, line),
                None => unreadable += 1,
            }
        }
        let damage = reader.damage();
        self.damage.unreadable += damage.unreadable + unreadable;
        self.damage.too_long += damage.too_long;
        self.damage.torn_end |= damage.torn_end;
        Ok(())
    }

    fn take(&mut self, file: usize, number: u64, line: Line) {
        if let Some(uuid) = &line.uuid {
            if self.graph.contains_key(uuid) {
                return;
            }
            let is_spoken = line.role != Role::Other && !line.is_sidechain;
            let node = Node { parent: line.parent.clone(), order: self.graph.len(), is_spoken };
            self.graph.insert(uuid.clone(), node);
        }
        match line.role {
            Role::User => self.take_user(file, number, line),
            Role::Assistant => self.take_assistant(file, number, line),
            Role::Other => {}
        }
    }

    fn take_user(&mut self, file: usize, number: u64, line: Line) {
        for block in &line.content {
            if let Block::ToolResult { id, is_error, .. } = block
                && let Some((turn, call)) = self.calls.get(id)
                && let Some(call) = self.turns.get_mut(*turn).and_then(|turn| turn.calls.get_mut(*call))
            {
                call.is_error = Some(*is_error);
            }
        }
        if let Some(text) = human_text(&line) {
            self.turns.push(turn(Speaker::Person, file, number, line, text));
        }
    }

    fn take_assistant(&mut self, file: usize, number: u64, mut line: Line) {
        if line.model.as_deref() == Some("<synthetic>") {
            return;
        }
        let blocks = std::mem::take(&mut line.content);
        let (usage, uuid) = (line.usage, line.uuid.clone());
        let at = match line.message.take() {
            Some(id) => *self.responses.entry(id).or_insert(self.turns.len()),
            // Without an id each line is a response of its own.
            None => self.turns.len(),
        };
        if at == self.turns.len() {
            self.turns.push(turn(Speaker::Assistant, file, number, line, String::new()));
        }
        let Some(turn) = self.turns.get_mut(at) else { return };
        if turn.file == file && !turn.lines.contains(&number) {
            turn.lines.push(number);
        }
        turn.uuids.extend(uuid.filter(|uuid| !turn.uuids.contains(uuid)));
        // The first of its lines may hold a placeholder.
        turn.tokens = usage.or(turn.tokens);
        for block in blocks {
            match block {
                Block::Text(text) if !text.trim().is_empty() => {
                    if !turn.text.is_empty() {
                        turn.text.push('\n');
                    }
                    turn.text.push_str(text.trim());
                }
                Block::ToolUse { id, name, input } => {
                    self.calls.insert(id, (at, turn.calls.len()));
                    turn.calls.push(Call { tool: name, input: input.to_string(), is_error: None });
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Conversation {
        let kept = self.kept();
        for turn in self.turns.iter_mut().filter(|turn| !turn.sidechain) {
            let known = !turn.uuids.is_empty();
            turn.rewound = known && !turn.uuids.iter().any(|uuid| kept.contains(uuid));
        }
        Conversation { turns: self.turns, damage: self.damage }
    }

    /// The lines on the way from each thread's last line to its root. A session has several roots: each compaction starts
    /// one, and what lies above it was not taken back.
    fn kept(&self) -> HashSet<String> {
        let roots = self.roots();
        let mut last: HashMap<&str, (usize, &str)> = HashMap::new();
        for (uuid, node) in self.graph.iter().filter(|(_, node)| node.is_spoken) {
            let root = roots.get(uuid.as_str()).copied().unwrap_or(uuid);
            let known = last.entry(root).or_insert((node.order, uuid));
            if node.order > known.0 {
                *known = (node.order, uuid);
            }
        }
        last.values().flat_map(|(_, leaf)| self.way(leaf, |_| false)).map(str::to_owned).collect()
    }

    /// The root of each line; each line is walked over once.
    fn roots(&self) -> HashMap<&str, &str> {
        let mut roots: HashMap<&str, &str> = HashMap::new();
        for uuid in self.graph.keys() {
            let way = self.way(uuid, |known| roots.contains_key(known));
            let above = way.last().and_then(|top| self.graph.get(*top)?.parent.as_deref());
            let root = above.and_then(|above| roots.get(above).copied()).or(way.last().copied());
            if let Some(root) = root {
                roots.extend(way.into_iter().map(|uuid| (uuid, root)));
            }
        }
        roots
    }

    /// A line and what stands above it, up to a line without a parent in the files, or below one that `is_end`. Parents
    /// may go in circles.
    fn way<'a>(&'a self, from: &'a str, is_end: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut way = Vec::new();
        let mut seen = HashSet::new();
        let mut next = Some(from);
        while let Some((uuid, node)) = next.and_then(|uuid| self.graph.get_key_value(uuid)) {
            if is_end(uuid) || !seen.insert(uuid.as_str()) {
                break;
            }
            way.push(uuid.as_str());
            next = node.parent.as_deref();
        }
        way
    }
}

fn turn(speaker: Speaker, file: usize, number: u64, line: Line, text: String) -> Turn {
    Turn {
        speaker,
        file,
        line: number,
        at: line.timestamp,
        text,
        calls: Vec::new(),
        tokens: None,
        rewound: false,
        sidechain: line.is_sidechain,
        lines: vec![number],
        uuids: line.uuid.into_iter().collect(),
    }
}
