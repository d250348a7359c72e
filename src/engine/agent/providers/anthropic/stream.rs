//! An answer from its events: blocks by index, pieces of JSON put together, whatever is unknown skipped.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::assembly::Assembly;
use super::super::failure::Failure;
use super::super::sse::Event;
use crate::engine::agent::{ToolCall, Turn};
use crate::engine::{EngineError, Tokens};
use crate::net::failure::said;

/// A block as it grows.
#[derive(Debug)]
struct Block {
    raw: Value,
    /// The pieces of a call's input.
    json: String,
    has_ended: bool,
}

/// The answer.
#[derive(Debug, Default)]
pub(in super::super) struct Answer {
    blocks: BTreeMap<u64, Block>,
    usage: Tokens,
    /// Whether it said what it has read.
    is_begun: bool,
    /// Bytes of words, thoughts and input.
    written: usize,
    stop: Option<String>,
    details: Value,
}

impl Assembly for Answer {
    fn take(&mut self, event: &Event) -> Result<bool, Failure> {
        let Ok(data) = serde_json::from_str::<Value>(&event.data) else {
            return Err(Failure::passing(format!(
                "the server sends something that is no JSON: {:?}",
                short(&event.data)
            )));
        };
        let kind = data["type"].as_str().unwrap_or(&event.name);
        match kind {
            "message_start" => {
                self.count(&data["message"]["usage"]);
                self.is_begun = true;
            }
            "content_block_start" => {
                let raw = data["content_block"].clone();
                // Some servers send all of it with the block.
                self.written +=
                    ["text", "thinking"].iter().filter_map(|key| Some(raw[*key].as_str()?.len())).sum::<usize>();
                self.blocks.insert(index(&data), Block { raw, json: String::new(), has_ended: false });
            }
            "content_block_delta" => {
                if let Some(block) = self.blocks.get_mut(&index(&data)) {
                    self.written += block.grow(&data["delta"]);
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.get_mut(&index(&data)) {
                    block.has_ended = true;
                }
            }
            "message_delta" => {
                self.count(&data["usage"]);
                if let Some(stop) = data["delta"]["stop_reason"].as_str() {
                    self.stop = Some(stop.to_owned());
                    self.details = data["delta"]["stop_details"].clone();
                }
            }
            "message_stop" => return Ok(true),
            "error" => {
                let words = format!("the server broke off: {}", said(&event.data));
                let kind = data["error"]["type"].as_str().unwrap_or_default();
                let is_passing =
                    matches!(kind, "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error" | "");
                return Err(Failure { words, is_transient: is_passing, wait: None, is_refused: false });
            }
            _ => {}
        }
        Ok(false)
    }

    fn usage(&self) -> Tokens {
        self.usage
    }

    fn begun(&self) -> Option<Tokens> {
        self.is_begun.then_some(Tokens { output: 0, ..self.usage })
    }

    fn written(&self) -> usize {
        self.written
    }
}

impl Block {
    /// Takes a piece; how many bytes the model wrote in it.
    fn grow(&mut self, delta: &Value) -> usize {
        let (key, piece) = match delta["type"].as_str() {
            Some("text_delta") => ("text", &delta["text"]),
            Some("thinking_delta") => ("thinking", &delta["thinking"]),
            Some("signature_delta") => ("signature", &delta["signature"]),
            Some("input_json_delta") => {
                let piece = delta["partial_json"].as_str().unwrap_or_default();
                self.json.push_str(piece);
                return piece.len();
            }
            _ => return 0,
        };
        let Some(piece) = piece.as_str() else { return 0 };
        match self.raw.get_mut(key) {
            Some(Value::String(text)) => text.push_str(piece),
            _ => {
                if let Some(block) = self.raw.as_object_mut() {
                    block.insert(key.to_owned(), Value::String(piece.to_owned()));
                }
            }
        }
        if key == "signature" { 0 } else { piece.len() }
    }

