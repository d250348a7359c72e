//! The transcripts of a home, which are the only evidence there is: as they are before the command `claude` works, and compared
//! afterwards.
//!
//! Sessions go on meanwhile and write theirs: one that only grew, by lines of its own session and of that time, or that began
//! as such, is a session's. Anything else is told as somebody's doing. None is kept, they are too large: what is gone or
//! written anew cannot be given back. Not its job: what they say (`crate::session`).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::stamp::Stamp;
use crate::memory::ContentHash;

/// So many are looked at.
const MOST: usize = 200_000;
/// Of the newest so many the end is read, so that growing is told from being written anew.
const MOST_ENDS: usize = 5_000;
/// So many bytes are the end of one.
const END: u64 = 4_096;
/// So many bytes of what was added are looked at.
const MOST_ADDED: u64 = 8 * 1024 * 1024;
/// Folders within folders, down to here: a session's helpers have some of their own.
const DEEPEST: usize = 4;
/// Clocks may differ by so much, and a line may be about something that began so long before.
const SLACK: TimeDelta = TimeDelta::hours(24);

/// A transcript before.
#[derive(Clone, Copy, Debug)]
struct Seen {
    stamp: Stamp,
    /// The hash of its end, where that was read.
    end: Option<ContentHash>,
}

/// What became of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Became {
    /// A session goes on in it.
    Session,
    /// It was old enough for Claude Code to sweep it away.
    Swept,
    /// It is gone.
    Gone,
    /// It is new, and not what a session writes.
    Odd,
    /// What stood in it changed.
    Rewritten,
    /// What was added to it is not what its session writes.
    Extended,
}

impl Became {
    /// In words.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Session => "a session went on",
            Self::Swept => "old enough to be swept away, and gone",
            Self::Gone => "gone",
            Self::Odd => "new, and not as a session writes it",
            Self::Rewritten => "what stood in it changed",
            Self::Extended => "longer by what its session does not write",
        }
    }
}

/// The transcripts before.
#[derive(Debug, Default)]
pub(super) struct Transcripts {
    roots: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Seen>,
    is_cut: bool,
    /// After so many days without a word one is swept away.
    kept_days: u32,
}

impl Transcripts {
    /// Looks at all below some directories.
    pub(super) fn look(roots: Vec<PathBuf>, kept_days: u32) -> Self {
        let (found, is_cut) = all(&roots);
        let mut newest: Vec<(&PathBuf, &Stamp)> = found.iter().collect();
        newest.sort_by_key(|(_, stamp)| std::cmp::Reverse(stamp.modified));
        let ends: BTreeMap<PathBuf, ContentHash> = newest
            .into_iter()
            .take(MOST_ENDS)
            .filter_map(|(path, stamp)| Some((path.clone(), end(path, stamp.length)?)))
            .collect();
        let seen = found.into_iter().map(|(path, stamp)| {
            let end = ends.get(&path).copied();
            (path, Seen { stamp, end })
        });
        Self { seen: seen.collect(), roots, is_cut, kept_days }
    }

    /// Whether there are more than are looked at.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What is not as it was.
    pub(super) fn changed(&self) -> Vec<(PathBuf, Became)> {
        let (now, is_cut) = all(&self.roots);
        let at = Utc::now();
        let is_there = |path: &Path| now.contains_key(path) || (is_cut && path.exists());
        let gone = self.seen.iter().filter(|(path, _)| !is_there(path));
        let gone =
            gone.map(|(path, seen)| (path.clone(), if self.is_old(seen) { Became::Swept } else { Became::Gone }));
        let others = now.iter().filter_map(|(path, stamp)| {
            let became = match self.seen.get(path) {
                Some(seen) if seen.stamp == *stamp => return None,
                Some(seen) => grown(path, seen, *stamp, at),
                // There was more than was looked at: nobody knows.
                None if self.is_cut => return None,
                None if is_of_session(path, 0, at) => Became::Session,
                None => Became::Odd,
            };
            Some((path.clone(), became))
        });
        gone.chain(others).collect()
    }

    fn is_old(&self, seen: &Seen) -> bool {
        let kept = Duration::from_secs(u64::from(self.kept_days) * 24 * 3_600);
        let age = seen.stamp.modified.and_then(|at| SystemTime::now().duration_since(at).ok());
        age.is_some_and(|age| age >= kept)
    }
}

/// What a transcript became whose stamp is another one.
fn grown(path: &Path, seen: &Seen, stamp: Stamp, now: DateTime<Utc>) -> Became {
    let length = seen.stamp.length;
    let is_begun_alike = seen.end.is_none_or(|known| end(path, length) == Some(known));
    if stamp.length <= length || !is_begun_alike {
        return Became::Rewritten;
    }
    if is_of_session(path, length, now) { Became::Session } else { Became::Extended }
}

/// Every transcript below some directories, links not followed; true: there are more.
fn all(roots: &[PathBuf]) -> (BTreeMap<PathBuf, Stamp>, bool) {
    let mut found = BTreeMap::new();
    let mut waiting: Vec<(PathBuf, usize)> = roots.iter().map(|root| (root.clone(), 0)).collect();
    while let Some((directory, depth)) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() {
                // Stores are looked after by their history.
                if depth < DEEPEST && path.file_name() != Some(OsStr::new("memory")) {
                    waiting.push((path, depth + 1));
                }
            } else if kind.is_file() && path.extension() == Some(OsStr::new("jsonl")) {
                if found.len() >= MOST {
                    return (found, true);
                }
                if let Ok(metadata) = entry.metadata() {
                    found.insert(path, Stamp::of(&metadata));
                }
            }
        }
    }
    (found, false)
}

