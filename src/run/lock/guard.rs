//! The guard: one consolidator of ours at a time, and the record of who it is.

use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Prior;
use crate::lock_file::{self, Lock, SystemLock};
use crate::process::{Identity, Life};
use crate::run::files;

/// The guard of a store, held until dropped.
#[derive(Debug)]
pub(super) struct Guard {
    dir: PathBuf,
    lock: Lock,
}

impl Guard {
    /// Takes the guard; `None`: another run of ours has it.
    pub(super) fn take(dir: &Path, system: SystemLock) -> io::Result<Option<Self>> {
        let lock = lock_file::try_take_with(&dir.join("guard.lock"), system)?;
        Ok(lock.map(|lock| Self { dir: dir.to_owned(), lock }))
    }

    /// Whether holding it proves that no other run of ours is alive.
    pub(super) fn is_certain(&self) -> bool {
        self.lock.is_certain()
    }

    /// What a person should know about it.
    pub(super) fn notice(&self) -> Option<String> {
        self.lock.notice()
    }

    /// A sign of life.
    pub(super) fn renew(&self) {
        self.lock.renew();
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Who holds the lock, or held it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(flatten)]
    pub(super) holder: Identity,
    /// Tells this holding from any other.
    pub(super) token: String,
    /// What the lock file was before; `None`: there was none.
    pub(super) prior: Option<Prior>,
    /// Whether it was free then, so that it is free again once it was put back.
    #[serde(default)]
    pub(super) was_free: bool,
    /// The mtime we last gave the lock file: the holder's latest sign of life.
    pub(super) stamp: DateTime<Utc>,
    /// Whether it was released.
    pub(super) finished: bool,
}

/// How the holder in a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Alive, or not yet silent for long enough to be called gone.
    Holds,
    /// Its process is gone.
    Gone,
    /// It counts its processes elsewhere and gave no sign for so many minutes.
    Silent(i64),
}

impl Record {
    /// The record beside a guard. Unreadable ones count as missing.
    pub(super) fn read(dir: &Path) -> Option<Self> {
        files::read_known(&dir.join("guard.json"))
    }

    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        files::write(&dir.join("guard.json"), "guard", self)
    }

    /// How its holder stands, as far as can be told from here.
    pub(super) fn standing(&self, now: DateTime<Utc>) -> Holder {
        match self.holder.life() {
            Life::Alive => Holder::Holds,
            Life::Dead => Holder::Gone,
            Life::Unknown => {
                // A stamp from the future is of a clock that was set back: it gives no time either way.
                let silent = now - self.stamp;
                let limit = chrono::TimeDelta::from_std(lock_file::SILENCE).unwrap_or(chrono::TimeDelta::MAX);
                if silent.abs() > limit { Holder::Silent(silent.num_minutes().abs()) } else { Holder::Holds }
            }
        }
    }
}
