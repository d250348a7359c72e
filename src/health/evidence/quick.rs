//! The look that listing and recall can afford: paths that a body cites and the project does not have any more.
//!
//! What is cited is for `cite` to say, and what counts as gone for `place`; here the bodies that need
//! neither are told apart cheaply, and a few places are tried instead of listing the checkout. Not its job: symbols,
//! scripts, branches and git (see `look`).

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

use super::cite::{LINES, PART};
use super::place;
use crate::memory::{Freshness, Problem, ProblemCode, ScanOptions, Snapshot, Store, StoreError, text_lines};

/// How many folders below the checkout are tried as homes of a path: packages of one repository.
const MOST_PACKAGES: usize = 200;

/// How many different paths of one body are looked up.
const MOST_PATHS: usize = 500;

/// A project's directory, and the folders in which its packages may lie.
#[derive(Debug)]
pub struct Checkout {
    root: PathBuf,
    packages: Vec<PathBuf>,
}

/// A path that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// The path as it is cited.
    pub path: String,
    /// The line of the body, from 1.
    pub line: usize,
}

/// What may be a citation worth looking up: a path with a folder and an extension, alone in a code span or followed by a
/// line number; an absolute one may be a folder.
static CITED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let path = format!(r"(?:\./|/)?(?:{PART}+/)+{PART}*[\p{{L}}\p{{N}}_]\.[A-Za-z][A-Za-z0-9]{{0,9}}");
    let folder = format!("(?:/{PART}+){{2,}}/?");
    Regex::new(&format!(r"`(?<span>{path}){LINES}?`|(?:^|[\s(])(?<bare>{path}):\d+|`(?<folder>{folder})`")).ok()
});

impl Checkout {
    /// The directory as it is now.
    #[must_use]
    pub fn at(root: &Path) -> Self {
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

    fn root(&self) -> &Path {
        &self.root
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
            return !place::is_of_elsewhere(path) && !is_there(path);
        }
        let path = path.trim_start_matches("./");
        if !place::is_of_project(&self.root, path) || is_there(&self.root.join(path)) {
            return false;
        }
        !self.packages.iter().any(|package| is_there(&package.join(path)))
    }
}

/// A scan of a store whose memories carry a problem for each cited path that the checkout lacks; bodies are read once.
///
/// # Errors
/// As [`Store::scan`].
pub fn scan(store: &Store, options: &ScanOptions, checkout: Option<&Path>) -> Result<Snapshot, StoreError> {
    let Some(checkout) = checkout.map(Checkout::at) else { return store.scan(options) };
    let found: Mutex<HashMap<String, Vec<Cited>>> = Mutex::new(HashMap::new());
    let mut snapshot = store.scan_reading(options, &|file, body| {
        let gone = gone(body, &checkout);
        if !gone.is_empty() {
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), gone);
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    for memory in &mut snapshot.memories {
        for cited in found.remove(&memory.file).unwrap_or_default() {
            let path = Path::new(&cited.path);
            let is_outside = path.is_absolute() && !path.starts_with(checkout.root());
            let message = if is_outside { missing_here(&cited.path) } else { missing(&cited.path) };
            // What the project contradicts is stale at any age.
            memory.freshness = Freshness::Stale;
            memory.problems.push(Problem::new(ProblemCode::PathGone, message, None).about(cited.path));
        }
    }
    Ok(snapshot)
}

/// That something which is cited is gone: the words of every look.
#[must_use]
pub fn missing(wanted: &str) -> String {
    format!("{wanted} is not in the project any more")
}

/// The same of what is no part of the project.
#[must_use]
pub fn missing_here(wanted: &str) -> String {
    format!("{wanted} is not on this machine")
}

/// The cited paths of a body that the checkout lacks, each once.
#[must_use]
pub fn gone(body: &str, checkout: &Checkout) -> Vec<Cited> {
    let mut found: Vec<Cited> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let Some(pattern) = CITED.as_ref() else { return found };
    for (line, text) in text_lines(body).filter(|(_, text)| text.contains('/')) {
        for captures in pattern.captures_iter(text) {
            let Some(path) =
                captures.name("span").or(captures.name("bare")).or(captures.name("folder")).map(|path| path.as_str())
            else {
                continue;
            };
            if seen.len() < MOST_PATHS && seen.insert(path) && checkout.lacks(path) {
                found.push(Cited { path: path.to_owned(), line });
            }
        }
    }
    if !found.is_empty() {
        // What a sentence speaks of as removed, planned or only an example is not claimed to be there.
        let claimed = super::cited_paths(body);
        found.retain(|cited| claimed.contains(&cited.path));
    }
    found
}
