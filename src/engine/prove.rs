//! Whether a model answers, and can use a tool: one small question, only when a person asks for it, because it may cost.

use super::agent::providers::{Patience, Remote, Settings};
use super::agent::tools::definitions;
use super::agent::{Claude, Reach};
use super::{EngineError, EventSender, Tokens};
use crate::config::{Config, Money};
use crate::environment::Environment;

/// What is asked.
const QUESTION: &str = "Use the tool Glob once, with the pattern *.md. Say nothing else.";
/// An answer needs no more, thoughts included.
const ANSWER_TOKENS: u64 = 1_000;

/// What came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether it used the tool as it was asked to. Without that it can neither extract nor dream.
    pub uses_tools: bool,
    /// What the question used.
    pub tokens: Tokens,
    /// What it cost, where that is known.
    pub cost: Option<Money>,
}

/// Where an engine asks, in words: model and address; `None`: it asks nobody.
///
/// # Errors
/// When the engine lacks something it needs, as far as that shows without asking anybody or running anything.
pub fn address(engine: &str, config: &Config, environment: &Environment) -> Result<Option<String>, EngineError> {
    if let Some(claude) = Claude::named(engine, config, environment)? {
        return Ok(Some(claude.address()));
    }
    let settings = Settings::of(engine, config, environment)?;
    if let Some(settings) = &settings {
        settings.key.look().map_err(|error| EngineError::Failed(error.to_string()))?;
    }
    Ok(settings.map(|settings| format!("the model {} at {}", settings.model, settings.address())))
}

/// Asks an engine's model one small question; `None`: it asks nobody.
///
/// # Errors
/// When it does not answer, in words.
pub async fn prove(engine: &str, config: &Config, environment: &Environment) -> Result<Option<Proof>, EngineError> {
    let (events, _) = EventSender::channel();
    if let Some(claude) = Claude::named(engine, config, environment)? {
        let said = claude.ask(QUESTION, true, &events).await?;
        let uses_tools = said.tools.iter().any(|tool| tool == "Glob");
        return Ok(Some(Proof { uses_tools, tokens: said.tokens, cost: said.cost }));
    }
    let Some(mut settings) = Settings::of(engine, config, environment)? else { return Ok(None) };
    settings.max_tokens = settings.max_tokens.min(ANSWER_TOKENS);
    let tools: Vec<_> = definitions(&Reach::default()).into_iter().filter(|tool| tool.name == "Glob").collect();
    let mut remote = Remote::open(&settings, String::new(), tools, Patience::none()).await?;
    let turn = remote.ask(QUESTION, &events).await?;
    Ok(Some(Proof {
        uses_tools: turn.calls.iter().any(|call| call.name == "Glob" && call.fault.is_none()),
        tokens: turn.usage,
        cost: turn.usage.cost(engine, config),
    }))
}
