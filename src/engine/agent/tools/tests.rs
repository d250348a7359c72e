#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use std::fs;

use serde_json::{Value, json};

use super::*;

struct Bench {
    dir: tempfile::TempDir,
    tools: Toolbox,
}

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.md"), "one\ntwo\ntwo\n").unwrap();
    fs::create_dir(dir.path().join("logs")).unwrap();
    fs::write(dir.path().join("logs/day.md"), "Two things\n").unwrap();
    let tools = Toolbox::new(dir.path(), Reach::default(), CancellationToken::new()).unwrap();
    Bench { dir, tools }
}

impl Bench {
    fn call(&self, name: &str, input: Value) -> Outcome {
        self.tools.perform(&ToolCall::new("1", name, input))
    }
    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.dir.path().join(file)).unwrap()
    }
}

#[test]
fn write_edit_and_delete_change_the_working_copy() {
    let bench = bench();
    assert!(!bench.call("Write", json!({"file_path": "sub/new.md", "content": "hello world"})).is_error);
    assert!(
        !bench.call("Edit", json!({"file_path": "sub/new.md", "old_string": "world", "new_string": "all"})).is_error
    );
    assert_eq!(bench.text("sub/new.md"), "hello all");
    let deleted = bench.call("Delete", json!({"file_path": "a.md"}));
    assert_eq!((deleted.allowed, deleted.ran, deleted.file.as_deref()), (true, true, Some("a.md")));
    assert!(!bench.dir.path().join("a.md").exists());
}

#[test]
fn an_edit_that_is_not_unique_is_refused_in_words_and_changes_nothing() {
    let bench = bench();
    let twice = bench.call("Edit", json!({"file_path": "a.md", "old_string": "two", "new_string": "2"}));
    assert!(twice.is_error && twice.text.contains("2 times"), "{twice:?}");
    assert_eq!(bench.text("a.md"), "one\ntwo\ntwo\n");
    let all =
        bench.call("Edit", json!({"file_path": "a.md", "old_string": "two", "new_string": "2", "replace_all": true}));
    assert!(!all.is_error);
    assert_eq!(bench.text("a.md"), "one\n2\n2\n");
}

#[test]
fn anything_but_the_seven_tools_is_denied_and_named() {
    let bench = bench();
    for name in ["PowerShell", "WebFetch", "Task", "mcp__x__y", ""] {
        let outcome = bench.call(name, json!({"command": "rm -rf /"}));
        assert!(!outcome.allowed && !outcome.ran && outcome.is_error, "{name}");
    }
    let outcome = bench.call("Bash", json!({"command": "rm -rf /"}));
    assert_eq!((outcome.target.as_str(), outcome.allowed, outcome.ran), ("rm -rf /", false, false));
}

#[test]
fn malformed_input_is_answered_and_does_not_count_as_work() {
    let bench = bench();
    for input in [json!(null), json!("x"), json!({}), json!({"file_path": 3, "content": "x"}), json!([1])] {
        let outcome = bench.call("Write", input);
        assert!(outcome.is_error && !outcome.ran && outcome.text.contains("Write"), "{outcome:?}");
    }
    let outcome = bench.call("Grep", json!({"pattern": "("}));
    assert!(outcome.is_error && outcome.text.contains("regular expression"));
}

#[test]
fn a_write_outside_is_denied_and_reported() {
    let bench = bench();
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("x.md");
    let outcome = bench.call("Write", json!({"file_path": path.to_str().unwrap(), "content": "x"}));
    assert!(!outcome.allowed && outcome.is_error);
    assert!(!path.exists());
}

#[test]
fn read_numbers_lines_and_takes_offset_and_limit() {
    let bench = bench();
    assert_eq!(bench.call("Read", json!({"file_path": "a.md"})).text, "1\tone\n2\ttwo\n3\ttwo\n");
    let part = bench.call("Read", json!({"file_path": "a.md", "offset": 2, "limit": 1})).text;
    assert!(part.starts_with("2\ttwo\n") && !part.contains("3\t"), "{part}");
    assert!(bench.call("Read", json!({"file_path": "logs"})).is_error);
}

#[test]
fn no_answer_is_longer_than_the_bound() {
    let bench = bench();
    fs::write(bench.dir.path().join("big.md"), "é".repeat(100_000)).unwrap();
    fs::write(bench.dir.path().join("many.md"), "line with words\n".repeat(100_000)).unwrap();
    for outcome in [
        bench.call("Read", json!({"file_path": "many.md"})),
        bench.call("Grep", json!({"pattern": "words", "output_mode": "content", "head_limit": 100_000})),
    ] {
        assert!(outcome.text.chars().count() < MAX_ANSWER + 100);
    }
}

#[test]
fn grep_and_glob_find_by_content_and_by_name() {
    let bench = bench();
    assert_eq!(bench.call("Grep", json!({"pattern": "two"})).text, "a.md\n");
    assert_eq!(
        bench
            .call("Grep", json!({"pattern": "two", "-i": true, "output_mode": "count", "glob": "*.md"}))
            .text
            .lines()
            .count(),
        2
    );
    assert_eq!(
        bench.call("Grep", json!({"pattern": "Two", "output_mode": "content"})).text,
        "logs/day.md:1:Two things\n"
    );
    assert_eq!(bench.call("Glob", json!({"pattern": "*.md"})).text, "a.md\n");
    assert_eq!(bench.call("Glob", json!({"pattern": "**/*.md"})).text.lines().count(), 2);
    assert_eq!(bench.call("Glob", json!({"pattern": "logs/{day,night}.md"})).text, "logs/day.md\n");
    assert!(bench.call("Glob", json!({"pattern": "[", "path": "."})).is_error);
}
