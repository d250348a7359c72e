//! The loop: ask the provider, run what is allowed, answer, until it is done or a limit is reached.

use std::collections::BTreeMap;

use tokio_util::sync::CancellationToken;

use super::tools::{Outcome, Toolbox};
use super::{Message, Provider, ToolAnswer, ToolCall};
use crate::engine::{EngineError, EngineEvent, RunContext, Verdict};

/// Plays a conversation to its end. Cancelling ends it at the next wait, also within a tool.
///
/// Reaching the turn limit ends the conversation with what was done so far and says so in `left_out`; using up the
/// tokens is an error, because a provider that was stopped by its price left its work half-done.
///
/// # Errors
/// [`EngineError::Cancelled`], [`EngineError::Budget`], or whatever the provider or the working copy says.
pub async fn converse(provider: &mut dyn Provider, task: String, context: &RunContext) -> Result<Verdict, EngineError> {
    let toolbox = Toolbox::new(&context.working_copy, context.reach.clone(), context.cancel.clone())?;
    let mut history = vec![Message::Task(task)];
    let mut verdict = Verdict::default();
    let mut failed_writes: BTreeMap<String, String> = BTreeMap::new();
    let mut tokens_used = 0_u64;
    let mut turns = 0_u32;
    loop {
        if let Some(limit) = context.max_turns.filter(|limit| turns >= *limit) {
            verdict.left_out.push(format!("it wanted to go on after {limit} turns, which is the limit"));
            break;
        }
        let turn = unless_cancelled(&context.cancel, provider.turn(&history, &context.events)).await??;
        turns += 1;
        if turn.usage != Default::default() {
            context.events.send(EngineEvent::Usage(turn.usage));
            tokens_used = tokens_used.saturating_add(turn.usage.input).saturating_add(turn.usage.output);
        }
        if !turn.text.is_empty() {
            context.events.send(EngineEvent::Text(turn.text.clone()));
        }
        verdict.rationales.extend(turn.rationales);
        if tokens_used > context.token_budget {
            return Err(EngineError::Budget(format!("{tokens_used} of {} tokens", context.token_budget)));
        }
        let mut answers = Vec::with_capacity(turn.calls.len());
        for call in &turn.calls {
            let outcome = perform(&toolbox, call, context).await?;
            verdict.worked |= outcome.ran;
            if let Some(file) = outcome.file {
                if outcome.is_error {
                    failed_writes.insert(file, format!("{} {}", call.name, first_line(&outcome.text)));
                } else {
                    failed_writes.remove(&file);
                }
            }
            answers.push(ToolAnswer { id: call.id.clone(), text: outcome.text, is_error: outcome.is_error });
        }
        history.push(Message::Assistant { text: turn.text, calls: turn.calls });
        if !answers.is_empty() {
            history.push(Message::Answers(answers));
        }
        if turn.last {
            break;
        }
    }
    verdict.left_out.extend(failed_writes.into_iter().map(|(file, why)| format!("{file}: {why}")));
    Ok(verdict)
}

/// Runs one call on a thread that may block, reports it, and gives up on it when the run is cancelled.
async fn perform(toolbox: &Toolbox, call: &ToolCall, context: &RunContext) -> Result<Outcome, EngineError> {
    let (toolbox, copy) = (toolbox.clone(), call.clone());
    let handle = tokio::task::spawn_blocking(move || toolbox.perform(&copy));
    let outcome = unless_cancelled(&context.cancel, handle)
        .await?
        .map_err(|error| EngineError::Failed(format!("the tool {} broke off: {error}", call.name)))?;
    context.events.send(EngineEvent::Tool {
        name: call.name.clone(),
        target: outcome.target.clone(),
        allowed: outcome.allowed,
    });
    Ok(outcome)
}

async fn unless_cancelled<F: Future>(cancel: &CancellationToken, future: F) -> Result<F::Output, EngineError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(EngineError::Cancelled),
        output = future => Ok(output),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
