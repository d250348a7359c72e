#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use chrono::TimeZone;

use super::*;
use crate::memory::store::ScanOptions;
use crate::memory::{Kind, ShelfLife, Store};

fn at() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap()
}

fn scanned(directory: &Path, files: &[(&str, &str)]) -> Snapshot {
    for (file, text) in files {
        std::fs::write(directory.join(file), text).unwrap();
    }
    let options = ScanOptions { now: at(), shelf_life: ShelfLife::default(), confirmed: Default::default() };
    Store::at(directory).scan(&options).unwrap()
}

fn index_of(set: &ChangeSet) -> String {
    String::from_utf8(set.index.clone().unwrap().content).unwrap()
}

const NESTED: &str = "---\nname: a\ndescription: \"Old words\"\nmetadata:\n  type: project\n  modified: 2026-01-01T00:00:00.000Z\n---\n\nBody.\n";

#[test]
fn a_new_memory_gets_a_free_name_and_an_index_line() {
    let directory = tempfile::tempdir().unwrap();
    let snapshot =
        scanned(directory.path(), &[("Feedback_Testing.md", "x\n"), ("MEMORY.md", "- [T](Feedback_Testing.md)\n")]);
    let draft = Draft {
        name: "Testing".to_owned(),
        description: "No mocks".to_owned(),
        kind: Kind::Feedback,
        body: "Do not mock.".to_owned(),
        origin_session: None,
        modified: at(),
    };
    let set = create(&snapshot, &draft);
    assert_eq!(set.changes.first().unwrap().file, "feedback_testing_2.md");
    assert!(index_of(&set).contains("(feedback_testing_2.md) — No mocks"));
    assert_eq!((set.title.as_str(), set.origin), ("new feedback_testing_2.md", Origin::Edit));
}

#[test]
fn a_typo_keeps_the_age_and_a_confirmation_dates_the_claim() {
    let directory = tempfile::tempdir().unwrap();
    let snapshot = scanned(directory.path(), &[("project_a.md", NESTED)]);
    let kept = save(&snapshot, "project_a.md", NESTED.as_bytes(), b"new\n", SaveKind::KeepAge, at());
    let change = kept.changes.first().unwrap();
    assert_eq!((change.mtime, change.content.as_deref()), (Mtime::Keep, Some(&b"new\n"[..])));
    let renewed = save(&snapshot, "project_a.md", NESTED.as_bytes(), NESTED.as_bytes(), SaveKind::Renew, at());
    let change = renewed.changes.first().unwrap();
    let text = String::from_utf8(change.content.clone().unwrap()).unwrap();
    assert_eq!(change.mtime, Mtime::Now);
    assert!(text.contains("2026-04-09T12:00:00.000Z") && !text.contains("2026-01-01"), "{text}");
    // A flat file that dates itself is dated anew; one that does not gets no such field.
    let flat = "---\nname: a\ntype: project\nmodified: 2026-01-01\n---\n\nBody.\n";
    let set = save(&snapshot, "project_a.md", flat.as_bytes(), flat.as_bytes(), SaveKind::Renew, at());
    let expected = flat.replace("2026-01-01", "2026-04-09T12:00:00.000Z");
    assert_eq!(set.changes.first().unwrap().content.as_deref(), Some(expected.as_bytes()));
    let flat = "---\nname: a\ntype: project\n---\n\nBody.\n";
    let set = save(&snapshot, "project_a.md", flat.as_bytes(), flat.as_bytes(), SaveKind::Renew, at());
    assert_eq!(set.changes.first().unwrap().content.as_deref(), Some(flat.as_bytes()));
}

#[test]
fn the_index_line_follows_a_description_that_it_repeated_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let changed = NESTED.replace("Old words", "New words");
    for (hook, follows) in [("Old words", true), ("my own words", false)] {
        let index = format!("- [A](project_a.md) — {hook}\n");
        let snapshot = scanned(directory.path(), &[("project_a.md", NESTED), ("MEMORY.md", &index)]);
        let set = save(&snapshot, "project_a.md", NESTED.as_bytes(), changed.as_bytes(), SaveKind::KeepAge, at());
        assert_eq!(set.index.is_some(), follows);
        if follows {
            assert_eq!(index_of(&set), "- [A](project_a.md) — New words\n");
        }
    }
}

#[test]
fn removing_takes_the_index_lines_along() {
    let directory = tempfile::tempdir().unwrap();
    let index = "# I\n- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n";
    let snapshot =
        scanned(directory.path(), &[("a.md", "a\n"), ("b.md", "b\n"), ("c.md", "c\n"), ("MEMORY.md", index)]);
    let set = remove(&snapshot, &["a.md".to_owned(), "c.md".to_owned()]).unwrap();
    assert_eq!(index_of(&set), "# I\n- [B](b.md)\n");
    assert_eq!(set.title, "remove 2 memories");
    assert!(remove(&snapshot, &["missing.md".to_owned()]).is_err());
}

#[test]
fn renaming_moves_every_link_and_keeps_the_claims_time() {
    let directory = tempfile::tempdir().unwrap();
    let other = "See [[a]] and [the note](a.md), not `a.md.bak`.\n";
    let snapshot = scanned(
        directory.path(),
        &[("a.md", "About a, see [[b]].\n"), ("b.md", other), ("c.md", "Nothing.\n"), ("MEMORY.md", "- [A](a.md)\n")],
    );
    let set = rename(&snapshot, "a.md", "project_new.md").unwrap();
    let told: Vec<(&str, Op)> = set.changes.iter().map(|change| (change.file.as_str(), change.op)).collect();
    assert_eq!(told, [("project_new.md", Op::Create), ("a.md", Op::Remove), ("b.md", Op::Replace)]);
    let text = String::from_utf8(set.changes.last().unwrap().content.clone().unwrap()).unwrap();
    assert_eq!(text, "See [[project_new]] and [the note](project_new.md), not `a.md.bak`.\n");
    assert_eq!(index_of(&set), "- [A](project_new.md)\n");
    assert_eq!(set.changes.first().unwrap().mtime, Mtime::At(snapshot.memory("a.md").unwrap().mtime));
    for taken in ["b.md", "B.md", "A.md", "a.md"] {
        assert!(rename(&snapshot, "a.md", taken).is_err(), "{taken}");
    }
}
