//! Which stores could be brought together: several of one project, or one whose project moved away. Proposals only; a
//! person decides.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use super::{Folder, Places};
use crate::memory::{ContentHash, Store};
use crate::project::git::physical;
use crate::project::slug::{alike, drive_letter};
use crate::project::{ClaudeHome, Identity};

/// What would happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// Two stores of one project.
    Merge,
    /// A store whose project is gone, and where it may have moved.
    Adopt,
    /// Memories that sessions of another project wrote, and that project's store.
    Move,
}

impl PairKind {
    /// The word in JSON and in ids: `merge`, `adopt`, `move`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Adopt => "adopt",
            Self::Move => "move",
        }
    }
}

/// Two stores that may belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What names it; the same two stores have the same name every time.
    pub id: String,
    /// What would happen.
    pub kind: PairKind,
    /// The store whose memories would be copied. It stays as it is, but for a move.
    pub from: Store,
    /// The store they would be copied to; it need not exist.
    pub into: Store,
    /// The project of `into`, when it is known.
    pub project: Option<PathBuf>,
    /// Why they may belong together, in words.
    pub why: String,
    /// The memories that are meant; `None`: all.
    pub files: Option<Vec<String>>,
}

impl Pair {
    pub(super) fn new(kind: PairKind, from: &Store, into: &Store, project: Option<PathBuf>, why: String) -> Self {
        let mut named = physical(from.root()).into_os_string();
        named.push("\0");
        named.push(physical(into.root()));
        let hash: String = ContentHash::of(named.as_encoded_bytes()).to_string().chars().take(8).collect();
        let id = format!("{}-{hash}", kind.word());
        Self { id, kind, from: from.clone(), into: into.clone(), project, why, files: None }
    }
}

pub(super) fn find(
    home: &ClaudeHome,
    folders: &[Folder],
    places: &Places,
    known: &dyn Fn(&Folder) -> Option<Identity>,
) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let identities: LazyCell<Vec<(&Path, Identity)>, _> =
        LazyCell::new(|| places.roots().into_iter().map(|root| (root, Identity::of(root))).collect());
    for folder in folders.iter().filter(|folder| folder.project.has_store && folder.paths.len() < 2) {
        let path = folder.path().map(|(path, _)| path);
        let root = path.and_then(|path| places.root(path));
        match (path, root) {
            (Some(path), Some(root)) => pairs.extend(into_root(home, folders, places, folder, path, &root)),
            (Some(path), None) if is_of_this_system(path) => {
                if let Some(identity) = known(folder) {
                    pairs.extend(adoptions(home, folders, &identities, folder, path, &identity));
                }
            }
            _ => pairs.extend(into_alike(folders, folder)),
        }
    }
    pairs.sort_by(|one, other| one.id.cmp(&other.id));
    pairs.dedup_by(|one, other| one.id == other.id);
    pairs
}

/// A path of another system (a drive's, read on one without drives) is not gone: it cannot be looked at here.
pub(super) fn is_of_this_system(path: &Path) -> bool {
    cfg!(windows) || drive_letter(&path.to_string_lossy()).is_none()
}

/// The store of a sub-directory, of a work tree or under a link's name goes with the root's own.
fn into_root(
    home: &ClaudeHome,
    folders: &[Folder],
    places: &Places,
    folder: &Folder,
    path: &Path,
    root: &Path,
) -> Option<Pair> {
    // Of several folders for one path (programs hash a long name differently) the first that has a store is used.
    let into = home.folders_of(root).into_iter().find(|into| into.has_store).unwrap_or_else(|| home.folder_of(root));
    // A shared folder is nobody's until somebody chooses.
    let is_shared = folders.iter().any(|other| other.project.folder == into.folder && other.paths.len() > 1);
    let is_same = physical(into.store.root()) == physical(folder.project.store.root());
    let is_there = path.is_dir();
    // While its place is there and the root has no store, it is the one that is used, unless its name is a link's.
    let is_used = is_there && !into.has_store && physical(path) == path;
    if is_shared || is_same || is_used {
        return None;
    }
    let why = match (is_there, places.is_linked(path, root)) {
        (true, true) => format!("{} is a linked work tree of {}", path.display(), root.display()),
        (false, true) => format!("{} was a work tree of {} and is gone", path.display(), root.display()),
        (true, false) if physical(path) == root => {
            format!("{} is another name of {}", path.display(), root.display())
        }
        (true, false) => format!("{} lies in {}", path.display(), root.display()),
        (false, false) => format!("{} lay in {} and is gone", path.display(), root.display()),
    };
    Some(Pair::new(PairKind::Merge, &folder.project.store, &into.store, Some(root.to_owned()), why))
}

/// A store whose project is gone, and every project that is there and was the same repository.
fn adoptions(
    home: &ClaudeHome,
    folders: &[Folder],
    identities: &[(&Path, Identity)],
    folder: &Folder,
    path: &Path,
    identity: &Identity,
) -> Vec<Pair> {
    let is_shared = |name: &str| folders.iter().any(|other| other.project.folder == name && other.paths.len() > 1);
    let roots = identities.iter().filter_map(|(root, other)| {
        let same = identity.same_as(other)?;
        let into = home.folder_of(root);
        if is_shared(&into.folder) || physical(into.store.root()) == physical(folder.project.store.root()) {
            return None;
        }
        let why = format!("{} is gone; moved to {}? It has {same}", path.display(), root.display());
        Some(Pair::new(PairKind::Adopt, &folder.project.store, &into.store, Some(root.to_path_buf()), why))
    });
    roots.collect()
}

/// A store in a folder without a path that differs from another only in what versions wrote differently.
fn into_alike(folders: &[Folder], folder: &Folder) -> Option<Pair> {
    let name = alike(&folder.project.folder);
    let others: Vec<&Folder> = folders
        .iter()
        .filter(|other| other.project.folder != folder.project.folder && alike(&other.project.folder) == name)
        .collect();
    // With two to choose from, or one that projects share, there is nothing to propose.
    let [other] = others.as_slice() else { return None };
    if other.paths.len() > 1 || (!other.project.has_store && other.paths.is_empty()) {
        return None;
    }
    let path = other.path().map(|(path, _)| path);
    // Both without a path on this system, or with one: the one that says more is kept, the other goes into it.
    let weight = |one: &Folder| (one.paths.len(), !one.project.folder.contains('_'), one.project.folder.clone());
    if weight(other) < weight(folder) {
        return None;
    }
    let same_path = match (folder.path(), path) {
        (Some((one, _)), Some(two)) => one.to_string_lossy().eq_ignore_ascii_case(&two.to_string_lossy()),
        _ => true,
    };
    same_path.then(|| {
        let what = "the names of their folders differ only in - and _ or in the case of a drive letter";
        let why = format!("{} and {}: {what}", folder.project.folder, other.project.folder);
        Pair::new(PairKind::Merge, &folder.project.store, &other.project.store, path.map(Path::to_owned), why)
    })
}
