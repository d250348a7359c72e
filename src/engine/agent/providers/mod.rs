//! Models over HTTP, as providers of the agent loop: our own client, two wire formats.
//!
//! Not its job: what they are asked (see [`super::model`]), and tools.

mod anthropic;
mod assembly;
mod failure;
mod http;
mod meter;
mod openai;
mod retry;
mod settings;
mod sse;
mod text_calls;

use serde_json::Value;

use super::tools::Definition;
use super::{Message, Provider, Turn, TurnFuture};
use crate::engine::{EngineError, EventSender};

pub(in crate::engine) use retry::Patience;
pub(in crate::engine) use settings::{Settings, Wire, estimate};

/// What is asked in every request of a conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) model: &'a str,
    pub(super) max_tokens: u64,
    pub(super) system: &'a str,
    pub(super) tools: &'a [Definition],
    /// What the limit of an answer is called.
    pub(super) limit_key: &'static str,
    /// The JSON schema an answer has to follow, where the server can hold a model to one.
    pub(super) form: Option<&'a Value>,
}

impl<'a> Asked<'a> {
    fn of(settings: &'a Settings, system: &'a str, tools: &'a [Definition]) -> Self {
        let Settings { model, max_tokens, .. } = settings;
        Self { model, max_tokens: *max_tokens, system, tools, limit_key: settings.limit_key(), form: None }
    }
}

/// A model that a conversation is held with.
pub(in crate::engine) struct Remote {
    http: http::Http,
    settings: Settings,
    system: String,
    tools: Vec<Definition>,
    patience: Patience,
    form: Option<Value>,
}

impl Remote {
    /// A model, its instructions and its tools. Nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be had, or an address or a header is none.
    pub(in crate::engine) async fn open(
        settings: &Settings,
        system: String,
        tools: Vec<Definition>,
        patience: Patience,
    ) -> Result<Self, EngineError> {
        let http = http::Http::open(settings).await?;
        Ok(Self { http, settings: settings.clone(), system, tools, patience, form: None })
    }

    /// The same, held to answers of a form.
    pub(in crate::engine) fn with_form(self, form: Value) -> Self {
        Self { form: Some(form), ..self }
    }

    /// One question, one answer. What it uses goes to `events` at once.
    ///
    /// # Errors
    /// As for any turn.
    pub(in crate::engine) async fn ask(&mut self, question: &str, events: &EventSender) -> Result<Turn, EngineError> {
        self.turn(&[Message::Task(question.to_owned())], events).await
    }

    fn asked(&self) -> Asked<'_> {
        Asked { form: self.form.as_ref(), ..Asked::of(&self.settings, &self.system, &self.tools) }
    }
}

/// How many bytes the system text and the tools take in every request.
pub(in crate::engine) fn fixed(settings: &Settings, system: &str, tools: &[Definition]) -> usize {
    let asked = Asked::of(settings, system, tools);
    match settings.wire {
        Wire::Anthropic => anthropic::body(&asked, &[]).len(),
        Wire::OpenAi => openai::body(&asked, &[]).len(),
    }
}

impl Provider for Remote {
    fn turn<'a>(&'a mut self, history: &'a [Message], events: &'a EventSender) -> TurnFuture<'a> {
        Box::pin(async move {
            match self.settings.wire {
                Wire::Anthropic => anthropic::turn(&self.http, &self.asked(), history, &self.patience, events).await,
                Wire::OpenAi => openai::turn(&self.http, &self.asked(), history, &self.patience, events).await,
            }
        })
    }

    fn allow(&mut self, tokens: u64) {
        self.http.allow(tokens);
    }

    fn room(&self) -> Option<usize> {
        let fixed = fixed(&self.settings, &self.system, &self.tools);
        Some(self.settings.room().saturating_sub(fixed))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::assembly::Assembly;
    use super::sse::Event;
    use super::{Asked, anthropic, openai};
    use crate::engine::agent::Reach;
    use crate::engine::agent::tools::definitions;

    const WORDS: [&str; 30] = [
        "type",
        "index",
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "content_block",
        "delta",
        "tool_use",
        "text",
        "thinking",
        "input_json_delta",
        "partial_json",
        "text_delta",
        "stop_reason",
        "max_tokens",
        "usage",
        "input_tokens",
        "choices",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "finish_reason",
        "length",
        "error",
        "content",
        "Read",
    ];

    /// JSON that looks like events and is none.
    fn anything() -> impl Strategy<Value = Value> {
        let word = || prop::sample::select(WORDS.to_vec());
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (0_u64..3).prop_map(Value::from),
            word().prop_map(Value::from),
            ".{0,5}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            let entries = prop::collection::vec((word(), inner.clone()), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                entries.prop_map(|all| Value::Object(
                    all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>()
                )),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_a_server_sends_makes_a_turn_or_a_failure(all in prop::collection::vec((prop::sample::select(WORDS.to_vec()), anything()), 0..12)) {
            let tools = definitions(&Reach::default());
            let asked = Asked { model: "m", max_tokens: 9, system: "", tools: &tools, limit_key: "max_tokens", form: None };
            let (mut messages, mut chat) = (anthropic::Answer::default(), openai::Answer::default());
            for (kind, mut data) in all {
                if let Some(object) = data.as_object_mut() {
                    object.insert("type".to_owned(), kind.into());
                }
                let event = Event { name: kind.to_owned(), data: data.to_string() };
                let _ = (messages.take(&event), chat.take(&event));
            }
            if let Ok(turn) = messages.turn(9) {
                let history = [crate::engine::agent::Message::Assistant { text: turn.text, calls: turn.calls, raw: turn.raw }];
                prop_assert!(serde_json::from_slice::<Value>(&anthropic::body(&asked, &history)).is_ok());
            }
            if let Ok(turn) = chat.turn(&asked, 1) {
                let history = [crate::engine::agent::Message::Assistant { text: turn.text, calls: turn.calls, raw: turn.raw }];
                prop_assert!(serde_json::from_slice::<Value>(&openai::body(&asked, &history)).is_ok());
            }
        }
    }
}
