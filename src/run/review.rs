//! Which sessions there are to review, and what is new in them. Cheap questions first: time, head, tail, all of it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
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
/// sub-agents', and not what was said while memory was off. What a fork or a resumption copied was said once, in the session it
/// comes from.
pub(super) fn fresh_sessions(
    choice: &Choice,
    since: Option<DateTime<Utc>>,
    current: Option<&str>,
    speakers: Speakers,
    quiet: &Quiet,
) -> Vec<SessionFile> {
    let is_current = |file: &SessionFile| current == Some(file.id.as_str());
    let all = all(choice);
    let written = all.iter().filter(|file| since.is_none_or(|since| file.mtime > since) && !is_current(file));
    let mut fresh: Vec<(SessionFile, Vec<Said>)> =
        written.filter_map(|file| Some((file.clone(), news(choice, file, since, speakers, quiet)?))).collect();
    if repeats(&fresh) {
        for (file, said) in &mut fresh {
            *said = said_after(&file.path, 0, since, speakers, quiet);
        }
        let current =
            all.iter().find(|file| is_current(file)).map(|file| said_after(&file.path, 0, since, speakers, quiet));
        let mut told: HashSet<String> = current.into_iter().flatten().filter_map(|said| said.id).collect();
        // Where nothing is a copy the words are at home; of a session that goes on in another file, the longer has them all.
        fresh.sort_by_key(|(_, said)| (said.iter().filter(|said| said.is_copy).count(), Reverse(said.len())));
        fresh.retain(|(_, said)| {
            let is_new = said.iter().any(|said| said.id.as_ref().is_none_or(|id| !told.contains(id)));
            told.extend(said.iter().filter_map(|said| said.id.clone()));
            is_new
        });
    }
    let mut fresh: Vec<SessionFile> = fresh.into_iter().map(|(file, _)| file).collect();
    fresh.sort_by(|a, b| b.mtime.cmp(&a.mtime).then_with(|| a.id.cmp(&b.id)));
    fresh
}

/// One thing that was said in a session.
struct Said {
    /// Which one, also where it is copied; `None`: its line has no id.
    id: Option<String>,
    is_copy: bool,
}

/// Whether a session has nothing to show so far but what another one may have said.
fn repeats(fresh: &[(SessionFile, Vec<Said>)]) -> bool {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for said in fresh.iter().flat_map(|(_, said)| said).filter_map(|said| said.id.as_deref()) {
        *times.entry(said).or_default() += 1;
    }
    let is_elsewhere = |said: &Said| {
        said.is_copy || said.id.as_deref().is_some_and(|id| times.get(id).is_some_and(|times| *times > 1))
    };
    fresh.iter().any(|(_, said)| said.iter().all(is_elsewhere))
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

/// What one of the speakers said in a session after `since`, or the latest of it; `None`: nothing. What cannot be read says
/// nothing.
fn news(
    choice: &Choice,
    file: &SessionFile,
    since: Option<DateTime<Utc>>,
    speakers: Speakers,
    quiet: &Quiet,
) -> Option<Vec<Said>> {
    let head = head::read_head(&file.path).ok()?;
    let is_older = head.last.zip(since).is_some_and(|(last, since)| last <= since);
    let is_ours = is_of(choice, &file.path, head.cwd.as_deref());
    if head.is_sidechain || speakers.leave_out(head.entrypoint.as_deref()) || is_older || !is_ours {
        return None;
    }
    let tails = TAILS.iter().filter(|tail| **tail < file.bytes).map(|tail| file.bytes - tail);
    tails.chain([0]).map(|from| said_after(&file.path, from, since, speakers, quiet)).find(|said| !said.is_empty())
}

/// What the speakers said after `since` from a place of a transcript on.
fn said_after(path: &Path, from: u64, since: Option<DateTime<Utc>>, speakers: Speakers, quiet: &Quiet) -> Vec<Said> {
    let found = human_turns(path, (from, 0), speakers, &|_| false, &|| false).unwrap_or_default();
    let heard = quiet.heard(found.turns).0;
    let new = heard.into_iter().filter(|turn| since.is_none_or(|since| turn.at.is_none_or(|at| at > since)));
    new.map(|turn| {
        let copied = turn.uuid.as_ref().and_then(|uuid| found.copies.get(uuid));
        Said { is_copy: copied.is_some(), id: copied.cloned().or(turn.uuid) }
    })
    .collect()
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
