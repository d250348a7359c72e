//! A request: byte for byte the same beginning from turn to turn, so that the prompt cache serves.

use serde_json::{Value, json};

use super::super::Asked;
use crate::engine::agent::Message;

/// No body is larger.
pub(super) const LARGEST: usize = 32 * 1024 * 1024;

/// The body of a request. At most four marks: behind tools and system, behind the task, behind the last two of our
/// messages. The second to last is where the request before ended, so that its prefix is found whatever was added since.
pub(in super::super) fn body(asked: &Asked<'_>, history: &[Message]) -> Vec<u8> {
    let mut messages: Vec<Value> = Vec::new();
    for message in history {
        let (role, blocks) = match message {
            Message::Task(text) | Message::Note(text) => ("user", vec![text_block(text)]),
            Message::Assistant { text, calls, raw } => ("assistant", said(text, calls, raw)),
            Message::Answers(answers) => ("user", answers.iter().map(answer).collect()),
        };
        if blocks.is_empty() {
            continue;
        }
        // Two in a row of one role are one message to the server.
        match messages.last_mut().filter(|last| last["role"] == role).and_then(|last| last["content"].as_array_mut()) {
            Some(content) => content.extend(blocks),
            None => messages.push(json!({ "role": role, "content": blocks })),
        }
    }
    let ours: Vec<usize> =
        messages.iter().enumerate().filter(|(_, message)| message["role"] == "user").map(|(at, _)| at).collect();
    let marked = ours.iter().take(1).chain(ours.iter().rev().take(2));
    for at in marked {
        if let Some(last) = messages.get_mut(*at).and_then(|message| message["content"].as_array_mut()?.last_mut()) {
            last["cache_control"] = json!({ "type": "ephemeral" });
        }
    }
    let tools: Vec<Value> = asked
        .tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema }))
        .collect();
    let mut body = json!({
        "model": asked.model,
        "max_tokens": asked.max_tokens,
        "stream": true,
        "messages": messages,
    });
    if !asked.system.is_empty() {
        body["system"] = json!([{ "type": "text", "text": asked.system, "cache_control": { "type": "ephemeral" } }]);
    }
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    body.to_string().into_bytes()
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// What the assistant said, as it came: signed thoughts are only taken back unchanged.
fn said(text: &str, calls: &[crate::engine::agent::ToolCall], raw: &Value) -> Vec<Value> {
    if let Some(blocks) = raw.as_array() {
        return blocks.clone();
    }
    let text = Some(text).filter(|text| !text.trim().is_empty()).map(text_block);
    let calls = calls
        .iter()
        .map(|call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": object(&call.input) }));
    text.into_iter().chain(calls).collect()
}

fn object(input: &Value) -> Value {
    if input.is_object() { input.clone() } else { json!({}) }
}

fn answer(answer: &crate::engine::agent::ToolAnswer) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": answer.id, "content": answer.text });
    if answer.is_error {
        block["is_error"] = Value::Bool(true);
    }
    block
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::engine::agent::{ToolAnswer, ToolCall};

    fn asked() -> Asked<'static> {
        Asked { model: "m", max_tokens: 9, system: "be good", tools: &[], limit_key: "max_tokens", form: None }
    }

    fn marks(body: &Value) -> usize {
        body.to_string().matches("cache_control").count()
    }

    fn history(turns: usize, calls: usize) -> Vec<Message> {
        let mut history = vec![Message::Task("go".to_owned())];
        for turn in 0..turns {
            let ids: Vec<String> = (0..calls).map(|call| format!("c{turn}-{call}")).collect();
            let call = |id: &String| ToolCall::new(id, "Read", json!({ "file_path": "a.md" }));
            history.push(Message::Assistant {
                text: String::new(),
                calls: ids.iter().map(call).collect(),
                raw: Value::Null,
            });
            let answer = |id: &String| ToolAnswer { id: id.clone(), text: "x".to_owned(), is_error: id.ends_with('1') };
            history.push(Message::Answers(ids.iter().map(answer).collect()));
        }
        history
    }

    #[test]
    fn marks_are_never_more_than_four_and_the_place_of_the_last_one_is_marked_again_next_time() {
        for turns in 0..40 {
            let now: Value = serde_json::from_slice(&body(&asked(), &history(turns, 12))).unwrap();
            assert!(marks(&now) <= 4, "{turns} turns: {} marks", marks(&now));
            let next: Value = serde_json::from_slice(&body(&asked(), &history(turns + 1, 12))).unwrap();
            let end = now["messages"].as_array().unwrap().len() - 1;
            let mark = |body: &Value| {
                body["messages"][end]["content"].as_array().unwrap().last().unwrap()["cache_control"].clone()
            };
            assert_eq!(mark(&now), json!({ "type": "ephemeral" }));
            assert_eq!(mark(&next), mark(&now), "{turns} turns");
        }
    }

    #[test]
    fn all_answers_of_a_turn_are_one_message_and_thoughts_go_back_as_they_came() {
        let raw =
            json!([{ "type": "thinking", "thinking": "hm", "signature": "s1g" }, { "type": "text", "text": "Done." }]);
        let mut all = history(1, 3);
        all.push(Message::Assistant { text: "Done.".to_owned(), calls: Vec::new(), raw: raw.clone() });
        all.push(Message::Note("go on".to_owned()));
        let body: Value = serde_json::from_slice(&body(&asked(), &all)).unwrap();
        let messages = body["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 5);
        let results = messages[2]["content"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        assert_eq!((&results[0]["is_error"], &results[1]["is_error"]), (&Value::Null, &Value::Bool(true)));
        assert_eq!(messages[3]["content"], raw);
        assert!(body.get("temperature").is_none() && body.get("tools").is_none());
    }
}
