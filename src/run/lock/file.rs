//! The lock file in the store: reading it, putting it there, putting it back. Never through a link.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::state::{of_system, with_path};

/// No lock that means anything is longer than this.
const MAX_CONTENT: usize = 64;

/// What a lock file held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// Its first bytes.
    bytes: Vec<u8>,
    /// Whether there were more.
    longer: bool,
    pub(super) mtime: DateTime<Utc>,
}

/// What a lock file was before a run, to be put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prior {
    bytes: Vec<u8>,
    pub(super) mtime: DateTime<Utc>,
}

impl Contents {
    /// The process id, if that is what it holds: decimal digits for a number a process can have.
    pub(super) fn pid(&self) -> Option<u32> {
        let text = std::str::from_utf8(&self.bytes).ok()?.trim();
        if self.longer || text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        text.parse::<u32>().ok().filter(|pid| *pid != 0 && i32::try_from(*pid).is_ok())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn prior(&self) -> Prior {
        Prior { bytes: self.bytes.clone(), mtime: self.mtime }
    }

    /// Whether it is what a holding found before it, as precisely as other programs keep times.
    pub(super) fn is_as(&self, prior: &Prior) -> bool {
        self.bytes == prior.bytes && self.is_stamped(prior.mtime)
    }

    /// Whether its mtime is the one given, as precisely as other programs keep it.
    pub(super) fn is_stamped(&self, stamp: DateTime<Utc>) -> bool {
        (self.mtime - stamp).abs() <= TimeDelta::seconds(2)
    }
}

/// The mtime of the lock if it is a plain file.
pub(super) fn mtime(path: &Path) -> Option<DateTime<Utc>> {
    let found = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(found.modified().ok()?.into())
}

/// Reads the lock. `Ok(None)`: there is none. An error says why it cannot be a lock, in words.
pub(super) fn read(path: &Path) -> Result<Option<Contents>, String> {
    let shown = path.display();
    let words = |error: io::Error| format!("cannot read {shown}: {error}");
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(words(error)),
        Ok(found) if found.is_file() => {}
        Ok(found) => {
            let what = if found.is_dir() {
                "a directory"
            } else if found.is_symlink() {
                "a link"
            } else {
                "no plain file"
            };
            return Err(format!("{shown} is {what}, not a lock; it is left alone: remove it if it is not wanted"));
        }
    }
    let file = match no_follow(OpenOptions::new().read(true)).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(words)?,
    };
    let mtime = file.metadata().and_then(|found| found.modified()).map_err(words)?.into();
    let mut bytes = Vec::new();
    file.take(MAX_CONTENT as u64 + 1).read_to_end(&mut bytes).map_err(words)?;
    let longer = bytes.len() > MAX_CONTENT;
    bytes.truncate(MAX_CONTENT);
    Ok(Some(Contents { bytes, longer, mtime }))
}

fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

/// A complete lock file under a name of its own, on disk, ready to be linked. The name tells whose it is, so that one that a
/// killed run left is found.
pub(super) fn prepare(
    path: &Path,
    bytes: &[u8],
    mtime: DateTime<Utc>,
    token: &str,
) -> io::Result<tempfile::NamedTempFile> {
    let wrap = |error| with_path(error, "cannot write", path);
    let parent = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let name = prepared(token);
    builder.prefix(&name).rand_bytes(0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    // Whoever reads this knows the lock, not the name it is made under.
    let mut temp = builder.tempfile_in(parent).map_err(|error| wrap(of_system(error)))?;
    temp.as_file_mut().write_all(bytes).map_err(wrap)?;
    temp.as_file().set_modified(SystemTime::from(mtime)).map_err(wrap)?;
    temp.as_file().sync_all().map_err(wrap)?;
    Ok(temp)
}

/// Links a prepared file into place. `Ok(false)`: somebody was faster. Where there are no hard links the file is made in
/// place, which nobody else can have made before.
pub(super) fn link(prepared: tempfile::NamedTempFile, path: &Path, pid: u32, mtime: DateTime<Utc>) -> io::Result<bool> {
    let wrap = |error| with_path(error, "cannot write", path);
    match fs::hard_link(prepared.path(), path) {
        Ok(()) => {
            prepared.close().map_err(wrap)?;
            return Ok(true);
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(error) if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem) => {
            return Err(wrap(error));
        }
        Err(_) => {}
    }
    match no_follow(OpenOptions::new().write(true).create_new(true)).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(wrap(error)),
        Ok(mut file) => {
            file.write_all(pid.to_string().as_bytes()).map_err(wrap)?;
            file.set_modified(SystemTime::from(mtime)).map_err(wrap)?;
            file.sync_all().map_err(wrap)?;
            Ok(true)
        }
    }
}

/// Renames a lock that was found free out of the way. `None`: it is no longer the one that was looked at, and was put back.
pub(super) fn set_aside(path: &Path, expected: &Contents, token: &str) -> io::Result<Option<PathBuf>> {
    let aside = aside(path.parent().unwrap_or(Path::new(".")), token);
    match fs::rename(path, &aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        renamed => renamed.map_err(|error| with_path(error, "cannot set aside", path))?,
    }
    if read(&aside).ok().flatten().as_ref() == Some(expected) {
        return Ok(Some(aside));
    }
    put_back(&aside, path);
    Ok(None)
}

/// Puts a lock that was set aside back, unless there is a new one.
pub(super) fn put_back(aside: &Path, path: &Path) {
    match fs::hard_link(aside, path) {
        Ok(()) => drop(fs::remove_file(aside)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => drop(fs::remove_file(aside)),
        // Without hard links a new lock in this instant would be lost; the old one always would be, otherwise.
        Err(_) => drop(fs::rename(aside, path)),
    }
}

fn aside(parent: &Path, token: &str) -> PathBuf {
    parent.join(format!(".dreamtop-stale-{token}.tmp"))
}

fn prepared(token: &str) -> String {
    format!(".dreamtop-lock-{token}.tmp")
}

/// Removes what a run of that token left beside the lock when it died.
pub(super) fn remove_litter(parent: &Path, token: &str) {
    let _ = fs::remove_file(aside(parent, token));
    let _ = fs::remove_file(parent.join(prepared(token)));
}

/// Gives the lock an mtime.
pub(super) fn set_mtime(path: &Path, mtime: DateTime<Utc>) -> io::Result<()> {
    no_follow(OpenOptions::new().write(true))
        .open(path)
        .and_then(|file| file.set_modified(SystemTime::from(mtime)))
        .map_err(|error| with_path(error, "cannot touch", path))
}

/// Makes our own lock what it was before: other bytes and mtime, or not there at all.
pub(super) fn restore(path: &Path, prior: Option<&Prior>, token: &str) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    match prior {
        None => match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed.map_err(|error| with_path(error, "cannot remove", path))?,
        },
        Some(prior) => {
            let temp = prepare(path, &prior.bytes, prior.mtime, token)?;
            temp.persist(path).map_err(|error| with_path(error.error, "cannot write", path))?;
        }
    }
    File::open(parent).and_then(|dir| dir.sync_all()).or_else(|error| if cfg!(unix) { Err(error) } else { Ok(()) })
}
