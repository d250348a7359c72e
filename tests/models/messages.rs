//! Answers as the Messages API streams them.

use serde_json::{Value, json};

use crate::server::Reply;

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

/// A whole answer: text, calls (name and input), the reason it stopped.
pub fn answer(text: &str, calls: &[(&str, Value)], stop: &str) -> String {
    let mut all = event(
        &json!({ "type": "message_start", "message": { "id": "msg_1", "type": "message", "role": "assistant",
        "content": [], "usage": { "input_tokens": 100, "cache_creation_input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 1 } } }),
    );
    all.push_str(&event(&json!({ "type": "ping" })));
    let mut index = 0;
    if !text.is_empty() {
        all.push_str(&event(
            &json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        ));
        for piece in text.chars().collect::<Vec<_>>().chunks(5) {
            let piece: String = piece.iter().collect();
            all.push_str(&event(
                &json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": piece } }),
            ));
        }
        all.push_str(&event(&json!({ "type": "content_block_stop", "index": 0 })));
        index = 1;
    }
    for (name, input) in calls {
        all.push_str(&event(&json!({ "type": "content_block_start", "index": index,
            "content_block": { "type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {} } })));
        for piece in input.to_string().chars().collect::<Vec<_>>().chunks(11) {
            let piece: String = piece.iter().collect();
            all.push_str(&event(&json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": piece } })));
        }
        all.push_str(&event(&json!({ "type": "content_block_stop", "index": index })));
        index += 1;
    }
    all.push_str(&event(&json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": { "output_tokens": 20 } })));
    all.push_str(&event(&json!({ "type": "message_stop" })));
    all
}

/// The assistant says something and is done.
pub fn says(text: &str) -> Reply {
    Reply::Stream(answer(text, &[], "end_turn"), 7)
}

/// The assistant uses tools.
pub fn calls(calls: &[(&str, Value)]) -> Reply {
    Reply::Stream(answer("", calls, "tool_use"), 64)
}
