//! A checkout and a store made of texts, and what a check says about them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use dreamtop::health::{self, Finding, Grounds};
use dreamtop::memory::{ScanOptions, ShelfLife, Snapshot, Store};
use tempfile::TempDir;

pub(crate) fn now() -> DateTime<Utc> {
    crate::common::NOW.parse().unwrap()
}

/// Writes files below a directory.
pub(crate) fn lay(root: &Path, files: &[(&str, &str)]) {
    for (file, content) in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// A directory with these files.
pub(crate) fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    lay(directory.path(), files);
    directory
}

/// A store with one memory a body, of the given type, named `<type>_<number>.md`.
pub(crate) fn store(kind: &str, bodies: &[&str]) -> TempDir {
    let mut index = String::new();
    let directory = tempfile::tempdir().unwrap();
    for (number, body) in bodies.iter().enumerate() {
        let file = format!("{kind}_{number:03}.md");
        index.push_str(&format!("- [{number}]({file})\n"));
        let text = format!(
            "---\nname: {kind}-{number}\ndescription: \"number {number}\"\nmetadata:\n  type: {kind}\n  modified: 2026-11-20T10:00:00Z\n---\n\n{body}\n\n**Why:** measured.\n"
        );
        fs::write(directory.path().join(&file), text).unwrap();
    }
    fs::write(directory.path().join("MEMORY.md"), index).unwrap();
    directory
}

pub(crate) fn scan(store: &Path) -> Snapshot {
    let options = ScanOptions { now: now(), shelf_life: ShelfLife::default(), confirmed: HashMap::new() };
    Store::at(store).scan(&options).unwrap()
}

/// The findings of a store held against a checkout, with git when the machine has it.
pub(crate) fn check(store: &Path, checkout: &Path) -> Vec<Finding> {
    health::check(&scan(store), &grounds(checkout))
}

pub(crate) fn grounds(checkout: &Path) -> Grounds {
    Grounds::at(checkout).with_git(&std::env::var("PATH").unwrap_or_default())
}

/// Code and what was looked for, of the findings that the checkout gave.
pub(crate) fn drift(findings: &[Finding]) -> Vec<(&'static str, String)> {
    let is_drift = |code: &str| code.ends_with("-gone");
    let drift = findings.iter().filter(|finding| is_drift(finding.code.word()));
    drift.map(|finding| (finding.code.word(), finding.evidence.clone().unwrap_or_default())).collect()
}
