//! Transcripts as conversations: responses over several lines, rewinds, compaction, forks, circles.

use std::path::PathBuf;

use dreamtop::session::conversation::{Speaker, Turn};
use dreamtop::session::{Conversation, line};
use proptest::prelude::*;

/// Reads files with these lines, in their order.
fn read(files: &[&[String]]) -> Conversation {
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = files
        .iter()
        .enumerate()
        .map(|(at, lines)| {
            let path = dir.path().join(format!("{at}.jsonl"));
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            path
        })
        .collect();
    Conversation::read(&paths, &|| false).unwrap()
}

fn parent(parent: &str) -> String {
    if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") }
}

fn user(uuid: &str, above: &str, text: &str) -> String {
    format!(r#"{{"type":"user","uuid":"{uuid}","parentUuid":{},"message":{{"content":"{text}"}}}}"#, parent(above))
}

fn answer(uuid: &str, above: &str, message: &str, block: &str, output: u64) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":{},"message":{{"id":"{message}","content":[{block}],"usage":{{"input_tokens":10,"output_tokens":{output}}}}}}}"#,
        parent(above)
    )
}

fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"}}"#)
}

fn call(id: &str, tool: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{{"x":1}}}}"#)
}

fn result(uuid: &str, above: &str, id: &str, is_error: bool) -> String {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","parentUuid":{},"message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r","is_error":{is_error}}}]}}}}"#,
        parent(above)
    )
}

fn told(conversation: &Conversation) -> Vec<(&str, bool)> {
    conversation.turns.iter().map(|turn| (turn.text.as_str(), turn.rewound)).collect()
}

#[test]
fn the_lines_of_one_response_are_one_turn_and_its_tokens_count_once_the_last_ones() {
    let lines = [
        user("u1", "", "Go."),
        answer("a1", "u1", "m1", &text("I look."), 1),
        answer("a2", "a1", "m1", &call("c1", "Read"), 1),
        result("r1", "a2", "c1", false),
        answer("a3", "a2", "m1", &call("c2", "Edit"), 40),
        result("r2", "a3", "c2", true),
        answer("a4", "r2", "m2", &text("Done."), 5),
    ];
    let conversation = read(&[&lines]);
    let [person, first, second] = conversation.turns.as_slice() else { panic!("{conversation:#?}") };
    assert_eq!((person.speaker, person.text.as_str(), person.line), (Speaker::Person, "Go.", 1));
    assert_eq!((first.text.as_str(), first.lines.as_slice()), ("I look.", &[2, 3, 5][..]));
    let calls: Vec<_> = first.calls.iter().map(|call| (call.tool.as_str(), call.is_error)).collect();
    assert_eq!(calls, [("Read", Some(false)), ("Edit", Some(true))]);
    assert_eq!((second.text.as_str(), second.tokens.unwrap().output), ("Done.", 5));
    assert_eq!(conversation.tokens(), line::Usage { input: 20, output: 45, ..line::Usage::default() });
    assert!(conversation.turns.iter().all(|turn| !turn.rewound), "parallel calls are no rewind: {conversation:#?}");
    assert_eq!((conversation.at(0, 5), conversation.at(0, 4), conversation.at(1, 5)), (Some(1), None, None));
}

#[test]
fn a_way_that_was_taken_back_is_marked_and_the_way_through_progress_lines_is_followed() {
    let progress = |uuid: &str, above: &str| {
        format!(
            r#"{{"type":"progress","uuid":"{uuid}","parentUuid":{},"data":{{"type":"hook_progress"}}}}"#,
            parent(above)
        )
    };
    let lines = [
        user("u1", "", "First."),
        answer("a1", "u1", "m1", &text("One."), 1),
        user("u2", "a1", "Wrong way."),
        answer("a2", "u2", "m2", &text("Astray."), 1),
        progress("p1", "a1"),
        progress("p2", "p1"),
        user("u3", "p2", "Right way."),
        answer("a3", "u3", "m3", &text("There."), 1),
        r#"{"type":"attachment","uuid":"t","parentUuid":"a2","attachment":{"type":"file"}}"#.to_owned(),
    ];
    assert_eq!(
        told(&read(&[&lines])),
        [
            ("First.", false),
            ("One.", false),
            ("Wrong way.", true),
            ("Astray.", true),
            ("Right way.", false),
            ("There.", false)
        ],
        "what hangs on beside is no end of a thread"
    );
}

#[test]
fn what_stands_above_a_compaction_was_not_taken_back() {
    let lines = [
        user("u1", "", "Before."),
        answer("a1", "u1", "m1", &text("Yes."), 1),
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"u1"}"#.to_owned(),
        r#"{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"content":"This session is being continued from"}}"#.to_owned(),
        user("u2", "s", "After."),
    ];
    assert_eq!(told(&read(&[&lines])), [("Before.", false), ("Yes.", false), ("After.", false)]);
}

#[test]
fn a_resumed_session_that_repeats_lines_says_each_once_and_a_parent_outside_is_a_root() {
    let first = [user("u1", "elsewhere", "One."), answer("a1", "u1", "m1", &text("Yes."), 3)];
    let second =
        [first[0].clone(), first[1].clone(), user("u2", "a1", "Two."), answer("a2", "u2", "m2", &text("Good."), 4)];
    let conversation = read(&[&first, &second]);
    assert_eq!(told(&conversation), [("One.", false), ("Yes.", false), ("Two.", false), ("Good.", false)]);
    assert_eq!(conversation.tokens().output, 7);
    assert_eq!((conversation.at(1, 3), conversation.at(1, 1)), (Some(2), None), "a repeated line is the first one's");
}

#[test]
fn parents_in_a_circle_end_and_lines_without_ids_are_turns_of_their_own() {
    let lines = [
        user("a", "b", "A."),
        user("b", "a", "B."),
        user("c", "c", "C."),
        r#"{"type":"user","message":{"content":"No id."}}"#.to_owned(),
        r#"{"type":"assistant","message":{"content":"Plain."}}"#.to_owned(),
        r#"{"type":"assistant","message":{"content":"Another.","usage":7}}"#.to_owned(),
        r#"{"type":"assistant","uuid":"x","message":{"model":"<synthetic>","content":"API error"}}"#.to_owned(),
    ];
    let conversation = read(&[&lines]);
    let texts: Vec<&str> = conversation.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["A.", "B.", "C.", "No id.", "Plain.", "Another."]);
    assert!(conversation.turns.iter().all(|turn: &Turn| !turn.rewound), "{:?}", told(&conversation));
}

proptest! {
    /// Whatever the parents are, reading ends, every person's line is a turn, and something of the session is not rewound.
    #[test]
    fn any_graph_is_read_and_no_turn_is_lost(parents in proptest::collection::vec(0_usize..40, 1..40)) {
        let lines: Vec<String> = parents.iter().enumerate()
            .map(|(at, above)| user(&format!("u{at}"), &format!("u{above}"), &format!("Turn {at}.")))
            .collect();
        let conversation = read(&[&lines]);
        prop_assert_eq!(conversation.turns.len(), parents.len());
        prop_assert!(conversation.turns.iter().any(|turn| !turn.rewound));
        prop_assert!(!conversation.turns.last().is_some_and(|turn| turn.rewound), "the last word stands");
    }
}
