//! Our files about one store, and the lock that lets one landing at a time happen to it.
//!
//! They lie in the state directory, never in the store. Not its job: what is written in them (see [`super::journal`],
//! [`super::objects`], [`super::inbox`]).

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::DoorError;
use crate::lock_file::Lock;
use crate::memory::{ContentHash, Store};
use crate::state::StateDir;

/// How long a landing waits for another one.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where our files about one store lie.
#[derive(Clone, Debug)]
pub(super) struct Workshop {
    root: PathBuf,
}

impl Workshop {
    pub(super) fn of(state: &StateDir, store: &Store) -> Self {
        Self { root: state.store(store.root()) }
    }

    /// Our files in a directory that is known to hold those about one store.
    pub(super) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The record of landings.
    pub(super) fn journal(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    /// Where pre- and post-images lie.
    pub(super) fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// Where held changes lie.
    pub(super) fn inbox(&self) -> PathBuf {
        self.root.join("inbox")
    }

    /// Where drafts of screens that ended lie.
    pub(super) fn unsaved(&self) -> PathBuf {
        self.root.join("unsaved")
    }

    /// When the history was last cut to its limits.
    pub(super) fn retention(&self) -> PathBuf {
        self.root.join("retention")
    }

    /// What the store held when it was last looked at.
    pub(super) fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// Where copies of what the store holds lie, for taking back what another program does.
    pub(super) fn current(&self) -> PathBuf {
        self.root.join("current")
    }

    /// Where a content is kept as what this store and a team's server had in common last, of whichever server it is.
    pub(super) fn shared(&self, hash: ContentHash) -> Vec<PathBuf> {
        let records = std::fs::read_dir(self.root.join("team")).into_iter().flatten().flatten();
        let texts = records.map(|record| record.path().join("texts").join(hash.to_string()));
        texts.filter(|path| path.exists()).collect()
    }

    /// When the person said "still true", by content.
    pub(super) fn confirmed(&self) -> PathBuf {
        self.root.join("confirmed.json")
    }

    /// What was rejected.
    pub(super) fn rejected(&self) -> PathBuf {
        self.root.join("rejected.json")
    }

    /// What was let go.
    pub(super) fn let_go(&self) -> PathBuf {
        self.root.join("let-go.json")
    }

    /// What was rejected last, as it waited.
    pub(super) fn dropped(&self) -> PathBuf {
        self.root.join("dropped.json")
    }

    /// What was made of what waited.
    pub(super) fn settled(&self) -> PathBuf {
        self.root.join("settled.json")
    }

    /// Until when triage leaves memories out.
    pub(super) fn snoozed(&self) -> PathBuf {
        self.root.join("snoozed.json")
    }

    /// Whether anything was ever kept about the store.
    pub(super) fn exists(&self) -> bool {
        self.root.is_dir()
    }

    /// Waits for the landing lock. The kernel frees it when its holder ends, however it ends.
    pub(super) fn lock(&self) -> Result<LandingLock, DoorError> {
        let path = self.root.join("landing.lock");
        lock_file(&path, PATIENCE).map_err(|source| DoorError::Io { what: "cannot lock", path, source })
    }

    /// The landing lock if nobody has it.
    pub(super) fn try_lock(&self) -> Result<Option<LandingLock>, DoorError> {
        let path = self.root.join("landing.lock");
        match lock_file(&path, Duration::ZERO) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok(None),
            Err(source) => Err(DoorError::Io { what: "cannot lock", path, source }),
        }
    }
}

/// Held while a store is changed.
#[derive(Debug)]
pub(super) struct LandingLock {
    _lock: Lock,
}

fn lock_file(path: &Path, patience: Duration) -> io::Result<LandingLock> {
    let begun = Instant::now();
    loop {
        if let Some(lock) = crate::lock_file::try_take(path)? {
            return Ok(LandingLock { _lock: lock });
        }
        if begun.elapsed() >= patience {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "another program has been changing this store for a minute; end it and try again",
            ));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
