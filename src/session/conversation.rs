//! A session as the conversation it was: what the person said, what the assistant answered, and which tools it called.
//!
//! Lines are taken in the order of the file, which is not the order of time. The lines of one response are one turn, its
//! tokens counted once; a line that stands in two files (after a resume or a fork) is one line; a turn that was taken back
//! by a rewind is there and marked. Not its job: who a line of type `user` speaks for (see [`super::speech`]).

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::line::Usage;
use super::speech::{Speakers, human_text, refusal};
use super::threads::{Threads, Ways};
use super::{Block, Damage, Line, Reader, Role};

/// Of a tool's answer no more is kept, in bytes.
const MOST_RESULT: usize = 20_000;

/// Who speaks in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person.
    Person,
    /// The assistant.
    Assistant,
    /// Neither: what the client put in, a command's echo, a reminder, a summary, the task of a sub-agent. Only where it was
    /// asked for (see [`super::window`]).
    Client,
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
    /// What the tool answered, where it was asked for (see [`super::window`]).
    #[serde(skip)]
    pub result: Option<String>,
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
    /// Which thread it is of: each compaction starts one. `None`: not known.
    #[serde(skip)]
    pub thread: Option<u32>,
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
        let ways = std::mem::take(&mut gathering.threads).ways();
        Ok(gathering.finish(&ways))
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

/// Lines on their way to turns.
#[derive(Default)]
pub(super) struct Gathering {
    turns: Vec<Turn>,
    pub(super) damage: Damage,
    threads: Threads,
    /// The turn of each response, by the message's id.
    responses: HashMap<String, usize>,
    /// The turn and the place in it of each call, by the call's id.
    calls: HashMap<String, (usize, usize)>,
    /// Whether all that a person can look at is kept: what tools answered, what the client put in.
    keeps_all: bool,
}

impl Gathering {
    /// For a person who looks at a session, not for a reader of what was said.
    pub(super) fn for_looking() -> Self {
        Self { keeps_all: true, ..Self::default() }
    }

    fn read(&mut self, file: usize, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<()> {
        let mut reader = Reader::new(BufReader::with_capacity(128 * 1024, crate::state::open_file(path)?));
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

    pub(super) fn take(&mut self, file: usize, number: u64, line: Line) {
        if let Some(uuid) = &line.uuid {
            let is_spoken = line.role != Role::Other && !line.is_sidechain;
            if !self.threads.add(uuid, line.parent.as_deref(), is_spoken) {
                return;
            }
        }
        match line.role {
            Role::User => self.take_user(file, number, line),
            Role::Assistant => self.take_assistant(file, number, line),
            Role::Other => {}
        }
    }

    fn take_user(&mut self, file: usize, number: u64, line: Line) {
        for block in &line.content {
            if let Block::ToolResult { id, is_error, text } = block
                && let Some((turn, call)) = self.calls.get(id)
                && let Some(turn) = self.turns.get_mut(*turn)
                && let Some(call) = turn.calls.get_mut(*call)
            {
                call.is_error = Some(*is_error);
                if self.keeps_all {
                    call.result = Some(beginning(text));
                    // Whoever asks for the line of the answer means the call.
                    if turn.file == file {
                        turn.lines.push(number);
                    }
                }
            }
        }
        if let Some(text) = human_text(&line, Speakers::Persons) {
            // The answers to calls that were made at once stand beside the way, each by its call.
            let uuid = if refusal(&line).is_some() { line.parent.clone() } else { line.uuid.clone() };
            let line = Line { uuid, ..line };
            self.turns.push(turn(Speaker::Person, file, number, line, text));
        } else if self.keeps_all {
            let texts = line.content.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.trim()),
                _ => None,
            });
            let text = beginning(&texts.collect::<Vec<_>>().join("\n"));
            if !text.is_empty() {
                self.turns.push(turn(Speaker::Client, file, number, line, text));
            }
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
                    turn.calls.push(Call { tool: name, input: input.to_string(), is_error: None, result: None });
                }
                _ => {}
            }
        }
    }

    pub(super) fn finish(mut self, ways: &Ways) -> Conversation {
        for turn in &mut self.turns {
            turn.thread = turn.uuids.iter().find_map(|uuid| ways.thread(uuid));
            if !turn.sidechain {
                let known: Vec<bool> = turn.uuids.iter().filter_map(|uuid| ways.is_kept(uuid)).collect();
                turn.rewound = !known.is_empty() && !known.contains(&true);
            }
        }
        Conversation { turns: self.turns, damage: self.damage }
    }
}

/// The beginning of a text, with `…` when it goes on.
fn beginning(text: &str) -> String {
    if text.len() <= MOST_RESULT {
        return text.to_owned();
    }
    let end = (0..=MOST_RESULT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
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
        thread: None,
        uuids: line.uuid.into_iter().collect(),
    }
}
