//! What sessions come to together, and what a trigger comes to that finds less than it names.

use std::fs;

use dreamtop::engine::JobKind;
use dreamtop::run::records::Happened;
use serde_json::json;

use crate::drive::Desk;

const RULE: &str = "Never mock the database in integration tests, because mocks hid a broken migration.";

#[test]
fn what_three_sessions_say_waits_once_and_lands_with_its_index_line() {
    let desk = Desk::new();
    desk.configure("extract:\n  apply: ask\n");
    let first = desk.session();
    first.turn(RULE, "Understood.");
    desk.settle();
    desk.session().turn(RULE, "Understood.");
    desk.settle();
    desk.session().turn(RULE, "Understood.");
    desk.settle();
    first.turn(RULE, "Understood, again.");
    desk.settle();
    let (code, inbox) = desk.json(&["inbox"]);
    let held = inbox["held"].as_array().unwrap();
    assert_eq!((code, held.len()), (3, 1), "{inbox}");
    let id = held[0]["id"].as_str().unwrap().to_owned();
    let (code, _) = desk.json(&["inbox", "accept", &id]);
    assert_eq!(code, 0);
    let memories = desk.memories();
    assert_eq!(memories.len(), 1, "{memories:?}");
    assert!(desk.index().contains(&format!("({})", memories[0].0)), "{}", desk.index());
}

#[test]
fn a_project_that_switches_the_memory_off_is_neither_read_nor_given_any() {
    for file in ["settings.json", "settings.local.json"] {
        let desk = Desk::new();
        desk.remember("feedback_database.md", "feedback", "Never mock the database in integration tests.");
        let before = desk.memories();
        let path = desk.project("acme").join(".claude").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, r#"{"autoMemoryEnabled": false}"#).unwrap();
        let session = desk.session();
        let said = session.hook("UserPromptSubmit", json!({"prompt": "may integration tests mock the database?"}));
        assert_eq!(said.out(), "");
        session.turn("Remember: we deploy on Tuesdays only.", "Understood.");
        desk.settle();
        assert_eq!(desk.memories(), before);
        let why = format!(".claude/{file}, autoMemoryEnabled");
        let skipped: Vec<String> = desk.records().into_iter().map(|record| record.reason).collect();
        assert!(skipped.iter().any(|reason| reason == &format!("enabled: off: {why}")), "{skipped:?}");
        let (_, gates) = desk.json(&["gates"]);
        assert!(gates["extract"].to_string().contains(&why), "{gates}");
        let doctor = desk.json(&["doctor"]).1.to_string();
        assert!(doctor.contains(&format!("auto-memory is off ({why})")), "{doctor}");
        fs::remove_file(&path).unwrap();
        let said = session.hook("UserPromptSubmit", json!({"prompt": "may integration tests mock the database?"}));
        assert!(said.out().contains("feedback_database.md"), "{}", said.out());
    }
}

#[test]
fn a_turn_whose_transcript_is_not_there_yet_is_read_with_the_next_one() {
    let desk = Desk::new();
    let session = desk.session();
    session.stop("Understood.");
    desk.settle();
    assert_eq!(desk.extractions(), ["hook turns"]);
    let reason = desk.records().into_iter().find(|record| record.kind() == Some(JobKind::Extract)).unwrap().reason;
    assert!(reason.contains("no transcript yet"), "{reason}");
    // It was no death of a worker's: the next turn has not to wait for anything.
    session.turn(RULE, "Understood.");
    desk.settle();
    assert_eq!(desk.extractions(), ["hook turns", "hook ran"]);
    assert_eq!(desk.memories().len(), 1);
}

#[test]
fn a_trigger_whose_directory_is_gone_or_that_names_no_transcript_has_an_outcome() {
    let desk = Desk::new();
    let gone = desk.machine.path("work/gone");
    for (event, trigger) in [("Stop", "hook"), ("SubagentStop", "hook"), ("SessionEnd", "session-end")] {
        let before = desk.records().len();
        desk.hook(&json!({"hook_event_name": event, "session_id": "5e55-10", "cwd": gone, "agent_id": null,
            "transcript_path": gone.join("t.jsonl")}));
        let records = desk.records();
        let new = &records[before..];
        assert_eq!(new.len(), 1, "{event}: {new:?}");
        assert_eq!(
            (new[0].happened(), new[0].trigger.as_str(), new[0].session.as_deref()),
            (Some(Happened::Skipped), trigger, Some("5e55-10"))
        );
        assert!(new[0].reason.contains("no project is known"), "{}", new[0].reason);
        assert!(desk.log().lines().last().unwrap().contains(&format!("{event} of session 5e55-10")), "{}", desk.log());
    }
    assert!(desk.json(&["runs"]).1["refused"].to_string().contains("no project is known"));
    for (event, outcome) in [("Stop", "hook turns"), ("SessionEnd", "session-end turns")] {
        desk.hook(&json!({"hook_event_name": event, "session_id": "5e55-10", "cwd": desk.project("acme")}));
        assert_eq!(desk.extractions().last().map(String::as_str), Some(outcome), "{event}");
        let records = desk.records();
        let last = records.iter().rfind(|record| record.kind() == Some(JobKind::Extract)).unwrap();
        assert!(last.reason.contains("names no transcript"), "{}", last.reason);
    }
}

#[test]
fn a_name_outlives_the_day_it_is_given_on() {
    let desk = Desk::new();
    desk.session().turn("The merge freeze starts tomorrow.", "Noted.");
    desk.settle();
    let memories = desk.memories();
    assert_eq!(memories.len(), 1, "{memories:?}");
    assert_eq!(memories[0].0, "project_merge_freeze_starts.md");
    assert!(
        memories[0].1.contains("name: merge-freeze-starts\n") && memories[0].1.contains("2026-12-01"),
        "{memories:?}"
    );
    let line = "- [Merge freeze starts](project_merge_freeze_starts.md) — The merge freeze starts 2026-12-01.";
    assert!(desk.index().contains(line), "{}", desk.index());
}
