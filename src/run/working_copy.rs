//! The private copies of a store that a run works with: one to change, one to compare with afterwards.
//!
//! They lie in the state directory and go when the run ends; what a killed worker left is removed at the next start.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::TouchOp;
use super::process;
use crate::memory::names::is_markdown;
use crate::memory::store::{Bound, MOST_ENTRIES, is_entered};
use crate::state::{StateDir, create_private_dir, with_path, write_atomic};

/// A copy without a named owner is left alone for this long: its owner may just be making it.
const MAKING: Duration = Duration::from_secs(60);

/// The journals kept, newest first.
const JOURNALS_KEPT: usize = 1_000;

/// The copies of one run, removed when dropped.
#[derive(Debug)]
pub(super) struct WorkingCopy {
    root: PathBuf,
    /// The store as the run found it.
    pub(super) pristine: PathBuf,
    /// What the engine changes.
    pub(super) work: PathBuf,
    /// Files that could not be copied, with the reason; the run does not see them and so cannot change them.
    pub(super) unreadable: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Owner {
    pid: u32,
    birth: Option<String>,
}

impl WorkingCopy {
    /// Copies a store, twice. A store that does not exist gives empty copies.
    pub(super) fn make(state: &StateDir, run: &str, store: &Path) -> io::Result<Self> {
        let root = state.runs().join(run);
        let mut copy = Self { pristine: root.join("pristine"), work: root.join("work"), root, unreadable: Vec::new() };
        let pid = std::process::id();
        let owner = Owner { pid, birth: process::birth(pid) };
        write_atomic(&copy.root.join("owner.json"), &serde_json::to_vec(&owner)?)?;
        create_private_dir(&copy.pristine)?;
        create_private_dir(&copy.work)?;
        copy.unreadable = copy_tree(store, &copy.pristine)?;
        copy_tree(&copy.pristine, &copy.work)?;
        Ok(copy)
    }
}

impl Drop for WorkingCopy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Removes the copies of one run, whoever owned them.
pub(super) fn remove(state: &StateDir, run: &str) {
    let _ = fs::remove_dir_all(state.runs().join(run));
}

/// Removes the copies that dead workers left, and the oldest journals beyond those kept.
pub(super) fn clean(state: &StateDir) {
    let mut journals = Vec::new();
    for entry in fs::read_dir(state.runs()).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else { continue };
        let modified = found.modified().unwrap_or_else(|_| SystemTime::now());
        if found.is_dir() {
            let owner = fs::read(entry.path().join("owner.json")).ok();
            let is_dead = match owner.and_then(|bytes| serde_json::from_slice::<Owner>(&bytes).ok()) {
                Some(owner) => !process::is_same_and_alive(owner.pid, owner.birth.as_deref()),
                None => modified.elapsed().is_ok_and(|age| age > MAKING),
            };
            if is_dead {
                let _ = fs::remove_dir_all(entry.path());
            }
        } else if entry.path().extension().is_some_and(|ending| ending == "jsonl") {
            journals.push((modified, entry.path()));
        }
    }
    if journals.len() > JOURNALS_KEPT {
        journals.sort_by(|a, b| b.cmp(a));
        for (_, path) in journals.split_off(JOURNALS_KEPT) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Copies what a run may see: Markdown files, and everything under `logs/`. A link to a file is read as its content; a
/// link to a directory, hidden names, folders of packages and special files are left out. Times stay, modes too, but for the owner's right to
/// write. Returns what could not be copied.
fn copy_tree(from: &Path, to: &Path) -> io::Result<Vec<String>> {
    let mut unreadable = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    let mut bound = Bound::new();
    while let Some(inside) = waiting.pop() {
        let entries = match fs::read_dir(from.join(&inside)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) if inside.as_os_str().is_empty() => return Err(with_path(error, "cannot list", from)),
            Err(error) => {
                unreadable.push(format!("{}: {error}", inside.display()));
                continue;
            }
        };
        for entry in entries.flatten() {
            if !bound.takes_one() {
                // Half a store would make the rest of it look gone.
                return Err(io::Error::other(format!(
                    "{} holds more than {MOST_ENTRIES} files and folders; name the directory that holds MEMORY.md with \
                     --memory-dir",
                    from.display()
                )));
            }
            let name = entry.file_name();
            let path = inside.join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            if name.as_encoded_bytes().starts_with(b".") || kind.is_dir() && !is_entered(&name.to_string_lossy()) {
                continue;
            }
            if kind.is_dir() {
                create_private_dir(&to.join(&path))?;
                waiting.push(path);
            } else if is_markdown(&path.to_string_lossy()) || path.starts_with("logs") {
                match copy_file(&entry.path(), &to.join(&path)) {
                    Ok(()) => {}
                    Err(error) if is_ours(&error) => return Err(with_path(error, "cannot copy", &entry.path())),
                    Err(error) => unreadable.push(format!("{}: {error}", path.display())),
                }
            }
        }
    }
    Ok(unreadable)
}

/// Whether a failed copy is our trouble (no room), not the file's.
fn is_ours(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let found = fs::metadata(from)?;
    if found.is_dir() {
        return Ok(());
    }
    if !found.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    crate::memory::store::check_size(found.len())?;
    fs::copy(from, to)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(to, fs::Permissions::from_mode(found.permissions().mode() & 0o777 | 0o600))?;
    }
    File::options().write(true).open(to)?.set_modified(found.modified()?)
}

