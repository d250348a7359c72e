//! What lies in `memory/team/`: the entries, and what lies there and can be none.
//!
//! Links are never followed: what is shared are the files of this directory. Not its job: secrets, and writing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::report::SetAside;
use crate::memory::names::{TEAM_DIRECTORY, is_markdown};
use crate::memory::store::{Bound, is_entered, whole};
use crate::state::with_path;
use crate::team::key;
use crate::team::sum::Sum;
use crate::team::wire::ENTRY_BYTES;

/// What lies here.
#[derive(Clone, Debug, Default)]
pub struct Local {
    /// The text of each entry.
    pub texts: BTreeMap<String, Vec<u8>>,
    /// What is there and is not shared, and why.
    pub refused: Vec<SetAside>,
    /// Every Markdown file there, by its name in the form in which two are compared.
    folded: BTreeMap<String, BTreeSet<String>>,
}

impl Local {
    /// Reads `memory/team/` of a store. One that is not there is empty.
    ///
    /// # Errors
    /// When a directory cannot be listed, or `team` is something else than one: nothing may be taken for removed then.
    pub fn read(store: &Path) -> io::Result<Self> {
        let root = store.join(TEAM_DIRECTORY);
        match fs::symlink_metadata(&root) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => {
                let message = format!("{} is no directory of its own; nothing is shared from there", root.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(with_path(error, "cannot look at", &root)),
        }
        let mut local = Self::default();
        let mut bound = Bound::new();
        let mut folders: VecDeque<(PathBuf, String)> = VecDeque::from([(root, String::new())]);
        while let Some((path, prefix)) = folders.pop_front() {
            for entry in fs::read_dir(&path).map_err(|error| with_path(error, "cannot list", &path))? {
                let entry = entry.map_err(|error| with_path(error, "cannot list", &path))?;
                if !bound.takes_one() {
                    let message = format!("{} holds too many files to be shared", path.display());
                    return Err(io::Error::other(message));
                }
                let name = spelled(&entry.file_name());
                let file = format!("{prefix}{name}");
                let kind = entry.file_type().map_err(|error| with_path(error, "cannot look at", &entry.path()))?;
                if kind.is_dir() && !name.starts_with('.') && is_entered(&name) {
                    folders.push_back((entry.path(), format!("{file}/")));
                } else if !kind.is_dir() && is_markdown(&name) {
                    local.take(file, kind.is_file(), &entry.path());
                }
            }
        }
        local.refused.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(local)
    }

    fn take(&mut self, file: String, is_file: bool, path: &Path) {
        self.folded.entry(key::folded(&file)).or_default().insert(file.clone());
        match text(&file, is_file, path) {
            Ok(text) => {
                self.texts.insert(file, text);
            }
            Err(reason) => self.refused.push(SetAside { file, reason, is_decided: false }),
        }
    }

    /// The sum of an entry.
    #[must_use]
    pub fn sum(&self, key: &str) -> Option<Sum> {
        self.texts.get(key).map(|text| Sum::of(text))
    }

    /// The sum of all entries.
    #[must_use]
    pub fn picture(&self) -> Sum {
        let sums: Vec<(&String, Sum)> = self.texts.iter().map(|(key, text)| (key, Sum::of(text))).collect();
        Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)))
    }

    /// Why what lies under a name is no entry; `None`: it is one, or nothing is there.
    #[must_use]
    pub fn refusal(&self, key: &str) -> Option<&str> {
        self.refused.iter().find(|refused| refused.file == key).map(|refused| refused.reason.as_str())
    }

    /// A file here whose name differs from this one in letter case or accents only.
    #[must_use]
    pub fn twin(&self, key: &str) -> Option<&str> {
        self.folded.get(&key::folded(key))?.iter().find(|file| *file != key).map(String::as_str)
    }
}

/// A name as text. Bytes that are none stand there as `\\xff`, which no entry's name can: so two such names stay two.
fn spelled(name: &OsStr) -> String {
    let mut spelled = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        spelled.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| spelled.push_str(&format!("\\x{byte:02x}")));
    }
    spelled
}

/// The text of an entry, or why it is none.
fn text(file: &str, is_file: bool, path: &Path) -> Result<Vec<u8>, String> {
    if path.to_str().is_none() {
        return Err("its name is no UTF-8 text; rename it".to_owned());
    }
    key::check(file).map_err(|refused| refused.to_string())?;
    if !is_file {
        return Err("it is a link or no file, and only files are shared".to_owned());
    }
    let bytes = whole(path).map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() > ENTRY_BYTES {
        let (is, most) = (crate::text::figure(bytes.len() as u64), crate::text::figure(ENTRY_BYTES as u64));
        return Err(format!("it has {is} bytes, and an entry has at most {most}: split it"));
    }
    if std::str::from_utf8(&bytes).is_err() {
        return Err("it is not UTF-8 text".to_owned());
    }
    if is_blank(&bytes) {
        return Err("it is empty".to_owned());
    }
    Ok(bytes)
}

/// Whether a text says nothing: such a file is taken for one that was damaged, and neither goes out nor comes in.
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// Whether an entry of this name would lie in a folder where no memories are looked for.
pub(super) fn is_unseen(key: &str) -> bool {
    key.rsplit('/').skip(1).any(|folder| !is_entered(folder))
}
