//! Which files of a memory a session read, was given or wrote: tool calls and attachments of one transcript.
//!
//! Most lines are passed by after a look at their bytes. Not its job: whose memory a path is of (see
//! `crate::health::recall_use`), and what a person said (see [`super::human`]).

use std::collections::HashMap;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use memchr::memmem::Finder;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::speech::is_headless;
use super::{Block, Line, Reader};

/// How a file was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UseKind {
    /// A tool read it.
    Read,
    /// It was put into the session: recalled, or given by a hook.
    Injected,
    /// A tool wrote it.
    Written,
}

/// One use of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// How.
    pub kind: UseKind,
    /// The file's path as the session had it, with `/` between its parts.
    pub path: String,
    /// When.
    pub at: Option<DateTime<Utc>>,
    /// The line of the transcript, from 1.
    pub line: u64,
    /// Whether the line is a copy of one of the session that this one was forked from.
    pub is_copy: bool,
}

/// What a stretch of a transcript holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryUses {
    /// The uses, in file order.
    pub uses: Vec<MemoryUse>,
    /// Where the next reading goes on: offset and line number.
    pub end: (u64, u64),
    /// The first `cwd`.
    pub cwd: Option<String>,
    /// The latest timestamp.
    pub last: Option<DateTime<Utc>>,
    /// Whether a program, not a person, talked here, as far as this stretch says.
    pub is_headless: bool,
    /// Whether reading was stopped before the end.
    pub is_stopped: bool,
}

/// A path of a Markdown file below a folder called `memory`, as hooks put it into text.
static PATH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"[^\s"'`<>()\[\]]*[/\\]memory[/\\][^\s"'`<>()\[\]:,]+\.md"#).ok());

/// Reads the uses of memory in a transcript from a place (offset, line number) on. `stop` is asked between lines. A file
/// shorter than the place was rewritten, and is read from its start.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn memory_uses(path: &Path, from: (u64, u64), stop: &dyn Fn() -> bool) -> io::Result<MemoryUses> {
    let mut file = crate::state::open_file(path)?;
    let from = if file.metadata()?.len() < from.0 { (0, 0) } else { from };
    file.seek(SeekFrom::Start(from.0))?;
    let marks = Marks::new();
    let mut found = MemoryUses::default();
    let mut calls: HashMap<String, usize> = HashMap::new();
    let mut reader = Reader::starting_at(BufReader::with_capacity(128 * 1024, file), from.0, from.1);
    while let Some(raw) = reader.next_line_unless(stop)? {
        let names_memory = has(&marks.memory, raw.bytes);
        let is_call = names_memory && has(&marks.tool_use, raw.bytes);
        let is_attachment = names_memory && has(&marks.attachment, raw.bytes);
        let is_copy = names_memory && has(&marks.forked, raw.bytes);
        let is_failure = !calls.is_empty() && has(&marks.failed, raw.bytes);
        // The first lines say who speaks; of the others only those that name a memory are taken apart.
        let is_head = raw.number <= 50 && (found.cwd.is_none() || found.last.is_none());
        if !(is_call || is_attachment || is_failure || is_head) {
            continue;
        }
        if is_attachment && let Some((paths, at)) = attached(raw.bytes) {
            let injected = |path| MemoryUse { kind: UseKind::Injected, path, at, line: raw.number, is_copy };
            found.uses.extend(paths.into_iter().map(injected));
        }
        let Some(line) = Line::parse(raw.bytes) else { continue };
        found.last = found.last.max(line.timestamp);
        found.cwd = found.cwd.take().or(line.cwd);
        found.is_headless |= is_headless(line.entrypoint.as_deref());
        for block in line.content {
            match block {
                Block::ToolUse { id, name, input } => {
                    if let Some((kind, path)) = call(&name, &input) {
                        calls.insert(id, found.uses.len());
                        found.uses.push(MemoryUse { kind, path, at: line.timestamp, line: raw.number, is_copy });
                    }
                }
                // What failed was not read.
                Block::ToolResult { id, is_error: true, .. } => {
                    if let Some(path) = calls.get(&id).and_then(|at| found.uses.get_mut(*at)).map(|one| &mut one.path) {
                        path.clear();
                    }
                }
                _ => {}
            }
        }
    }
    found.uses.retain(|one| !one.path.is_empty());
    found.is_stopped = stop();
    found.end = reader.position();
    Ok(found)
}

struct Marks {
    memory: Finder<'static>,
    tool_use: Finder<'static>,
    attachment: Finder<'static>,
    failed: Finder<'static>,
    forked: Finder<'static>,
}

impl Marks {
    fn new() -> Self {
        Self {
            // Also in the middle of a path, and with the separators of Windows.
            memory: Finder::new(b"memor"),
            tool_use: Finder::new(b"\"tool_use\""),
            attachment: Finder::new(b"\"attachment\""),
            failed: Finder::new(b"\"is_error\":true"),
            forked: Finder::new(b"\"forkedFrom\":{"),
        }
    }
}

fn has(finder: &Finder<'_>, bytes: &[u8]) -> bool {
    finder.find(bytes).is_some()
}

fn call(tool: &str, input: &Value) -> Option<(UseKind, String)> {
    let kind = match tool {
        "Read" => UseKind::Read,
        "Write" | "Edit" | "MultiEdit" => UseKind::Written,
        _ => return None,
    };
    let path = input.get("file_path").or_else(|| input.get("path"))?.as_str()?;
    Some((kind, path.replace('\\', "/")))
}

/// The files an attachment put into the session.
fn attached(bytes: &[u8]) -> Option<(Vec<String>, Option<DateTime<Utc>>)> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let at = value.get("timestamp").and_then(Value::as_str).and_then(|at| DateTime::parse_from_rfc3339(at).ok());
    let attachment = value.get("attachment")?;
    let kind = attachment.get("type")?.as_str()?;
    let mut paths = Vec::new();
    if kind.contains("memor") {
        named(attachment, false, &mut paths);
    } else if kind.starts_with("hook_") {
        told(attachment, &mut paths);
    }
    paths.sort();
    paths.dedup();
    Some((paths, at.map(|at| at.with_timezone(&Utc))))
}

/// The Markdown files under keys that say they are paths.
fn named(value: &Value, is_path: bool, paths: &mut Vec<String>) {
    match value {
        Value::String(text) if is_path && text.ends_with(".md") => paths.push(text.replace('\\', "/")),
        Value::Array(items) => items.iter().for_each(|item| named(item, is_path, paths)),
        Value::Object(fields) => {
            for (key, inner) in fields {
                let key = key.to_ascii_lowercase();
                named(inner, key.contains("path") || key.contains("file") || key == "memories", paths);
            }
        }
        _ => {}
    }
}

/// The memory files that the text of a hook names.
fn told(value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let hits = PATH.as_ref().into_iter().flat_map(|pattern| pattern.find_iter(text));
            paths.extend(hits.map(|hit| hit.as_str().replace('\\', "/")));
        }
        Value::Array(items) => items.iter().for_each(|item| told(item, paths)),
        Value::Object(fields) => fields.values().for_each(|inner| told(inner, paths)),
        _ => {}
    }
}
