#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use chrono::{TimeZone, Utc};
use tempfile::TempDir;

use super::*;
use crate::memory::{INDEX_FILE, ScanOptions, ShelfLife, Store};

fn scan(root: &Path) -> Snapshot {
    let now = Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap();
    Store::at(root).scan(&ScanOptions { now, shelf_life: ShelfLife::default(), confirmed: HashMap::new() }).unwrap()
}

fn grounds(checkout: Option<&Path>) -> Grounds {
    checkout.map(Grounds::at).unwrap_or_default()
}

fn store(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (file, content) in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    directory
}

fn found(directory: &TempDir, checkout: Option<&Path>) -> Vec<(String, &'static str, Option<usize>)> {
    check(&scan(directory.path()), &grounds(checkout))
        .into_iter()
        .map(|one| (one.file, one.code.word(), one.line))
        .collect()
}

/// Applies the fix to the index on disk and says what was fixed.
fn fix_on_disk(directory: &TempDir) -> Vec<&'static str> {
    let snapshot = scan(directory.path());
    let (set, fixed) = fix(&snapshot, &check(&snapshot, &Grounds::default()));
    assert!(set.changes.is_empty(), "only index lines change");
    if let Some(change) = set.index {
        assert_eq!(change.base, snapshot.index.bytes);
        fs::write(directory.path().join(INDEX_FILE), change.content).unwrap();
    }
    fixed.into_iter().map(|finding| finding.code.word()).collect()
}

#[test]
fn findings_come_worst_first_then_by_file_and_line() {
    let directory = store(&[
        ("MEMORY.md", "- [Gone](gone.md)\n- [B](b.md)\n- [A](user_a.md)\n- [A](user_a.md)\n"),
        ("user_a.md", "---\nname: a\ndescription: x: y\n---\nBody\n"),
        ("b.md", "no type at all\n"),
        ("feedback_c.md", "---\ndescription: d\ntype: feedback\n---\nNo reason given.\n"),
    ]);
    let expected = [
        ("user_a.md", "frontmatter-unreadable", Some(3)),
        ("MEMORY.md", "index-dangling", Some(1)),
        ("MEMORY.md", "index-twice", Some(4)),
        ("feedback_c.md", "orphan", None),
        ("b.md", "type-missing", None),
        ("feedback_c.md", "why-missing", None),
    ];
    assert_eq!(found(&directory, None), expected.map(|(file, code, line)| (file.to_owned(), code, line)));
    let dangling = &check(&scan(directory.path()), &Grounds::default())[1];
    assert_eq!(dangling.evidence.as_deref(), Some("gone.md"));
    assert!(dangling.fixable);
}

#[test]
fn a_fix_changes_only_the_lines_it_names_and_a_second_one_finds_nothing() {
    let index = "# Index\r\n\r\nHand-written words, kept.\r\n- [Gone](gone.md) — old\r\n- [Role](User_Role.md) — who\r\n- [A](a.md) — alpha\r\n\
                 - [A](a.md)\r\n- [A](a.md) — something else\r\nSee [the plan](plan.md) first.\r\n```\r\n- [Example](nowhere.md)\r\n```\r\n";
    let directory = store(&[
        ("MEMORY.md", index),
        ("a.md", "---\ntype: user\n---\nA\n"),
        ("user_role.md", "R\n"),
        ("user_new-thing.md", "---\nname: user-new-thing\ndescription: \"what is new\"\n---\nN\n"),
        ("empty.md", ""),
    ]);
    let mut fixed = fix_on_disk(&directory);
    fixed.sort_unstable();
    assert_eq!(fixed, ["case-mismatch", "index-dangling", "index-dangling", "index-twice", "orphan"]);
    let after = fs::read_to_string(directory.path().join(INDEX_FILE)).unwrap();
    assert_eq!(
        after,
        "# Index\r\n\r\nHand-written words, kept.\r\n- [Role](user_role.md) — who\r\n- [New thing](user_new-thing.md) — what is new\r\n- [A](a.md) — alpha\r\n\
         - [A](a.md) — something else\r\nSee the plan first.\r\n```\r\n- [Example](nowhere.md)\r\n```\r\n"
    );
    assert_eq!(fix_on_disk(&directory), [] as [&str; 0]);
    let left = check(&scan(directory.path()), &Grounds::default());
    assert!(left.iter().all(|finding| !finding.fixable), "{left:?}");
    assert!(
        left.iter().any(|finding| finding.code == ProblemCode::IndexTwice),
        "two different lines are a person's to join"
    );
}

