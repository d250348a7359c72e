//! What the person said: human turns, as opposed to everything else that comes in `user` lines.
//!
//! A transcript is mostly tool results; they are told by a look at their bytes and never taken apart. Not its job:
//! deciding what a person's words are worth (see [`crate::engine`]).

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use chrono::{DateTime, Utc};
use memchr::memmem::Finder;

use super::speech::{Speakers, human_text, refusal};
use super::threads::ways;
use super::{Block, Damage, Line, Reader, Role};

/// How far before its start a reading looks for the assistant text that the first turn answers.
const LOOK_BACK: u64 = 256 * 1024;

/// How many characters of an assistant's text are kept as what a turn answers.
const AFTER_CHARACTERS: usize = 2_000;

/// The tools that write a file given as `file_path`.
const WRITERS: [&str; 3] = ["Write", "Edit", "MultiEdit"];

/// One thing a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanTurn {
    /// The session it was said in.
    pub session: String,
    /// The line of the transcript, from 1.
    pub line: u64,
    /// The line's uuid.
    pub uuid: Option<String>,
    /// When it was said.
    pub at: Option<DateTime<Utc>>,
    /// What was said, without injected reminders; `/command arguments` gives the arguments.
    pub text: String,
    /// The assistant's text right before it, cut to its last 2,000 characters: what a bare "yes, exactly" refers to.
    pub after: Option<String>,
}

/// What reading the human turns of a transcript gave.
#[derive(Clone, Debug, Default)]
pub struct HumanTurns {
    /// The turns, in file order.
    pub turns: Vec<HumanTurn>,
    /// Where the next reading goes on: offset after the last whole line, and its number.
    pub end: (u64, u64),
    /// Whether the session is a sidechain, or a program's that does not count: its turns are none then.
    pub not_a_person: bool,
    /// Whether the assistant wrote to a path for which `is_memory_path` holds, with the line of the last such write.
    pub memory_written_at: Option<u64>,
    /// What was stepped over.
    pub damage: Damage,
    /// Of turns that are copies of another session's, by `uuid`: the line of that session.
    pub copies: HashMap<String, String>,
    /// Of each turn the line that tells whether a rewind took it back.
    places: Vec<Option<String>>,
    /// Whether a rewind may have taken any of them back.
    may_be_rewound: bool,
}

/// The turns that stand: what [`human_turns`] gives without those that a rewind took back. The person unsaid them, so they are
/// the source of nothing. The whole file is looked at once more only when there may be any.
///
/// # Errors
/// When the file cannot be opened or read; a vanished file gives `NotFound`.
pub fn standing_turns(
    path: &Path,
    from: (u64, u64),
    speakers: Speakers,
    stop: &dyn Fn() -> bool,
) -> io::Result<HumanTurns> {
    let mut found = human_turns(path, from, speakers, &|_| false, stop)?;
    // What was said before the place may be what a later turn went back to.
    let is_asked = found.may_be_rewound || from.0 > 0 && found.turns.len() > 1;
    if is_asked && let (ways, true) = ways(&mut crate::state::open_file(path)?, stop)? {
        let mut places = std::mem::take(&mut found.places).into_iter();
        found.turns.retain(|_| {
            let place = places.next().flatten();
            place.and_then(|uuid| ways.is_kept(&uuid)) != Some(false)
        });
    }
    Ok(found)
}

