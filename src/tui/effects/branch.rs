//! Which branch a checkout is on, read from its `.git`; nothing is run.

use std::path::Path;

use crate::state::read_text;

/// The branch, or the first digits of the commit when there is none; `None` outside git.
pub(super) fn of(checkout: &Path) -> Option<String> {
    let git = checkout.join(".git");
    let directory = if git.is_file() {
        // A linked worktree: the file says where its own HEAD lies.
        checkout.join(read_text(&git).ok()?.trim().strip_prefix("gitdir: ")?)
    } else {
        git
    };
    let head = read_text(&directory.join("HEAD")).ok()?;
    let head = head.trim();
    match head.strip_prefix("ref: refs/heads/") {
        Some(branch) => Some(branch.to_owned()),
        None => Some(crate::text::brief(head)),
    }
    .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::*;

    #[test]
    fn a_branch_a_commit_and_a_linked_worktree_are_told_and_anything_else_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(of(dir.path()), None);
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(of(dir.path()), None);
        fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/feature/overdraft\n").unwrap();
        assert_eq!(of(dir.path()).unwrap(), "feature/overdraft");
        fs::write(dir.path().join(".git/HEAD"), "0123456789abcdef0123456789abcdef01234567\n").unwrap();
        assert_eq!(of(dir.path()).unwrap(), "01234567");
        let linked = dir.path().join("linked");
        fs::create_dir(&linked).unwrap();
        fs::write(linked.join(".git"), "gitdir: ../.git\n").unwrap();
        assert_eq!(of(&linked).unwrap(), "01234567");
    }
}
