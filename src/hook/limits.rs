//! How long a prompt may be kept waiting: as the configuration says, within what Claude Code grants a hook.
//!
//! A hook that is ended by its caller gives nothing, notes nothing, and does the same at the next prompt. Not its job: waiting.

use super::install::hooks::TIMEOUT;
use crate::config::RecallConfig;

/// The longest a model is waited for at a prompt, in seconds; the rest is for the ranking, for printing, and for a process
/// that begins late.
pub const MODEL_SECONDS: u64 = TIMEOUT as u64 - 3;

/// The longest both together may take, in milliseconds.
const ALL: u64 = (TIMEOUT as u64 - 2) * 1_000;

/// What a prompt goes by.
#[must_use]
pub fn within(recall: &RecallConfig) -> RecallConfig {
    let model_seconds = recall.model_seconds.min(MODEL_SECONDS);
    let model = if recall.model { model_seconds * 1_000 } else { 0 };
    RecallConfig { model_seconds, milliseconds: recall.milliseconds.min(ALL - model), ..*recall }
}

/// Why less is waited at a prompt than the configuration says, in words.
#[must_use]
pub fn shortened(recall: &RecallConfig) -> Option<String> {
    let counts = within(recall);
    let model = (recall.model && counts.model_seconds < recall.model_seconds)
        .then(|| format!("recall.model_seconds is {}", recall.model_seconds));
    let ranking =
        (counts.milliseconds < recall.milliseconds).then(|| format!("recall.milliseconds is {}", recall.milliseconds));
    let said: Vec<String> = [model, ranking].into_iter().flatten().collect();
    (!said.is_empty()).then(|| {
        let model =
            if recall.model { format!(", a model for {} s of them", counts.model_seconds) } else { String::new() };
        let all = (counts.milliseconds + if recall.model { counts.model_seconds * 1_000 } else { 0 }) / 1_000;
        format!(
            "{}, but Claude Code ends a hook after {TIMEOUT} s: a prompt is kept waiting for {all} s at most{model}",
            said.join(" and ")
        )
    })
}
