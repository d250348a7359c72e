//! A stretch of a transcript: the same turns as the whole of it, however large the whole is.

use std::fs;
use std::path::Path;

use dreamtop::session::conversation::Speaker;
use dreamtop::session::window::{Bounds, line_saying};
use dreamtop::session::{Conversation, Window};
use proptest::prelude::*;
use serde_json::json;

fn person(uuid: &str, parent: Option<&str>, text: &str) -> String {
    json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "message": { "role": "user", "content": text } })
        .to_string()
}

fn assistant(uuid: &str, parent: &str, text: &str) -> String {
    json!({ "type": "assistant", "uuid": uuid, "parentUuid": parent, "message": { "role": "assistant", "id": format!("m{uuid}"),
        "content": [{ "type": "text", "text": text }] } })
    .to_string()
}

/// A talk of so many lines, person and assistant in turn, every tenth exchange taken back.
fn talk(lines: usize) -> Vec<String> {
    let mut last = String::new();
    (0..lines)
        .map(|number| {
            let uuid = format!("u{number}");
            let line = match number {
                0 => person(&uuid, None, "turn 0"),
                _ if number % 2 == 0 => person(&uuid, Some(&last), &format!("turn {number}")),
                _ => assistant(&uuid, &last, &format!("turn {number}")),
            };
            if number % 20 != 19 || number + 1 == lines {
                last = uuid;
            }
            line
        })
        .collect()
}

fn read(path: &Path, line: u64, bounds: Bounds) -> Window {
    Window::read(path, line, bounds, &|| false).unwrap()
}

#[test]
fn a_stretch_holds_the_lines_around_and_knows_how_many_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    fs::write(&path, talk(3_000).join("\n") + "\n").unwrap();
    let window = read(&path, 1_500, Bounds::SCREEN);
    assert_eq!((window.lines, window.total), ((1_100, 1_900), Some(3_000)));
    assert_eq!(window.turns[window.at(1_500).unwrap()].text, "turn 1499");
    for (wanted, lines) in [(0, (1, 401)), (1, (1, 401)), (2_990, (2_590, 3_000)), (99_999, (2_601, 3_000))] {
        let window = read(&path, wanted, Bounds::SCREEN);
        assert_eq!(window.lines.0, lines.0, "{wanted}");
        assert!(window.lines.1 >= lines.1.min(wanted.max(1) + 400), "{wanted}: {:?}", window.lines);
    }
    let glance = read(&path, 1_500, Bounds::GLANCE);
    assert_eq!((glance.lines, glance.total, glance.knows_threads), ((1_476, 1_524), None, false));
}

#[test]
fn a_transcript_of_many_megabytes_is_held_only_around_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let long = "x".repeat(20_000);
    let lines: Vec<String> =
        talk(2_000).into_iter().map(|line| line.replace("turn ", &format!("{long} turn "))).collect();
    fs::write(&path, lines.join("\n")).unwrap();
    let window = read(&path, 1_000, Bounds::SCREEN);
    let held: usize = window.turns.iter().map(|turn| turn.text.len()).sum();
    assert!(held < 10_000_000, "{held} of {} bytes", fs::metadata(&path).unwrap().len());
    assert!(window.turns[window.at(1_000).unwrap()].text.ends_with("turn 999"));
    assert_eq!(window.total, Some(2_000), "a last line without its line break counts");
}

#[test]
fn what_tools_answered_and_what_the_client_put_in_is_kept_for_looking_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let call = json!({ "type": "assistant", "uuid": "b", "parentUuid": "a", "message": { "role": "assistant", "id": "m",
        "content": [{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls" } }] } });
    let result = json!({ "type": "user", "uuid": "c", "parentUuid": "b", "message": { "role": "user",
        "content": [{ "type": "tool_result", "tool_use_id": "t", "content": "a.rs" }] } });
    let note = json!({ "type": "user", "uuid": "d", "parentUuid": "c", "isMeta": true, "message": { "role": "user", "content": "a note" } });
    fs::write(&path, [person("a", None, "Go."), call.to_string(), result.to_string(), note.to_string()].join("\n"))
        .unwrap();
    let window = read(&path, 3, Bounds::SCREEN);
    let at = window.at(3).unwrap();
    assert_eq!(window.turns[at].calls[0].result.as_deref(), Some("a.rs"), "the line of an answer is the call's");
    assert_eq!(window.turns.last().unwrap().speaker, Speaker::Client);
    let whole = Conversation::read(&[path], &|| false).unwrap();
    assert!(
        whole
            .turns
            .iter()
            .all(|turn| turn.speaker != Speaker::Client && turn.calls.iter().all(|call| call.result.is_none()))
    );
}

#[test]
fn words_that_moved_are_found_when_they_stand_in_one_line_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let lines = [
        person("a", None, "Never mock the database."),
        person("b", Some("a"), "Use tabs."),
        person("c", Some("b"), "Use tabs, please."),
    ];
    fs::write(&path, lines.join("\n")).unwrap();
    let found = |quote: &str| line_saying(&path, quote, &|| false).unwrap();
    assert_eq!(
        [found("never mock\n the database"), found("use tabs"), found("use tabs please"), found("")],
        [Some(1), None, Some(3), None]
    );
}

#[test]
fn nothing_that_is_no_file_is_waited_for_and_no_bytes_are_no_turns() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Window::read(dir.path(), 1, Bounds::SCREEN, &|| false).is_err());
    assert!(Window::read(&dir.path().join("none"), 1, Bounds::SCREEN, &|| false).is_err());
    for content in ["", "\n", "\n\n\n", "not json", "{}\n{"] {
        let path = dir.path().join("s.jsonl");
        fs::write(&path, content).unwrap();
        let window = read(&path, 5, Bounds::SCREEN);
        assert_eq!((window.turns.len(), window.at(1)), (0, None), "{content:?}");
    }
}

proptest! {
    #[test]
    fn a_stretch_has_the_turns_of_the_whole(lines in 1_usize..120, wanted in 0_u64..140, around in 1_u64..40, bytes in 1_u64..20_000) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        fs::write(&path, talk(lines).join("\n") + "\n").unwrap();
        let whole = Conversation::read(std::slice::from_ref(&path), &|| false).unwrap();
        let window = read(&path, wanted, Bounds { lines: around, bytes, threads: true });
        prop_assert!(!window.turns.is_empty());
        prop_assert_eq!(window.total, Some(lines as u64));
        for turn in &window.turns {
            let at = whole.at(0, turn.line).unwrap();
            prop_assert_eq!((&turn.text, turn.rewound, turn.line), (&whole.turns[at].text, whole.turns[at].rewound, whole.turns[at].line));
        }
        if wanted >= 1 && wanted <= lines as u64 {
            prop_assert_eq!(window.turns[window.at(wanted).unwrap()].line, wanted);
        }
    }
}
