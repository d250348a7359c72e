#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::fs::{self, File};
use std::time::SystemTime;

use chrono::{TimeDelta, TimeZone};
use tempfile::TempDir;

use super::*;
use crate::memory::{AgeSource, ProblemCode};

fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap()
}

fn options() -> ScanOptions {
    ScanOptions { now: now(), shelf_life: ShelfLife::default(), confirmed: HashMap::new() }
}

/// A store with some files, each a day older than the one before so that times mean something.
fn store(files: &[(&str, &str)]) -> (TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    for (at, (file, content)) in (0_i64..).zip(files) {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        age(&path, now() - TimeDelta::days(at));
    }
    let store = Store::at(directory.path());
    (directory, store)
}

fn age(path: &Path, at: DateTime<Utc>) {
    File::options().write(true).open(path).unwrap().set_modified(at.into()).unwrap();
}

fn codes(snapshot: &Snapshot) -> Vec<(&str, ProblemCode)> {
    snapshot.problems.iter().map(|(file, problem)| (file.as_str(), problem.code)).collect()
}

fn files(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.memories.iter().map(|memory| memory.file.as_str()).collect()
}

#[test]
fn a_scan_sorts_what_lies_in_a_store() {
    let (_directory, store) = store(&[
        ("MEMORY.md", "- [A](a.md)\n"),
        ("a.md", "A [link](sub/linked.md).\n"),
        ("sub/MEMORY.md", "- [B](b.md)\n"),
        ("sub/b.md", "See [[far]].\n"),
        ("sub/far.md", "x\n"),
        ("sub/linked.md", "x\n"),
        ("sub/lost.md", "x\n"),
        ("logs/2026/04/2026-04-08.md", "a log\n"),
        ("team/MEMORY.md", "t\n"),
        ("team/t.md", "t\n"),
        (".consolidate-lock", "12"),
        (".hidden.md", "x"),
        (".git/config", "x"),
        ("run.sh", "x"),
    ]);
    let snapshot = store.scan(&options()).unwrap();
    assert_eq!(files(&snapshot), ["a.md", "sub/b.md", "sub/far.md", "sub/linked.md", "sub/lost.md"]);
    let others: Vec<(&str, &str)> = snapshot.others.iter().map(|other| (other.file.as_str(), other.what)).collect();
    assert_eq!(
        others,
        [
            (".consolidate-lock", "lock"),
            (".git", "hidden"),
            (".hidden.md", "hidden"),
            ("logs/2026/04/2026-04-08.md", "daily log"),
            ("run.sh", "not Markdown"),
            ("sub/MEMORY.md", "sub-index"),
            ("team/MEMORY.md", "team memory"),
            ("team/t.md", "team memory"),
        ]
    );
    let indexed: Vec<&str> =
        snapshot.memories.iter().filter(|memory| memory.indexed).map(|memory| memory.file.as_str()).collect();
    assert_eq!(indexed, ["a.md", "sub/b.md", "sub/far.md", "sub/linked.md"], "links and sub-indexes reach further");
    assert_eq!(codes(&snapshot), [("sub/lost.md", ProblemCode::Orphan)]);
    assert!(snapshot.memory("a.md").unwrap().loaded);
    assert!(!snapshot.memory("sub/b.md").unwrap().loaded);
}

#[test]
fn index_and_files_are_compared() {
    let (_directory, store) = store(&[
        (
            "MEMORY.md",
            "- [A](a.md)\n- [Gone](gone.md)\n- [A](a.md) — again\n- [Role](User_Role.md)\n- [[no such]]\n- `CONTRIBUTING.md` is prose in `b.md`\n- [Log](logs/x.md)\n",
        ),
        ("a.md", "x"),
        ("b.md", "x"),
        ("user_role.md", "x"),
        ("cafe\u{301}.md", "x"),
        ("logs/x.md", "x"),
    ]);
    let snapshot = store.scan(&options()).unwrap();
    assert_eq!(
        codes(&snapshot),
        [
            ("MEMORY.md", ProblemCode::IndexDangling),
            ("MEMORY.md", ProblemCode::IndexTwice),
            ("MEMORY.md", ProblemCode::CaseMismatch),
            ("MEMORY.md", ProblemCode::IndexDangling),
            ("cafe\u{301}.md", ProblemCode::Orphan),
        ]
    );
    assert_eq!(snapshot.problems[2].1.line, Some(4));
    assert!(snapshot.memory("user_role.md").unwrap().indexed);
}

#[test]
fn names_that_differ_only_in_unicode_form_are_one_file() {
    let (_directory, store) = store(&[("MEMORY.md", "- [C](caf\u{e9}.md)\n"), ("cafe\u{301}.md", "x")]);
    let snapshot = store.scan(&options()).unwrap();
    assert!(snapshot.memories[0].indexed && snapshot.memories[0].loaded);
    assert_eq!(codes(&snapshot), [("MEMORY.md", ProblemCode::CaseMismatch)]);
}

