//! What tells that a file was touched, without reading it.

use std::fs::Metadata;
use std::time::SystemTime;

/// Length, times and place of a file. The time of its last change of any kind cannot be set back by whoever wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Bytes.
    pub(super) length: u64,
    /// When it was written last, as it says.
    pub(super) modified: Option<SystemTime>,
    /// When anything about it changed, and which file it is, where the system says so.
    changed: Option<(i64, i64, u64)>,
}

impl Stamp {
    /// The stamp of a file.
    pub(super) fn of(found: &Metadata) -> Self {
        Self { length: found.len(), modified: found.modified().ok(), changed: changed(found) }
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems say nothing")]
fn changed(found: &Metadata) -> Option<(i64, i64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.ctime(), found.ctime_nsec(), found.ino()))
}

#[cfg(not(unix))]
fn changed(_found: &Metadata) -> Option<(i64, i64, u64)> {
    None
}
