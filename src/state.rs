//! Our own files: the state directory and how we write in it.
//!
//! Layout under `$XDG_STATE_HOME/dreamtop` (directories 0700, files 0600):
//!
//! ```text
//! runs/<run>.jsonl            the journal of a run            runs/<run>/   its working copy and pristine copy
//! stores/<key>/…              what we know about one store: history, inbox, landing lock, schedule, claims
//! log/dreamtop.log            the program's log               log/records.jsonl   the records of runs
//! ```
//!
//! Not its job: anything inside a memory store; only [`crate::change`] writes there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The state directory. Made on first write, not on start, so that looking at a store leaves no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDir {
    root: PathBuf,
}

impl StateDir {
    /// A state directory at `root`, which need not exist.
    #[must_use]
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where run journals lie.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// Where logs lie.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    /// What we keep about one store, keyed by its canonical path so that a symlinked way in finds the same place.
    #[must_use]
    pub fn store(&self, store: &Path) -> PathBuf {
        self.root.join("stores").join(store_key(store))
    }
}

/// A short, stable, file-system-safe key of a store's canonical path: a readable tail and 16 hex digits of its hash.
#[must_use]
pub fn store_key(store: &Path) -> String {
    let canonical = canonical(store);
    let digest = Sha256::digest(canonical.as_os_str().as_encoded_bytes());
    let hash: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let readable: String = canonical
        .iter()
        .rev()
        .filter_map(|part| part.to_str())
        .find(|part| *part != "memory")
        .unwrap_or("store")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .rev()
        .take(24)
        .collect();
    let readable: String = readable.chars().rev().collect();
    format!("{readable}-{hash}")
}

/// The canonical path of something that need not exist yet: as far as it exists, and the rest as given. So a store has
/// one key before and after it is made, whichever way it is reached.
fn canonical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in absolute.ancestors() {
        if let Ok(found) = fs::canonicalize(ancestor) {
            let rest = absolute.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
    }
    absolute
}

/// Makes a directory and its parents, private to the person (0700).
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path).map_err(|error| with_path(error, "cannot make the directory", path))
}

/// Opens options for a private file (0600 when it is made).
#[must_use]
pub fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Replaces one of *our* files as a whole: temp file in the same directory, fsync, rename, fsync of the directory.
///
/// # Errors
/// The operating system's error, with the path in its message; the old file is intact then and no temp file is left.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    create_private_dir(parent)?;
    let wrap = |error| with_path(error, "cannot write", path);
    let mut temp = tempfile::Builder::new().prefix(".dreamtop-").suffix(".tmp").tempfile_in(parent).map_err(wrap)?;
    temp.write_all(bytes).map_err(wrap)?;
    temp.as_file().sync_all().map_err(wrap)?;
    temp.persist(path).map_err(|error| wrap(error.error))?;
    sync_dir(parent)
}

/// Appends one line to one of *our* journals (made 0600), in a single write, and optionally waits for the disk.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn append_line(path: &Path, line: &str, durable: bool) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        create_private_dir(parent)?;
    }
    let wrap = |error| with_path(error, "cannot append to", path);
    let mut file = private_options().append(true).create(true).open(path).map_err(wrap)?;
    let mut record = String::with_capacity(line.len() + 1);
    record.push_str(line);
    record.push('\n');
    file.write_all(record.as_bytes()).map_err(wrap)?;
    if durable {
        file.sync_data().map_err(wrap)?;
    }
    Ok(())
}

/// Waits until a directory's entries are on disk. A platform without directory handles says yes.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn sync_dir(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(path).and_then(|dir| dir.sync_all()).map_err(|error| with_path(error, "cannot sync", path))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// The same error, saying what failed and on which path.
#[must_use]
pub fn with_path(error: io::Error, what: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
}
