//! The files of a checkout: which there are, listed once, with a fingerprint that changes when any of them does.
//!
//! What git ignores is not listed, but still found when it is asked for by its exact path. Not its job: reading files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use ignore::gitignore::GitignoreBuilder;
use ignore::{DirEntry, WalkBuilder};
use sha2::{Digest, Sha256};

/// At most this many files are listed; beyond that nothing is said of what is missing by name alone.
const MOST_FILES: usize = 200_000;

/// Listing takes no longer than this.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Folders that hold what others made or wrote: never looked into.
const FOREIGN: &[&str] =
    &[".git", ".hg", ".svn", "node_modules", "target", ".venv", "venv", "__pycache__", ".tox", ".next", "worktrees"];

/// A file of the checkout.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Its path, `/` separated, from the checkout's root.
    pub(super) path: String,
    /// Its size in bytes.
    pub(super) bytes: u64,
}

/// The files and folders of a checkout.
pub(super) struct Tree {
    root: PathBuf,
    files: Vec<Listed>,
    /// Files and folders by their last part, folders with a slash behind them.
    by_name: HashMap<String, Vec<String>>,
    /// Whether everything was listed.
    pub(super) is_complete: bool,
    /// Changes when a file comes, goes, or changes size or time.
    pub(super) fingerprint: String,
}

impl Tree {
    /// Lists a checkout. `without` is a folder in it that does not count: the store itself.
    pub(super) fn of(root: &Path, without: &Path) -> Self {
        let without = without.to_owned();
        let is_ours = move |entry: &DirEntry| {
            let name = entry.file_name().to_str().unwrap_or_default();
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !(is_folder && (FOREIGN.contains(&name) || entry.path() == without))
        };
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .parents(false)
            .git_global(false)
            .require_git(false)
            .follow_links(false)
            .sort_by_file_name(std::cmp::Ord::cmp)
            .filter_entry(is_ours)
            .build();
        let start = Instant::now();
        let mut tree = Self {
            root: root.to_owned(),
            files: Vec::new(),
            by_name: HashMap::new(),
            is_complete: true,
            fingerprint: String::new(),
        };
        let mut digest = Sha256::new();
        for entry in walk.flatten().filter(|entry| entry.depth() > 0) {
            if tree.files.len() >= MOST_FILES || start.elapsed() > MOST_TIME {
                tree.is_complete = false;
                break;
            }
            let Ok(relative) = entry.path().strip_prefix(root) else { continue };
            let path = relative.to_string_lossy().replace('\\', "/");
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                tree.by_name.entry(format!("{name}/")).or_default().push(path);
                continue;
            }
            let Ok(metadata) = entry.metadata() else { continue };
            let time =
                metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            digest.update(path.as_bytes());
            digest.update(metadata.len().to_le_bytes());
            digest.update(time.as_nanos().to_le_bytes());
            tree.by_name.entry(name).or_default().push(path.clone());
            if metadata.is_file() {
                tree.files.push(Listed { path, bytes: metadata.len() });
            }
        }
        tree.fingerprint = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        tree
    }

    /// The checkout's root.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The files, ordered by path.
    pub(super) fn files(&self) -> &[Listed] {
        &self.files
    }

    /// Where a path lies: exactly there, else wherever a path of the checkout ends with it.
    pub(super) fn places(&self, path: &str) -> Vec<String> {
        let clean = path.trim_start_matches("./").trim_end_matches('/');
        if clean.is_empty() || fs::symlink_metadata(self.root.join(clean)).is_ok() {
            return vec![clean.to_owned()];
        }
        let last = clean.rsplit('/').next().unwrap_or_default();
        let ends = |known: &&String| {
            known.as_str() == clean || known.strip_suffix(clean).is_some_and(|before| before.ends_with('/'))
        };
        let of = |name: &str| self.by_name.get(name).into_iter().flatten().filter(ends).cloned();
        of(last).chain(of(&format!("{last}/"))).collect()
    }

    /// The files of that name, wherever they lie.
    pub(super) fn named(&self, name: &str) -> &[String] {
        self.by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a folder of that name lies anywhere in the checkout.
    pub(super) fn has_folder(&self, name: &str) -> bool {
        self.by_name.contains_key(&format!("{name}/"))
    }

    /// Whether git is told to ignore a path: its absence says nothing then.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        let clean = path.trim_start_matches("./").trim_end_matches('/');
        let full = self.root.join(clean);
        let mut folder = self.root.clone();
        let mut folders = vec![folder.clone()];
        for part in Path::new(clean).parent().into_iter().flat_map(Path::components) {
            folder.push(part);
            folders.push(folder.clone());
        }
        folders.iter().any(|folder| {
            let rules = folder.join(".gitignore");
            if !rules.is_file() {
                return false;
            }
            let mut builder = GitignoreBuilder::new(folder);
            builder.add(rules);
            let is_folder = path.ends_with('/');
            builder.build().is_ok_and(|rules| rules.matched_path_or_any_parents(&full, is_folder).is_ignore())
        })
    }

    /// The content of a small file of the checkout, by its path in it.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let full = self.root.join(path);
        let is_small = fs::symlink_metadata(&full).is_ok_and(|file| file.is_file() && file.len() < 4_000_000);
        is_small
            .then(|| crate::state::read_file(&full).ok())
            .flatten()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// How many lines a file has; `None` when it cannot be counted.
    pub(super) fn lines(&self, path: &str) -> Option<usize> {
        count_lines(&self.root.join(path))
    }
}

/// How many lines a file has; `None` for anything but a readable file of a size that a person would cite a line of.
pub(super) fn count_lines(path: &Path) -> Option<usize> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() < 32_000_000);
    let bytes = is_small.then(|| crate::state::read_file(path).ok()).flatten()?;
    let unended = usize::from(bytes.last().is_some_and(|last| *last != b'\n'));
    Some(memchr::memchr_iter(b'\n', &bytes).count() + unended)
}