/// Streams a transcript from a place (offset, line number) and collects the turns of the speakers. `stop` is asked between lines
/// and within endless ones. A file that has become shorter than the place was rewritten: it is read from its start.
///
/// # Errors
/// When the file cannot be opened or read; a vanished file gives `NotFound`.
pub fn human_turns(
    path: &Path,
    from: (u64, u64),
    speakers: Speakers,
    is_memory_path: &dyn Fn(&str) -> bool,
    stop: &dyn Fn() -> bool,
) -> io::Result<HumanTurns> {
    let mut file = crate::state::open_file(path)?;
    let from = if file.metadata()?.len() < from.0 { (0, 0) } else { from };
    let marks = Marks::new();
    let after = if from.0 == 0 { None } else { text_before(&mut file, from.0, &marks)? };
    file.seek(SeekFrom::Start(from.0))?;

    let session = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut gathering = Gathering { session, after, speakers, ..Gathering::default() };
    let mut reader = Reader::starting_at(BufReader::with_capacity(128 * 1024, file), from.0, from.1);
    while let Some(raw) = reader.next_line_unless(stop)? {
        gathering.take(raw.number, raw.bytes, &marks, is_memory_path);
    }

    let mut damage = reader.damage();
    damage.unreadable += gathering.unreadable;
    Ok(HumanTurns {
        not_a_person: gathering.machine && gathering.turns.is_empty(),
        // A write without a result may have happened: it counts.
        memory_written_at: gathering.pending.values().copied().chain(gathering.written_at).max(),
        turns: gathering.turns,
        end: reader.position(),
        damage,
        copies: gathering.copies,
        places: gathering.places,
        may_be_rewound: gathering.may_be_rewound,
    })
}

/// Byte patterns that tell a line's kind well enough to pass it by. Inside a string every quote is escaped, so a match
/// is always structure, never something that somebody wrote.
struct Marks {
    user: Finder<'static>,
    assistant: Finder<'static>,
    tool_result: Finder<'static>,
    text: Finder<'static>,
    queued: Finder<'static>,
    refused: Finder<'static>,
    parent: Finder<'static>,
    writers: [Finder<'static>; 3],
}

impl Marks {
    fn new() -> Self {
        Self {
            user: Finder::new(b"\"user\""),
            assistant: Finder::new(b"\"assistant\""),
            tool_result: Finder::new(b"\"tool_result\""),
            text: Finder::new(b"\"text\""),
            queued: Finder::new(b"\"queued_command\""),
            refused: Finder::new(b"\"user-rejected\""),
            parent: Finder::new(b"\"parentUuid\":"),
            writers: [Finder::new(b"\"Write\""), Finder::new(b"\"Edit\""), Finder::new(b"\"MultiEdit\"")],
        }
    }

    /// Whether an assistant's line may hold something for us: a text or the call of a writing tool.
    fn is_telling(&self, bytes: &[u8]) -> bool {
        has(&self.text, bytes) || self.writers.iter().any(|writer| has(writer, bytes))
    }
}

fn has(finder: &Finder<'_>, bytes: &[u8]) -> bool {
    finder.find(bytes).is_some()
}

/// What has been gathered so far.
#[derive(Default)]
struct Gathering {
    session: String,
    speakers: Speakers,
    turns: Vec<HumanTurn>,
    after: Option<String>,
    seen: HashSet<String>,
    /// The lines that have an answer, as hashes: two that are taken for one only cost a look too many.
    answered: HashSet<u64>,
    may_be_rewound: bool,
    places: Vec<Option<String>>,
    copies: HashMap<String, String>,
    /// The main agent's memory writes that have no result yet: call to line.
    pending: HashMap<String, u64>,
    /// The last line with a memory write that succeeded.
    written_at: Option<u64>,
    /// Whether a line of a sidechain or of a program that does not count was met.
    machine: bool,
    unreadable: u64,
}

impl Gathering {
    fn take(&mut self, number: u64, bytes: &[u8], marks: &Marks, is_memory_path: &dyn Fn(&str) -> bool) {
        let user = has(&marks.user, bytes);
        let assistant = has(&marks.assistant, bytes);
        // Calls made at once branch too: the assistant's lines and the tools' say nothing of a rewind.
        if self.is_branch(bytes, marks) && !assistant && !has(&marks.tool_result, bytes) {
            self.may_be_rewound |= !self.turns.is_empty();
        }
        let wanted = match (user, assistant) {
            (false, false) => has(&marks.queued, bytes),
            (true, false) if has(&marks.tool_result, bytes) => {
                self.answers_a_write(bytes) || has(&marks.refused, bytes)
            }
            (false, true) => marks.is_telling(bytes),
            (true, _) => true,
        };
        if !wanted {
            return;
        }
        let Some(line) = Line::parse(bytes) else {
            self.unreadable += 1;
            return;
        };
        if line.is_sidechain || self.speakers.leave_out(line.entrypoint.as_deref()) {
            self.machine |= line.role != Role::Other;
            return;
        }
        match line.role {
            Role::User => self.take_user(number, line),
            Role::Assistant => self.take_assistant(number, &line, is_memory_path),
            Role::Other => {}
        }
    }