    fn text(&self, key: &str) -> &str {
        self.raw[key].as_str().unwrap_or_default()
    }
}

impl Answer {
    /// Figures are of the whole answer so far: the latest that is there holds.
    fn count(&mut self, usage: &Value) {
        for (key, into) in [
            ("input_tokens", &mut self.usage.input),
            ("output_tokens", &mut self.usage.output),
            ("cache_read_input_tokens", &mut self.usage.cache_read),
            ("cache_creation_input_tokens", &mut self.usage.cache_created),
        ] {
            if let Some(figure) = usage[key].as_u64() {
                *into = figure.max(*into);
            }
        }
    }

    /// The turn that the answer is.
    ///
    /// # Errors
    /// When the model declined, or used up its answer without saying anything.
    pub(in super::super) fn turn(self, max_tokens: u64) -> Result<Turn, EngineError> {
        let stop = self.stop.as_deref().unwrap_or_default();
        let is_cut = matches!(stop, "max_tokens" | "model_context_window_exceeded");
        let last = self.blocks.keys().next_back().copied();
        let mut turn = Turn { usage: self.usage, ..Turn::default() };
        let mut raw = Vec::new();
        for (at, block) in &self.blocks {
            match block.text("type") {
                "text" if !block.text("text").trim().is_empty() => {
                    if !turn.text.is_empty() {
                        turn.text.push('\n');
                    }
                    turn.text.push_str(block.text("text"));
                    raw.push(json!({ "type": "text", "text": block.text("text") }));
                }
                "tool_use" => {
                    let call = call(block, is_cut && Some(*at) == last, max_tokens);
                    let input = if call.input.is_object() { call.input.clone() } else { json!({}) };
                    raw.push(json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input }));
                    turn.calls.push(call);
                }
                "thinking" | "redacted_thinking" => raw.push(block.raw.clone()),
                _ => {}
            }
        }
        // Thoughts alone are no message.
        let is_said = raw.iter().any(|block| matches!(block["type"].as_str(), Some("text" | "tool_use")));
        turn.raw = Value::Array(if is_said { raw } else { Vec::new() });
        match stop {
            "refusal" => {
                let why = ["category", "explanation", "type"].iter().find_map(|key| self.details[*key].as_str());
                let why = why.map(|why| format!(" ({})", short(why))).unwrap_or_default();
                return Err(EngineError::Failed(format!("the model declined to go on{why}")));
            }
            "pause_turn" => {}
            "model_context_window_exceeded" => {
                turn.last = true;
                turn.left_out = Some("what did not fit into the model's window any more".to_owned());
            }
            "max_tokens" => turn.is_cut = true,
            // What comes with calls goes on, whatever it says; anything else, known or not, is an end.
            _ => turn.last = turn.calls.is_empty(),
        }
        Ok(turn)
    }
}

fn call(block: &Block, is_cut: bool, max_tokens: u64) -> ToolCall {
    let (id, name) = (block.text("id"), block.text("name"));
    if is_cut || !block.has_ended {
        return ToolCall::faulty(
            id,
            name,
            format!("this call was cut off at the limit of {max_tokens} tokens and was not run; write less at once"),
        );
    }
    // A server may send the whole input with the block, or none at all.
    let written = block.json.trim();
    let input = match written {
        "" => block.raw.get("input").filter(|input| input.is_object()).cloned().unwrap_or_else(|| json!({})),
        written => match serde_json::from_str(written) {
            Ok(input) => input,
            Err(error) => {
                return ToolCall::faulty(
                    id,
                    name,
                    format!("the input of this call is no JSON ({error}); it was not run"),
                );
            }
        },
    };
    ToolCall::new(id, name, input)
}

fn index(data: &Value) -> u64 {
    data["index"].as_u64().unwrap_or_default()
}

fn short(text: &str) -> String {
    crate::secret::redacted(&text.chars().take(120).collect::<String>())
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
