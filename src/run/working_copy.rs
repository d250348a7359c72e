//! The room of a run, and in it the private copies of a store: one to change, one to compare with afterwards.
//!
//! The room is there from before a run takes anything until after its end is written down, and names its owner. Not its job:
//! cleaning up after owners that died (see [`super::reap`]).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::TouchOp;
use super::files;
use crate::lock_file::SILENCE;
use crate::memory::names::is_markdown;
use crate::memory::store::{Bound, MOST_ENTRIES, is_entered};
use crate::process::{Identity, Life};
use crate::secret::place::check_link;
use crate::state::{StateDir, create_private_dir, open_plain, with_path};

/// A room without a named owner is left alone for this long: its owner may just be making it.
const MAKING: Duration = Duration::from_secs(60);

/// The room of a run, removed when dropped.
#[derive(Debug)]
pub(super) struct Room {
    root: PathBuf,
}

impl Room {
    /// Makes the room of a run on a store. `is_gated`: see [`Owner`].
    pub(super) fn make(state: &StateDir, run: &str, store: &Path, is_gated: bool) -> io::Result<Self> {
        let room = Self { root: state.runs().join(run) };
        let owner = Owner { identity: Identity::own(), store: store.to_string_lossy().into_owned(), is_gated };
        files::write(&room.root.join("owner.json"), "owner", &owner)?;
        Ok(room)
    }

    /// A sign of life, for others that cannot look the owner up. To be given every few minutes.
    pub(super) fn renew(&self) {
        let owner = open_plain(File::options().write(true), &self.root.join("owner.json"));
        // A sign that cannot be given is given again next time.
        let _ = owner.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        remove_whole(&self.root);
    }
}

/// What a room is called while it is being removed.
const LEAVING: &str = ".leaving-";

/// Removes a room in two steps, so that one whose removal is cut off is known as such, and never as one without an owner.
fn remove_whole(room: &Path) {
    let name = room.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let leaving = room.with_file_name(format!("{LEAVING}{name}"));
    let place = if fs::rename(room, &leaving).is_ok() { &leaving } else { room };
    let _ = fs::remove_dir_all(place);
}

/// Whether a directory is what is left of a room that was being removed.
pub(super) fn is_leaving(name: &str) -> bool {
    name.starts_with(LEAVING)
}

/// The copies of one run, removed when dropped.
#[derive(Debug)]
pub(super) struct WorkingCopy {
    /// The store as the run found it.
    pub(super) pristine: PathBuf,
    /// What the engine changes.
    pub(super) work: PathBuf,
    /// Files that could not be copied, with the reason; the run does not see them and so cannot change them.
    pub(super) unreadable: Vec<String>,
}

/// Whose a room is.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Owner {
    #[serde(flatten)]
    pub(super) identity: Identity,
    /// The store its run works on.
    #[serde(default)]
    pub(super) store: String,
    /// Whether a closed gate would have kept its run from starting: then its death makes the next such run wait.
    #[serde(default)]
    pub(super) is_gated: bool,
}

/// The owner of a room, if it says.
pub(super) fn owner(room: &Path) -> Option<Owner> {
    files::read_known(&room.join("owner.json"))
}

/// Whether the owner of a room is gone.
pub(super) fn is_deserted(room: &Path) -> bool {
    let is_silent = |path: &Path, limit: Duration| {
        let modified = fs::metadata(path).and_then(|found| found.modified()).ok();
        modified.and_then(|modified| modified.elapsed().ok()).is_some_and(|silent| silent > limit)
    };
    match owner(room).map(|owner| owner.identity.life()) {
        Some(Life::Alive) => false,
        Some(Life::Dead) => true,
        Some(Life::Unknown) => is_silent(&room.join("owner.json"), SILENCE),
        None => is_silent(room, MAKING),
    }
}

impl WorkingCopy {
    /// Copies a store into a room, twice. A store that does not exist gives empty copies.
    pub(super) fn make(room: &Room, store: &Path) -> io::Result<Self> {
        let root = &room.root;
        let mut copy = Self { pristine: root.join("pristine"), work: root.join("work"), unreadable: Vec::new() };
        create_private_dir(&copy.pristine)?;
        create_private_dir(&copy.work)?;
        copy.unreadable = copy_tree(store, &copy.pristine)?;
        copy_tree(&copy.pristine, &copy.work)?;
        Ok(copy)
    }
}

