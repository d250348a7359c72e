//! What we wrote into whose settings, so that it can be taken back exactly.
//!
//! One file a settings file in `install/` of our state directory, and beside it a copy of what was there before. Not its
//! job: deciding what to write.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Place, hash};
use crate::persons_file::PersonsFile;
use crate::state::{StateDir, read_file, store_key, with_path, write_atomic};

/// What is on record about one settings file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    settings: PathBuf,
    scope: String,
    /// The program that wrote.
    version: String,
    command: String,
    /// Hash of the settings as we left them.
    after: String,
    /// Hash of the settings before; `None`: there were none.
    before: Option<String>,
    /// Slash commands we wrote, with their hashes.
    commands: BTreeMap<PathBuf, String>,
}

impl Record {
    pub(super) fn of(place: &Place, command: String, after: &[u8], before: Option<&[u8]>) -> Self {
        Self {
            settings: place.settings.clone(),
            scope: place.scope.word().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command,
            after: hash(after),
            before: before.map(hash),
            commands: BTreeMap::new(),
        }
    }

    /// What is on record; a record that cannot be understood is none.
    pub(super) fn read(state: &StateDir, settings: &Path) -> Option<Self> {
        serde_json::from_slice(&read_file(&path(state, settings)).ok()?).ok()
    }

    pub(super) fn add(&mut self, path: &Path, content: &[u8]) {
        self.commands.insert(path.to_owned(), hash(content));
    }

    /// Whether a command's file is on record.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.commands.contains_key(path)
    }

    /// Whether a command's file is what we wrote.
    pub(super) fn wrote(&self, file: &PersonsFile) -> bool {
        let now = file.bytes.as_deref().map(hash);
        now.is_some() && self.commands.get(&file.path) == now.as_ref()
    }

    /// Whether nobody changed the settings since.
    pub(super) fn is_as_left(&self, file: &PersonsFile) -> bool {
        file.bytes.as_deref().is_some_and(|bytes| hash(bytes) == self.after)
    }

    /// The command that we wrote.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// The settings before us; inside `None`: there were none. `None`: the copy is gone, or is not what it was.
    pub(super) fn original(&self, state: &StateDir) -> Option<Option<Vec<u8>>> {
        let Some(before) = &self.before else { return Some(None) };
        let bytes = read_file(&copy(state, &self.settings)).ok()?;
        (hash(&bytes) == *before).then_some(Some(bytes))
    }

    /// Keeps a copy of the settings as they were before us; its path.
    pub(super) fn keep(&self, state: &StateDir, original: Option<&[u8]>) -> io::Result<Option<PathBuf>> {
        let copy = copy(state, &self.settings);
        original.map(|bytes| write_atomic(&copy, bytes).map(|()| copy)).transpose()
    }

    /// Puts it on record, once everything it says is true.
    pub(super) fn write(&self, state: &StateDir) -> io::Result<()> {
        write_atomic(&path(state, &self.settings), &serde_json::to_vec_pretty(self)?)
    }

    /// Nothing is installed any more. The copy stays: it is a person's file.
    pub(super) fn forget(state: &StateDir, settings: &Path) -> io::Result<()> {
        let path = path(state, settings);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(with_path(error, "cannot remove", &path)),
            _ => Ok(()),
        }
    }
}

fn path(state: &StateDir, settings: &Path) -> PathBuf {
    state.root().join("install").join(format!("{}.json", store_key(settings)))
}

fn copy(state: &StateDir, settings: &Path) -> PathBuf {
    state.root().join("install").join(format!("{}.before", store_key(settings)))
}
