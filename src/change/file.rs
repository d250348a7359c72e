//! What the door says of one file: what kind of entry it is, as it was read, and as it is to be made.
//!
//! Not its job: finding, opening and making it (see [`super::directory`]).

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};

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

/// How often a file that is being written is read before it is taken as it is.
const READINGS: u32 = 3;

/// The bytes of an open file and what the system says of it *after* they were read. What was said before says nothing
/// of them: a program that empties the file in between would leave no bytes with the time of the full ones.
pub(super) fn read_whole(file: &mut File) -> io::Result<(Vec<u8>, Metadata)> {
    let mut before = file.metadata()?;
    let mut reading = 1;
    loop {
        if !before.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        crate::memory::store::check_size(before.len())?;
        let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0));
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        let after = file.metadata()?;
        let is_same = before.len() == after.len() && before.modified().ok() == after.modified().ok();
        if is_same || reading == READINGS {
            return Ok((bytes, after));
        }
        (before, reading) = (after, reading + 1);
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
