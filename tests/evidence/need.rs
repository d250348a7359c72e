//! The order of need: evidence, age, likeness, disuse, half an age; each with its reason.

use std::fs;

use dreamtop::health::{self, Need};
use dreamtop::memory::Memory;

use crate::common::Machine;
use crate::help::{check, directory, scan};

fn memory(name: &str, modified: &str, body: &str) -> (String, String) {
    (
        format!("{name}.md"),
        format!(
            "---\nname: {name}\ndescription: \"d\"\nmetadata:\n  type: project\n  modified: {modified}\n---\n\n{body}\n\n**Why:** w\n"
        ),
    )
}

#[test]
fn evidence_comes_before_age_and_age_before_half_an_age_and_each_says_why() {
    let files = [
        memory("fresh", "2026-11-29T00:00:00Z", "All is well."),
        memory("aging", "2026-11-15T00:00:00Z", "All was well."),
        memory("stale", "2026-06-01T00:00:00Z", "Long ago."),
        memory("older", "2026-01-01T00:00:00Z", "Longer ago."),
        memory("gone", "2026-11-29T00:00:00Z", "In `src/gone.rs`."),
        memory("twice", "2026-11-29T00:00:00Z", "In `src/gone.rs` and `src/away.rs`."),
        memory("said", "2026-11-29T00:00:00Z", "Merges need two approvals from the platform team."),
    ];
    let store = directory(&[]);
    let mut index = String::new();
    for (file, text) in &files {
        fs::write(store.path().join(file), text).unwrap();
        index.push_str(&format!("- [{file}]({file})\n"));
    }
    fs::write(store.path().join("MEMORY.md"), index).unwrap();
    let checkout = directory(&[("src/a.rs", ""), ("CLAUDE.md", "Merges need two approvals from the platform team.\n")]);
    let findings = check(store.path(), checkout.path());
    let snapshot = scan(store.path());
    let mut all: Vec<(&Memory, Need)> =
        snapshot.memories.iter().map(|memory| (memory, health::need(memory, findings.iter()))).collect();
    all.sort_by_key(|(memory, need)| (std::cmp::Reverse(need.score), memory.file.clone()));
    let order: Vec<&str> = all.iter().map(|(memory, _)| memory.name.as_str()).collect();
    assert_eq!(order, ["twice", "gone", "older", "stale", "said", "aging", "fresh"]);
    for (memory, need) in &all {
        assert_eq!(need.score == 0, need.reason.is_empty(), "{}", memory.file);
        assert!(!need.reason.contains('\n'));
    }
    assert_eq!(all[2].1.reason, "it is 333 days old, past its shelf life");
    assert!(all[1].1.reason.starts_with("src/gone.rs is not in the project"));
}

#[test]
fn ls_sorts_by_need_age_and_type_and_says_no_more_than_it_is_asked() {
    let machine = Machine::with_sample();
    let files = |arguments: &[&str]| -> Vec<String> {
        let (_, ls) = machine.json("acme-api", arguments);
        ls["memories"].as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    };
    let by_need = files(&["ls", "--sort", "need"]);
    assert_eq!(by_need.first().map(String::as_str), Some("project_release_order.md"), "its frontmatter cannot be read");
    let place = |file: &str| by_need.iter().position(|one| one == file).unwrap();
    assert!(
        place("feedback_retry_backoff.md") < place("reference_ingest_board.md"),
        "evidence before age: {by_need:?}"
    );
    assert_eq!(files(&["ls", "--sort", "age"]).first().map(String::as_str), Some("project_deploy_day.md"));
    assert!(files(&["ls", "--sort", "type"]).first().unwrap().starts_with("feedback_"));
    let mut sorted = files(&["ls"]);
    sorted.sort();
    assert_eq!(files(&["ls"]), sorted);
    let (_, plain) = machine.json("acme-api", &["ls"]);
    assert!(plain["memories"][0].get("need").is_none() && plain["memories"][0].get("used").is_none());
    let (_, with) = machine.json("acme-api", &["ls", "--evidence"]);
    let row = &with["memories"][0];
    assert!(row["need"]["score"].is_u64() && row["used"]["read"].is_u64() && row["evidence"].is_array(), "{row}");
    assert_eq!(machine.run(&["ls", "--all", "--sort", "need"]).code(), 2);
}
