//! Paths that a body cites and the project does not have any more.
//!
//! Cited means: alone in a code span, or with a line number (`src/retry.rs:120`). Addresses, globs, placeholders and
//! home directories are no citations. Precise before complete: a false alarm costs a person's trust.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::memory::text_lines;

/// How many folders below the checkout are tried as homes of a path: packages of one repository.
const MOST_PACKAGES: usize = 200;

/// How many different paths of one body are looked up.
const MOST_PATHS: usize = 500;

/// A project's directory, and the folders in which its packages may lie.
pub(super) struct Checkout {
    root: PathBuf,
    packages: Vec<PathBuf>,
}

/// A path that is gone.
pub(super) struct Cited {
    pub(super) path: String,
    pub(super) line: usize,
}

/// A path with a folder and an extension, alone in a code span or followed by a line number.
static CITED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let path = r"(?:\./|/)?[\p{L}\p{N}_.+@\-]+(?:/[\p{L}\p{N}_.+@\-]+)*/[\p{L}\p{N}_.+@\-]*[\p{L}\p{N}_]\.[A-Za-z][A-Za-z0-9]{0,9}";
    let lines = r"(?::\d+(?:[:\-]\d+)*|\#L\d+(?:-L?\d+)?)";
    Regex::new(&format!(r"`(?<span>{path}){lines}?`|(?:^|[\s(])(?<bare>{path}):\d+")).ok()
});

impl Checkout {
    pub(super) fn at(root: &Path) -> Self {
        let folders = |path: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            let is_package = |name: &str| !name.starts_with('.') && !matches!(name, "node_modules" | "target");
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .filter(|entry| entry.file_name().to_str().is_some_and(is_package))
                .map(|entry| entry.path())
                .take(MOST_PACKAGES)
                .collect()
        };
        let first = folders(root);
        let second: Vec<PathBuf> = first.iter().flat_map(|folder| folders(folder)).take(MOST_PACKAGES).collect();
        Self { root: root.to_owned(), packages: first.into_iter().chain(second).collect() }
    }

    /// Whether a cited path speaks of this project and is not in it.
    fn lacks(&self, path: &str) -> bool {
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        if path.split('/').any(|part| part == "..") {
            return false;
        }
        if path.starts_with('/') {
            // An absolute path of another machine, or a route of a web service, says nothing here.
            let path = Path::new(path);
            let top: PathBuf = path.components().take(2).collect();
            return is_there(&top) && !is_there(path);
        }
        let path = path.trim_start_matches("./");
        let first = path.split('/').next().unwrap_or_default();
        let is_generated = matches!(first, "node_modules" | "target" | "dist" | "build") || first.starts_with('@');
        // `code.example/wiki/Page.html` is an address.
        let is_address = first.trim_start_matches('.').contains('.') && !is_there(&self.root.join(first));
        if is_generated || is_address || is_there(&self.root.join(path)) {
            return false;
        }
        !self.packages.iter().any(|package| is_there(&package.join(path)))
    }
}

/// The cited paths of a body that the checkout lacks, each once.
pub(super) fn gone(body: &str, checkout: &Checkout) -> Vec<Cited> {
    let mut found: Vec<Cited> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let Some(pattern) = CITED.as_ref() else { return found };
    for (line, text) in text_lines(body).filter(|(_, text)| text.contains('/')) {
        for captures in pattern.captures_iter(text) {
            let Some(path) = captures.name("span").or(captures.name("bare")).map(|path| path.as_str()) else {
                continue;
            };
            if seen.len() < MOST_PATHS && seen.insert(path) && checkout.lacks(path) {
                found.push(Cited { path: path.to_owned(), line });
            }
        }
    }
    found
}
