//! Calls that a model wrote as text, because its server does not know its form of them.
//!
//! Strictly: the whole message is calls, each a JSON object with the name of a tool and arguments that fit it, bare, in one
//! code fence or each in `<tool_call>` tags, one after the other or in a list. Anything else is text: a sentence about a call
//! must not run one.

use serde_json::Value;

use crate::engine::agent::ToolCall;
use crate::engine::agent::tools::Definition;

/// The calls that a message is; `None`: it is text. `turn` tells the ids of one message from those of another.
pub(super) fn read(text: &str, tools: &[Definition], turn: usize) -> Option<Vec<ToolCall>> {
    let values: Option<Vec<Vec<Value>>> = pieces(text)?.into_iter().map(objects).collect();
    let values = values?.into_iter().flatten().enumerate();
    let calls: Option<Vec<ToolCall>> =
        values.map(|(at, value)| call(&value, &format!("text_{turn}_{at}"), tools)).collect();
    calls.filter(|calls| !calls.is_empty())
}

/// What a piece holds and nothing else: JSON values in a row, or in a list.
fn objects(piece: &str) -> Option<Vec<Value>> {
    let values: Vec<Value> = serde_json::Deserializer::from_str(piece).into_iter().collect::<Result<_, _>>().ok()?;
    Some(match values.as_slice() {
        [Value::Array(listed)] => listed.clone(),
        _ => values,
    })
}

/// The parts of a message that hold objects, as text.
fn pieces(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix("```") {
        let inside = inside.strip_suffix("```")?;
        let (language, body) = inside.split_once('\n')?;
        let is_plain = matches!(language.trim(), "" | "json" | "tool_call");
        return (is_plain && !body.contains("```")).then(|| vec![body.trim()]);
    }
    if text.starts_with("<tool_call>") {
        let mut rest = text;
        let mut found = Vec::new();
        while !rest.is_empty() {
            let (piece, after) = rest.strip_prefix("<tool_call>")?.split_once("</tool_call>")?;
            found.push(piece.trim());
            rest = after.trim_start();
        }
        return Some(found);
    }
    text.starts_with(['{', '[']).then(|| vec![text])
}

fn call(value: &Value, id: &str, tools: &[Definition]) -> Option<ToolCall> {
    let object = value.as_object()?;
    let is_known = |key: &String| matches!(key.as_str(), "name" | "arguments" | "parameters" | "id" | "type");
    let name = object.get("name")?.as_str()?;
    let tool = tools.iter().find(|tool| tool.name == name)?;
    let input = object.get("arguments").or_else(|| object.get("parameters"))?;
    (object.keys().all(is_known) && fits(input, &tool.schema)).then(|| ToolCall::new(id, name, input.clone()))
}

/// Whether an input is one of the tool's: all it requires, nothing it does not know, everything of the right kind.
fn fits(input: &Value, schema: &Value) -> bool {
    let (Some(input), Some(properties)) = (input.as_object(), schema["properties"].as_object()) else { return false };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let has_all = required.into_iter().all(|key| input.contains_key(key));
    let is_right = |(key, value): (&String, &Value)| match properties.get(key).and_then(|of| of["type"].as_str()) {
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        _ => false,
    };
    has_all && input.iter().all(is_right)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::engine::agent::Reach;
    use crate::engine::agent::tools::definitions;

    #[test]
    fn a_message_that_is_a_call_is_one_bare_fenced_or_tagged() {
        let bare = r#"{"name": "Read", "arguments": {"file_path": "a.md"}}"#;
        for text in [
            bare.to_owned(),
            format!("```json\n{bare}\n```"),
            format!("<tool_call>\n{bare}\n</tool_call>"),
            bare.replace("arguments", "parameters"),
        ] {
            let calls = read(&text, &definitions(&Reach::default()), 3).unwrap();
            assert_eq!((calls[0].name.as_str(), &calls[0].input), ("Read", &json!({ "file_path": "a.md" })), "{text}");
        }
        for two in [
            format!("<tool_call>{bare}</tool_call>\n<tool_call>{bare}</tool_call>"),
            format!("<tool_call>\n{bare}\n{bare}\n</tool_call>"),
            format!("```json\n[{bare}, {bare}]\n```"),
            format!("{bare}\n{bare}"),
        ] {
            let calls = read(&two, &definitions(&Reach::default()), 3).unwrap();
            assert_eq!((calls.len(), calls[0].id.as_str(), calls[1].id.as_str()), (2, "text_3_0", "text_3_1"), "{two}");
        }
    }

    #[test]
    fn anything_else_is_text() {
        let bare = r#"{"name": "Delete", "arguments": {"file_path": "a.md", "reason": "x"}}"#;
        for text in [
            format!("I would call {bare}"),
            format!("{bare}\nShall I?"),
            format!("```json\n{bare}\n```\nor\n```json\n{bare}\n```"),
            format!("```sh\n{bare}\n```"),
            format!("<tool_call>{bare}"),
            bare.replace("Delete", "Bash"),
            bare.replace("\"reason\": \"x\"", "\"force\": true"),
            bare.replace(", \"reason\": \"x\"", ""),
            bare.replace("\"a.md\"", "3"),
            format!("<tool_call>{bare}</tool_call> and so on"),
            format!("[{bare}, 3]"),
            "[]".to_owned(),
            "{}".to_owned(),
            "nothing to change".to_owned(),
            String::new(),
        ] {
            assert_eq!(read(&text, &definitions(&Reach::default()), 3), None, "{text}");
        }
    }
}
