//! Models over HTTP, as providers of the agent loop: our own client, two wire formats.
//!
//! Not its job: what they are asked (see [`super::model`]), and tools.

mod anthropic;
mod failure;
mod http;
mod key;
mod retry;
mod settings;
mod sse;

use super::tools::Definition;
use super::{Message, Provider, TurnFuture};
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
}

/// A model that a conversation is held with.
pub(in crate::engine) struct Remote {
    http: http::Http,
    settings: Settings,
    system: String,
    tools: Vec<Definition>,
    patience: Patience,
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
        Ok(Self { http, settings: settings.clone(), system, tools, patience })
    }

    fn asked(&self) -> Asked<'_> {
        let Settings { model, max_tokens, .. } = &self.settings;
        Asked { model, max_tokens: *max_tokens, system: &self.system, tools: &self.tools }
    }
}

/// How many bytes the system text and the tools take in every request.
pub(in crate::engine) fn fixed(settings: &Settings, system: &str, tools: &[Definition]) -> usize {
    let asked = Asked { model: &settings.model, max_tokens: settings.max_tokens, system, tools };
    match settings.wire {
        Wire::Anthropic => anthropic::body(&asked, &[]).len(),
        Wire::OpenAi => anthropic::body(&asked, &[]).len(),
    }
}

impl Provider for Remote {
    fn turn<'a>(&'a mut self, history: &'a [Message], events: &'a EventSender) -> TurnFuture<'a> {
        Box::pin(async move {
            match self.settings.wire {
                Wire::Anthropic => anthropic::turn(&self.http, &self.asked(), history, &self.patience, events).await,
                Wire::OpenAi => anthropic::turn(&self.http, &self.asked(), history, &self.patience, events).await,
            }
        })
    }

    fn room(&self) -> Option<usize> {
        let fixed = fixed(&self.settings, &self.system, &self.tools);
        Some(self.settings.room().saturating_sub(fixed))
    }
}
