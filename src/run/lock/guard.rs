//! The operating system's lock between our own processes, and the record beside it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Prior;
use crate::state::{create_private_dir, private_options, with_path, write_atomic};

/// The guard of a store, held until dropped.
#[derive(Debug)]
pub(super) struct Guard {
    dir: PathBuf,
    /// `None` where the file system has no locks: then the protocol in the store has to do alone.
    file: Option<File>,
}

impl Guard {
    /// Takes the guard; `None`: another run of ours has it.
    pub(super) fn take(dir: &Path) -> io::Result<Option<Self>> {
        create_private_dir(dir)?;
        let path = &dir.join("guard.lock");
        let file = private_options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| with_path(error, "cannot open", path))?;
        match fs2::FileExt::try_lock(&file) {
            Ok(()) => Ok(Some(Self { dir: dir.to_owned(), file: Some(file) })),
            Err(fs2::TryLockError::WouldBlock) => Ok(None),
            Err(fs2::TryLockError::Error(_)) => Ok(Some(Self { dir: dir.to_owned(), file: None })),
        }
    }

    /// Whether holding it proves that no other run of ours is alive.
    pub(super) fn is_certain(&self) -> bool {
        self.file.is_some()
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Drop for Guard {
    /// Unlocks in so many words: a child that another thread is just starting has the open file too, and would hold the
    /// lock until it runs its program.
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = fs2::FileExt::unlock(file);
        }
    }
}

/// Who holds the lock, or held it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) pid: u32,
    pub(super) birth: Option<String>,
    pub(super) boot_id: Option<String>,
    pub(super) host: String,
    /// Tells this holding from any other.
    pub(super) token: String,
    /// What the lock file was before; `None`: there was none.
    pub(super) prior: Option<Prior>,
    /// The mtime we last gave the lock file.
    pub(super) stamp: DateTime<Utc>,
    /// Whether it was released.
    pub(super) finished: bool,
}

impl Record {
    pub(super) fn read(dir: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(dir.join("guard.json")).ok()?).ok()
    }

    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        write_atomic(&dir.join("guard.json"), &serde_json::to_vec(self)?)
    }

    /// Whether its process is still there, as far as can be told from here.
    pub(super) fn is_alive(&self) -> bool {
        self.host == crate::run::process::host()
            && self.boot_id == crate::run::process::boot_id()
            && crate::run::process::is_same_and_alive(self.pid, self.birth.as_deref())
    }
}
