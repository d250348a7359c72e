//! Asking an engine which memories a prompt calls for. Not its job: believing the answer (see [`crate::recall::select`]).

use std::path::Path;
use std::time::Duration;

use super::agent::Script;
use crate::recall::select::Offered;

/// How long a selection may take before the ranking answers instead.
pub const LIMIT: Duration = Duration::from_secs(5);

/// The question for a model.
const QUESTION: &str = include_str!("../../assets/prompts/select.md");

/// Whether the engine of this word selects by itself; the embedded one ranks.
#[must_use]
pub fn selects(engine: &str) -> bool {
    engine != "embedded"
}

/// What a model is asked: the prompt, the manifest, the tools in use.
#[must_use]
pub fn question(prompt: &str, manifest: &[Offered], tools: &[String]) -> String {
    let listed: Vec<String> = manifest.iter().map(|offered| format!("- {} ({})", offered.file, offered.said)).collect();
    QUESTION
        .replace("{tools}", &if tools.is_empty() { "none".to_owned() } else { tools.join(", ") })
        .replace("{manifest}", &listed.join("\n"))
        .replace("{prompt}", &crate::secret::redacted(prompt))
}

/// The answer of an engine, or why there is none, in words. Never takes longer than the limit.
///
/// # Errors
/// When the engine cannot be had, fails, or is too slow.
pub async fn ask(engine: &str, current_dir: &Path, _question: &str, limit: Duration) -> Result<String, String> {
    let Some(file) = engine.strip_prefix("script:") else {
        return Err(format!("the engine {engine:?} cannot select memories"));
    };
    let script = Script::read(&current_dir.join(file)).map_err(|error| error.to_string())?;
    match tokio::time::timeout(limit, script.first_words()).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err(format!("it did not answer within {:.1} s", limit.as_secs_f64())),
    }
}
