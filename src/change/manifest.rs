//! What a store held when it was last looked at: each file's hash, times and whether a copy of it is kept.
//!
//! A small file in the state directory, and copies beside it within limits. Not its job: what a difference means (see
//! [`super::foreign`]).

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::objects::Objects;
use super::workshop::Workshop;
use crate::memory::ContentHash;
use crate::memory::names::is_markdown;
use crate::memory::store::{Bound, MOST_BYTES, is_entered};
use crate::secret;
use crate::state::{with_path, write_atomic};

/// The largest file of which a copy is kept.
const LARGEST_COPY: u64 = 1_000_000;
/// All copies of one store together.
const ALL_COPIES: u64 = 50_000_000;
/// The most copies made in one look; the next look goes on.
const COPIES_AT_ONCE: usize = 4_000;
/// The deepest directory that is looked at.
const DEEPEST: usize = 8;

/// Whether a copy of a content is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Copy {
    Kept,
    /// Not yet: there was no room or no time.
    Later,
    Large,
    Secret,
    Purged,
}

impl Copy {
    /// Why the content cannot be restored.
    pub(super) const fn why_not(self) -> &'static str {
        match self {
            Self::Kept | Self::Later => "no copy of it was kept",
            Self::Large => "it was too large to keep a copy",
            Self::Secret => "it held what looks like a secret, so no copy was kept",
            Self::Purged => "the copies of it were purged",
        }
    }
}

/// A file as it was last seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) hash: ContentHash,
    pub(super) seen: Seen,
    /// Whether it had been at rest, so that a later write shows in its times.
    settled: bool,
    /// Where the entry leads, when it is a symbolic link.
    pub(super) link: Option<String>,
    pub(super) copy: Copy,
}

/// What one `stat` tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) size: u64,
    pub(super) mtime: DateTime<Utc>,
    pub(super) mode: u32,
    /// Inode and last status change; 0 where the platform has none.
    identity: (u64, i64),
    is_link: bool,
}

/// What a store held.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// How much of the journal is in it already.
    pub(super) journal: u64,
    pub(super) files: BTreeMap<String, Known>,
}

impl Manifest {
    /// The manifest of a store; `None`: the store was never looked at, or what we knew is damaged.
    pub(super) fn read(workshop: &Workshop) -> Option<Self> {
        serde_json::from_slice(&fs::read(workshop.manifest()).ok()?).ok()
    }

    pub(super) fn save(&self, workshop: &Workshop) -> io::Result<()> {
        write_atomic(&workshop.manifest(), &serde_json::to_vec(self)?)
    }

    /// Whether a copy of some content belongs to a file.
    pub(super) fn copies(&self) -> HashSet<ContentHash> {
        self.files.values().filter(|known| known.copy == Copy::Kept).map(|known| known.hash).collect()
    }
}

impl Known {
    /// A file that a landing of ours left with this content. Its `stat` is not known, so it is read at the next look.
    pub(super) fn landed(hash: ContentHash, at: DateTime<Utc>, mode: u32) -> Self {
        let seen = Seen { size: 0, mtime: at, mode, identity: (0, 0), is_link: false };
        Self { hash, seen, settled: false, link: None, copy: Copy::Later }
    }

    pub(super) fn new(hash: ContentHash, seen: Seen, link: Option<String>, copy: Copy) -> Self {
        let settled = seen.is_settled();
        Self { hash, seen, settled, link, copy }
    }

    /// Whether one `stat` is enough to know that nothing changed.
    pub(super) fn is_unchanged(&self, now: &Seen) -> bool {
        self.settled && self.seen == *now
    }
}

impl Seen {
    fn of(metadata: &fs::Metadata, is_link: bool) -> io::Result<Self> {
        let mtime = crate::clock::file_time(metadata.modified()?);
        #[cfg(unix)]
        let (mode, identity) = {
            use std::os::unix::fs::MetadataExt;
            let changed = metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
            (metadata.mode() & 0o7777, (metadata.ino(), changed))
        };
        #[cfg(not(unix))]
        let (mode, identity) = (0o600, (0, 0));
        Ok(Self { size: metadata.len(), mtime, mode, identity, is_link })
    }

