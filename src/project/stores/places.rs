//! The paths that transcripts name, and the main work tree each belongs to, also when it is gone from the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Folder;
use crate::project::git::{git_root, linked_work_trees, physical, work_tree};

/// What is known about the paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The root of each path; `None`: it is gone, and nothing says where it belonged.
    roots: BTreeMap<PathBuf, Option<PathBuf>>,
    /// The linked work trees of each root, also those that are gone.
    linked: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// Every work tree, or directory outside git, that is there.
    trees: BTreeSet<PathBuf>,
}

impl Places {
    /// Looks at every path of the folders, and at the place one is in.
    pub(super) fn of(folders: &[Folder], here: &Path) -> Self {
        let mut places = Self::default();
        let known = folders.iter().flat_map(|folder| folder.paths.iter().map(PathBuf::as_path).chain(path_of(folder)));
        let paths: BTreeSet<&Path> = known.chain([here]).collect();
        let (there, gone): (Vec<&Path>, Vec<&Path>) = paths.into_iter().partition(|path| path.is_dir());
        for path in there {
            let path_itself = physical(path);
            let root = git_root(&path_itself);
            if let Some(root) = &root
                && !places.linked.contains_key(root)
            {
                places.linked.insert(root.clone(), linked_work_trees(root));
            }
            places.trees.insert(work_tree(&path_itself).unwrap_or_else(|| path_itself.clone()));
            places.trees.extend(root.clone());
            places.roots.insert(path.to_owned(), Some(root.unwrap_or(path_itself)));
        }
        for path in gone {
            let remembered = folders.iter().filter_map(|folder| folder.remembered.as_ref());
            let remembered = remembered.filter(|known| known.path == path && known.root != path && known.root.is_dir());
            let root = places.root_around(path).or_else(|| remembered.map(|known| known.root.clone()).next());
            places.roots.insert(path.to_owned(), root);
        }
        places
    }

    /// The root a path belongs to.
    pub(super) fn root(&self, path: &Path) -> Option<PathBuf> {
        match self.roots.get(path) {
            Some(root) => root.clone(),
            None => path.is_dir().then(|| physical(path)).map(|path| git_root(&path).unwrap_or(path)),
        }
    }

    /// Whether a path is, or was, a linked work tree of a root.
    pub(super) fn is_linked(&self, path: &Path, root: &Path) -> bool {
        let path = physical(path);
        let is_listed = self.linked.get(root).is_some_and(|trees| trees.iter().any(|tree| path.starts_with(tree)));
        is_listed
            || path.starts_with(root.join(".claude").join("worktrees"))
            || (!path.starts_with(root) && !path.is_dir())
    }

    /// Every work tree, or directory outside git, that is there.
    pub(super) fn trees(&self) -> impl Iterator<Item = &Path> {
        self.trees.iter().map(PathBuf::as_path)
    }

    /// Every root that is there, each once.
    pub(super) fn roots(&self) -> BTreeSet<&Path> {
        let there = self.roots.iter().filter(|(path, _)| path.is_dir());
        there.filter_map(|(_, root)| root.as_deref()).collect()
    }

    /// The known repository that a path which is gone lay in, the innermost one.
    fn root_around(&self, path: &Path) -> Option<PathBuf> {
        let holds = |root: &&PathBuf| {
            path.starts_with(root)
                || self.linked.get(*root).is_some_and(|trees| trees.iter().any(|tree| path.starts_with(tree)))
        };
        self.linked.keys().filter(holds).max_by_key(|root| root.components().count()).cloned()
    }
}

fn path_of(folder: &Folder) -> Option<&Path> {
    folder.path().map(|(path, _)| path)
}
