//! Answers as servers of chat completions stream them.

use serde_json::{Value, json};

use crate::server::Reply;

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let data = json!({ "id": "c1", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
    format!("data: {data}\n\n")
}

/// A whole answer: text, calls (name and input), the reason it finished.
pub fn answer(text: &str, calls: &[(&str, Value)], finish: &str) -> String {
    let mut all = chunk(&json!({ "role": "assistant", "content": "" }), None);
    all.push_str(&chunk(&json!({ "reasoning_content": "thinking about it" }), None));
    for piece in text.chars().collect::<Vec<_>>().chunks(5) {
        all.push_str(&chunk(&json!({ "content": piece.iter().collect::<String>() }), None));
    }
    for (index, (name, input)) in calls.iter().enumerate() {
        let id = format!("call_{index}");
        all.push_str(&chunk(
            &json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" } }] }),
            None,
        ));
        for piece in input.to_string().chars().collect::<Vec<_>>().chunks(11) {
            let piece: String = piece.iter().collect();
            all.push_str(&chunk(
                &json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }),
                None,
            ));
        }
    }
    all.push_str(&chunk(&json!({}), Some(finish)));
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 3_000, "completion_tokens": 20, "total_tokens": 3_020 } });
    all.push_str(&format!("data: {usage}\n\ndata: [DONE]\n\n"));
    all
}

/// The assistant says something and is done.
pub fn says(text: &str) -> Reply {
    Reply::Stream(answer(text, &[], "stop"), 7)
}

/// The assistant uses tools.
pub fn calls(calls: &[(&str, Value)]) -> Reply {
    Reply::Stream(answer("", calls, "tool_calls"), 64)
}
