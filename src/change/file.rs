//! What the door says of one file: what kind of entry it is, as it was read, and as it is to be made.
//!
//! Not its job: reading and making it (see [`super::directory`]).

use chrono::{DateTime, Utc};

use crate::memory::ContentHash;

/// What a directory entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Link,
    Directory,
    Other,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct FileState {
    pub(super) bytes: Vec<u8>,
    /// The permission bits.
    pub(super) mode: u32,
    pub(super) mtime: DateTime<Utc>,
    /// How many names the file has.
    pub(super) hard_links: u64,
    /// User and group, where there are such.
    pub(super) owner: Option<(u32, u32)>,
}

impl FileState {
    pub(super) fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }
}

/// A file to be made.
#[derive(Debug)]
pub(super) struct NewFile<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) mode: u32,
    pub(super) mtime: DateTime<Utc>,
    pub(super) owner: Option<(u32, u32)>,
}
