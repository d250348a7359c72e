//! An answer from its chunks: calls by index where there is one, thoughts dropped, an error in place of a chunk heard.

use serde_json::{Value, json};

use super::super::Asked;
use super::super::assembly::Assembly;
use super::super::failure::{self, Failure};
use super::super::sse::Event;
use super::super::text_calls;
use crate::engine::agent::{ToolCall, Turn};
use crate::engine::{EngineError, Tokens};
use crate::net::failure::said;

/// A call as it grows.
#[derive(Debug, Default)]
struct Growing {
    /// Its number, where the server gives one.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// The answer.
#[derive(Debug, Default)]
pub(in super::super) struct Answer {
    text: String,
    calls: Vec<Growing>,
    usage: Tokens,
    /// Bytes of words, thoughts and arguments.
    written: usize,
    finish: Option<String>,
}

impl Assembly for Answer {
    fn take(&mut self, event: &Event) -> Result<bool, Failure> {
        if event.data.trim() == "[DONE]" {
            return Ok(true);
        }
        let Ok(data) = serde_json::from_str::<Value>(&event.data) else {
            let said: String = crate::secret::redacted(&event.data.chars().take(120).collect::<String>());
            return Err(Failure::passing(format!("the server sends something that is no JSON: {said:?}")));
        };
        if !data["error"].is_null() {
            let words = format!("the server broke off: {}", said(&event.data));
            let code = data["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok());
            return Err(Failure {
                words,
                is_transient: code.is_none_or(failure::is_passing),
                wait: None,
                is_refused: false,
            });
        }
        self.count(&data["usage"]);
        let choice = &data["choices"][0];
        let delta = &choice["delta"];
        let thoughts = ["reasoning_content", "reasoning"].iter().find_map(|key| delta[*key].as_str());
        self.written += thoughts.map_or(0, str::len);
        if let Some(text) = delta["content"].as_str() {
            self.written += text.len();
            self.text.push_str(text);
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.grow(call);
        }
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
        Ok(false)
    }

    fn usage(&self) -> Tokens {
        self.usage
    }

    fn written(&self) -> usize {
        self.written
    }

    fn is_whole(&self) -> bool {
        self.finish.is_some()
    }
}

impl Answer {
    fn count(&mut self, usage: &Value) {
        let Some(prompt) = usage["prompt_tokens"].as_u64() else { return };
        let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or_default().min(prompt);
        self.usage = Tokens {
            input: prompt - cached,
            output: usage["completion_tokens"].as_u64().unwrap_or_default(),
            cache_read: cached,
            cache_created: 0,
        };
    }

    /// A fragment of a call. It belongs to the call of its index; without one to the latest, unless it begins another. Two
    /// whole calls may come under one index.
    fn grow(&mut self, fragment: &Value) {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let index = fragment["index"].as_u64();
        let (id, name) = (text(&fragment["id"]), text(&fragment["function"]["name"]));
        let known = match index {
            Some(_) => self.calls.iter_mut().rev().find(|call| call.index == index),
            None => self.calls.last_mut(),
        };
        let is_other = |call: &&mut Growing| {
            let is_new = index.is_none() && !name.is_empty();
            is_new || (!id.is_empty() && !call.id.is_empty() && call.id != id && !name.is_empty())
        };
        let arguments = text(&fragment["function"]["arguments"]);
        self.written += arguments.len();
        match known.filter(|call| !is_other(call)) {
            Some(call) => {
                if call.id.is_empty() {
                    call.id = id;
                }
                if call.name.is_empty() {
                    call.name = name;
                }
                call.arguments.push_str(&arguments);
            }
            None => self.calls.push(Growing { index, id, name, arguments }),
        }
    }

    /// The turn that the answer is; `number` is its own in the conversation.
    ///
    /// # Errors
    /// When a filter took it away.
    pub(in super::super) fn turn(self, asked: &Asked<'_>, number: usize) -> Result<Turn, EngineError> {
        let finish = self.finish.as_deref().unwrap_or_default();
        if finish == "content_filter" {
            return Err(EngineError::Failed("the model declined to go on (content_filter)".to_owned()));
        }
        let is_cut = finish == "length";
        let said = without_thoughts(&self.text).trim();
        let last = self.calls.len();
        let mut calls: Vec<ToolCall> = self
            .calls
            .iter()
            .enumerate()
            .map(|(at, call)| call.whole(at, is_cut && at + 1 == last, asked.max_tokens))
            .collect();
        let mut text = said.to_owned();
        if calls.is_empty()
            && !is_cut
            && let Some(written) = text_calls::read(said, asked.tools, number)
        {
            calls = written;
            text.clear();
        }
        let is_silent = calls.is_empty();
        // "stop" beside calls is what some servers say: the calls hold.
        Ok(Turn { text, calls, usage: self.usage, last: is_silent && !is_cut, is_cut, ..Turn::default() })
    }
}

impl Growing {
    fn whole(&self, at: usize, is_cut: bool, max_tokens: u64) -> ToolCall {
        let id = if self.id.is_empty() { format!("call_{at}") } else { self.id.clone() };
        if is_cut {
            let words = format!(
                "this call was cut off at the limit of {max_tokens} tokens and was not run; write less at once"
            );
            return ToolCall::faulty(&id, &self.name, words);
        }
        match self.arguments.trim() {
            "" => ToolCall::new(&id, &self.name, json!({})),
            written => match serde_json::from_str(written) {
                Ok(input) => ToolCall::new(&id, &self.name, input),
                Err(error) => {
                    let words = format!("the arguments of this call are no JSON ({error}); it was not run");
                    ToolCall::faulty(&id, &self.name, words)
                }
            },
        }
    }
}

/// A text without the thoughts that some models begin it with.
fn without_thoughts(text: &str) -> &str {
    let begun = text.trim_start();
    match begun.strip_prefix("<think>") {
        Some(rest) => rest.split_once("</think>").map_or("", |(_, after)| after),
        None => text,
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
