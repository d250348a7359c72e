//! Which transcripts lie in a directory. Not its job: opening them (see [`super::head`]).

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::clock::file_time;

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
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(crate::state::with_path(error, "cannot list the sessions in", dir)),
    };
    let mut found: Vec<SessionFile> = entries.filter_map(|entry| session_file(&entry.ok()?)).collect();
    found.sort_by(|one, other| other.mtime.cmp(&one.mtime).then_with(|| one.id.cmp(&other.id)));
    Ok(found)
}

/// The session an entry is, unless it is something else or has just vanished.
fn session_file(entry: &DirEntry) -> Option<SessionFile> {
    let path = entry.path();
    let id = path.file_stem()?.to_string_lossy().into_owned();
    if path.extension() != Some(OsStr::new("jsonl")) || id.starts_with("agent-") {
        return None;
    }
    // `metadata` follows links: a transcript may be linked in, a pipe or a directory of that name is none.
    let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
    let mtime = metadata.modified().map(file_time).unwrap_or_default();
    Some(SessionFile { id, path, mtime, bytes: metadata.len() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn sessions_are_listed_newest_first_without_agents_and_other_files() {
        let dir = tempfile::tempdir().unwrap();
        for (name, seconds) in
            [("b.jsonl", 50), ("a.jsonl", 50), ("new.jsonl", 90), ("agent-1.jsonl", 99), ("x.json", 9)]
        {
            let file = fs::File::create(dir.path().join(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        }
        fs::create_dir(dir.path().join("folder.jsonl")).unwrap();
        let ids: Vec<_> = list_sessions(dir.path()).unwrap().into_iter().map(|session| session.id).collect();
        assert_eq!(ids, ["new", "a", "b"]);
    }

    #[test]
    fn a_missing_directory_has_no_sessions_and_a_file_in_its_place_is_an_error_with_its_path() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(list_sessions(&dir.path().join("none")).unwrap(), vec![]);
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(list_sessions(&file).unwrap_err().to_string().contains("file"));
    }
}
