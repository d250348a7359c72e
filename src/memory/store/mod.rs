//! A store and what is in it: one scan gives a [`Snapshot`].
//!
//! A scan reads each file once and never fails for one file's sake. It follows symlinked topic files that lie in the
//! store's directory but never walks through a symlinked directory. Not its job: writing (see `crate::change`), and
//! which project the store belongs to (see `crate::project`).

mod age;
mod agree;
mod bound;
mod file;
mod kind;
mod scan;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::{Claim, ContentHash, Freshness, Index, Kind, Problem, Shape, ShelfLife, Topic, names};

pub use agree::IndexJudgement;
pub use bound::MOST_ENTRIES;
pub(crate) use bound::{Bound, is_entered};
pub use kind::{StoreKind, neighbours};

/// A topic file is marked `large` from this size on; it is never cut.
pub const LARGE_BYTES: u64 = 40_000;

/// A file beyond this size is no memory any more: it is listed, but not read.
pub const MOST_BYTES: u64 = 16_000_000;

/// A memory directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    root: PathBuf,
}

/// Why a store could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such directory.
    #[error("there is no memory directory at {0}; it appears with the first memory, or name another with --memory-dir")]
    Missing(PathBuf),
    /// Something other than a directory.
    #[error("{0} is a file, not a memory directory; name the directory that holds MEMORY.md with --memory-dir")]
    NotADirectory(PathBuf),
    /// The operating system refuses.
    #[error("cannot read the memory directory {path}: {source}; check its permissions")]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
}

/// How to judge what a scan finds.
#[derive(Clone, Debug)]
pub struct ScanOptions {
    /// The present instant.
    pub now: DateTime<Utc>,
    /// How long claims are good for.
    pub shelf_life: ShelfLife,
    /// When the person last said "still true" about a content.
    pub confirmed: HashMap<ContentHash, DateTime<Utc>>,
}

/// One memory as a scan saw it. Bodies are not kept: 10,000 memories have to fit into little memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its path inside the store, `/` separated: what names it everywhere.
    pub file: String,
    /// `name`, else the file's stem.
    pub name: String,
    /// `description`, else the first line of the body.
    pub description: String,
    /// The type, if it is one of the four.
    pub kind: Option<Kind>,
    /// The word written for the type.
    pub type_word: Option<String>,
    /// How the frontmatter is laid out.
    pub shape: Shape,
    /// The session it comes from.
    pub origin_session: Option<String>,
    /// When the claim was made.
    pub claim: Claim,
    /// Whole days since.
    pub age_days: Option<u32>,
    /// The badge.
    pub freshness: Freshness,
    /// The file's modification time.
    pub mtime: DateTime<Utc>,
    /// Its size.
    pub bytes: u64,
    /// The hash of its content.
    pub hash: ContentHash,
    /// Whether the index reaches it, directly or through a sub-index or wiki link.
    pub indexed: bool,
    /// Whether its index entry is within the limits.
    pub loaded: bool,
    /// Until when triage leaves it out. A scan does not know: the door marks it.
    pub snoozed_until: Option<DateTime<Utc>>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// What the next scan needs to take this over unread.
    pub trace: Trace,
}

/// What one scan leaves for the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The file's inode and its last status change; 0 where the platform has none.
    pub identity: (u64, i64),
    /// Whether the file had been at rest for a while when it was read; else it is read again.
    pub settled: bool,
    /// The date in the frontmatter.
    pub modified: Option<DateTime<Utc>>,
    /// What the body links to: wiki words as `[[word]]`, Markdown targets as paths inside the store.
    pub links: Vec<String>,
}

/// Something in the store that is not a memory: shown, never touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFile {
    /// Its path inside the store.
    pub file: String,
    /// What it is, in a word or two: `daily log`, `lock`, `directory link`, `folder of packages`,
    /// `not Markdown`, `sub-index`.
    pub what: &'static str,
    /// Its size.
    pub bytes: u64,
}

/// What a store held at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The store.
    pub store: Store,
    /// The index; empty when there is none.
    pub index: Index,
    /// Whether there is an index file.
    pub has_index: bool,
    /// The memories, ordered by file name: [`Snapshot::memory`] relies on it.
    pub memories: Vec<Memory>,
    /// What else lies there.
    pub others: Vec<OtherFile>,
    /// Problems of the index and of the store as a whole, with the file they concern.
    pub problems: Vec<(String, Problem)>,
    /// When the scan was made.
    pub scanned_at: DateTime<Utc>,
}

/// The bytes of a regular file, wherever it lies; nothing that waits or never ends is opened.
///
/// # Errors
/// When it is not there, no regular file, larger than [`MOST_BYTES`] or not to be read.
pub(crate) fn whole(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let file = crate::state::open_file(path)?;
    check_size(file.metadata()?.len())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a file that is too large to be a memory: reading, comparing and keeping it would take all there is.
pub(crate) fn check_size(bytes: u64) -> std::io::Result<()> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let message = format!("{} is too much for a memory; it was not read", crate::text::bytes(bytes));
    Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message))
}

