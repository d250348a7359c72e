//! What sessions know of a memory: what our hook put into them, what they read and what they wrote, a small ledger each.
//!
//! So that nothing is put into a session twice while it has it, and so that what was used counts as used. After a compaction
//! a session has nothing of it any more. Several hooks may answer one prompt at once: whoever gives takes a [`Claim`] first.
//! Not its job: transcripts (see [`super::memory_use`]).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::lock_file::{self, Lock};
use crate::memory::{ContentHash, Store};
use crate::state::{StateDir, append_line, read_file};

/// The ending of such a ledger.
const ENDING: &str = "given.jsonl";

/// A larger ledger is not read.
const MOST_BYTES: u64 = 4 << 20;

/// Who gives to a session at the same time is waited for this long: it only prints.
const PATIENCE: Duration = Duration::from_secs(1);

/// A prompt without an id that comes again within this time is the same one, heard by a second hook.
const SAME_PROMPT: TimeDelta = TimeDelta::seconds(10);

/// How a session came to know a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Our hook put it in.
    Recalled,
    /// A tool read it.
    Read,
    /// A tool wrote it.
    Written,
    /// All of it is gone from the session: it was compacted.
    Forgotten,
    /// A prompt was answered; the hash is the prompt's.
    Answered,
    /// It was not given after all: nobody took what was printed.
    Withdrawn,
    /// The person said it there, and an extraction filed it.
    Said,
    /// It was in the session before it had a ledger: copied from the session it comes from. Without a file: that was looked
    /// up.
    Inherited,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// When.
    pub at: DateTime<Utc>,
    /// How.
    pub how: How,
    /// The file, relative to the store; empty when everything was forgotten.
    #[serde(default)]
    pub file: String,
    /// What it held.
    #[serde(default)]
    pub hash: Option<ContentHash>,
}

impl Given {
    /// A memory as it is now.
    #[must_use]
    pub fn now(store: &Store, file: &str, how: How, at: DateTime<Utc>) -> Self {
        let hash = store.bytes(file).ok().map(|bytes| ContentHash::of(&bytes));
        Self { at, how, file: file.to_owned(), hash }
    }
}

/// Adds to the ledger of a session.
///
/// # Errors
/// When the disk refuses.
pub fn note(state: &StateDir, store: &Path, session: &str, given: &[Given]) -> io::Result<()> {
    append(&state.session_file(store, session, ENDING), given)
}

fn append(path: &Path, given: &[Given]) -> io::Result<()> {
    given.iter().try_for_each(|one| append_line(path, &serde_json::to_string(one)?, false))
}

/// The prompt that memories are given beside.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    /// Its id, where the session has one for it.
    pub id: Option<&'a str>,
    /// What the person said.
    pub text: &'a str,
}

impl Prompt<'_> {
    fn hash(self) -> ContentHash {
        ContentHash::of(self.id.unwrap_or(self.text).as_bytes())
    }

    fn was_answered(self, ledger: &[Given], now: DateTime<Utc>) -> bool {
        let is_recent = |at: DateTime<Utc>| self.id.is_some() || (now - at).abs() <= SAME_PROMPT;
        let is_same = |one: &Given| one.how == How::Answered && one.hash == Some(self.hash()) && is_recent(one.at);
        ledger.iter().rev().take_while(|one| one.how != How::Forgotten).any(is_same)
    }
}

/// The sole right to give memories to a session. What was [noted](Claim::note) and not [kept](Claim::keep) when it ends was
/// not given.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    noted: Vec<Given>,
    _lock: Lock,
}

impl Claim {
    /// Takes it for a prompt. `None`: another hook answered this prompt.
    ///
    /// # Errors
    /// When another hook of this session does not come to its end, or the disk refuses.
    pub fn take(
        state: &StateDir,
        store: &Path,
        session: &str,
        prompt: Prompt<'_>,
        now: DateTime<Utc>,
    ) -> io::Result<Option<Self>> {
        let path = state.session_file(store, session, ENDING);
        let began = Instant::now();
        let lock = loop {
            match lock_file::try_take(&path.with_extension("lock"))? {
                Some(lock) => break lock,
                None if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
                None => return Err(io::Error::other("another hook of this session is still giving it memories")),
            }
        };
        let is_answered = prompt.was_answered(&read(&path), now);
        Ok((!is_answered).then_some(Self { path, noted: Vec::new(), _lock: lock }))
    }

    /// Notes that the prompt is answered with these memories.
    ///
    /// # Errors
    /// When the disk refuses: nothing must be given then, for it would be given again and again.
    pub fn note(&mut self, prompt: Prompt<'_>, given: &[Given], now: DateTime<Utc>) -> io::Result<()> {
        let answered = Given { at: now, how: How::Answered, file: String::new(), hash: Some(prompt.hash()) };
        for one in std::iter::once(&answered).chain(given) {
            append(&self.path, std::slice::from_ref(one))?;
            self.noted.push(one.clone());
        }
        Ok(())
    }

