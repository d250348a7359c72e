//! Our own files: the state directory and how we write in it.
//!
//! Layout under `$XDG_STATE_HOME/dreamtop` (directories 0700, files 0600):
//!
//! ```text
//! runs/<run>.jsonl            the journal of a run            runs/<run>/   its room: owner, working and pristine copy
//! stores/<key>/…              what we know about one store: history, inbox, manifest and copies of what it holds,
//!                             confirmations, snoozed memories, what was let go, what was said while memory was off,
//!                             landing lock, schedule, drafts of screens that ended;
//!                             what it had in common with a team's server last (team/);
//!                             sessions/<session>.…: how far it was read, what it was given, where it stands
//! spent/<kind>-<day>.jsonl    what runs used up on a day       paused/<engine>.json   an engine that refuses for now
//! runs/halted.json            a person's pause                halts.json    the times of those that are over
//! edit/                       copies that a person's editor works on
//! log/dreamtop.log            the program's log               log/records.jsonl   the records of runs
//! ```
//!
//! Not its job: anything inside a memory store; only [`crate::change`] writes there.

pub(crate) mod files;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The state directory. Made on first write, not on start.
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

    /// A file about one session of a store; ids that are no plain names are replaced by their hash.
    #[must_use]
    pub fn session_file(&self, store: &Path, session: &str, ending: &str) -> PathBuf {
        self.store(store).join("sessions").join(format!("{}.{ending}", session_name(session)))
    }
}

/// A session's id as the name of a file of ours.
#[must_use]
pub fn session_name(session: &str) -> String {
    let plain = !session.is_empty()
        && session.len() <= 64
        && session.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if plain {
        return session.to_owned();
    }
    Sha256::digest(session.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
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
    let readable = if readable.is_empty() { "store" } else { &readable };
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
    let mut temp = tempfile::Builder::new()
        .prefix(".dreamtop-")
        .suffix(".tmp")
        .tempfile_in(parent)
        .map_err(|error| wrap(of_system(error)))?;
    // Through the file itself: the name of the temp file tells nobody anything.
    temp.as_file_mut().write_all(bytes).map_err(wrap)?;
    temp.as_file().sync_all().map_err(wrap)?;
    temp.persist(path).map_err(|error| wrap(error.error))?;
    sync_dir(parent)
}

/// Replaces what is in one of *our* small files (made 0600) without waiting for the disk: for what may be lost or torn by a
/// crash, where whoever wants it must not be kept waiting.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn replace_plainly(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), create_private_dir)?;
    let written = open_plain(private_options().write(true).create(true).truncate(true), path)
        .and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| with_path(error, "cannot write", path))
}

/// What is in one of *our* files. Anything but a file (a pipe, which would be waited for without end) is an error.
///
/// # Errors
/// The operating system's error.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file that must not be waited for, as [`read_file`] reads it.
///
/// # Errors
/// The operating system's error; `InvalidData` when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_file(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// One of *our* files, open for reading, as [`read_file`] reads it.
///
/// # Errors
/// The operating system's error.
pub fn open_file(path: &Path) -> io::Result<File> {
    open_plain(OpenOptions::new().read(true), path)
}

/// Opens a file with these options and waits for nobody: what is no file (a pipe, a device, a directory) is an error.
///
/// # Errors
/// The operating system's error, or in a person's words what stands there instead of a file.
pub fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(|error| match fs::metadata(path) {
        // To write to a pipe that nobody reads is refused in words that help nobody.
        Ok(found) if !found.is_file() => no_file(&found),
        _ => error,
    })?;
    let found = file.metadata()?;
    if found.is_file() { Ok(file) } else { Err(no_file(&found)) }
}

fn no_file(found: &fs::Metadata) -> io::Error {
    let message = format!("it is {}, not a file", what_it_is(found));
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// What stands where a file should, for people.
pub(crate) fn what_it_is(found: &fs::Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    if found.is_dir() { "a directory" } else { "something else" }
}

/// One of *our* journals, open for adding to it (made 0600), and whether it ends in the middle of a line, which a crash
/// leaves: what comes next must not be swallowed by that.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub(crate) fn open_to_append(path: &Path) -> io::Result<(File, bool)> {
    if let Some(parent) = path.parent() {
        create_private_dir(parent)?;
    }
    let wrap = |error| with_path(error, "cannot append to", path);
    let mut file = open_plain(private_options().read(true).append(true).create(true), path).map_err(wrap)?;
    let is_torn = ends_unfinished(&mut file).map_err(wrap)?;
    Ok((file, is_torn))
}

/// Appends one line to one of *our* journals (made 0600), in a single write, and optionally waits for the disk. What a
/// crash left unfinished at the end is closed with a newline first, so that it costs itself only.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn append_line(path: &Path, line: &str, durable: bool) -> io::Result<()> {
    let wrap = |error| with_path(error, "cannot append to", path);
    let (mut file, is_torn) = open_to_append(path)?;
    let mut record = String::with_capacity(line.len() + 2);
    if is_torn {
        record.push('\n');
    }
    record.push_str(line);
    record.push('\n');
    file.write_all(record.as_bytes()).map_err(wrap)?;
    if durable {
        file.sync_data().map_err(wrap)?;
    }
    Ok(())
}

/// Whether a file ends without a newline: in the middle of a record. An empty one does not.
fn ends_unfinished(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last != [b'\n'])
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

/// The operating system's error in one that names a temp file of ours, which tells nobody anything.
pub(crate) fn of_system(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.source()).and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
}

/// The same error, saying what failed and on which path.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
pub fn with_path(error: io::Error, what: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_state_directory_has_its_layout_and_is_not_made_by_looking() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().join("state"));
        assert_eq!((state.runs(), state.log()), (state.root().join("runs"), state.root().join("log")));
        assert_eq!(state.store(dir.path()), state.root().join("stores").join(store_key(dir.path())));
        assert!(!state.root().exists());
    }

    #[test]
    fn a_stores_key_is_readable_stable_and_its_own() {
        let key = store_key(Path::new("/nowhere/projects/-srv-app/memory"));
        assert!(key.starts_with("srvapp-") && key.len() == "srvapp-".len() + 16, "{key}");
        assert_eq!(key, store_key(Path::new("/nowhere/projects/-srv-app/memory")));
        assert_ne!(key, store_key(Path::new("/nowhere/projects/-srv.app/memory")));
        assert!(store_key(Path::new("/nowhere/新聞/memory")).starts_with("store-"));
    }

    #[cfg(unix)]
    #[test]
    fn a_stores_key_is_the_same_through_a_link_and_before_the_store_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let before = store_key(&link.join("app/memory"));
        fs::create_dir_all(real.join("app/memory")).unwrap();
        assert_eq!(before, store_key(&link.join("app/memory")));
        assert_eq!(before, store_key(&real.join("app/memory")));
    }

    #[test]
    fn a_replaced_file_is_whole_private_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/deep/file");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(dir.path().join("new")).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_write_that_cannot_be_done_names_the_path_and_leaves_no_temporary_file() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("taken/inside")).unwrap();
        let error = write_atomic(&dir.path().join("taken"), b"x").unwrap_err();
        assert!(error.to_string().contains("taken"), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        fs::write(dir.path().join("file"), "").unwrap();
        let error = append_line(&dir.path().join("file/journal"), "x", false).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }

    #[test]
    fn appended_lines_follow_each_other_and_a_torn_one_costs_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("runs/a.jsonl");
        append_line(&path, "one", true).unwrap();
        append_line(&path, "two", false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        fs::write(&path, "one\nto").unwrap();
        append_line(&path, "three", false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nto\nthree\n");
    }
}
