//! Which sessions there are to review, and what is new in them. Cheap questions first: time, head, tail, all of it.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use memchr::memmem::Finder;

use super::schedule::{Cursor, Schedule};
use crate::project::{Choice, is_of};
use crate::session::human::{HumanTurns, human_turns};
use crate::session::quiet::Quiet;
use crate::session::{Reader, SessionFile, Speakers, head, list_sessions};

/// New turns are most likely within so many bytes of the end; the smaller stretch is looked at first.
const TAILS: [u64; 2] = [32 * 1024, 256 * 1024];

/// The id of the session a transcript holds.
pub(super) fn session_id(transcript: &Path) -> String {
    transcript.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The transcript of the named session, else of the newest one.
pub(super) fn newest_transcript(choice: &Choice, session: Option<&str>) -> Option<PathBuf> {
    if let Some(session) = session {
        let name = format!("{session}.jsonl");
        return choice.sessions.iter().map(|dir| dir.join(&name)).find(|path| path.is_file());
    }
    let mut files = all(choice);
    files.sort_by(|a, b| b.mtime.cmp(&a.mtime).then_with(|| a.id.cmp(&b.id)));
    let is_ours =
        |path: &PathBuf| head::read_beginning(path).map_or(true, |head| is_of(choice, path, head.cwd.as_deref()));
    files.into_iter().map(|file| file.path).find(is_ours)
}

/// The sessions in which one of the speakers said something after `since`, newest first. Not the current one, not
/// sub-agents', and not what was said while memory was off.
pub(super) fn fresh_sessions(
    choice: &Choice,
    since: Option<DateTime<Utc>>,
    current: Option<&str>,
    speakers: Speakers,
    quiet: &Quiet,
) -> Vec<SessionFile> {
    let mut fresh: Vec<SessionFile> = all(choice)
        .into_iter()
        .filter(|file| since.is_none_or(|since| file.mtime > since))
        .filter(|file| current != Some(file.id.as_str()))
        .filter(|file| has_news(choice, file, since, speakers, quiet))
        .collect();
    fresh.sort_by(|a, b| b.mtime.cmp(&a.mtime).then_with(|| a.id.cmp(&b.id)));
    fresh
}

/// The sessions written after `since` whose file cannot be opened, each with the reason.
pub(super) fn unreadable(choice: &Choice, since: Option<DateTime<Utc>>, current: Option<&str>) -> Vec<String> {
    let written = all(choice).into_iter().filter(|file| since.is_none_or(|since| file.mtime > since));
    written
        .filter(|file| current != Some(file.id.as_str()))
        .filter_map(|file| {
            let error = crate::state::open_file(&file.path).err()?;
            Some(format!("session {} cannot be read: {error}", crate::text::brief(&file.id)))
        })
        .collect()
}

/// Every transcript of a project, each session once. A directory that cannot be listed has none.
fn all(choice: &Choice) -> Vec<SessionFile> {
    let mut files: Vec<SessionFile> =
        choice.sessions.iter().flat_map(|dir| list_sessions(dir).unwrap_or_default()).collect();
    files.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| b.mtime.cmp(&a.mtime)));
    files.dedup_by(|later, first| later.id == first.id);
    files
}

/// Whether one of the speakers said something in a session after `since`. What cannot be read says nothing.
fn has_news(
    choice: &Choice,
    file: &SessionFile,
    since: Option<DateTime<Utc>>,
    speakers: Speakers,
    quiet: &Quiet,
) -> bool {
    let Ok(head) = head::read_head(&file.path) else { return false };
    let is_older = head.last.zip(since).is_some_and(|(last, since)| last <= since);
    let is_ours = is_of(choice, &file.path, head.cwd.as_deref());
    if head.is_sidechain || speakers.leave_out(head.entrypoint.as_deref()) || is_older || !is_ours {
        return false;
    }
    let said_after = |from: u64| {
        human_turns(&file.path, (from, 0), speakers, &|_| false, &|| false).is_ok_and(|found| {
            quiet.heard(found.turns).0.iter().any(|turn| since.is_none_or(|since| turn.at.is_none_or(|at| at > since)))
        })
    };
    let tails = TAILS.iter().filter(|tail| **tail < file.bytes).map(|tail| file.bytes - tail);
    tails.chain([0]).any(said_after)
}

/// Where an extraction of a session goes on. One that was never read begins after what it has from another session: a fork or
/// a resumption copies the lines of the session it comes from, and those are that session's to be read from.
pub(super) fn cursor(schedule: &Schedule, transcript: &Path) -> Cursor {
    let known = schedule.cursor(&session_id(transcript), transcript);
    if known != Cursor::default() {
        return known;
    }
    after_copies(transcript, &schedule.last_turns()).unwrap_or_default()
}

/// The place after the last line that is a copy: one that says so, or a turn that was read where it was said.
fn after_copies(transcript: &Path, read: &HashSet<String>) -> io::Result<Cursor> {
    let (forked, uuid) = (Finder::new(b"\"forkedFrom\":{"), Finder::new(b"\"uuid\":\""));
    let mut reader = Reader::new(BufReader::with_capacity(128 * 1024, crate::state::open_file(transcript)?));
    let mut after = Cursor::default();
    loop {
        let Some(raw) = reader.next_line()? else { return Ok(after) };
        let is_read = || {
            let start = uuid.find(raw.bytes)? + uuid.needle().len();
            let rest = raw.bytes.get(start..)?;
            let id = std::str::from_utf8(rest.get(..memchr::memchr(b'"', rest)?)?).ok()?;
            Some(read.contains(id))
        };
        if forked.find(raw.bytes).is_some() || !read.is_empty() && is_read() == Some(true) {
            let (offset, line) = reader.position();
            after = Cursor { offset, line, uuid: None };
        }
    }
}

/// What the speakers said in a session after a cursor, but for what was said while memory was off, and whether the session itself wrote memories since.
pub(super) fn new_turns(
    transcript: &Path,
    cursor: &Cursor,
    store: &Path,
    speakers: Speakers,
    quiet: &Quiet,
) -> io::Result<HumanTurns> {
    let canonical = fs::canonicalize(store).unwrap_or_else(|_| store.to_owned());
    let is_memory = |path: &str| Path::new(path).starts_with(store) || Path::new(path).starts_with(&canonical);
    let mut found = human_turns(transcript, (cursor.offset, cursor.line), speakers, &is_memory, &|| false)?;
    found.turns = quiet.heard(found.turns).0;
    Ok(found)
}
