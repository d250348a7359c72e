//! `SessionStart`: one line when something is wrong with the memory, else nothing.

use std::fs;

use serde_json::json;

use crate::drive::Desk;

fn said(desk: &Desk) -> String {
    let answer = desk.session().hook("SessionStart", json!({"source": "startup"}));
    if answer.out().is_empty() {
        return String::new();
    }
    let context = answer.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    assert_eq!(context.lines().count(), 1, "{context}");
    context
}

#[test]
fn nothing_is_said_of_a_memory_that_is_in_order_or_not_there() {
    let desk = Desk::new();
    assert_eq!(said(&desk), "");
    assert!(!desk.store().exists());
    desk.remember("feedback_database.md", "feedback", "Tests must hit a real database.");
    assert_eq!(said(&desk), "");
}

#[test]
fn a_cut_index_and_damaged_memories_are_told_in_one_line() {
    let desk = Desk::new();
    for number in 0..205 {
        desk.remember(&format!("project_{number:03}.md"), "project", &format!("Part {number}."));
    }
    let cut = said(&desk);
    assert!(cut.contains("the memory index is too long") && cut.contains("entries are not loaded"), "{cut}");
    assert!(cut.contains("project_204.md") || cut.contains("more)"), "{cut}");
    fs::write(desk.store().join("project_001.md"), "---\nname: \"\"\n---\n").unwrap();
    fs::write(desk.store().join("project_\u{1b}[2J.md"), "---\nname: [\n---\n\nx\n").unwrap();
    let damaged = said(&desk);
    assert!(damaged.contains("2 memories are damaged (") && damaged.contains("project_001.md"), "{damaged}");
    assert!(!damaged.contains('\u{1b}'), "{damaged:?}");
    desk.machine.write("claude/settings.json", r#"{"autoMemoryEnabled": false}"#);
    assert_eq!(said(&desk), "", "memory that is off is nobody's trouble");
}