    /// What was noted was given: somebody took it.
    pub fn keep(mut self) {
        self.noted.clear();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let withdrawn: Vec<Given> = self.noted.drain(..).map(|one| Given { how: How::Withdrawn, ..one }).collect();
        if let Err(error) = append(&self.path, &withdrawn) {
            tracing::warn!("memories that were not given count as given: {error}");
        }
    }
}

/// Whether a session has a ledger: it was given something, or what it has was looked up.
#[must_use]
pub fn is_known(state: &StateDir, store: &Path, session: &str) -> bool {
    of(state, store, session).iter().any(|one| one.how != How::Said)
}

/// The ledger of a session, without what was withdrawn.
#[must_use]
pub fn of(state: &StateDir, store: &Path, session: &str) -> Vec<Given> {
    read(&state.session_file(store, session, ENDING))
}

/// The session was compacted: what it was given is gone from it.
///
/// # Errors
/// When the disk refuses.
pub fn forget(state: &StateDir, store: &Path, session: &str, at: DateTime<Utc>) -> io::Result<()> {
    if !state.session_file(store, session, ENDING).is_file() {
        return Ok(());
    }
    note(state, store, session, &[Given { at, how: How::Forgotten, file: String::new(), hash: None }])
}

/// The files that a session has as they are on the disk: there is no need to give them again.
#[must_use]
pub fn known(state: &StateDir, store: &Store, session: &str) -> Vec<String> {
    let mut latest: BTreeMap<String, Option<ContentHash>> = BTreeMap::new();
    for one in of(state, store.root(), session) {
        match one.how {
            How::Forgotten => latest.clear(),
            How::Answered | How::Withdrawn => {}
            How::Recalled | How::Read | How::Written | How::Said | How::Inherited => {
                latest.insert(one.file, one.hash);
            }
        }
    }
    let is_as_given = |file: &str, hash: Option<ContentHash>| {
        hash.is_some() && store.bytes(file).ok().map(|bytes| ContentHash::of(&bytes)) == hash
    };
    latest.into_iter().filter(|(file, hash)| is_as_given(file, *hash)).map(|(file, _)| file).collect()
}

/// Every ledger of a store, by session.
#[must_use]
pub fn all(state: &StateDir, store: &Path) -> Vec<(String, Vec<Given>)> {
    let entries = fs::read_dir(state.store(store).join("sessions")).into_iter().flatten().flatten();
    let mut found: Vec<(String, Vec<Given>)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let session = name.strip_suffix(ENDING)?.strip_suffix('.')?;
            Some((session.to_owned(), read(&entry.path())))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// A damaged line costs itself only.
fn read(path: &Path) -> Vec<Given> {
    let is_small = fs::metadata(path).is_ok_and(|found| found.len() <= MOST_BYTES);
    let bytes = if is_small { read_file(path).unwrap_or_default() } else { Vec::new() };
    let mut ledger: Vec<Given> = Vec::new();
    for one in bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Given>(line).ok()) {
        if one.how != How::Withdrawn {
            ledger.push(one);
            continue;
        }
        let is_it = |known: &Given| {
            matches!(known.how, How::Recalled | How::Answered) && (&known.file, known.hash) == (&one.file, one.hash)
        };
        if let Some(at) = ledger.iter().rposition(is_it) {
            ledger.remove(at);
        }
    }
    ledger
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_session_knows_what_it_was_given_until_that_changes_or_the_session_is_compacted() {
        let dir = tempfile::tempdir().unwrap();
        let (state, store) = (StateDir::at(dir.path().join("state")), Store::at(dir.path().join("memory")));
        fs::create_dir(store.root()).unwrap();
        let write = |file: &str, text: &str| fs::write(store.path(file), text).unwrap();
        let at: DateTime<Utc> = "2026-11-30T12:00:00Z".parse().unwrap();
        let give = |session: &str, file: &str, how| {
            note(&state, store.root(), session, &[Given::now(&store, file, how, at)]).unwrap();
        };
        write("a.md", "one");
        write("b.md", "two");
        forget(&state, store.root(), "s", at).unwrap();
        assert!(!state.root().exists(), "a session without a ledger gets none by forgetting");
        give("s", "a.md", How::Recalled);
        give("s", "b.md", How::Read);
        give("s", "gone.md", How::Read);
        give("../x", "a.md", How::Written);
        assert_eq!(known(&state, &store, "s"), ["a.md", "b.md"]);
        write("a.md", "three");
        assert_eq!(known(&state, &store, "s"), ["b.md"]);
        give("s", "a.md", How::Written);
        assert_eq!(known(&state, &store, "s"), ["a.md", "b.md"]);
        forget(&state, store.root(), "s", at).unwrap();
        assert_eq!(known(&state, &store, "s"), Vec::<String>::new());
        give("s", "b.md", How::Recalled);
        assert_eq!(known(&state, &store, "s"), ["b.md"]);
        let all = all(&state, store.root());
        assert_eq!(all.len(), 2);
        assert_eq!(all.iter().map(|(_, given)| given.len()).sum::<usize>(), 7);
    }
}
