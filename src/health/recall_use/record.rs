//! What was read of which transcript: our record in the state directory, so that only what grew is read again.
//!
//! A record that is damaged or of another version is made anew. Not its job: reading transcripts.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::memory::{ContentHash, Store};
use crate::state::{StateDir, open_file, read_file, write_atomic};

/// The form of the record.
const VERSION: u32 = 1;

/// A larger record is not read.
const MOST_BYTES: u64 = 64 << 20;

/// Of more transcripts the ones that were active last are kept.
const MOST_TRANSCRIPTS: usize = 20_000;

/// How many files of one transcript are counted.
const MOST_FILES: usize = 2_000;

/// How many bytes before the end of what was read tell whether it is still the same file.
const SEAL: u64 = 256;

/// How often one session used one memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) read: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) injected: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) written: usize,
    pub(super) last: Option<DateTime<Utc>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde hands over")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What tells whether a file is the one that was read: inode, size, time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    inode: u64,
    bytes: u64,
    nanoseconds: i64,
}

/// One transcript as far as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Transcript {
    pub(super) identity: Identity,
    /// Where reading goes on.
    pub(super) end: (u64, u64),
    /// The hash of the last bytes before that.
    seal: Option<ContentHash>,
    /// Whether it was read to its end.
    pub(super) is_whole: bool,
    /// Whether it is a session of a person in this project.
    pub(super) counts: bool,
    pub(super) last: Option<DateTime<Utc>>,
    pub(super) uses: BTreeMap<String, Tally>,
}

/// The record of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// By session id; of a sub-agent's transcript with its name behind.
    pub(super) transcripts: BTreeMap<String, Transcript>,
}

impl Record {
    pub(super) fn read(state: &StateDir, store: &Store) -> Self {
        let path = file(state, store);
        let is_small = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES);
        let bytes = is_small.then(|| read_file(&path).ok()).flatten();
        let known = bytes.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        known
            .filter(|record| record.version == VERSION)
            .unwrap_or_else(|| Self { version: VERSION, transcripts: BTreeMap::new() })
    }

    /// Keeps it. What cannot be written is read again next time.
    pub(super) fn write(&self, state: &StateDir, store: &Store) {
        let written =
            serde_json::to_vec(self).map_err(Into::into).and_then(|bytes| write_atomic(&file(state, store), &bytes));
        if let Err(error) = written {
            tracing::warn!("which memories were used is not remembered: {error}");
        }
    }

    pub(super) fn take(&mut self, id: &str, mut transcript: Transcript) {
        while transcript.uses.len() > MOST_FILES {
            transcript.uses.pop_last();
        }
        self.transcripts.insert(id.to_owned(), transcript);
        if self.transcripts.len() > MOST_TRANSCRIPTS {
            let oldest =
                self.transcripts.iter().min_by_key(|(_, transcript)| transcript.last).map(|(id, _)| id.clone());
            oldest.map(|id| self.transcripts.remove(&id));
        }
    }
}

impl Transcript {
    /// Whether a file is this one, perhaps grown.
    pub(super) fn goes_on(&self, identity: &Identity, path: &Path) -> bool {
        if self.identity == *identity {
            return true;
        }
        self.identity.inode == identity.inode
            && identity.bytes >= self.end.0
            && self.seal.is_some()
            && self.seal == seal(path, self.end.0)
    }

    /// Remembers the bytes before the place where reading goes on.
    pub(super) fn seal(&mut self, path: &Path) {
        self.seal = seal(path, self.end.0);
    }
}

fn seal(path: &Path, end: u64) -> Option<ContentHash> {
    let mut file = open_file(path).ok()?;
    file.seek(SeekFrom::Start(end.saturating_sub(SEAL))).ok()?;
    let mut bytes = Vec::new();
    file.take(end.min(SEAL)).read_to_end(&mut bytes).ok()?;
    Some(ContentHash::of(&bytes))
}

fn file(state: &StateDir, store: &Store) -> PathBuf {
    state.store(store.root()).join("recall-use.json")
}

/// What a file is now; `None` when it is gone.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let time = metadata.modified().map(crate::clock::file_time).ok();
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let inode = 0;
    let nanoseconds = time.and_then(|time| time.timestamp_nanos_opt()).unwrap_or_default();
    Some(Identity { inode, bytes: metadata.len(), nanoseconds })
}

/// The transcripts of a session's sub-agents.
pub(super) fn agents(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .take(MOST_FILES)
        .collect();
    found.sort();
    found
}
