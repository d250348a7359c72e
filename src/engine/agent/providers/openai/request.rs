//! A request.

use serde_json::{Value, json};

use super::super::Asked;
use crate::engine::agent::{Message, ToolAnswer, ToolCall};

/// The body of a request.
pub(in super::super) fn body(asked: &Asked<'_>, history: &[Message]) -> Vec<u8> {
    let mut messages = Vec::new();
    if !asked.system.is_empty() {
        messages.push(json!({ "role": "system", "content": asked.system }));
    }
    for message in history {
        match message {
            Message::Task(text) | Message::Note(text) => messages.push(json!({ "role": "user", "content": text })),
            Message::Assistant { text, calls, .. } => messages.extend(said(text, calls)),
            Message::Answers(answers) => messages.extend(answers.iter().map(answer)),
        }
    }
    let mut body = json!({
        "model": asked.model,
        "stream": true,
        "stream_options": { "include_usage": true },
        "messages": messages,
    });
    body[asked.limit_key] = asked.max_tokens.into();
    if !asked.tools.is_empty() {
        let tool = |tool: &super::super::Definition| {
            json!({ "type": "function",
                "function": { "name": tool.name, "description": tool.description, "parameters": tool.schema } })
        };
        body["tools"] = asked.tools.iter().map(tool).collect();
    }
    if let Some(form) = asked.form {
        body["response_format"] =
            json!({ "type": "json_schema", "json_schema": { "name": "answer", "strict": true, "schema": form } });
    }
    body.to_string().into_bytes()
}

/// What the assistant said; nothing when it said nothing.
fn said(text: &str, calls: &[ToolCall]) -> Option<Value> {
    if text.is_empty() && calls.is_empty() {
        return None;
    }
    let mut message = json!({ "role": "assistant", "content": text });
    if !calls.is_empty() {
        let call = |call: &ToolCall| {
            let input = if call.input.is_object() { call.input.to_string() } else { "{}".to_owned() };
            json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": input } })
        };
        message["tool_calls"] = calls.iter().map(call).collect();
    }
    Some(message)
}

fn answer(answer: &ToolAnswer) -> Value {
    let lead = if answer.is_error { "error: " } else { "" };
    json!({ "role": "tool", "tool_call_id": answer.id, "content": format!("{lead}{}", answer.text) })
}
