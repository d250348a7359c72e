//! The agent loop: turns of a provider, tools with permissions, in the working copy.
//!
//! Providers answer with text and tool calls; the loop runs the calls that the permission allows and reports each. The
//! script provider plays a file of turns. Not its job: deciding what the run meant (`crate::run` reads the disk).

pub mod agent_loop;
mod permission;
mod private;
mod reach;
pub mod script;
#[cfg(unix)]
mod shell;
mod tools;

use std::future::Future;
use std::pin::Pin;

use super::{EngineError, EventSender, Tokens};
use crate::change::Rationale;

pub use reach::Reach;
pub use script::Script;

/// A tool call as a provider asks for it. Nothing about it is trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The provider's id of the call; the answer carries it back.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its input, whatever it is.
    pub input: serde_json::Value,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The id of the call.
    pub id: String,
    /// The text, bounded.
    pub text: String,
    /// Whether the call failed or was refused.
    pub is_error: bool,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The task.
    Task(String),
    /// What the assistant said and asked for.
    Assistant {
        /// Its text.
        text: String,
        /// Its tool calls.
        calls: Vec<ToolCall>,
    },
    /// What the tools answered.
    Answers(Vec<ToolAnswer>),
}

/// One turn of a provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What it said.
    pub text: String,
    /// The tools it wants to use, in order.
    pub calls: Vec<ToolCall>,
    /// What the turn cost.
    pub usage: Tokens,
    /// Why it changes files, as far as it says so in a form of its own.
    pub rationales: Vec<(String, Rationale)>,
    /// Whether it is done after this turn.
    pub last: bool,
}

/// The future a provider returns.
pub type TurnFuture<'a> = Pin<Box<dyn Future<Output = Result<Turn, EngineError>> + Send + 'a>>;

/// What answers: a model, or a script.
pub trait Provider: Send {
    /// The next turn after a history. Phases it enters go to `events` at once; text, calls and usage are reported by the loop.
    fn turn<'a>(&'a mut self, history: &'a [Message], events: &'a EventSender) -> TurnFuture<'a>;
}