#[test]
fn a_name_or_a_file_finds_one_memory_or_none() {
    let (_directory, store) = store(&[
        ("feedback_a.md", "---\nname: same\n---\n"),
        ("feedback_b.md", "---\nname: same\n---\n"),
        ("user_Role.md", "---\nname: the role\n---\n"),
    ]);
    let snapshot = store.scan(&options()).unwrap();
    let found = |word: &str| snapshot.find(word).map(|memory| memory.file.as_str());
    assert_eq!(found("feedback_a.md"), Some("feedback_a.md"));
    assert_eq!(found("./feedback_a"), Some("feedback_a.md"));
    assert_eq!(found("the role"), Some("user_Role.md"));
    assert_eq!(found("USER_role"), Some("user_Role.md"));
    assert_eq!(found("same"), None, "two memories have that name");
    assert_eq!(found("nothing"), None);
}

#[test]
fn odd_files_are_rows_with_a_problem_and_never_stall() {
    let (directory, store) =
        store(&[("ok.md", "---\nname: ok\ntype: user\n---\n\nBody\n"), ("empty.md", ""), ("nul.md", "a\nb\0c")]);
    fs::write(directory.path().join("latin.md"), b"one\ncaf\xE9").unwrap();
    File::create(directory.path().join("huge.md")).unwrap().set_len(3_800_000_000).unwrap();
    fs::write(directory.path().join("large.md"), "x ".repeat(150_000)).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        let made = std::process::Command::new("mkfifo").arg(directory.path().join("pipe.md")).status().unwrap();
        assert!(made.success());
        std::os::unix::net::UnixListener::bind(directory.path().join("socket.md")).unwrap();
        symlink("nowhere.md", directory.path().join("broken.md")).unwrap();
        symlink("/dev/zero", directory.path().join("device.md")).unwrap();
        symlink("ok.md", directory.path().join("link.md")).unwrap();
        symlink(".", directory.path().join("loop")).unwrap();
        symlink("self.md", directory.path().join("self.md")).unwrap();
    }
    let snapshot = store.scan(&options()).unwrap();
    let problem = |file: &str| {
        let memory = snapshot.memory(file).unwrap_or_else(|| panic!("{file} has no row"));
        memory.problems.iter().map(|problem| (problem.code, problem.line)).collect::<Vec<_>>()
    };
    assert_eq!(problem("ok.md"), []);
    assert_eq!(problem("empty.md"), [(ProblemCode::Unreadable, None)]);
    assert_eq!(problem("nul.md"), [(ProblemCode::Unreadable, Some(2))]);
    assert_eq!(problem("latin.md"), [(ProblemCode::Unreadable, Some(2))]);
    assert_eq!(problem("huge.md"), [(ProblemCode::Unreadable, None)]);
    assert_eq!(problem("large.md"), [(ProblemCode::Large, None)]);
    if cfg!(unix) {
        for file in ["pipe.md", "socket.md", "broken.md", "device.md", "self.md"] {
            assert_eq!(problem(file), [(ProblemCode::Unreadable, None)], "{file}");
        }
        assert_eq!(snapshot.memory("link.md").unwrap().name, "ok");
        assert!(snapshot.others.iter().any(|other| other.file == "loop" && other.what == "directory link"));
        assert_eq!(snapshot.memory("broken.md").unwrap().age_days, None);
    }
    let sound = snapshot.memories.iter().filter(|memory| memory.problems.is_empty()).count();
    assert_eq!(sound, if cfg!(unix) { 2 } else { 1 });
}

#[test]
fn a_store_that_is_none_says_what_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let missing = Store::at(directory.path().join("no")).scan(&options());
    assert!(matches!(missing, Err(StoreError::Missing(_))));
    let file = directory.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(matches!(Store::at(&file).scan(&options()), Err(StoreError::NotADirectory(_))));
    let empty = Store::at(directory.path().join("."));
    fs::remove_file(file).unwrap();
    let snapshot = empty.scan(&options()).unwrap();
    assert!(snapshot.memories.is_empty() && !snapshot.has_index && snapshot.problems.is_empty());
}

