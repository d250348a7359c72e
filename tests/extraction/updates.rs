//! What a store knows already in other words is updated, not stored once more.

use std::collections::BTreeMap;

use crate::cases::{Case, Turn};
use crate::run::{self, Written};

fn memory(kind: &str, text: &str) -> String {
    format!("---\nname: \"{text}\"\ndescription: \"{text}\"\ntype: {kind}\n---\n\n{text}\n")
}

fn extract(memories: &[(&str, &str, &str)], said: &str) -> Vec<Written> {
    let turn = Turn { user: Some(said.to_owned()), assistant: None, tool: None };
    let memories: BTreeMap<String, String> =
        memories.iter().map(|(file, kind, text)| ((*file).to_owned(), memory(kind, text))).collect();
    let case =
        Case { name: said.to_owned(), turns: vec![turn], memories, claude_md: None, expect: vec![], allow: vec![] };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    run::run(&case, &runtime)
}

const THREE: [(&str, &str, &str); 3] = [
    ("feedback_real_database.md", "feedback", "Always run the integration tests against a real database."),
    ("feedback_integration.md", "feedback", "Integration tests always run against the real database, please."),
    ("feedback_tests.md", "feedback", "Always run integration tests against a real local database."),
];

#[test]
fn fc_068_a_lesson_that_is_known_three_times_updates_one_of_them_and_makes_no_fourth() {
    let written = extract(&THREE, "always run our integration tests against a real disposable database container");
    let files: Vec<&str> = written.iter().map(|memory| memory.file.as_str()).collect();
    assert!(files.len() == 1 && THREE.iter().any(|(file, ..)| *file == files[0]), "{files:?}");
    assert!(
        written[0].bytes.contains("a real disposable database container"),
        "its words are kept: {}",
        written[0].bytes
    );
    // The same words again are nothing new at all.
    assert!(extract(&THREE, "always run the integration tests against a real database").is_empty());
}

#[test]
fn another_value_subject_or_polarity_is_another_lesson() {
    let rows = [
        "always run the integration tests against a real queue",
        "never run the integration tests against a real database",
        "always run the load tests against a real cluster of three nodes",
    ];
    for said in rows {
        let written = extract(&THREE, said);
        assert_eq!(written.len(), 1, "{said:?}");
        assert!(!THREE.iter().any(|(file, ..)| *file == written[0].file), "{said:?} went into {}", written[0].file);
    }
}

#[test]
fn what_an_earlier_session_stored_is_marked_as_over_when_the_person_says_so_and_only_that() {
    let store = [
        ("feedback_tabs.md", "feedback", "Use tabs for indentation in this repo."),
        ("project_freeze.md", "project", "Merges to the release branch are frozen."),
    ];
    let written = extract(&store, "forget the rule about tabs for indentation, the formatter decides now");
    assert_eq!(written.iter().map(|memory| memory.file.as_str()).collect::<Vec<_>>(), ["feedback_tabs.md"]);
    assert!(written[0].bytes.contains("**Before 2026-03-11:** Use tabs for indentation in this repo."));
    for said in
        ["forget the rule about semicolons", "is the tabs rule gone?", "the old rule about it no longer applies"]
    {
        assert!(extract(&store, said).is_empty(), "{said:?}");
    }
}
