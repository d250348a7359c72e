//! Git work trees, read from their `.git` entries. Runs nothing and asks no configuration.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the git work tree that holds `dir`, the main one for a linked worktree; `None` outside git. Reads `.git`
/// files itself, runs nothing.
///
/// A submodule is its own root. A `.git` file counts as a link to another repository only if that repository knows the
/// work tree: a checkout cannot claim another project's memory by pointing at it.
#[must_use]
pub fn git_root(dir: &Path) -> Option<PathBuf> {
    let tree = work_tree(dir)?;
    Some(main_root(&tree).unwrap_or(tree))
}

/// The root of the work tree that holds `dir`, whether the main one or a linked one.
#[must_use]
pub fn work_tree(dir: &Path) -> Option<PathBuf> {
    let dir = physical(dir);
    dir.ancestors().find(|above| is_git_entry(&above.join(".git"))).map(Path::to_owned)
}

/// The roots of the linked work trees of a main one, also of those that are gone from the disk.
#[must_use]
pub fn linked_work_trees(root: &Path) -> Vec<PathBuf> {
    let Some(entries) = git_dir(root).and_then(|git| fs::read_dir(git.join("worktrees")).ok()) else {
        return Vec::new();
    };
    let mut trees: Vec<PathBuf> = entries
        .filter_map(|entry| {
            let record = entry.ok()?.path();
            let pointer = record.join(fs::read_to_string(record.join("gitdir")).ok()?.trim());
            pointer.parent().map(physical)
        })
        .collect();
    trees.sort();
    trees
}

/// Where a repository's own files lie, given the root of its main work tree.
pub(super) fn git_dir(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() { Some(git) } else { pointed_at(root).filter(|target| target.is_dir()) }
}

fn is_git_entry(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && path.parent().and_then(pointed_at).is_some())
}

/// Where the `.git` file of a work tree points.
fn pointed_at(tree: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(tree.join(".git")).ok()?;
    let target = text.lines().next()?.strip_prefix("gitdir:")?.trim();
    (!target.is_empty()).then(|| tree.join(target))
}

/// The main work tree of a linked one.
fn main_root(tree: &Path) -> Option<PathBuf> {
    let record = fs::canonicalize(pointed_at(tree)?).ok()?;
    let common = fs::read_to_string(record.join("commondir")).ok()?;
    let common = fs::canonicalize(record.join(common.trim())).ok()?;
    let back = fs::read_to_string(record.join("gitdir")).ok()?;
    let knows_us = physical(&record.join(back.trim())) == physical(&tree.join(".git"));
    if !knows_us || record.parent()? != common.join("worktrees") {
        return None;
    }
    let above = common.parent()?;
    // A bare repository has no main work tree, unless the directory above it points at it.
    let is_main = common.file_name()? == ".git" || pointed_at(above).is_some_and(|target| physical(&target) == common);
    is_main.then(|| above.to_owned())
}

/// The path without links; as it is when it cannot be resolved.
pub fn physical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn write(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A repository `main` with a linked work tree `side`, as `git worktree add` lays them out.
    fn repository() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let (main, side) = (base.join("main"), base.join("side"));
        write(main.join(".git/HEAD"), "ref: refs/heads/main\n");
        write(main.join(".git/worktrees/side/commondir"), "../..\n");
        write(main.join(".git/worktrees/side/gitdir"), &format!("{}\n", side.join(".git").display()));
        write(side.join(".git"), &format!("gitdir: {}\n", main.join(".git/worktrees/side").display()));
        fs::create_dir_all(main.join("src/deep")).unwrap();
        fs::create_dir_all(side.join("src")).unwrap();
        (dir, main, side)
    }

    #[test]
    fn a_linked_worktree_has_the_main_ones_root() {
        let (_dir, main, side) = repository();
        assert_eq!(git_root(&main.join("src/deep")), Some(main.clone()));
        assert_eq!(git_root(&side.join("src")), Some(main.clone()));
        assert_eq!(work_tree(&side.join("src")), Some(side.clone()));
        assert_eq!(linked_work_trees(&main), [side]);
    }

    #[test]
    fn a_git_file_that_points_at_a_repository_which_does_not_know_it_claims_nothing() {
        let (dir, main, _) = repository();
        let stranger = fs::canonicalize(dir.path()).unwrap().join("stranger");
        write(stranger.join(".git"), &format!("gitdir: {}\n", main.join(".git/worktrees/side").display()));
        assert_eq!(git_root(&stranger), Some(stranger));
    }

    #[test]
    fn a_submodule_is_its_own_root() {
        let (_dir, main, _) = repository();
        write(main.join(".git/modules/lib/HEAD"), "ref: refs/heads/main\n");
        write(main.join("lib/.git"), "gitdir: ../.git/modules/lib\n");
        assert_eq!(git_root(&main.join("lib")), Some(main.join("lib")));
    }

    #[test]
    fn worktrees_of_a_bare_repository_share_the_directory_that_points_at_it() {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        write(base.join(".bare/worktrees/one/commondir"), "../..\n");
        write(base.join(".bare/worktrees/one/gitdir"), &base.join("one/.git").display().to_string());
        write(base.join("one/.git"), "gitdir: ../.bare/worktrees/one\n");
        assert_eq!(git_root(&base.join("one")), Some(base.join("one")));
        write(base.join(".git"), "gitdir: ./.bare\n");
        assert_eq!(git_root(&base.join("one")), Some(base.clone()));
        assert_eq!(linked_work_trees(&base), [base.join("one")]);
    }

    #[test]
    fn outside_git_there_is_no_root_and_odd_git_files_are_none() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path().join("plain/.git"), "nothing of git's\n");
        assert_eq!(git_root(&dir.path().join("plain")), None);
    }
}