#[test]
fn an_index_is_made_when_there_is_none_and_never_emptied_when_the_files_are_away() {
    let without_index = store(&[("user_a.md", "---\nname: the role\ndescription: d\n---\nA\n")]);
    assert_eq!(fix_on_disk(&without_index), ["orphan"]);
    let index = fs::read_to_string(without_index.path().join(INDEX_FILE)).unwrap();
    assert_eq!(index, "- [the role](user_a.md) — d\n");
    let without_files = store(&[("MEMORY.md", "- [A](a.md)\n- [B](b.md)\n")]);
    assert_eq!(fix_on_disk(&without_files), [] as [&str; 0]);
    // An entry that an unclosed fence would swallow is not added again and again.
    let fenced = store(&[("MEMORY.md", "```\nopen\n"), ("user_a.md", "A\n")]);
    assert_eq!(fix_on_disk(&fenced), [] as [&str; 0]);
}

#[test]
fn paths_that_are_gone_are_named_and_nothing_else_is() {
    let checkout = store(&[("src/here.rs", "1\n2\n3\n"), ("packages/api/src/inner.rs", ""), ("docs/a.md", "")]);
    let there = checkout.path().join("docs/a.md").display().to_string();
    let gone = checkout.path().join("docs/gone.md").display().to_string();
    let body = format!(
        "`src/here.rs` `src/here.rs:3` `src/gone.rs:120-130` `./src/gone2.rs#L4` and src/gone3.rs:7 but not src/gone4.rs\n\
         `src/inner.rs` `https://x.example/a/b.html` `x.example/a/b.html` `src/**/*.rs` `src/<name>.rs` `~/a/b.rs` `../up/b.rs`\n\
         `cat src/gone5.rs` `src/folder/` `and/or` `1.0/2.0` `@scope/pkg.js` `target/debug/a.d` `/api/v1/list.json` `{there}` `{gone}`\n\
         ```\n`src/fenced.rs`\n```\n`src/gone.rs:9`\n"
    );
    let directory = store(&[
        ("MEMORY.md", "- [R](reference_a.md)\n"),
        ("reference_a.md", &format!("---\ndescription: d\ntype: reference\n---\n{body}")),
    ]);
    let paths: Vec<(String, Option<usize>)> = check(&scan(directory.path()), &Grounds::at(checkout.path()))
        .into_iter()
        .map(|finding| (finding.evidence.unwrap(), finding.line))
        .collect();
    assert_eq!(
        paths,
        [
            ("src/gone.rs".to_owned(), Some(5)),
            ("./src/gone2.rs".into(), Some(5)),
            ("src/gone3.rs".into(), Some(5)),
            ("src/folder/".into(), Some(7)),
            (gone, Some(7))
        ]
    );
    assert!(check(&scan(directory.path()), &Grounds::default()).is_empty(), "without a checkout there is no evidence");
}

#[test]
fn deadlines_that_passed_are_found_in_project_memories() {
    let cases = [
        ("Freeze until 2026-04-08.", true),
        ("Freeze until 2026-04-09.", false),
        ("Done by 2026-01-01; until 2027-01-01 the old one stays.", true),
        ("Deadline: **2026-03-01**", true),
        ("Bis zum 2026-03-01 gilt der Stopp.", true),
        ("2026-03-01まで凍結", true),
        ("截止 2026-03-01", true),
        ("Since 2026-01-01 we use pnpm. Before 2026-01-01 npm.", false),
        ("Standby 2026-01-01", false),
        ("The freeze begins 2026-03-05.", true),
        ("The freeze began 2026-03-05.", false),
        ("Launch is planned for March 5, 2026", true),
        ("Valid until 5th of March 2026.", true),
        ("Bis 05.03.2026 gilt das.", true),
        ("hasta 3 marzo 2026", true),
        ("The cut-over will happen on 2026-03-01.", true),
        ("Planned for 2027-03-01", false),
        ("计划于2026年3月1日上线", true),
        ("Decided on 2026-03-01 by Mira.", false),
        ("Use it by default; 2026-03-01 was a Sunday", false),
    ];
    for (body, expected) in cases {
        let directory = store(&[
            ("MEMORY.md", "- [P](project_p.md)\n- [U](user_u.md)\n"),
            ("project_p.md", &format!("{body}\n\n**Why:** x\n")),
            ("user_u.md", body),
        ]);
        let codes: Vec<&str> = found(&directory, None).into_iter().map(|(_, code, _)| code).collect();
        assert_eq!(codes, if expected { vec!["date-passed"] } else { vec![] }, "{body}");
    }
}

