//! What a session is, from the first and last 64 KiB of its transcript. Not its job: what was said (see [`super::human`]).

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::speech::{Speakers, human_text};
use super::{Line, Reader};

/// How much is read at either end.
const END: u64 = 64 * 1024;

/// How much of the beginning is looked at first.
const BEGINNING: usize = 8 * 1024;

/// A session at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionHead {
    /// The first `cwd` inside.
    pub cwd: Option<String>,
    /// The first timestamp seen.
    pub first: Option<DateTime<Utc>>,
    /// The last timestamp seen.
    pub last: Option<DateTime<Utc>>,
    /// The last custom title, else AI title, else last prompt, summary, first prompt.
    pub title: Option<String>,
    /// `entrypoint`.
    pub entrypoint: Option<String>,
    /// Whether its first graph line is a sidechain.
    pub is_sidechain: bool,
}

/// Reads who talks in a session and where: `cwd`, `entrypoint`, `is_sidechain` are as [`read_head`] gives them, the rest is
/// not looked for. Mostly the first lines say it, and no more is read.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn read_beginning(path: &Path) -> std::io::Result<SessionHead> {
    let mut beginning = Vec::with_capacity(BEGINNING);
    crate::state::open_file(path)?.take(BEGINNING as u64).read_to_end(&mut beginning)?;
    let mut finding = Finding::default();
    finding.read(&beginning, true);
    let is_known = finding.graph_seen && finding.head.cwd.is_some() && finding.head.entrypoint.is_some();
    if is_known { Ok(finding.head) } else { read_head(path) }
}

/// Reads a session's head. At most 128 KiB are read, whatever the file's size.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn read_head(path: &Path) -> std::io::Result<SessionHead> {
    let mut file = crate::state::open_file(path)?;
    let mut beginning = Vec::with_capacity(END as usize);
    file.by_ref().take(END).read_to_end(&mut beginning)?;
    let length = file.metadata()?.len();
    let mut ending = Vec::new();
    let ending_start = length.saturating_sub(END).max(beginning.len() as u64);
    if ending_start < length {
        file.seek(SeekFrom::Start(ending_start))?;
        file.by_ref().take(END).read_to_end(&mut ending)?;
    }

    let mut finding = Finding::default();
    // Where the two stretches meet there is no line cut in two.
    if ending_start == beginning.len() as u64 {
        beginning.append(&mut ending);
    }
    finding.read(&beginning, true);
    if finding.head.cwd.is_none() {
        finding.read_cut_line(&beginning);
    }
    let cut = memchr::memchr(b'\n', &ending).map_or(ending.len(), |newline| newline + 1);
    finding.read(ending.get(cut..).unwrap_or_default(), false);
    Ok(finding.finish(&[&beginning, &ending]))
}

/// What has been found so far; of each kind of title the last one.
#[derive(Default)]
struct Finding {
    head: SessionHead,
    graph_seen: bool,
    custom_title: Option<String>,
    ai_title: Option<String>,
    last_prompt: Option<String>,
    /// A summary with the leaf it is about: it may be about another session.
    summary: Option<(String, Option<String>)>,
    first_prompt: Option<String>,
}

impl Finding {
    /// Takes the lines of one end. Reading from memory cannot fail.
    fn read(&mut self, bytes: &[u8], beginning: bool) {
        let mut reader = Reader::new(bytes);
        while let Ok(Some(raw)) = reader.next_line() {
            if let Some(line) = Line::parse(raw.bytes) {
                self.take(line, raw.bytes, beginning);
            }
        }
    }

    fn take(&mut self, line: Line, bytes: &[u8], beginning: bool) {
        if !self.graph_seen && line.uuid.is_some() {
            self.graph_seen = true;
            self.head.is_sidechain = line.is_sidechain;
        }
        if beginning && self.first_prompt.is_none() {
            self.first_prompt = human_text(&line, Speakers::Persons);
        }
        if line.timestamp.is_some() {
            self.head.first = self.head.first.or(line.timestamp);
            self.head.last = line.timestamp;
        }
        if self.head.cwd.is_none() {
            self.head.cwd = line.cwd;
        }
        if self.head.entrypoint.is_none() {
            self.head.entrypoint = line.entrypoint;
        }
        let Some(title) = line.title.filter(|title| !title.trim().is_empty()) else { return };
        match line.kind.as_str() {
            "custom-title" => self.custom_title = Some(title),
            "ai-title" => self.ai_title = Some(title),
            "last-prompt" => self.last_prompt = Some(title),
            "summary" => self.summary = Some((title, raw_string(bytes, b"\"leafUuid\":\""))),
            _ => {}
        }
    }

    /// A first line longer than what is read: its envelope stands before its content, so look for its strings.
    fn read_cut_line(&mut self, bytes: &[u8]) {
        let start = memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1);
        let cut = bytes.get(start..).unwrap_or_default();
        self.head.cwd = raw_string(cut, b"\"cwd\":\"");
        if self.head.entrypoint.is_none() {
            self.head.entrypoint = raw_string(cut, b"\"entrypoint\":\"");
        }
        if !self.graph_seen {
            self.head.is_sidechain = memchr::memmem::find(cut, b"\"isSidechain\":true").is_some();
        }
    }

    fn finish(self, ends: &[&[u8]]) -> SessionHead {
        let is_ours = |leaf: &str| ends.iter().any(|end| occurs_as_uuid(end, leaf));
        let summary = self.summary.filter(|(_, leaf)| leaf.as_deref().is_some_and(is_ours)).map(|(text, _)| text);
        let title = self.custom_title.or(self.ai_title).or(self.last_prompt).or(summary).or(self.first_prompt);
        SessionHead { title, ..self.head }
    }
}

/// The string that follows a key in bytes that may be cut off; `None` when its end is missing.
fn raw_string(bytes: &[u8], key: &[u8]) -> Option<String> {
    let start = memchr::memmem::find(bytes, key)? + key.len();
    let rest = bytes.get(start - 1..)?;
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
    values.next()?.ok()
}

/// Whether a line with that `uuid` is among the bytes.
fn occurs_as_uuid(bytes: &[u8], uuid: &str) -> bool {
    memchr::memmem::find(bytes, format!("\"uuid\":\"{uuid}\"").as_bytes()).is_some()
}
