//! Reading one file: once, bounded, and never something that waits.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};

use super::MOST_BYTES;
use crate::clock::file_time;
use crate::secret::place::check_link;
use crate::state::{open_file, what_it_is};
use crate::text;

/// What to do about what is no memory and cannot be moved to the trash, where its content would have to be kept.
const OUT: &str = "take it out of the store with mv or rm in a shell";

/// What reading a file gave.
pub(super) enum Content {
    /// All of it.
    Bytes(Vec<u8>),
    /// It is not there any more.
    Gone,
    /// It is there and cannot be read; in a person's words.
    Refused(String),
}

/// Reads a file of the store at `root`. What leads to where credentials are kept is not read; pipes, sockets and devices are not opened, and a file that becomes one meanwhile is not waited for.
pub(super) fn read(root: &Path, path: &Path, metadata: &io::Result<Metadata>) -> Content {
    let metadata = match metadata {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Listed and not there: a link to nothing is still there itself.
            return match std::fs::symlink_metadata(path) {
                Ok(_) => Content::Refused(
                    "it is a link to a file that is not there; bring that file back, or remove the link with rm in a shell"
                        .to_owned(),
                ),
                Err(_) => Content::Gone,
            };
        }
        Err(error) => {
            let is_link = std::fs::symlink_metadata(path).is_ok_and(|own| own.is_symlink());
            let next = if is_link { "remove the link with rm in a shell" } else { "check its permissions" };
            return Content::Refused(format!("it cannot be looked at: {error}; {next}"));
        }
    };
    if !metadata.is_file() {
        return Content::Refused(format!("it is {}, not a file; {OUT}", what_it_is(metadata)));
    }
    if let Err(error) = check_link(root, path) {
        return Content::Refused(error.to_string());
    }
    if metadata.len() > MOST_BYTES {
        return Content::Refused(format!(
            "{} is too much for a memory; it was not read; {OUT}",
            text::bytes(metadata.len())
        ));
    }
    let size = usize::try_from(metadata.len()).unwrap_or(0);
    let read = open_file(path).and_then(|file| {
        let mut bytes = Vec::with_capacity(size + 1);
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    match read {
        Ok(bytes) => Content::Bytes(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Content::Gone,
        Err(error) => Content::Refused(format!("it cannot be read: {error}")),
    }
}

/// When a file was last written; the epoch when the platform does not say.
pub(super) fn mtime(metadata: &io::Result<Metadata>) -> DateTime<Utc> {
    let modified = metadata.as_ref().ok().and_then(|metadata| metadata.modified().ok());
    file_time(modified.unwrap_or(SystemTime::UNIX_EPOCH))
}

/// The inode and the last status change, which no program can set back.
pub(super) fn identity(metadata: &io::Result<Metadata>) -> (u64, i64) {
    #[cfg(unix)]
    if let Ok(metadata) = metadata {
        use std::os::unix::fs::MetadataExt;
        return (metadata.ino(), metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec()));
    }
    let _ = metadata;
    (0, 0)
}

/// Whether a file had been at rest long enough that a later write shows in its times, which file systems keep coarsely.
pub(super) fn is_settled(metadata: &io::Result<Metadata>) -> bool {
    let modified = metadata.as_ref().ok().and_then(|metadata| metadata.modified().ok());
    #[cfg(unix)]
    let changed = {
        let nanoseconds = u64::try_from(identity(metadata).1).unwrap_or(0);
        SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_nanos(nanoseconds))
    };
    #[cfg(not(unix))]
    let changed = modified;
    let now = SystemTime::now();
    [modified, changed]
        .into_iter()
        .all(|at| at.and_then(|at| now.duration_since(at).ok()).is_some_and(|rest| rest.as_millis() > 100))
}
