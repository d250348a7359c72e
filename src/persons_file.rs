//! A file of the person's that is neither a memory nor ours (a configuration, settings of Claude Code): read as a whole,
//! replaced as a whole, and only as long as it is what was read.
//!
//! Not its job: what its text says, and what of it changes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::process;
use crate::state::{sync_dir, with_path};

/// The file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonsFile {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// What it holds; `None`: it is not there.
    pub bytes: Option<Vec<u8>>,
}

/// Why a file is not replaced.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another program wrote it meanwhile.
    #[error("{0} was changed by another program since it was read; it is left as it is")]
    Changed(PathBuf),
    /// The operating system refuses.
    #[error("{0}")]
    Failed(io::Error),
}

impl PersonsFile {
    /// Reads it; a missing one is no error.
    ///
    /// # Errors
    /// The operating system's error, with the path in its message.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = match crate::state::read_file(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match dead_link(path) {
                None => None,
                // What it leads to may come back: a disk that is not there just now.
                Some(why) => return Err(with_path(io::Error::new(error.kind(), why), "cannot read", path)),
            },
            Err(error) => return Err(with_path(error, "cannot read", path)),
        };
        Ok(Self { path: path.to_owned(), bytes })
    }

    /// Its text; what is not UTF-8 in it is shown as such.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes.as_deref().unwrap_or_default()).into_owned()
    }

    /// Puts other bytes in its place, wholly or not at all, if it still is what was read. A link stays a link, modes stay; a
    /// new file is the person's alone (0600).
    ///
    /// # Errors
    /// When it changed meanwhile, or cannot be written.
    pub fn replace(&self, bytes: &[u8]) -> Result<Self, WriteError> {
        self.replace_with(bytes, 0o600)
    }

    /// The same for a file that others have to read: a new one is as any program would make it.
    ///
    /// # Errors
    /// As [`Self::replace`].
    pub fn replace_shared(&self, bytes: &[u8]) -> Result<Self, WriteError> {
        self.replace_with(bytes, 0o666)
    }

    /// Where its bytes lie, or would: links followed, as far as there is anything. `None`: at its own path.
    #[must_use]
    pub fn target(&self) -> Option<PathBuf> {
        let above = self.path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok())?;
        let place = match self.path.canonicalize() {
            Ok(place) => place,
            Err(_) => above.canonicalize().ok()?.join(self.path.strip_prefix(above).ok()?),
        };
        // A link far above (`/tmp` on some systems) leads both the same way.
        let is_linked = self.path.ancestors().take(3).any(Path::is_symlink);
        is_linked.then_some(place)
    }

    fn replace_with(&self, bytes: &[u8], mode: u32) -> Result<Self, WriteError> {
        let target = self.unchanged()?;
        write(&target, bytes, mode)
            .map_err(|error| WriteError::Failed(with_path(error, "cannot write", &self.path)))?;
        Ok(Self { path: self.path.clone(), bytes: Some(bytes.to_vec()) })
    }

    /// Takes it away if it still is what was read; a link goes, and what it leads to stays.
    ///
    /// # Errors
    /// When it changed meanwhile, or cannot be removed.
    pub fn remove(&self) -> Result<(), WriteError> {
        self.unchanged()?;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(WriteError::Failed(with_path(error, "cannot remove", &self.path)))
            }
            _ => Ok(()),
        }
    }

    /// Whether it could be replaced: it still is what was read, and nobody protected it.
    ///
    /// # Errors
    /// As [`Self::replace`].
    pub fn check(&self) -> Result<(), WriteError> {
        self.unchanged().map(drop)
    }

    /// Where its bytes lie, if they still are what was read.
    fn unchanged(&self) -> Result<PathBuf, WriteError> {
        let now = Self::read(&self.path).map_err(WriteError::Failed)?;
        if now != *self {
            return Err(WriteError::Changed(self.path.clone()));
        }
        if fs::metadata(&self.path).is_ok_and(|metadata| metadata.permissions().readonly()) {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only; make it writable first");
            return Err(WriteError::Failed(with_path(error, "cannot change", &self.path)));
        }
        Ok(fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone()))
    }
}

/// Which link on the way to a file leads to nothing, in words.
fn dead_link(path: &Path) -> Option<String> {
    let link = path.ancestors().find(|above| above.is_symlink() && !above.exists())?;
    let target = fs::read_link(link).ok()?;
    let which = if link == path { "it".to_owned() } else { link.display().to_string() };
    Some(format!("{which} is a link to {}, which is not there; make that, or remove the link", target.display()))
}

/// What writes of a file that were cut off left beside it, and beside what a link there leads to.
#[must_use]
pub fn left_beside(path: &Path) -> Vec<PathBuf> {
    let target = PersonsFile { path: path.to_owned(), bytes: None }.target();
    let directories: BTreeSet<&Path> =
        [Some(path), target.as_deref()].into_iter().flatten().filter_map(Path::parent).collect();
    directories.into_iter().flat_map(left_in).collect()
}

/// What writes that were cut off left in a directory: they may hold what the file itself did. One that is just being written
/// is none.
#[must_use]
pub fn left_in(directory: &Path) -> Vec<PathBuf> {
    let mut left: Vec<PathBuf> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(own) = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX)) else { return false };
            let Ok(metadata) = entry.metadata() else { return false };
            let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok()).unwrap_or_default();
            metadata.is_file() && (age > WRITING || writer(own).is_some_and(|pid| !process::is_alive(pid)))
        })
        .map(|entry| entry.path())
        .collect();
    left.sort();
    left
}

/// What a file is called while it is written, around who writes it and something that tells two writes apart.
const PREFIX: &str = ".dreamtop-";
const SUFFIX: &str = ".tmp";

/// The process that writes a file, by what stands between [`PREFIX`] and [`SUFFIX`].
fn writer(name: &str) -> Option<u32> {
    name.split_once('-')?.0.parse().ok()
}

/// A write takes no longer.
const WRITING: Duration = Duration::from_secs(60);

/// `mode` is what a new file may be at most; the person's umask takes from it.
fn write(target: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let parent = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    let known = fs::metadata(target).ok();
    #[cfg(unix)]
    // What stands in a file of the person's is nobody else's while it is half there.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if known.is_some() { 0o600 } else { mode }));
    #[cfg(not(unix))]
    let _ = mode;
    let mut temp = builder.tempfile_in(parent)?;
    temp.write_all(bytes)?;
    if let Some(metadata) = known {
        temp.as_file().set_permissions(metadata.permissions())?;
    }
    temp.as_file().sync_all()?;
    temp.persist(target).map_err(|error| error.error)?;
    sync_dir(parent)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_is_made_when_it_is_missing_and_replaced_only_while_it_is_what_was_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/dreamtop/config.yaml");
        let missing = PersonsFile::read(&path).unwrap();
        assert_eq!(missing.bytes, None);
        let made = missing.replace(b"mouse: true\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"mouse: true\n");
        assert!(matches!(missing.replace(b"x"), Err(WriteError::Changed(_))), "it is there now");
        fs::write(&path, "mouse: false\n").unwrap();
        assert!(matches!(made.replace(b"x"), Err(WriteError::Changed(_))));
        assert_eq!(fs::read(&path).unwrap(), b"mouse: false\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_modes_stay() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("dotfiles.yaml"), dir.path().join("config.yaml"));
        fs::write(&target, "mouse: true\n").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        PersonsFile::read(&link).unwrap().replace(b"mouse: false\n").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"mouse: false\n");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