    fn is_settled(&self) -> bool {
        let now: DateTime<Utc> = SystemTime::now().into();
        let changed = DateTime::from_timestamp_nanos(self.identity.1);
        [self.mtime, changed].into_iter().all(|at| (now - at).num_milliseconds() > 100)
    }
}

/// Every Markdown file of a store, by its path inside: not hidden, never through a symbolic link to a directory.
///
/// # Errors
/// When a directory cannot be listed: what is in it is unknown then, not gone.
pub(super) fn look(root: &Path) -> io::Result<BTreeMap<String, Seen>> {
    let mut found = BTreeMap::new();
    let mut bound = Bound::new();
    let mut waiting = VecDeque::from([(root.to_owned(), String::new(), 0)]);
    while let Some((directory, way, depth)) = waiting.pop_front() {
        let failed = |error| with_path(error, "cannot read", &directory);
        for entry in fs::read_dir(&directory).map_err(failed)? {
            // What lies beyond is not gone: a file counts as gone only when it is looked for and not there.
            if !bound.takes_one() {
                return Ok(found);
            }
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let kind = entry.file_type().map_err(failed)?;
            let file = if way.is_empty() { name } else { format!("{way}/{name}") };
            if kind.is_dir() {
                if depth < DEEPEST && is_entered(file.rsplit('/').next().unwrap_or(&file)) {
                    waiting.push_back((entry.path(), file, depth + 1));
                }
            } else if is_markdown(&file)
                // A link to nothing holds nothing.
                && let Ok(metadata) = if kind.is_symlink() { fs::metadata(entry.path()) } else { entry.metadata() }
                && metadata.is_file()
                && metadata.len() <= MOST_BYTES
            {
                found.insert(file, Seen::of(&metadata, kind.is_symlink())?);
            }
        }
    }
    Ok(found)
}

/// Where a symbolic link of the store leads.
pub(super) fn link_of(root: &Path, file: &str, seen: &Seen) -> Option<String> {
    if !seen.is_link {
        return None;
    }
    fs::read_link(root.join(file)).ok()?.into_os_string().into_string().ok()
}

/// The copies of what a store holds, and how much room is left for more.
#[derive(Debug)]
pub(super) struct Copies {
    objects: Objects,
    room: u64,
    left: usize,
}

impl Copies {
    pub(super) fn of(workshop: &Workshop, manifest: &Manifest) -> Self {
        let used: u64 =
            manifest.files.values().filter(|known| known.copy == Copy::Kept).map(|known| known.seen.size).sum();
        Self { objects: Objects::at(workshop.current()), room: ALL_COPIES.saturating_sub(used), left: COPIES_AT_ONCE }
    }

    /// Whether another copy can be made in this look.
    pub(super) fn has_room(&self, size: u64) -> bool {
        self.left > 0 && self.room >= size
    }

    /// Keeps a copy unless it is large, secret or too much.
    pub(super) fn keep(&mut self, hash: ContentHash, bytes: &[u8]) -> Copy {
        let size = bytes.len() as u64;
        if size > LARGEST_COPY {
            return Copy::Large;
        }
        if !secret::scan(bytes).is_empty() {
            return Copy::Secret;
        }
        if !self.has_room(size) || self.objects.keep_lightly(hash, bytes).is_err() {
            return Copy::Later;
        }
        self.room -= size;
        self.left -= 1;
        Copy::Kept
    }

    /// The copy of a content.
    pub(super) fn read(&self, hash: ContentHash) -> Option<Vec<u8>> {
        self.objects.read(hash).ok()
    }

    /// Erases copies that no file has any more.
    pub(super) fn drop_unneeded(&self, gone: &[ContentHash], manifest: &Manifest) {
        if gone.is_empty() {
            return;
        }
        let needed = manifest.copies();
        for hash in gone.iter().filter(|hash| !needed.contains(hash)) {
            let _ = self.objects.erase(*hash);
        }
    }
}
