//! The agent loop: turns of a provider, tools with permissions, in the working copy.
//!
//! Providers answer with text and tool calls; the loop runs the calls that the permission allows and reports each. The
//! script provider plays a file of turns, [`Model`] asks a model over HTTP. [`Claude`] is no provider: the `claude` command has
//! a loop of its own, of which only what it wrote and said comes back here. Not its job: deciding what the run meant
//! (`crate::run` reads the disk).

pub mod agent_loop;
pub(super) mod claude;
mod earlier;
mod evidence;
pub(super) mod model;
mod permission;
mod phases;
pub(super) mod providers;
mod reach;
pub mod script;
#[cfg(unix)]
mod shell;
pub(super) mod tools;
mod walls;
mod window;

use std::future::Future;
use std::pin::Pin;

use super::{EngineError, EventSender, Tokens};
use crate::change::Rationale;

pub use claude::Claude;
pub use model::Model;
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
    /// Why it cannot be run, when the provider knows: its input was cut off, or is no JSON. It is answered with these words.
    pub fault: Option<String>,
}

impl ToolCall {
    /// A call.
    #[must_use]
    pub fn new(id: &str, name: &str, input: serde_json::Value) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), input, fault: None }
    }

    /// A call that is not to be run.
    #[must_use]
    pub fn faulty(id: &str, name: &str, fault: String) -> Self {
        Self { fault: Some(fault), ..Self::new(id, name, serde_json::Value::Null) }
    }
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
        /// The provider's own form of it, to be sent back as it came; null when it needs none.
        raw: serde_json::Value,
    },
    /// What the tools answered.
    Answers(Vec<ToolAnswer>),
    /// What the loop has to say: that an answer was cut off, or that no tool was used.
    Note(String),
}

/// One turn of a provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What it said.
    pub text: String,
    /// The tools it wants to use, in order.
    pub calls: Vec<ToolCall>,
    /// What the turn cost, tries that failed included. The provider told it already.
    pub usage: Tokens,
    /// Why it changes files, as far as it says so in a form of its own.
    pub rationales: Vec<(String, Rationale)>,
    /// Whether it is done after this turn.
    pub last: bool,
    /// Whether it was cut off, its last call with it where it has any.
    pub is_cut: bool,
    /// What had to be left out of the work, if the provider knows.
    pub left_out: Option<String>,
    /// See [`Message::Assistant`].
    pub raw: serde_json::Value,
}

/// The future a provider returns.
pub type TurnFuture<'a> = Pin<Box<dyn Future<Output = Result<Turn, EngineError>> + Send + 'a>>;

/// What answers: a model, or a script.
pub trait Provider: Send {
    /// The next turn after a history. Phases it enters and what it uses go to `events` at once; text and calls are reported by
    /// the loop.
    fn turn<'a>(&'a mut self, history: &'a [Message], events: &'a EventSender) -> TurnFuture<'a>;

    /// How many tokens the next turn may use before it is asked for no second time.
    fn allow(&mut self, _tokens: u64) {}

    /// How many bytes of history it has room for; `None`: as many as there are.
    fn room(&self) -> Option<usize> {
        None
    }
}
