//! What the tests here share: a store in a temporary directory, looking at it, repairing it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeZone, Utc};
use dreamtop::health::{self, Finding};
use dreamtop::memory::{INDEX_FILE, ProblemCode, ScanOptions, ShelfLife, Snapshot, Store};
use tempfile::TempDir;

pub(crate) fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap()
}

pub(crate) fn scan(root: &Path) -> Snapshot {
    let options = ScanOptions { now: now(), shelf_life: ShelfLife::default(), confirmed: HashMap::new() };
    Store::at(root).scan(&options).unwrap()
}

pub(crate) fn store(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (file, content) in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    directory
}

pub(crate) fn check(directory: &TempDir) -> Vec<Finding> {
    health::check(&scan(directory.path()), &health::Grounds::default())
}

pub(crate) fn of_code(findings: &[Finding], code: ProblemCode) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.code == code).collect()
}

/// The block's lines through a strict YAML reader that knows nothing of memories.
pub(crate) fn strict(bytes: &[u8]) -> serde_yaml::Value {
    let text = std::str::from_utf8(bytes).unwrap().trim_start_matches('\u{FEFF}');
    let inner: String =
        text.lines().skip(1).take_while(|line| line.trim_end() != "---").flat_map(|line| [line, "\n"]).collect();
    serde_yaml::from_str(&inner).unwrap()
}

/// The lines that differ between two texts of equally many lines.
pub(crate) fn changed_lines(before: &[u8], after: &[u8]) -> Vec<usize> {
    let split = |bytes: &[u8]| bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (before, after) = (split(before), split(after));
    assert_eq!(before.len(), after.len());
    (1..).zip(before.iter().zip(&after)).filter(|(_, (one, other))| one != other).map(|(line, _)| line).collect()
}

/// Applies the repairs, as landing would, and says how many there were.
pub(crate) fn fix(directory: &TempDir) -> usize {
    let snapshot = scan(directory.path());
    let (set, fixed) = health::fix(&snapshot, &health::check(&snapshot, &health::Grounds::default()));
    for change in &set.changes {
        fs::write(directory.path().join(&change.file), change.content.as_ref().unwrap()).unwrap();
    }
    if let Some(index) = set.index {
        fs::write(directory.path().join(INDEX_FILE), index.content).unwrap();
    }
    fixed.len()
}
