#![allow(clippy::unwrap_used, clippy::panic, clippy::needless_pass_by_value)]
use super::*;

fn play(events: &[Value]) -> Result<(Answer, bool), Failure> {
    let mut answer = Answer::default();
    let mut is_done = false;
    for data in events {
        let name = data["type"].as_str().unwrap_or_default().to_owned();
        is_done = answer.take(&Event { name, data: data.to_string() })?;
    }
    Ok((answer, is_done))
}

fn turn(events: &[Value]) -> Turn {
    play(events).unwrap().0.turn(100).unwrap()
}

fn start(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn end(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 7 } })
}

fn tool(index: u64, pieces: &[&str]) -> Vec<Value> {
    let mut events =
        vec![start(index, json!({ "type": "tool_use", "id": format!("t{index}"), "name": "Read", "input": {} }))];
    events
        .extend(pieces.iter().map(|piece| delta(index, json!({ "type": "input_json_delta", "partial_json": piece }))));
    events.push(stop(index));
    events
}

#[test]
fn blocks_go_by_their_index_and_thoughts_are_kept_with_their_signature() {
    let (answer, is_done) = play(&[
        json!({ "type": "message_start", "message": { "usage": { "input_tokens": 10, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3, "output_tokens": 1 } } }),
        start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        start(1, json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "text_delta", "text": "Hel" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "so" })),
        json!({ "type": "ping" }),
        delta(0, json!({ "type": "signature_delta", "signature": "abc" })),
        delta(1, json!({ "type": "text_delta", "text": "lo" })),
        delta(1, json!({ "type": "citations_delta", "citation": {} })),
        delta(9, json!({ "type": "text_delta", "text": "of no block" })),
        start(2, json!({ "type": "server_thing", "x": 1 })),
        json!({ "type": "something_new" }),
        stop(0),
        stop(1),
        stop(2),
        end("end_turn"),
        json!({ "type": "message_stop" }),
    ])
    .unwrap();
    assert!(is_done);
    assert_eq!(answer.usage(), Tokens { input: 10, output: 7, cache_read: 5, cache_created: 3 });
    let turn = answer.turn(100).unwrap();
    assert_eq!((turn.text.as_str(), turn.last), ("Hello", true));
    assert_eq!(
        turn.raw,
        json!([{ "type": "thinking", "thinking": "so", "signature": "abc" }, { "type": "text", "text": "Hello" }])
    );
}

#[test]
fn inputs_come_in_pieces_whole_or_not_at_all() {
    let mut events = tool(0, &["{\"file_", "", "path\":\"a.md\"}"]);
    events.extend(tool(1, &[]));
    events.push(start(2, json!({ "type": "tool_use", "id": "t2", "name": "Glob" })));
    events.push(stop(2));
    events.push(start(3, json!({ "type": "tool_use", "id": "t3", "name": "Glob", "input": { "pattern": "*" } })));
    events.push(stop(3));
    events.extend(tool(4, &["{\"file_path\": oops"]));
    events.push(end("tool_use"));
    let turn = turn(&events);
    let inputs: Vec<_> = turn.calls.iter().map(|call| call.input.clone()).collect();
    assert_eq!(inputs[..4], [json!({ "file_path": "a.md" }), json!({}), json!({}), json!({ "pattern": "*" })]);
    assert!(turn.calls[4].fault.as_deref().is_some_and(|fault| fault.contains("no JSON")));
    assert_eq!(turn.raw[4]["input"], json!({}), "what goes back is an object");
    assert!(!turn.last && turn.calls[..4].iter().all(|call| call.fault.is_none()));
}

#[test]
fn a_call_that_was_cut_off_is_not_run_and_those_before_it_are() {
    let mut events = tool(0, &["{\"file_path\":\"a.md\"}"]);
    events.extend(tool(1, &["{\"file_path\":\"b.md\"}"]));
    events.push(end("max_tokens"));
    let cut = turn(&events);
    assert_eq!(cut.calls[0].fault, None);
    assert!(cut.calls[1].fault.as_deref().is_some_and(|fault| fault.contains("100 tokens")));
    assert!(cut.is_cut && !cut.last, "it counts as cut off, with calls too");
    let text = [start(0, json!({ "type": "text", "text": "half a sen" })), stop(0), end("max_tokens")];
    let turn = turn(&text);
    assert!(turn.is_cut && !turn.last);
}

#[test]
fn every_stop_reason_has_its_way() {
    let said = |reason: &str| [start(0, json!({ "type": "text", "text": "Well." })), stop(0), end(reason)];
    for reason in ["end_turn", "stop_sequence", "something_new"] {
        assert!(turn(&said(reason)).last, "{reason}");
    }
    assert!(!turn(&said("pause_turn")).last, "it goes on");
    let full = turn(&said("model_context_window_exceeded"));
    assert!(full.last && full.left_out.is_some());
    let declined = play(&said("refusal")).unwrap().0.turn(100).unwrap_err().to_string();
    assert!(declined.contains("declined"), "{declined}");
    let nothing = turn(&[start(0, json!({ "type": "thinking", "thinking": "…" })), stop(0), end("max_tokens")]);
    assert!(nothing.is_cut && nothing.raw == json!([]), "thoughts alone are not sent back");
}

#[test]
fn an_error_after_the_beginning_ends_the_answer_and_says_whether_it_passes() {
    for (kind, is_passing) in [("overloaded_error", true), ("api_error", true), ("invalid_request_error", false)] {
        let error = json!({ "type": "error", "error": { "type": kind, "message": "no" } });
        let failure = play(&[error]).unwrap_err();
        assert_eq!(failure.is_transient, is_passing, "{kind}");
        assert!(failure.words.contains(kind), "{}", failure.words);
    }
    assert!(Answer::default().take(&Event { name: "ping".into(), data: "{".into() }).unwrap_err().is_transient);
}
