//! Pre- and post-images, each written once under the hash of its content.
//!
//! Not its job: which images are still needed (see [`super::retention`]).

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::lanes;
use crate::memory::ContentHash;
use crate::state::{create_private_dir, of_system, sync_dir, with_path};

/// The images of one store, `objects/ab/<64 hex digits>`, each 0600.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    root: PathBuf,
}

impl Objects {
    pub(super) fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Keeps some contents; all of them are on disk when this returns.
    pub(super) fn keep(&self, contents: &[&[u8]]) -> io::Result<()> {
        let written = lanes::each(contents, |bytes| {
            let hash = ContentHash::of(bytes);
            // A damaged one of the same length would be found out only when it is needed.
            if self.read(hash).is_ok() { Ok(None) } else { self.write(hash, bytes, File::sync_all).map(Some) }
        });
        let touched: Vec<PathBuf> = written?.into_iter().flatten().collect::<BTreeSet<_>>().into_iter().collect();
        lanes::each(&touched, |directory| sync_dir(directory))?;
        if !touched.is_empty() {
            sync_dir(&self.root)?;
        }
        Ok(())
    }

    /// Keeps a content without waiting for the disk; whether it came through a crash shows when it is read.
    pub(super) fn keep_lightly(&self, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        if fs::metadata(self.path(hash)).is_ok_and(|metadata| metadata.len() == bytes.len() as u64) {
            return Ok(());
        }
        self.write(hash, bytes, |_| Ok(())).map(drop)
    }

    /// Writes a content; `settle` is called before it gets its name. Returns the directory it is in.
    fn write(&self, hash: ContentHash, bytes: &[u8], settle: fn(&File) -> io::Result<()>) -> io::Result<PathBuf> {
        let path = self.path(hash);
        let parent = path.parent().map_or_else(|| self.root.clone(), Path::to_owned);
        create_private_dir(&parent)?;
        let wrap = |error| with_path(error, "cannot write", &path);
        let mut temp = tempfile::Builder::new()
            .prefix(".dreamtop-")
            .suffix(".tmp")
            .tempfile_in(&parent)
            .map_err(|error| wrap(of_system(error)))?;
        temp.as_file_mut().write_all(bytes).map_err(wrap)?;
        settle(temp.as_file()).map_err(wrap)?;
        temp.persist(&path).map_err(|error| wrap(error.error))?;
        Ok(parent)
    }

    /// Erases a content.
    pub(super) fn erase(&self, hash: ContentHash) -> io::Result<()> {
        let path = self.path(hash);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(with_path(error, "cannot erase", &path)),
            _ => Ok(()),
        }
    }

    /// A kept content.
    pub(super) fn read(&self, hash: ContentHash) -> io::Result<Vec<u8>> {
        let path = self.path(hash);
        let bytes = crate::state::read_file(&path).map_err(|error| with_path(error, "cannot read", &path))?;
        if ContentHash::of(&bytes) == hash {
            return Ok(bytes);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, format!("{} is damaged", path.display())))
    }

    /// Removes every image that is not needed.
    pub(super) fn remove_all_but(&self, needed: &HashSet<ContentHash>) -> io::Result<()> {
        let shelves = match fs::read_dir(&self.root) {
            Ok(shelves) => shelves,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(with_path(error, "cannot read", &self.root)),
        };
        for shelf in shelves {
            let shelf = shelf?;
            // What is no shelf and no copy is for `doctor` to set aside.
            if !shelf.file_type()?.is_dir() {
                continue;
            }
            for image in fs::read_dir(shelf.path())? {
                let image = image?;
                if image.file_type()?.is_dir() {
                    continue;
                }
                let hash = image.file_name().to_str().and_then(|name| name.parse().ok());
                // A temp file of a crash has no hash for a name and goes as well.
                if hash.is_none_or(|hash| !needed.contains(&hash)) {
                    fs::remove_file(image.path())?;
                }
            }
        }
        Ok(())
    }

    /// Where a content is kept.
    pub(super) fn path(&self, hash: ContentHash) -> PathBuf {
        let name = hash.to_string();
        let (shelf, _) = name.split_at_checked(2).unwrap_or((&name, ""));
        self.root.join(shelf).join(&name)
    }
}