#[test]
fn relative_dates_without_an_anchor_are_found_in_many_languages() {
    let cases = [
        ("The cut-over is next Thursday.", true),
        ("Finished yesterday.", true),
        ("Starts in two weeks", true),
        ("Ab nächster Woche gilt das.", true),
        ("La semaine prochaine on livre.", true),
        ("下周上线", true),
        ("来週リリース", true),
        ("다음 주에 배포", true),
        ("На следующей неделе релиз", true),
        ("Next Thursday, that is 2026-04-16.", false),
        ("Tomorrow (9 April).", false),
        ("Deploys on Tuesdays at 10:00", false),
        ("本地测试 uses the next free port", false),
        ("```\ntoday\n```", false),
        ("The demo was moved to Thursday.", true),
        ("Die Abgabe ist am Freitag.", true),
        ("La entrega es el viernes.", true),
        ("La démo est vendredi.", true),
        ("发布时间是周五。", true),
        ("デモは金曜日です。", true),
        ("The cut-over is tomorrow.\n\nSource: session a, line 1, 2026-03-01: \"x\"", true),
        ("The demo is on 2026-03-05 (\"Thursday\", said 2026-03-01).", false),
        ("The retro is on Friday.", false),
        ("Never merge on Friday.", false),
        ("Jeden Montag ist Planung.", false),
        ("每周五发布", false),
    ];
    for (body, expected) in cases {
        let directory =
            store(&[("MEMORY.md", "- [P](project_p.md)\n"), ("project_p.md", &format!("{body}\n\n**Why:** x\n"))]);
        let codes: Vec<&str> = found(&directory, None).into_iter().map(|(_, code, _)| code).collect();
        assert_eq!(codes, if expected { vec!["date-relative"] } else { vec![] }, "{body}");
    }
}

#[test]
fn a_value_that_is_no_yaml_without_quotes_gets_them_and_nothing_else_changes() {
    let broken = "---\nname: release order\ndescription: Order: api, then web\nmetadata:\n  type: project\n---\n\nBody: as it was.\n";
    let worse = "---\nname: a: b\ndescription: c: d\n---\n\nBody.\n";
    let directory = store(&[
        ("MEMORY.md", "- [Order](project_order.md) — order\n- [Worse](user_worse.md) — two of them\n"),
        ("project_order.md", broken),
        ("user_worse.md", worse),
    ]);
    let snapshot = scan(directory.path());
    let (set, fixed) = fix(&snapshot, &check(&snapshot, &Grounds::default()));
    let codes: Vec<_> = fixed.iter().map(|finding| (finding.code, finding.file.as_str())).collect();
    assert_eq!(codes, [(ProblemCode::FrontmatterUnreadable, "project_order.md")]);
    for change in &set.changes {
        fs::write(directory.path().join(&change.file), change.content.as_ref().unwrap()).unwrap();
    }
    let text = |file: &str| fs::read_to_string(directory.path().join(file)).unwrap();
    assert_eq!(text("project_order.md"), broken.replace("Order: api, then web", "\"Order: api, then web\""));
    assert_eq!(text("user_worse.md"), worse, "one pair of quotes does not mend it");
    assert_eq!(fix_on_disk(&directory), [] as [&str; 0]);
}

#[test]
fn the_sample_shows_what_it_was_made_to_show() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample");
    let store = base.join("claude/projects/acme-api/memory");
    let now = Utc.with_ymd_and_hms(2026, 11, 30, 9, 0, 0).unwrap();
    let options = ScanOptions { now, shelf_life: ShelfLife::default(), confirmed: HashMap::new() };
    let snapshot = Store::at(store).scan(&options).unwrap();
    let grounds = Grounds::at(&base.join("checkouts/acme-api"));
    let findings = check(&snapshot, &grounds);
    let has = |code: ProblemCode, file: &str| findings.iter().any(|one| one.code == code && one.file == file);
    assert!(has(ProblemCode::PathGone, "feedback_retry_backoff.md"));
    assert!(has(ProblemCode::DatePassed, "project_merge_freeze.md"));
    assert!(has(ProblemCode::DateRelative, "project_orders_migration.md"));
    assert!(has(ProblemCode::FrontmatterUnreadable, "project_release_order.md"));
    assert!(has(ProblemCode::Orphan, "feedback_error_types.md"));
    assert!(findings.iter().any(|one| one.evidence.as_deref() == Some("reference_kafka_topics.md") && one.fixable));
    assert_eq!(findings.iter().filter(|one| one.code == ProblemCode::PathGone).count(), 1);
    for memory in &snapshot.memories {
        // Duplicates and conflicts need the other memories.
        let needs_others = |one: &Finding| matches!(one.code, ProblemCode::Duplicate | ProblemCode::Conflict);
        let own: Vec<Finding> =
            findings.iter().filter(|one| one.file == memory.file && !needs_others(one)).cloned().collect();
        assert_eq!(check_memory(&snapshot, memory, &grounds), own, "{}", memory.file);
    }
}