/// The hash of the bytes before a place.
fn end(path: &Path, until: u64) -> Option<ContentHash> {
    read(path, until.saturating_sub(END), until.min(END)).map(|bytes| ContentHash::of(&bytes))
}

fn read(path: &Path, from: u64, most: u64) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether what stands in a transcript from a place on is what the session it is named after writes now: lines that are
/// events, of no other session and no time to come. One that is new says which session it is.
fn is_of_session(path: &Path, from: u64, now: DateTime<Utc>) -> bool {
    let Some(bytes) = read(path, from, MOST_ADDED) else { return false };
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    // A helper's has a name of its own and says whose helper it is.
    let is_helper = stem.starts_with("agent-");
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // The last one is just being written, or cut off here, or empty.
    lines.pop();
    let mut is_named = from > 0;
    let mut is_now = false;
    for line in lines.into_iter().filter(|line| !line.trim_ascii().is_empty()) {
        let Ok(Value::Object(event)) = serde_json::from_slice::<Value>(line) else { return false };
        if !event.get("type").is_some_and(Value::is_string) {
            return false;
        }
        if let Some(session) = event.get("sessionId").and_then(Value::as_str) {
            if session != stem && !is_helper {
                return false;
            }
            is_named = true;
        }
        if let Some(at) = event.get("timestamp").and_then(Value::as_str) {
            let Ok(at) = at.parse::<DateTime<Utc>>() else { return false };
            if at > now + SLACK {
                return false;
            }
            is_now |= at > now - SLACK;
        } else {
            // Some lines have no time.
            is_now |= from > 0;
        }
    }
    is_named && is_now
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(session: &str, at: DateTime<Utc>) -> String {
        format!(
            "{}\n",
            serde_json::json!({ "type": "user", "sessionId": session, "timestamp": at.to_rfc3339(), "message": { "content": "hm" } })
        )
    }

    #[test]
    fn what_sessions_write_is_told_from_what_they_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("projects");
        let (now, long_ago) = (Utc::now(), Utc::now() - TimeDelta::days(20));
        let names = [
            "grows",
            "renamed",
            "foreign",
            "ahead",
            "noise",
            "rewritten",
            "shorter",
            "gone",
            "swept",
            "still",
            "same-size",
        ];
        fs::create_dir_all(root.join("-work/memory")).unwrap();
        let path = |name: &str| root.join(format!("-work/{name}.jsonl"));
        for name in names {
            fs::write(path(name), said(name, long_ago).repeat(100)).unwrap();
        }
        let old = SystemTime::now() - Duration::from_secs(40 * 24 * 3_600);
        File::options().write(true).open(path("swept")).unwrap().set_modified(old).unwrap();
        let before = Transcripts::look(vec![root.clone()], 30);
        assert!(before.changed().is_empty());
        let append =
            |name: &str, text: &str| fs::write(path(name), fs::read_to_string(path(name)).unwrap() + text).unwrap();
        append("grows", &format!("{}{}", said("grows", now), "{\"type\":\"us"));
        append("renamed", "{\"type\":\"custom-title\",\"sessionId\":\"renamed\"}\n");
        append("foreign", &said("another", now));
        append("ahead", &said("ahead", now + TimeDelta::days(400)));
        append("noise", "x\n");
        fs::write(path("rewritten"), said("rewritten", now).repeat(101)).unwrap();
        fs::write(path("shorter"), said("shorter", long_ago)).unwrap();
        fs::remove_file(path("gone")).unwrap();
        fs::remove_file(path("swept")).unwrap();
        // The same length, and the time set back.
        let modified = fs::metadata(path("same-size")).unwrap().modified().unwrap();
        let other = fs::read_to_string(path("same-size")).unwrap().replacen("hm", "no", 1);
        fs::write(path("same-size"), other).unwrap();
        File::options().write(true).open(path("same-size")).unwrap().set_modified(modified).unwrap();
        fs::write(path("began"), said("began", now)).unwrap();
        fs::write(path("copied"), said("grows", now)).unwrap();
        fs::write(path("junk"), "x\n").unwrap();
        fs::create_dir_all(root.join("-new/s/subagents")).unwrap();
        fs::write(root.join("-new/s/subagents/agent-1.jsonl"), said("s", now)).unwrap();
        fs::write(root.join("-work/memory/a.jsonl"), "x\n").unwrap();
        let changed = before.changed();
        let of = |name: &str| {
            let found = changed.iter().find(|(path, _)| path.file_stem() == Some(OsStr::new(name)));
            found.map(|(_, became)| *became)
        };
        for (name, became) in [
            ("grows", Became::Session),
            ("renamed", Became::Session),
            ("began", Became::Session),
            ("agent-1", Became::Session),
            ("foreign", Became::Extended),
            ("ahead", Became::Extended),
            ("noise", Became::Extended),
            ("rewritten", Became::Rewritten),
            ("shorter", Became::Rewritten),
            ("gone", Became::Gone),
            ("swept", Became::Swept),
            ("copied", Became::Odd),
            ("junk", Became::Odd),
        ] {
            assert_eq!(of(name), Some(became), "{name}");
        }
        assert_eq!((of("still"), of("a")), (None, None));
        if cfg!(unix) {
            assert_eq!(of("same-size"), Some(Became::Rewritten));
        }
    }
}