impl Store {
    /// The store at a directory, which need not exist.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// What of it is shared with a team, whether or not it is there.
    #[must_use]
    pub fn team(&self) -> Self {
        Self::at(self.root.join(crate::memory::names::TEAM_DIRECTORY))
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What kind of store it is, by its place and by what lies there now.
    #[must_use]
    pub fn kind(&self) -> StoreKind {
        StoreKind::of(&self.root)
    }

    /// The path of a file in it. The name is not checked: reading only.
    #[must_use]
    pub fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    /// The path of the index.
    #[must_use]
    pub fn index_path(&self) -> PathBuf {
        self.root.join(super::INDEX_FILE)
    }

    /// Reads one topic file, with the care a scan takes: nothing that waits is opened.
    ///
    /// # Errors
    /// When it is not there, no file, too big or not to be read; in words, without the path.
    pub fn topic(&self, file: &str) -> std::io::Result<Topic> {
        let path = self.path(file);
        match file::read(&self.root, &path, &std::fs::metadata(&path)) {
            file::Content::Bytes(bytes) => Ok(Topic::read(bytes)),
            file::Content::Gone => {
                Err(std::io::Error::new(std::io::ErrorKind::NotFound, "it is not there any more; look again"))
            }
            file::Content::Refused(why) => Err(std::io::Error::other(why)),
        }
    }

    /// Refuses a file that leads to where credentials are kept: it is no memory, whatever its name.
    ///
    /// # Errors
    /// In words, without the path.
    pub(crate) fn check_link(&self, file: &str) -> std::io::Result<()> {
        crate::secret::place::check_link(&self.root, &self.path(file))
    }

    /// The bytes of one file, however many; nothing that waits is opened.
    ///
    /// # Errors
    /// When it is not there, no regular file, a link to where credentials are kept, or not to be read.
    pub fn bytes(&self, file: &str) -> std::io::Result<Vec<u8>> {
        use std::io::Read;
        self.check_link(file)?;
        let mut bytes = Vec::new();
        crate::state::open_file(&self.path(file))?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads everything once.
    ///
    /// # Errors
    /// Only when the directory itself cannot be listed.
    pub fn scan(&self, options: &ScanOptions) -> Result<Snapshot, StoreError> {
        self.rescan(options, None)
    }

    /// Like [`Store::scan`], but takes over from `previous` every file whose size, mtime and inode are unchanged.
    ///
    /// # Errors
    /// Only when the directory itself cannot be listed.
    pub fn rescan(&self, options: &ScanOptions, previous: Option<&Snapshot>) -> Result<Snapshot, StoreError> {
        scan::scan(self, options, previous, None)
    }

    /// Like [`Store::scan`], and shows `look` each memory's file and body while it is at hand: bodies are not kept. It is
    /// called from several threads at once, in no order.
    ///
    /// # Errors
    /// Only when the directory itself cannot be listed.
    pub fn scan_reading(
        &self,
        options: &ScanOptions,
        look: &(dyn Fn(&str, &str) + Sync),
    ) -> Result<Snapshot, StoreError> {
        scan::scan(self, options, None, Some(look))
    }
}

impl Snapshot {
    /// What another text of the index would mean for these files.
    #[must_use]
    pub fn judge(&self, index: &Index) -> IndexJudgement {
        IndexJudgement::of(index, &self.memories, &self.others)
    }

    /// Why the index, which is there, could not be read at all; `None`: it was, or there is none.
    #[must_use]
    pub fn unread_index(&self) -> Option<&str> {
        let is_it = |(file, problem): &&(String, Problem)| {
            file == super::INDEX_FILE && problem.subject.as_deref() == Some(super::INDEX_FILE)
        };
        self.problems.iter().find(is_it).map(|(_, problem)| problem.message.as_str())
    }

    /// The memories that name a session they come from, with it.
    pub fn origins(&self) -> impl Iterator<Item = (&str, &str)> {
        self.memories.iter().filter_map(|memory| Some((memory.file.as_str(), memory.origin_session.as_deref()?)))
    }

    /// Only these memories and the lines of the index that are about one of them.
    #[must_use]
    pub fn only(&self, files: &[String]) -> Self {
        let mut only = self.clone();
        only.memories.retain(|memory| files.contains(&memory.file));
        let lines =
            self.index.lines.iter().filter(|line| line.entries.iter().any(|entry| files.contains(&entry.target)));
        let lines: String = lines.map(|line| format!("{}\n", line.text)).collect();
        only.index = Index::read(lines.into_bytes());
        only.others.clear();
        only
    }

    /// The snapshot of a store that does not exist yet: the first memory makes it.
    #[must_use]
    pub fn empty(store: Store, now: DateTime<Utc>) -> Self {
        let (index, memories, others, problems) = (Index::default(), Vec::new(), Vec::new(), Vec::new());
        Self { store, index, has_index: false, memories, others, problems, scanned_at: now }
    }

    /// The memory of that file.
    #[must_use]
    pub fn memory(&self, file: &str) -> Option<&Memory> {
        let at = self.memories.binary_search_by(|memory| memory.file.as_str().cmp(file)).ok()?;
        self.memories.get(at)
    }

    /// What a person means by a word on the command line: the file, the file without `.md`, or a `name`; unique or nothing.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<&Memory> {
        let word = word.strip_prefix("./").unwrap_or(word);
        let only = |wanted: &dyn Fn(&Memory) -> bool| {
            let mut found = self.memories.iter().filter(|memory| wanted(memory));
            found.next().filter(|_| found.next().is_none())
        };
        let folded = names::folded(word);
        only(&|memory| memory.file == word)
            .or_else(|| only(&|memory| memory.file.strip_suffix(".md") == Some(word)))
            .or_else(|| only(&|memory| memory.name == word))
            .or_else(|| {
                only(&|memory| {
                    let file = names::folded(&memory.file);
                    file == folded || file.strip_suffix(".md") == Some(&folded) || names::folded(&memory.name) == folded
                })
            })
    }
}