#[test]
fn the_claim_comes_from_the_file_then_the_person_then_the_mtime() {
    let (_directory, store) = store(&[
        ("a.md", "---\nmetadata:\n  type: user\n  modified: 2026-04-07T11:00:00.000Z\n---\n"),
        ("b.md", "---\ntype: user\nmodified: 2026-04-09\n---\n"),
        ("c.md", "confirmed"),
        ("d.md", "by its time"),
        ("e.md", "---\nmetadata:\n  modified: last week\n---\n"),
        ("f.md", "---\nmetadata:\n  modified: 2027-01-01T00:00:00+02:00\n---\n"),
    ]);
    let mut options = options();
    options.confirmed.insert(ContentHash::of(b"confirmed"), now() - TimeDelta::days(1));
    let snapshot = store.scan(&options).unwrap();
    let claims: Vec<_> = snapshot.memories.iter().map(|memory| (memory.claim.source, memory.age_days)).collect();
    assert_eq!(
        claims,
        [
            (AgeSource::Modified, Some(2)),
            (AgeSource::Modified, Some(0)),
            (AgeSource::Confirmed, Some(1)),
            (AgeSource::Mtime, Some(3)),
            (AgeSource::Mtime, Some(4)),
            (AgeSource::Modified, Some(0)),
        ]
    );
}

#[test]
fn times_set_by_a_copy_say_nothing() {
    let names: Vec<String> = (0..10).map(|n| format!("m{n}.md")).collect();
    let contents: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x")).collect();
    let (directory, store) = store(&contents);
    let copied = now() - TimeDelta::days(30);
    for (at, name) in (0_i64..).zip(names.iter().take(8)) {
        age(&directory.path().join(name), copied + TimeDelta::seconds(at * 5));
    }
    let snapshot = store.scan(&options()).unwrap();
    let unknown = snapshot.memories.iter().filter(|memory| memory.claim.source == AgeSource::Unknown).count();
    assert_eq!(unknown, 8);
    assert_eq!(snapshot.memories[0].freshness, Freshness::Aging);
    assert_eq!(snapshot.memories[9].age_days, Some(9));
    // Seven equal times are no copy.
    age(&directory.path().join("m0.md"), copied - TimeDelta::days(1));
    let snapshot = store.scan(&options()).unwrap();
    assert!(snapshot.memories.iter().all(|memory| memory.claim.source == AgeSource::Mtime));
}

#[test]
fn a_rescan_takes_over_what_is_unchanged_and_sees_what_is_not() {
    let (directory, store) = store(&[("MEMORY.md", ""), ("a.md", "one"), ("b.md", "two"), ("c.md", "three")]);
    let mut before = store.scan(&options()).unwrap();
    for memory in &mut before.memories {
        // As if the scan had found files at rest; the description shows what was taken over.
        memory.trace.settled = true;
        memory.description = "taken over".into();
    }
    // Same size, and the time set back: only the status change gives it away.
    let path = directory.path().join("a.md");
    loop {
        fs::write(&path, "ONE").unwrap();
        age(&path, before.memories[0].mtime);
        // The clock that dates status changes moves in steps.
        if !cfg!(unix) || super::file::identity(&fs::metadata(&path)) != before.memories[0].trace.identity {
            break;
        }
    }
    fs::remove_file(directory.path().join("c.md")).unwrap();
    fs::write(directory.path().join("MEMORY.md"), "- [B](b.md)\n").unwrap();
    let after = store.rescan(&options(), Some(&before)).unwrap();
    let rows: Vec<(&str, &str, bool)> = after
        .memories
        .iter()
        .map(|memory| (memory.file.as_str(), memory.description.as_str(), memory.indexed))
        .collect();
    if cfg!(unix) {
        assert_eq!(rows, [("a.md", "ONE", false), ("b.md", "taken over", true)]);
    }
    // A file written a moment ago is read again even if its times are equal.
    let fresh = store.scan(&options()).unwrap();
    age(&directory.path().join("b.md"), DateTime::<Utc>::from(SystemTime::now()));
    assert!(!fresh.memory("a.md").unwrap().trace.settled);
}

#[test]
fn unreadable_and_vanishing_things_do_not_stop_a_scan() {
    let (directory, store) = store(&[("MEMORY.md", "- [A](a.md)\n"), ("a.md", "x"), ("sub/b.md", "x")]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let closed = |path: &str, mode| {
            fs::set_permissions(directory.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        closed("a.md", 0o000);
        closed("sub", 0o000);
        let snapshot = store.scan(&options()).unwrap();
        // The superuser reads everything; then there is nothing to see here.
        if File::open(directory.path().join("a.md")).is_err() {
            assert_eq!(snapshot.memory("a.md").unwrap().problems[0].code, ProblemCode::Unreadable);
            assert!(codes(&snapshot).contains(&("sub", ProblemCode::Unreadable)));
        }
        closed("sub", 0o700);
    }
    let candidate = std::io::Result::Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    assert!(matches!(
        super::file::read(directory.path(), &directory.path().join("gone.md"), &candidate),
        super::file::Content::Gone
    ));
}
