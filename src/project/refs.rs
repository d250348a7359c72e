//! The branches and tags of a repository, read from the files in its `.git`. Runs nothing.
//!
//! Not its job: what is in them (see `crate::health`), and the branch a checkout is on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::git::{git_dir, git_root, work_tree};

/// At most this many loose names are listed.
const MOST: usize = 20_000;

/// A file of packed names larger than this is not read.
const MOST_BYTES: u64 = 64 << 20;

/// The names a repository knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refs {
    /// Its own branches.
    pub heads: BTreeSet<String>,
    /// The branches of its remotes, with the remote's name: `origin/main`.
    pub remotes: BTreeSet<String>,
    /// Its tags.
    pub tags: BTreeSet<String>,
}

impl Refs {
    /// The names of the repository that holds `dir`; `None` outside git, and where git keeps them in a form we do not read.
    #[must_use]
    pub fn of(dir: &Path) -> Option<Self> {
        let tree = work_tree(dir)?;
        let git = git_dir(&git_root(&tree).unwrap_or(tree))?;
        if git.join("reftable").is_dir() {
            return None;
        }
        let mut refs = Self::default();
        let packed = git.join("packed-refs");
        if fs::metadata(&packed).is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES) {
            for line in String::from_utf8_lossy(&crate::state::read_file(&packed).unwrap_or_default()).lines() {
                if let Some((_, name)) = line.split_once(' ').filter(|_| !line.starts_with(['#', '^'])) {
                    refs.take(name.trim());
                }
            }
        }
        let mut left = MOST;
        refs.walk(&git.join("refs"), "refs", &mut left, 0);
        // A repository without a commit has a branch all the same.
        if let Some(name) =
            crate::state::read_text(&git.join("HEAD")).ok().as_deref().and_then(|head| head.strip_prefix("ref: "))
        {
            refs.take(name.trim());
        }
        Some(refs)
    }

    /// Whether a branch or tag of that name is known, its own or a remote's.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        let of_remote =
            |known: &String| known == name || known.split_once('/').is_some_and(|(_, branch)| branch == name);
        self.heads.contains(name) || self.tags.contains(name) || self.remotes.iter().any(of_remote)
    }

    fn take(&mut self, name: &str) {
        if let Some(head) = name.strip_prefix("refs/heads/") {
            self.heads.insert(head.to_owned());
        } else if let Some(remote) = name.strip_prefix("refs/remotes/") {
            self.remotes.insert(remote.to_owned());
        } else if let Some(tag) = name.strip_prefix("refs/tags/") {
            self.tags.insert(tag.to_owned());
        }
    }

    fn walk(&mut self, dir: &Path, name: &str, left: &mut usize, depth: usize) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            if *left == 0 || depth > 16 {
                return;
            }
            *left -= 1;
            let inner = format!("{name}/{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.walk(&entry.path(), &inner, left, depth + 1),
                Ok(kind) if kind.is_file() => self.take(&inner),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn loose_and_packed_names_are_known_and_outside_git_there_are_none() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Refs::of(dir.path()), None);
        let git = dir.path().join(".git");
        for (file, text) in [
            ("HEAD", "ref: refs/heads/main\n"),
            ("refs/heads/feature/one", "0\n"),
            (
                "packed-refs",
                "# pack-refs with: peeled\n1 refs/heads/old\n2 refs/remotes/origin/deep/two\n3 refs/tags/v1\n^4\n",
            ),
        ] {
            fs::create_dir_all(git.join(file).parent().unwrap()).unwrap();
            fs::write(git.join(file), text).unwrap();
        }
        let refs = Refs::of(dir.path()).unwrap();
        for known in ["main", "feature/one", "old", "deep/two", "origin/deep/two", "v1"] {
            assert!(refs.knows(known), "{known}");
        }
        assert!(!refs.knows("two") && !refs.knows("feature"));
    }
}
