//! Asking an engine which memories a prompt calls for. Not its job: believing the answer (see [`crate::recall::select`]).

use std::time::Duration;

use serde_json::{Value, json};

use super::agent::Script;
use super::agent::model::prompts::{Name, prompt};
use super::agent::providers::{Patience, Remote, Settings, estimate};
use crate::config::Config;
use crate::environment::Environment;
use crate::recall::select::{self, Offered};
use crate::recall::{Examined, Question as Prompt, Ranking, Selection};
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

/// What the engine makes of a prompt's ranking over one store: its own choice from the manifest, or, where the engine only
/// ranks, fails, or takes longer than `recall.model_seconds`, the ranking's. Blocks.
#[must_use]
pub fn selection(
    engine: &str,
    prompt: &Prompt,
    examined: &Examined,
    ranking: Ranking,
    config: &Config,
    environment: &Environment,
) -> Selection {
    if !selects(engine) {
        return Selection::of(ranking);
    }
    let manifest = select::manifest(examined, &prompt.shown);
    let limit = Duration::from_secs(config.recall.model_seconds);
    let answer = question(&prompt.prompt, &manifest, &prompt.tools, config).and_then(|asked| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let answer = runtime.block_on(ask(engine, config, environment, &asked, limit));
        // A look-up of a name that does not end must not keep the answer.
        runtime.shutdown_background();
        answer
    });
    Selection::by_model(engine, answer, examined, ranking, &prompt.shown)
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

/// The answer of an engine, or why there is none, in words. Never takes longer than the limit.
///
/// # Errors
/// When the engine cannot be had, fails, or is too slow.
pub async fn ask(
    engine: &str,
    config: &Config,
    environment: &Environment,
    question: &Question,
    limit: Duration,
) -> Result<String, String> {
    let answer = async {
        if let Some(file) = engine.strip_prefix("script:") {
            let script = Script::read(&environment.current_dir().join(file)).map_err(|error| error.to_string())?;
            return script.first_words().await.map_err(|error| error.to_string());
        }
        match Settings::of(engine, config, environment) {
            Ok(Some(settings)) => by_model(settings, question).await,
            Ok(None) => Err(format!("the engine {engine:?} cannot select memories")),
            Err(error) => Err(error.to_string()),
        }
    };
    match tokio::time::timeout(limit, answer).await {
        Ok(answer) => answer,
        Err(_) => Err(format!("it did not answer within {:.1} s", limit.as_secs_f64())),
    }
}

async fn by_model(mut settings: Settings, question: &Question) -> Result<String, String> {
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
    Ok(remote.ask(&question.text).await.map_err(|error| error.to_string())?.text)
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
