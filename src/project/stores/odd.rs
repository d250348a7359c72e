//! What is odd about a store, in words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::pairs::is_of_this_system;
use super::{Folder, FoundStore, Pair, PairKind, Places, StoreKind};
use crate::memory::Store;
use crate::project::git::physical;
use crate::project::origin::SessionFolders;
use crate::text;

/// Something odd about a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Oddity {
    /// `shared-folder`, `split-store`, `orphan`, `worktree-leftover`, `written-elsewhere`, `unread`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

impl Oddity {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Marks what the folders and the pairs say about each store.
pub(super) fn mark(found: &mut [FoundStore], places: &Places, pairs: &[Pair]) {
    let pairs: Vec<_> =
        pairs.iter().map(|pair| (pair, physical(pair.from.root()), physical(pair.into.root()))).collect();
    for store in found.iter_mut().filter(|store| store.kind == StoreKind::Project) {
        let own = physical(store.store.root());
        if store.paths.len() > 1 {
            store.odd.push(Oddity::new("shared-folder", sharing(&store.paths)));
        }
        if let Some(path) = store.project.as_deref().filter(|path| !path.is_dir() && is_of_this_system(path)) {
            store.odd.push(gone(path, store.root.as_deref(), places));
        }
        for (pair, from, into) in &pairs {
            if pair.kind == PairKind::Adopt && *from == own {
                store.odd.retain(|odd| odd.code != "orphan");
                store.odd.push(Oddity::new("orphan", pair.why.clone()));
            } else if pair.kind == PairKind::Merge && (*from == own || *into == own) && pair.into.root().is_dir() {
                let other = if *from == own { &pair.into } else { &pair.from };
                let message = format!("part of this project's memory lies in {}: {}", other.root().display(), pair.why);
                store.odd.push(Oddity::new("split-store", message));
            }
        }
    }
}

/// A store in a checkout, which no session is given.
pub(super) fn unread(read: &Store) -> Oddity {
    let message = format!("Claude Code does not read it; what it reads and writes here is {}", read.root().display());
    Oddity::new("unread", message)
}

fn sharing(paths: &[std::path::PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    format!(
        "{} projects share this folder: {}; nothing here is taken to be one's or the other's",
        paths.len(),
        names.join(", ")
    )
}

fn gone(path: &Path, root: Option<&Path>, places: &Places) -> Oddity {
    match root {
        Some(root) if places.is_linked(path, root) => Oddity::new(
            "worktree-leftover",
            format!("left by {}, a work tree of {} that is gone; merge into main", path.display(), root.display()),
        ),
        Some(root) => Oddity::new("orphan", format!("{} is gone; it lay in {}", path.display(), root.display())),
        None => Oddity::new("orphan", format!("{} is gone from the disk", path.display())),
    }
}

/// Memories of a store that sessions of another project wrote.
pub(super) struct Foreign {
    /// That project's path; `None`: its folder does not name exactly one.
    pub(super) path: Option<PathBuf>,
    /// What to call it.
    pub(super) name: String,
    /// The memories.
    pub(super) files: Vec<String>,
}

/// `origins` are the memories of the store with the sessions they name.
pub(super) fn written_elsewhere<'a>(
    store: &FoundStore,
    own: &str,
    origins: impl Iterator<Item = (&'a str, &'a str)>,
    sessions: &SessionFolders,
    folders: &[Folder],
    places: &Places,
) -> Vec<Foreign> {
    let mut found: BTreeMap<String, Foreign> = BTreeMap::new();
    for (file, id) in origins {
        let holding = sessions.holding(id);
        if holding.is_empty() || holding.iter().any(|folder| folder == own) {
            continue;
        }
        let paths: BTreeSet<&Path> = folders
            .iter()
            .filter(|folder| holding.contains(&folder.project.folder))
            .filter_map(|folder| folder.path().map(|(path, _)| path))
            .collect();
        // The sessions of a work tree or of a sub-directory are the project's own.
        let is_own = |path: &&Path| {
            let root = places.root(path);
            (root.is_some() && root == store.root) || store.project.as_deref().is_some_and(|own| path.starts_with(own))
        };
        if paths.iter().any(is_own) {
            continue;
        }
        let path = paths.first().map(|path| (*path).to_owned());
        let name = match &path {
            Some(path) => path.display().to_string(),
            None => holding.first().cloned().unwrap_or_default(),
        };
        let only = path.filter(|_| paths.len() == 1 && holding.len() == 1);
        let foreign = found.entry(name.clone()).or_insert(Foreign { path: only, name, files: Vec::new() });
        foreign.files.push(file.to_owned());
    }
    found.into_values().collect()
}

/// The same in words.
pub(super) fn marked(foreign: &Foreign) -> Oddity {
    Oddity::new("written-elsewhere", said(foreign))
}

/// `2 memories were written by sessions of /work/other`.
pub(super) fn said(foreign: &Foreign) -> String {
    let count = text::count(foreign.files.len(), "memory was", "memories were");
    format!("{count} written by sessions of {}", foreign.name)
}
