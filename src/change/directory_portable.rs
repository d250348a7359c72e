//! The calls of `directory.rs` by path, for platforms without directory handles. Links are checked, not locked out.
//!
//! Not its job: being used where handles exist.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::file::{EntryKind, FileState, NewFile, read_whole};

/// A directory, by path.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
}

impl Directory {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            return Ok(Self { path: path.to_owned() });
        }
        Err(io::ErrorKind::NotADirectory.into())
    }

    pub(super) fn open_inside(&self, name: &str) -> io::Result<Self> {
        match self.kind(name)? {
            Some(EntryKind::Directory) => Ok(Self { path: self.path.join(name) }),
            None => Err(io::ErrorKind::NotFound.into()),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn make_inside(&self, name: &str, _is_private: bool) -> io::Result<()> {
        fs::create_dir(self.path.join(name))
    }

    pub(super) fn remove_inside(&self, name: &str) -> io::Result<()> {
        fs::remove_dir(self.path.join(name))
    }

    pub(super) fn kind(&self, name: &str) -> io::Result<Option<EntryKind>> {
        match fs::symlink_metadata(self.path.join(name)) {
            Ok(metadata) if metadata.is_symlink() => Ok(Some(EntryKind::Link)),
            Ok(metadata) if metadata.is_dir() => Ok(Some(EntryKind::Directory)),
            Ok(metadata) if metadata.is_file() => Ok(Some(EntryKind::File)),
            Ok(_) => Ok(Some(EntryKind::Other)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Option<FileState>> {
        match self.kind(name)? {
            None => return Ok(None),
            Some(EntryKind::File) => {}
            Some(_) => return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
        }
        let (bytes, metadata) = read_whole(&mut File::open(self.path.join(name))?)?;
        let mtime = crate::clock::file_time(metadata.modified()?);
        Ok(Some(FileState { bytes, mode: 0o600, mtime, hard_links: 1, owner: None }))
    }

    pub(super) fn write_new(&self, name: &str, new: &NewFile<'_>) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(self.path.join(name))?;
        let written =
            file.write_all(new.bytes).and_then(|()| file.set_modified(new.mtime.into())).and_then(|()| file.sync_all());
        if written.is_err() {
            let _ = self.remove(name);
        }
        written
    }

    pub(super) fn exchange(&self, _one: &str, _other: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Renames over whatever is there.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    pub(super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        if self.kind(to)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    pub(super) fn link(&self, _target: &str, _name: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn read_link(&self, name: &str) -> io::Result<String> {
        Ok(fs::read_link(self.path.join(name))?.to_string_lossy().into_owned())
    }

    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            names.extend(entry?.file_name().into_string().ok());
        }
        Ok(names)
    }

    pub(super) fn modified(&self, name: &str) -> io::Result<DateTime<Utc>> {
        Ok(crate::clock::file_time(File::open(self.path.join(name))?.metadata()?.modified()?))
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