    /// Whether a tool result is one of a memory write: whether it failed matters then.
    fn answers_a_write(&self, bytes: &[u8]) -> bool {
        self.pending.keys().any(|id| memchr::memmem::find(bytes, id.as_bytes()).is_some())
    }

    /// Whether a line answers one that another line answers already: where a rewind goes on, one does.
    fn is_branch(&mut self, bytes: &[u8], marks: &Marks) -> bool {
        let parent = marks.parent.find(bytes).and_then(|at| bytes.get(at + marks.parent.needle().len()..));
        let parent = parent.and_then(|rest| rest.strip_prefix(b"\""));
        let parent = parent.and_then(|rest| rest.get(..memchr::memchr(b'"', rest)?));
        parent.is_some_and(|parent| !self.answered.insert(hashed(parent)))
    }

    fn take_user(&mut self, number: u64, line: Line) {
        for block in &line.content {
            if let Block::ToolResult { id, is_error, .. } = block
                && let Some(call) = self.pending.remove(id)
                && !is_error
            {
                self.written_at = self.written_at.max(Some(call));
            }
        }
        let Some(text) = human_text(&line, self.speakers) else { return };
        if line.uuid.as_ref().is_some_and(|uuid| !self.seen.insert(uuid.clone())) {
            return;
        }
        // The answers to calls that were made at once stand beside the way, each by its call.
        let place = if refusal(&line).is_some() { &line.parent } else { &line.uuid };
        self.places.push(place.clone());
        self.copies.extend(line.uuid.clone().zip(line.forked_from));
        self.turns.push(HumanTurn {
            session: line.session.unwrap_or_else(|| self.session.clone()),
            line: number,
            uuid: line.uuid,
            at: line.timestamp,
            text,
            after: self.after.clone(),
        });
    }

    fn take_assistant(&mut self, number: u64, line: &Line, is_memory_path: &dyn Fn(&str) -> bool) {
        for block in &line.content {
            if let Block::ToolUse { id, name, input } = block
                && WRITERS.contains(&name.as_str())
                && let Some(path) = input.get("file_path").and_then(serde_json::Value::as_str)
                && (is_memory_path(path) || (path.contains('\\') && is_memory_path(&path.replace('\\', "/"))))
            {
                // A call without an id cannot be told to have failed.
                let call = if id.is_empty() { format!("line {number}") } else { id.clone() };
                self.pending.insert(call, number);
            }
        }
        if let Some(text) = assistant_text(line) {
            self.after = Some(text);
        }
    }
}

fn hashed(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The end of what the assistant said in a line; nothing for messages the client made.
fn assistant_text(line: &Line) -> Option<String> {
    if line.role != Role::Assistant || line.is_sidechain || line.model.as_deref() == Some("<synthetic>") {
        return None;
    }
    let texts: Vec<&str> = line
        .content
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        })
        .collect();
    let said = texts.join("\n");
    let cut = said.char_indices().rev().nth(AFTER_CHARACTERS - 1).map_or(0, |(place, _)| place);
    said.get(cut..).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The last assistant text in the stretch before an offset.
fn text_before(file: &mut File, offset: u64, marks: &Marks) -> io::Result<Option<String>> {
    let start = offset.saturating_sub(LOOK_BACK);
    file.seek(SeekFrom::Start(start))?;
    let mut stretch = Vec::new();
    file.by_ref().take(offset - start).read_to_end(&mut stretch)?;
    let lines = stretch.rsplit(|byte| *byte == b'\n');
    let mut telling = lines.filter(|line| has(&marks.assistant, line) && marks.is_telling(line));
    Ok(telling.find_map(|line| assistant_text(&Line::parse(line)?)))
}
