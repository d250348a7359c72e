//! The working copy as it was at some moment, to put back what may not stay.
//!
//! Not its job: what may stay (see [`super::permission`]).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::{EngineError, RunContext};

/// Every file of the working copy at that moment.
pub(super) struct Earlier {
    root: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
}

impl Earlier {
    /// As it is now.
    ///
    /// # Errors
    /// When the working copy cannot be read.
    pub(super) fn of(context: &RunContext) -> Result<Self, EngineError> {
        let root = context.working_copy.canonicalize()?;
        let files = read(&root)?;
        Ok(Self { root, files })
    }

    /// The working copy, as the disk knows it.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a file was there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// The files that are otherwise now: new ones first, so that one in the place of a directory goes before what was in it.
    ///
    /// # Errors
    /// When the working copy cannot be read.
    pub(super) fn changed(&self) -> Result<Vec<String>, EngineError> {
        let now = read(&self.root)?;
        let new = now.keys().filter(|name| !self.has(name)).cloned();
        let other =
            self.files.iter().filter(|(name, bytes)| now.get(*name) != Some(bytes)).map(|(name, _)| name.clone());
        Ok(new.chain(other).collect())
    }

    /// Puts one file back as it was, or takes it away.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(super) fn put_back(&self, name: &str) -> Result<(), EngineError> {
        let path = self.root.join(name);
        // A link must not be written through.
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&path)?,
            Ok(_) => fs::remove_file(&path)?,
            Err(_) => {}
        }
        if let Some(bytes) = self.files.get(name) {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, bytes)?;
        }
        Ok(())
    }

    /// Puts everything back.
    ///
    /// # Errors
    /// When the disk refuses: then nothing of the working copy may be used.
    pub(super) fn put_all_back(&self) -> Result<(), EngineError> {
        self.changed()?.iter().try_for_each(|name| self.put_back(name))
    }
}

/// Every file below a directory by its relative name; a link, or whatever else is no file, as what it is called.
fn read(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, EngineError> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                open.push(path);
                continue;
            }
            let Some(name) = path.strip_prefix(root).ok() else { continue };
            let bytes = if kind.is_file() { fs::read(&path)? } else { b"(no file)".to_vec() };
            found.insert(name.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(found)
}