/// Notices which files of a working copy change.
#[derive(Debug)]
pub(super) struct Watch {
    dir: PathBuf,
    before: Files,
    now: Files,
}

type Files = BTreeMap<String, (u64, SystemTime)>;

impl Watch {
    /// Starts from what is there.
    pub(super) fn new(dir: &Path) -> Self {
        let before = list(dir);
        Self { dir: dir.to_owned(), now: before.clone(), before }
    }

    /// What changed since the last look, as seen from the start.
    pub(super) fn look(&mut self) -> Vec<(String, TouchOp)> {
        let now = list(&self.dir);
        let mut touched: Vec<(String, TouchOp)> = now
            .iter()
            .filter(|(file, seen)| self.now.get(*file) != Some(seen))
            .map(|(file, _)| {
                let op = if self.before.contains_key(file) { TouchOp::Changed } else { TouchOp::Created };
                (file.clone(), op)
            })
            .collect();
        let removed = self.now.keys().filter(|file| !now.contains_key(*file));
        touched.extend(removed.map(|file| (file.clone(), TouchOp::Removed)));
        self.now = now;
        touched
    }
}

fn list(dir: &Path) -> Files {
    let mut files = Files::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                waiting.push(path);
            } else if found.is_file() && is_markdown(&path.to_string_lossy()) {
                let file = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
                files.insert(file, (found.len(), found.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn place() -> (tempfile::TempDir, StateDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let store = dir.path().join("memory");
        fs::create_dir_all(store.join("logs/2026")).unwrap();
        fs::write(store.join("MEMORY.md"), "# Index\n").unwrap();
        fs::write(store.join("a.md"), "a").unwrap();
        fs::write(store.join("logs/2026/day.txt"), "log").unwrap();
        fs::write(store.join(".consolidate-lock"), "1").unwrap();
        fs::write(store.join("notes.txt"), "no memory").unwrap();
        let state = StateDir::at(dir.path().join("state"));
        (dir, state, store)
    }

    #[test]
    fn memories_and_logs_are_copied_with_their_times_and_nothing_else() {
        let (_dir, state, store) = place();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        File::options().write(true).open(store.join("a.md")).unwrap().set_modified(time).unwrap();
        let copy = WorkingCopy::make(&state, "dream-x", &store).unwrap();
        for dir in [&copy.pristine, &copy.work] {
            assert_eq!(fs::metadata(dir.join("a.md")).unwrap().modified().unwrap(), time);
            assert!(dir.join("MEMORY.md").exists() && dir.join("logs/2026/day.txt").exists());
            assert!(!dir.join(".consolidate-lock").exists() && !dir.join("notes.txt").exists());
        }
        let root = copy.root.clone();
        drop(copy);
        assert!(!root.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_read_as_content_and_links_to_directories_are_not_walked() {
        let (dir, state, store) = place();
        fs::write(dir.path().join("elsewhere.md"), "elsewhere").unwrap();
        std::os::unix::fs::symlink(dir.path().join("elsewhere.md"), store.join("link.md")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("gone.md"), store.join("dangling.md")).unwrap();
        std::os::unix::fs::symlink("/", store.join("root")).unwrap();
        let copy = WorkingCopy::make(&state, "dream-x", &store).unwrap();
        assert_eq!(fs::read_to_string(copy.work.join("link.md")).unwrap(), "elsewhere");
        assert!(fs::symlink_metadata(copy.work.join("link.md")).unwrap().is_file());
        assert!(!copy.work.join("root").exists());
        assert_eq!(copy.unreadable.len(), 1);
    }

    #[test]
    fn what_a_dead_worker_left_is_removed_and_what_a_live_one_uses_stays() {
        let (_dir, state, store) = place();
        let live = WorkingCopy::make(&state, "dream-live", &store).unwrap();
        let dead = state.runs().join("dream-dead");
        let owner = Owner { pid: std::process::id(), birth: Some("at another time".into()) };
        write_atomic(&dead.join("owner.json"), &serde_json::to_vec(&owner).unwrap()).unwrap();
        let fresh = state.runs().join("dream-fresh");
        fs::create_dir_all(&fresh).unwrap();
        clean(&state);
        assert!(live.work.join("a.md").exists() && fresh.exists() && !dead.exists());
    }

    #[test]
    fn a_watch_tells_created_changed_and_removed_files_once() {
        let (_dir, state, store) = place();
        let copy = WorkingCopy::make(&state, "dream-x", &store).unwrap();
        let mut watch = Watch::new(&copy.work);
        assert_eq!(watch.look(), []);
        fs::write(copy.work.join("new.md"), "n").unwrap();
        fs::write(copy.work.join("a.md"), "longer").unwrap();
        fs::remove_file(copy.work.join("MEMORY.md")).unwrap();
        let expected = [("a.md", TouchOp::Changed), ("new.md", TouchOp::Created), ("MEMORY.md", TouchOp::Removed)];
        assert_eq!(watch.look(), expected.map(|(file, op)| (file.to_owned(), op)));
        assert_eq!(watch.look(), []);
    }
}
