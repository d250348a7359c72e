//! Which transcripts lie in a directory.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

/// A transcript file, by its directory entry alone: nothing of it has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The file's stem: the session id.
    pub id: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its modification time.
    pub mtime: DateTime<Utc>,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The main transcripts (`*.jsonl`, no `agent-*`) directly in a directory, newest first. A missing directory has none;
/// files that vanish meanwhile are left out.
///
/// # Errors
/// When the directory is there but cannot be listed.
pub fn list_sessions(dir: &Path) -> std::io::Result<Vec<SessionFile>> {
    let _ = dir;
    todo!()
}
