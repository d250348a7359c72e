//! Asking an engine which memories a prompt calls for. Not its job: believing the answer (see [`crate::recall::select`]).

use std::time::Duration;

use serde_json::{Value, json};

use super::agent::model::prompts::{Name, prompt};
use super::agent::providers::{Patience, Remote, Settings, estimate};
use super::agent::{Claude, Script};
use super::{EngineEvent, EventSender, Tokens};
use crate::config::{Config, Money};
use crate::environment::Environment;
use crate::recall::select::Offered;
use crate::secret::redacted;

/// An answer holds five names.
const ANSWER_TOKENS: u64 = 1_000;
/// A server is held to the names where there are not more.
const MOST_NAMES: usize = 200;

/// Whether the engine of this word selects by itself; the embedded one ranks.
#[must_use]
pub fn selects(engine: &str) -> bool {
    engine != "embedded"
}

/// A question for a model: which of these memories a prompt calls for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The whole text.
    pub text: String,
    /// The files it may name.
    files: Vec<String>,
}

/// What a model is asked: the prompt, the manifest, the tools in use; without credentials.
///
/// # Errors
/// When the person's own prompt for it cannot be read.
pub fn question(request: &str, manifest: &[Offered], tools: &[String], config: &Config) -> Result<Question, String> {
    let listed: Vec<String> =
        manifest.iter().map(|offered| format!("- {} ({})", offered.file, redacted(&offered.said))).collect();
    let instructions = prompt(Name::Select, config.dir.as_deref()).map_err(|error| error.to_string())?;
    let text = instructions
        .text
        .replace("{tools}", &if tools.is_empty() { "none".to_owned() } else { tools.join(", ") })
        .replace("{manifest}", &listed.join("\n"))
        .replace("{prompt}", &redacted(request));
    Ok(Question { text, files: manifest.iter().map(|offered| offered.file.clone()).collect() })
}

/// What a question used, whether or not there was an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Tokens.
    pub tokens: Tokens,
    /// What they cost, where that is known.
    pub cost: Option<Money>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// It said nothing in time.
    #[error("it did not answer within {:.1} s", .0.as_secs_f64())]
    Silent(Duration),
    /// In words, which may be its own.
    #[error("{0}")]
    Failed(String),
}

/// The answer of an engine, or why there is none, and what it used. Never takes longer than the limit.
pub async fn ask(
    engine: &str,
    config: &Config,
    environment: &Environment,
    question: &Question,
    limit: Duration,
) -> (Result<String, Unanswered>, Used) {
    let (events, mut received) = EventSender::channel();
    let answer = async {
        if let Some(file) = engine.strip_prefix("script:") {
            let script = Script::read(&environment.current_dir().join(file)).map_err(|error| error.to_string())?;
            return script.first_words(&events).await.map_err(|error| error.to_string());
        }
        if let Some(claude) = Claude::named(engine, config, environment).map_err(|error| error.to_string())? {
            let said = claude.ask(&question.text, false, &events).await;
            return said.map(|said| said.text).map_err(|error| error.to_string());
        }
        match Settings::of(engine, config, environment) {
            Ok(Some(settings)) => by_model(settings, question, &events).await,
            Ok(None) => Err(format!("the engine {engine:?} cannot select memories")),
            Err(error) => Err(error.to_string()),
        }
    };
    let answer = match tokio::time::timeout(limit, answer).await {
        Ok(answer) => answer.map_err(Unanswered::Failed),
        Err(_) => Err(Unanswered::Silent(limit)),
    };
    let (mut tokens, mut cost) = (Tokens::default(), None::<Money>);
    while let Ok(event) = received.try_recv() {
        match event {
            EngineEvent::Usage(more) => tokens += more,
            EngineEvent::Cost(more) => cost = Some(cost.unwrap_or_default().plus(more)),
            _ => {}
        }
    }
    (answer, Used { tokens, cost: cost.or_else(|| tokens.cost(engine, config)) })
}

async fn by_model(mut settings: Settings, question: &Question, events: &EventSender) -> Result<String, String> {
    settings.max_tokens = settings.max_tokens.min(ANSWER_TOKENS);
    if question.text.len() > settings.room() {
        return Err(format!(
            "the list of memories is about {} tokens and does not fit into what it can hold",
            estimate(question.text.len())
        ));
    }
    let remote = Remote::open(&settings, String::new(), Vec::new(), Patience::none()).await;
    let mut remote = remote.map_err(|error| error.to_string())?;
    if question.files.len() <= MOST_NAMES {
        remote = remote.with_form(form(&question.files));
    }
    let turn = remote.ask(&question.text, events).await.map_err(|error| error.to_string())?;
    Ok(turn.text)
}

/// What an answer looks like.
fn form(files: &[String]) -> Value {
    json!({
        "type": "object",
        "properties": { "selected": { "type": "array", "items": { "type": "string", "enum": files } } },
        "required": ["selected"],
        "additionalProperties": false,
    })
}
