//! A directory held by its handle: every name is looked up in *that* directory, whatever happens to the path meanwhile.
//!
//! Names here are single path segments; no call follows a symbolic link in its last step. Not its job: which names are
//! allowed (see [`super::guard`]) and what is written (see [`super::write`]). `directory_portable.rs` has the same
//! calls for platforms without directory handles.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use chrono::{DateTime, Utc};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use super::file::{EntryKind, FileState, NewFile, read_whole};

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory {
    handle: OwnedFd,
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

impl Directory {
    /// Opens a directory by path; links on the way are followed, for a store may be reached through one.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { handle: rustix::fs::open(path, DIRECTORY, Mode::empty())? })
    }

    /// Opens a directory in this one; a symbolic link is refused.
    pub(super) fn open_inside(&self, name: &str) -> io::Result<Self> {
        Ok(Self { handle: self.open_beneath(name, DIRECTORY)? })
    }

    /// Makes a directory in this one, private to the person or as open as their umask has it.
    pub(super) fn make_inside(&self, name: &str, is_private: bool) -> io::Result<()> {
        let mode = if is_private { Mode::RWXU } else { Mode::RWXU | Mode::RWXG | Mode::RWXO };
        Ok(rustix::fs::mkdirat(&self.handle, name, mode)?)
    }

    /// Removes an empty directory in this one.
    pub(super) fn remove_inside(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR)?)
    }

    /// What an entry is; `None`: there is none.
    pub(super) fn kind(&self, name: &str) -> io::Result<Option<EntryKind>> {
        match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => EntryKind::File,
                FileType::Symlink => EntryKind::Link,
                FileType::Directory => EntryKind::Directory,
                _ => EntryKind::Other,
            })),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A regular file's bytes and what belongs to them; `None`: there is none. Anything else is an error.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<FileState>> {
        let handle = match self.open_beneath(name, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK) {
            Ok(handle) => handle,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let (bytes, metadata) = read_whole(&mut File::from(handle))?;
        Ok(Some(FileState {
            bytes,
            mode: metadata.mode() & 0o7777,
            mtime: crate::clock::file_time(metadata.modified()?),
            hard_links: metadata.nlink(),
            owner: Some((metadata.uid(), metadata.gid())),
        }))
    }

    /// Makes a file that must not exist, wholly on disk when this returns. A half-written one is taken away again.
    pub(super) fn write_new(&self, name: &str, new: &NewFile<'_>) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let mut file = File::from(rustix::fs::openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?);
        let written = self.fill(&mut file, new);
        if written.is_err() {
            let _ = self.remove(name);
        }
        written
    }

    fn fill(&self, file: &mut File, new: &NewFile<'_>) -> io::Result<()> {
        file.write_all(new.bytes)?;
        // Whoever edits another person's file leaves it theirs; only root can, and nobody else needs to.
        if let Some((user, group)) = new.owner {
            let metadata = file.metadata()?;
            if (metadata.uid(), metadata.gid()) != (user, group) {
                let _ = std::os::unix::fs::fchown(&*file, Some(user), Some(group));
            }
        }
        file.set_permissions(Permissions::from_mode(new.mode))?;
        file.set_modified(new.mtime.into())?;
        file.sync_all()
    }

    /// Swaps two names in one step. `false`: this file system cannot.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(super) fn exchange(&self, one: &str, other: &str) -> io::Result<bool> {
        use rustix::io::Errno;
        match rustix::fs::renameat_with(&self.handle, one, &self.handle, other, rustix::fs::RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Swaps two names in one step. `false`: this platform cannot.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(super) fn exchange(&self, _one: &str, _other: &str) -> io::Result<bool> {
        Ok(false)
    }

    /// Renames over whatever is there.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    /// Renames to a name that must be free; [`io::ErrorKind::AlreadyExists`] when it is not.
    pub(super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::io::Errno;
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&self.handle, from, &self.handle, to, flags) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        match rustix::fs::linkat(&self.handle, from, &self.handle, to, AtFlags::empty()) {
            // A file must not keep both names: when the old one stays, the new one goes again.
            Ok(()) => self.remove(from).inspect_err(|_| {
                let _ = self.remove(to);
            }),
            Err(rustix::io::Errno::EXIST) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) if self.kind(to)?.is_some() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => self.rename(from, to),
        }
    }

    /// Removes a name.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    /// Makes a symbolic link that must not exist.
    pub(super) fn link(&self, target: &str, name: &str) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, &self.handle, name)?)
    }

    /// Where a symbolic link leads, as written.
    pub(super) fn read_link(&self, name: &str) -> io::Result<String> {
        let target = rustix::fs::readlinkat(&self.handle, name, Vec::new())?;
        target.into_string().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "its link is not Unicode"))
    }

    /// The names in it that are Unicode; nothing of ours is anything else.
    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.handle)? {
            if let Ok(name) = entry?.file_name().to_str()
                && name != "."
                && name != ".."
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// When an entry was last written, for judging whether it is left over.
    pub(super) fn modified(&self, name: &str) -> io::Result<DateTime<Utc>> {
        let handle = self.open_beneath(name, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK)?;
        Ok(crate::clock::file_time(File::from(handle).metadata()?.modified()?))
    }

    /// Waits until its entries are on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.handle)?)
    }

    /// Opens one name of this directory, refusing to leave it or to follow a link.
    #[cfg(target_os = "linux")]
    fn open_beneath(&self, name: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        use rustix::fs::ResolveFlags;
        use rustix::io::Errno;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(&self.handle, name, flags, Mode::empty(), resolve) {
            // Older kernels and some sandboxes do not know the call.
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {
                rustix::fs::openat(&self.handle, name, flags | OFlags::NOFOLLOW, Mode::empty())
            }
            opened => opened,
        }
    }

    /// Opens one name of this directory, refusing to follow a link.
    #[cfg(not(target_os = "linux"))]
    fn open_beneath(&self, name: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        rustix::fs::openat(&self.handle, name, flags | OFlags::NOFOLLOW, Mode::empty())
    }
}
