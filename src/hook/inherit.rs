//! What a session has from before it had a ledger: a fork or a resumption into another file copies the lines of the session
//! it comes from, and with them the memories that one was given, read or wrote. They are not given again.
//!
//! From the ledger of the session it comes from, as far as that was when the lines were copied, and from the lines
//! themselves: notes that a hook put there, and files that a tool read or wrote. Not its job: where an extraction of a fork
//! begins (`crate::run`).

use std::collections::BTreeSet;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;

use chrono::{DateTime, Utc};
use memchr::memmem::Finder;
use serde_json::Value;

use super::World;
use super::input::Call;
use super::post_tool_use::file_of;
use crate::memory::Store;
use crate::recall::frame;
use crate::session::given::{self, Given, How};
use crate::session::{Reader, UseKind, memory_uses};
use crate::state::open_file;

/// Looks it up, once a session, and notes it in its ledger.
pub(super) fn look(call: &Call, world: &World, store: &Store) -> io::Result<()> {
    let (Some(session), Some(transcript)) = (call.session.as_deref(), call.transcript.as_deref()) else {
        return Ok(());
    };
    if given::is_known(&world.state, store.root(), session) {
        return Ok(());
    }
    let now = world.clock.now();
    let looked = Given { at: now, how: How::Inherited, file: String::new(), hash: None };
    // Without a transcript there is nothing it could have.
    let found = read(transcript, session, store).unwrap_or_default();
    let mut had: Vec<Given> = Vec::new();
    for parent in &found.parents {
        had.extend(given::of(&world.state, store.root(), parent).into_iter().filter(|one| found.holds(one.at)));
    }
    had.extend(found.seen.iter().filter_map(|(file, at)| as_it_was(store, file, *at)));
    had.sort_by_key(|one| one.at);
    let entries = had.into_iter().map(|one| match one.how {
        How::Forgotten => one,
        _ => Given { how: How::Inherited, ..one },
    });
    let entries: Vec<Given> = std::iter::once(looked)
        .chain(entries.filter(|one| one.how == How::Forgotten || !one.file.is_empty()))
        .collect();
    given::note(&world.state, store.root(), session, &entries)
}

/// What a transcript holds of earlier.
#[derive(Default)]
struct Found {
    /// The sessions whose lines it has.
    parents: BTreeSet<String>,
    /// The time of the last line it has from them.
    copied: Option<DateTime<Utc>>,
    /// The time of the last compaction: nothing from before it is left.
    compacted: Option<DateTime<Utc>>,
    /// The files of the store that it was given, read or wrote since then, and when.
    seen: Vec<(String, DateTime<Utc>)>,
}

impl Found {
    /// Whether what a session it comes from knew at a time was copied, and is still there.
    fn holds(&self, at: DateTime<Utc>) -> bool {
        self.copied.is_some_and(|copied| at <= copied) && self.compacted.is_none_or(|compacted| at > compacted)
    }
}

/// No more is looked at, from the end: no conversation that a session still has is longer than that.
const MOST: u64 = 32 << 20;

fn read(transcript: &Path, session: &str, store: &Store) -> io::Result<Found> {
    let (forked, note) = (Finder::new(b"\"forkedFrom\":{"), Finder::new(b"<memory-note "));
    let boundary = Finder::new(b"\"compact_boundary\"");
    let mut found = Found::default();
    let mut compacted_at = 0;
    let mut file = open_file(transcript)?;
    // A line that is begun within is no whole one, and passed by like any other that is not.
    let from = file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(MOST)))?;
    let mut reader = Reader::starting_at(BufReader::with_capacity(128 * 1024, file), from, 0);
    while let Some(raw) = reader.next_line()? {
        let origin = forked.find(raw.bytes).and_then(|at| raw.bytes.get(at..));
        let of = value_of(origin.unwrap_or(raw.bytes), b"\"sessionId\":\"");
        let at = || value_of(raw.bytes, b"\"timestamp\":\"").and_then(|at| at.parse::<DateTime<Utc>>().ok());
        if let Some(parent) = of.filter(|of| *of != session) {
            found.parents.insert(parent.to_owned());
            found.copied = found.copied.max(at());
        }
        let is_compacted = boundary.find(raw.bytes).is_some();
        if !is_compacted && note.find(raw.bytes).is_none() {
            continue;
        }
        let Ok(line) = serde_json::from_slice::<Value>(raw.bytes) else { continue };
        if is_compacted && line.get("subtype").and_then(Value::as_str) == Some("compact_boundary") {
            found.seen.clear();
            found.compacted = found.compacted.max(at());
            compacted_at = raw.number;
        }
        let hooked = line.get("attachment").filter(|attachment| {
            attachment.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("hook_"))
        });
        if let (Some(attachment), Some(at)) = (hooked, at()) {
            let mut files = Vec::new();
            sources(attachment, &mut files);
            found.seen.extend(files.into_iter().map(|file| (file, at)));
        }
    }
    let uses = memory_uses(transcript, (from, 0), &|| false)?.uses;
    let tools = uses.into_iter().filter(|one| one.kind != UseKind::Injected && one.line > compacted_at);
    found.seen.extend(tools.filter_map(|one| Some((file_of(store, Path::new(&one.path))?, one.at?))));
    Ok(found)
}

/// The text after a key; keys within texts are escaped, and so none of these.
fn value_of<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a str> {
    let start = memchr::memmem::find(bytes, key)? + key.len();
    let rest = bytes.get(start..)?;
    std::str::from_utf8(rest.get(..memchr::memchr(b'"', rest)?)?).ok()
}

/// The files of the notes in what a hook said.
fn sources(value: &Value, files: &mut Vec<String>) {
    match value {
        Value::String(text) => files.extend(frame::sources(text).into_iter().map(str::to_owned)),
        Value::Array(items) => items.iter().for_each(|item| sources(item, files)),
        Value::Object(fields) => fields.values().for_each(|inner| sources(inner, files)),
        _ => {}
    }
}

/// A memory as a session had it at a time, if it has not changed since.
fn as_it_was(store: &Store, file: &str, at: DateTime<Utc>) -> Option<Given> {
    let modified = std::fs::metadata(store.path(file)).and_then(|found| found.modified()).ok()?;
    (crate::clock::file_time(modified) <= at).then(|| Given::now(store, file, How::Inherited, at))
}
