//! Models over HTTP, as providers of the agent loop: our own client, two wire formats.
//!
//! Not its job: what they are asked (see [`super::model`]), and tools.

mod anthropic;
mod failure;
mod http;
mod key;
mod openai;
mod retry;
mod settings;
mod sse;

use serde_json::Value;

use super::tools::Definition;
use super::{Message, Provider, TurnFuture};
use crate::engine::{EngineError, EventSender, Tokens};

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

    /// One question, one answer: its text and what it cost.
    ///
    /// # Errors
    /// As for any turn.
    pub(in crate::engine) async fn answer(&mut self, question: &str) -> Result<(String, Tokens), EngineError> {
        let (events, _) = EventSender::channel();
        let turn = self.turn(&[Message::Task(question.to_owned())], &events).await?;
        Ok((turn.text, turn.usage))
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

    fn room(&self) -> Option<usize> {
        let fixed = fixed(&self.settings, &self.system, &self.tools);
        Some(self.settings.room().saturating_sub(fixed))
    }
}