impl Drop for WorkingCopy {
    fn drop(&mut self) {
        for copy in [&self.pristine, &self.work] {
            let _ = fs::remove_dir_all(copy);
        }
    }
}

/// Removes the room of one run, whoever owned it.
pub(super) fn remove(state: &StateDir, run: &str) {
    let room = state.runs().join(run);
    if is_leaving(run) {
        let _ = fs::remove_dir_all(room);
    } else {
        remove_whole(&room);
    }
}

/// Copies what a run may see: Markdown files, and everything under `logs/`. A link to a file is read as its content, but not one to where credentials are
/// kept; a link to a directory, hidden names, folders of packages and special files are left out. Times stay, modes too, but for the owner's right to
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
                match copy_file(from, &entry.path(), &to.join(&path)) {
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

fn copy_file(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let found = fs::metadata(from)?;
    if found.is_dir() {
        return Ok(());
    }
    if !found.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    check_link(root, from)?;
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
    use crate::process::Place;

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
        let room = Room::make(&state, "dream-x", &store, false).unwrap();
        let copy = WorkingCopy::make(&room, &store).unwrap();
        for dir in [&copy.pristine, &copy.work] {
            assert_eq!(fs::metadata(dir.join("a.md")).unwrap().modified().unwrap(), time);
            assert!(dir.join("MEMORY.md").exists() && dir.join("logs/2026/day.txt").exists());
            assert!(!dir.join(".consolidate-lock").exists() && !dir.join("notes.txt").exists());
        }
        let (root, work) = (room.root.clone(), copy.work.clone());
        drop(copy);
        assert!(!work.exists() && root.exists(), "the room stays until the end is written down");
        drop(room);
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
        let room = Room::make(&state, "dream-x", &store, false).unwrap();
        let copy = WorkingCopy::make(&room, &store).unwrap();
        assert_eq!(fs::read_to_string(copy.work.join("link.md")).unwrap(), "elsewhere");
        assert!(fs::symlink_metadata(copy.work.join("link.md")).unwrap().is_file());
        assert!(!copy.work.join("root").exists());
        assert_eq!(copy.unreadable.len(), 1);
    }

    #[test]
    fn a_room_is_deserted_when_its_owner_is_gone_and_not_while_it_is_just_being_made() {
        let (_dir, state, store) = place();
        let live = Room::make(&state, "dream-live", &store, false).unwrap();
        let dead = state.runs().join("dream-dead");
        let identity = Identity { birth: Some("at another time".into()), ..Identity::own() };
        let owner = Owner { identity, store: String::new(), is_gated: false };
        files::write(&dead.join("owner.json"), "owner", &owner).unwrap();
        let contained = state.runs().join("dream-contained");
        let place = Place { namespace: Some("pid:[1]".into()), ..Place::here() };
        let owner = Owner { identity: Identity { place, ..Identity::own() }, store: String::new(), is_gated: false };
        files::write(&contained.join("owner.json"), "owner", &owner).unwrap();
        let fresh = state.runs().join("dream-fresh");
        fs::create_dir_all(&fresh).unwrap();
        assert!(!is_deserted(&live.root) && !is_deserted(&fresh) && is_deserted(&dead));
        let silent_for = |silent: Duration| {
            let file = File::options().write(true).open(contained.join("owner.json")).unwrap();
            file.set_modified(SystemTime::now() - silent).unwrap();
            is_deserted(&contained)
        };
        let second = Duration::from_secs(45);
        assert!(!silent_for(SILENCE - second) && silent_for(SILENCE + second));
        (Room { root: contained.clone() }).renew();
        assert!(!is_deserted(&contained), "a sign of life counts");
    }

    #[test]
    fn a_watch_tells_created_changed_and_removed_files_once() {
        let (_dir, state, store) = place();
        let room = Room::make(&state, "dream-x", &store, false).unwrap();
        let copy = WorkingCopy::make(&room, &store).unwrap();
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
