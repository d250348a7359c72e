#![allow(clippy::unwrap_used, clippy::panic, clippy::needless_pass_by_value)]
use super::*;
use crate::engine::agent::Reach;
use crate::engine::agent::tools::definitions;

fn play(chunks: &[Value]) -> Result<Answer, Failure> {
    let mut answer = Answer::default();
    for data in chunks {
        assert!(!answer.take(&Event { name: String::new(), data: data.to_string() })?);
    }
    Ok(answer)
}

fn turn(chunks: &[Value]) -> Turn {
    let tools = definitions(&Reach::default());
    let asked = Asked { model: "m", max_tokens: 9, system: "", tools: &tools, limit_key: "max_tokens", form: None };
    play(chunks).unwrap().turn(&asked, 1).unwrap()
}

fn delta(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

fn call(index: Option<u64>, id: &str, name: &str, arguments: Value) -> Value {
    let mut call = json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
    if let Some(index) = index {
        call["index"] = index.into();
    }
    delta(json!({ "tool_calls": [call] }))
}

fn calls(turn: &Turn) -> Vec<(&str, &str, String)> {
    turn.calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), call.input.to_string())).collect()
}

#[test]
fn calls_grow_by_their_index_and_stop_beside_them_is_no_end() {
    let turn = turn(&[
        delta(json!({ "role": "assistant", "content": null, "reasoning_content": "secret thoughts" })),
        call(Some(0), "a", "Read", json!("{\"file_")),
        call(Some(1), "b", "Glob", json!("")),
        call(Some(0), "", "", json!("path\":\"x.md\"}")),
        end("stop"),
        json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": { "cached_tokens": 6 } } }),
    ]);
    assert_eq!(calls(&turn), [("a", "Read", "{\"file_path\":\"x.md\"}".into()), ("b", "Glob", "{}".into())]);
    assert_eq!(turn.usage, Tokens { input: 4, output: 4, cache_read: 6, cache_created: 0 });
    assert!(!turn.last && turn.text.is_empty());
}

#[test]
fn whole_calls_without_an_index_or_all_under_one_are_several() {
    let path = |file: &str| json!(format!("{{\"file_path\":\"{file}\"}}"));
    for index in [None, Some(0)] {
        let turn = turn(&[call(index, "a", "Read", path("x")), call(index, "b", "Read", path("y")), end("tool_calls")]);
        assert_eq!(turn.calls.len(), 2, "{index:?}");
    }
    let object = turn(&[call(None, "", "Read", json!({ "file_path": "x" })), end("tool_calls")]);
    assert_eq!(calls(&object), [("call_0", "Read", "{\"file_path\":\"x\"}".into())], "an object is taken as it is");
}

#[test]
fn what_was_cut_off_or_is_no_json_is_not_run() {
    let cut = turn(&[call(Some(0), "a", "Read", json!("{\"file_path\":\"x\"}")), end("length")]);
    assert!(cut.is_cut && cut.calls[0].fault.as_deref().is_some_and(|fault| fault.contains("cut off")));
    let odd = turn(&[call(Some(0), "a", "Read", json!("{file_path: x}")), end("tool_calls")]);
    assert!(odd.calls[0].fault.as_deref().is_some_and(|fault| fault.contains("no JSON")));
    let text = turn(&[delta(json!({ "content": "half a" })), end("length")]);
    assert!(text.is_cut && !text.last);
}

#[test]
fn thoughts_in_the_text_are_dropped_and_a_written_call_is_run() {
    let text = turn(&[
        delta(json!({ "content": "<think>hm\n" })),
        delta(json!({ "content": "ok</think>\nDone." })),
        end("stop"),
    ]);
    assert_eq!((text.text.as_str(), text.last), ("Done.", true));
    let written = turn(&[
        delta(json!({ "content": "```json\n{\"name\":\"Glob\",\"arguments\":{\"pattern\":\"*\"}}\n```" })),
        end("stop"),
    ]);
    assert_eq!((calls(&written).len(), written.last, written.text.as_str()), (1, false, ""));
}

#[test]
fn an_error_in_place_of_a_chunk_is_heard_and_a_filter_is_a_refusal() {
    let failure = play(&[json!({ "error": { "message": "out of memory", "code": 500 } })]).unwrap_err();
    assert!(failure.is_transient && failure.words.contains("out of memory"));
    assert!(!play(&[json!({ "error": { "message": "too long", "code": 400 } })]).unwrap_err().is_transient);
    let tools = Vec::new();
    let asked = Asked { model: "m", max_tokens: 9, system: "", tools: &tools, limit_key: "max_tokens", form: None };
    assert!(play(&[end("content_filter")]).unwrap().turn(&asked, 1).is_err());
    assert!(play(&[end("stop")]).unwrap().is_whole() && !play(&[]).unwrap().is_whole());
}
