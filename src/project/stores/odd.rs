//! What is odd about a store, in words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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

pub(super) fn written_elsewhere<'a>(
    store: &FoundStore,
    own: &str,
    origins: impl Iterator<Item = &'a str>,
    sessions: &SessionFolders,
    folders: &[Folder],
    places: &Places,
) -> Vec<Oddity> {
    let mut number: BTreeMap<String, usize> = BTreeMap::new();
    for id in origins {
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
        let name = match paths.first() {
            Some(path) => path.display().to_string(),
            None => holding.first().cloned().unwrap_or_default(),
        };
        *number.entry(name).or_default() += 1;
    }
    let told = number.into_iter().map(|(name, number)| {
        let count = text::count(number, "memory was", "memories were");
        Oddity::new("written-elsewhere", format!("{count} written by sessions of {name}"))
    });
    told.collect()
}
