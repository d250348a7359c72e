#![allow(clippy::unwrap_used)]
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn take(stream: &mut Stream<'_>, events: &[Value]) -> Vec<EngineEvent> {
    events.iter().flat_map(|event| stream.take(&event.to_string()).unwrap()).collect()
}

fn assistant(id: &str, block: &Value) -> Value {
    json!({ "type": "assistant", "message": { "id": id, "content": [block], "usage": {
        "input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5 } } })
}

fn answer(id: &str, words: &str, is_error: bool) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": words, "is_error": is_error });
    json!({ "type": "user", "message": { "content": [block] } })
}

#[test]
fn calls_are_reported_with_their_permission_and_usage_is_counted_once() {
    let mut stream = Stream::new(Some(Path::new("/copy")), None);
    let call =
        |id: &str, name: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
    let events = take(
        &mut stream,
        &[
            json!({ "type": "system", "subtype": "init", "claude_code_version": "2.1", "model": "m" }),
            json!({ "type": "system", "subtype": "something_new", "x": [1] }),
            assistant("m1", &json!({ "type": "text", "text": "Looking." })),
            assistant("m1", &call("t1", "Edit", json!({ "file_path": "/copy/a.md" }))),
            assistant("m1", &call("t2", "Bash", json!({ "command": "rm -rf /" }))),
            assistant("m1", &call("t3", "Write", json!({ "file_path": "/elsewhere/b.md" }))),
            assistant("m1", &call("t4", "Read", json!({ "file_path": "/gone" }))),
            json!({ "type": "stream_event", "event": { "type": "message_delta", "usage": { "output_tokens": 30 } } }),
            answer("t1", "ok", false),
            answer("t2", "PreToolUse:Bash hook error: not allowed in a run of dreamtop", true),
            answer(
                "t3",
                "Permission to use Write has been denied because Claude Code is running in don't ask mode.",
                true,
            ),
            answer("t4", "File does not exist.", true),
            json!({ "type": "result", "subtype": "success", "is_error": false, "result": "Looking.", "total_cost_usd": 0.0123451,
                "usage": { "input_tokens": 10, "output_tokens": 34, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5 } }),
        ],
    );
    let tool = |name: &str, target: &str, allowed| EngineEvent::Tool {
        name: name.to_owned(),
        target: target.to_owned(),
        allowed,
    };
    let usage = |input, output, cache_read, cache_created| {
        EngineEvent::Usage(Tokens { input, output, cache_read, cache_created })
    };
    assert_eq!(
        events,
        [
            EngineEvent::Notice("claude 2.1 with m".to_owned()),
            usage(10, 0, 90, 5),
            EngineEvent::Text("Looking.".to_owned()),
            usage(0, 30, 0, 0),
            tool("Edit", "a.md", true),
            tool("Bash", "rm -rf /", false),
            tool("Write", "/elsewhere/b.md", false),
            tool("Read", "/gone", true),
            usage(0, 4, 0, 0),
            EngineEvent::Cost(Money(12_346)),
        ]
    );
    assert_eq!(stream.end(), Some(End::Done));
    let said = stream.said(None);
    assert_eq!((said.tools, said.has_worked), (vec!["Edit".to_owned(), "Read".to_owned()], true));
    assert!(
        matches!(said.left_out.as_slice(), [one] if one.starts_with("/elsewhere/b.md: Write Permission")),
        "{:?}",
        said.left_out
    );
}

#[test]
fn only_an_error_is_a_denial_and_its_words_are_taken_from_text_and_from_blocks() {
    let call = |id: &str, name: &str| {
        let content = json!([{ "type": "tool_use", "id": id, "name": name, "input": { "file_path": "/a.md" } }]);
        json!({ "type": "assistant", "message": { "id": id, "content": content } })
    };
    let answer = |id: &str, content: Value, is_error: bool| {
        let content = json!([{ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error }]);
        json!({ "type": "user", "message": { "content": content } })
    };
    let mut stream = Stream::new(None, None);
    let events = take(
        &mut stream,
        &[
            call("1", "Read"),
            answer("1", json!("Permission to use the staging key is with Ada."), false),
            call("2", "Write"),
            answer("2", json!([{ "type": "text", "text": "Permission to use \"Write\" is denied\nmore" }]), true),
        ],
    );
    let allowed: Vec<bool> = events
        .iter()
        .filter_map(|event| match event {
            EngineEvent::Tool { allowed, .. } => Some(*allowed),
            _ => None,
        })
        .collect();
    assert_eq!(allowed, [true, false]);
    assert_eq!(stream.said(None).left_out, ["/a.md: Write Permission to use \"Write\" is denied"]);
}

#[test]
fn how_it_ended_is_told_by_its_own_word() {
    let end = |kind: &str, is_error: bool, words: &str| {
        let mut stream = Stream::new(None, None);
        take(&mut stream, &[json!({ "type": "result", "subtype": kind, "is_error": is_error, "result": words })]);
        stream.end().unwrap()
    };
    assert_eq!(end("success", false, "fine"), End::Done);
    assert_eq!(end("error_max_turns", true, ""), End::OutOfTurns(0));
    assert_eq!(end("error_max_budget_usd", true, ""), End::OutOfMoney);
    assert_eq!(
        end("success", true, "Not logged in · Please run /login"),
        End::Failed("Not logged in · Please run /login".to_owned())
    );
    assert_eq!(end("error_during_execution", true, ""), End::Failed("error_during_execution".to_owned()));
}

proptest! {
    #[test]
    fn whatever_is_printed_makes_events_or_a_failure(lines in prop::collection::vec(prop_oneof![
        ".{0,40}",
        "\\{\"type\":\"(assistant|user|result|stream_event|system)\",\"(message|event|subtype|usage)\":(\\{\"content\":\\[(null|3|\\{\"type\":\"(text|tool_use|tool_result)\"\\})\\]\\}|null|\"x\"|7)\\}",
    ], 0..30)) {
        let mut stream = Stream::new(None, None);
        for line in &lines {
            if stream.take(line).is_err() {
                break;
            }
        }
        let _ = stream.ended();
    }
}
