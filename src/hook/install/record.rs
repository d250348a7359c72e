//! What we wrote into whose settings, so that it can be taken back exactly.
//!
//! One file a settings file in `install/` of our state directory, and beside it a copy of what was there before. Not its
//! job: deciding what to write.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Place, hash, reverse, settings};
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
    /// Directories that were made for what we wrote, the innermost first: what was there before is a person's, also empty.
    #[serde(default)]
    made: Vec<PathBuf>,
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
            made: Vec::new(),
        }
    }

    /// The directories that were made for what we wrote, the innermost first.
    pub(super) fn made(&self) -> &[PathBuf] {
        &self.made
    }

    /// Notes which directories have to be made for a file, and keeps in mind those of an installation before.
    pub(super) fn will_make(&mut self, file: &Path, known: Option<&Self>) {
        let before = known.map(Self::made).unwrap_or_default();
        for directory in file.ancestors().skip(1) {
            let is_ours = !directory.exists() || before.iter().any(|made| made == directory);
            if !is_ours {
                return;
            }
            if !self.made.iter().any(|made| made == directory) {
                self.made.push(directory.to_owned());
            }
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

    /// Whether another version of this program wrote it.
    pub(super) fn is_of_another_version(&self) -> bool {
        self.version != env!("CARGO_PKG_VERSION")
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

    /// Settings that were edited since we left them, as they would be if we had never come: with that edit, and every other
    /// byte as it was. `without` are the same settings with our nodes taken out; `None`: the two do not say the same, or the
    /// edit lies within what we wrote.
    pub(super) fn taken_back(&self, state: &StateDir, now: &str, without: &str) -> Option<String> {
        let before = String::from_utf8(self.original(state)??).ok()?;
        let left = settings::with_hooks(&before, &self.command, None).ok()?;
        let merged = (hash(left.as_bytes()) == self.after).then(|| reverse::of(&before, &left, now)).flatten()?;
        settings::say_the_same(&merged, without).then_some(merged)
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

    /// Where the copy of the settings before us lies, if it is there.
    pub(super) fn copy(&self, state: &StateDir) -> Option<PathBuf> {
        Some(copy(state, &self.settings)).filter(|copy| copy.exists())
    }

    /// Nothing is installed any more. The copy of settings that somebody edited since stays: it is a person's file.
    pub(super) fn forget(state: &StateDir, settings: &Path, drops_copy: bool) -> io::Result<()> {
        let copy = Some(copy(state, settings)).filter(|_| drops_copy);
        for path in copy.into_iter().chain([path(state, settings)]) {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(with_path(error, "cannot remove", &path));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn path(state: &StateDir, settings: &Path) -> PathBuf {
    state.root().join("install").join(format!("{}.json", store_key(settings)))
}

fn copy(state: &StateDir, settings: &Path) -> PathBuf {
    state.root().join("install").join(format!("{}.before", store_key(settings)))
}
