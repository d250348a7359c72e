//! The loop: ask the provider, run what is allowed, answer, until it is done or a limit is reached.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::evidence::{Evidence, Weighed};
use super::phases::Phases;
use super::tools::{Outcome, Toolbox};
use super::{Message, Provider, ToolAnswer, ToolCall, Turn, window};
use crate::engine::{EngineError, EngineEvent, Phase, RunContext, Tokens, Verdict};
use crate::secret::redacted;

/// The lines with which a model says that there is nothing to do, in an extraction and in a dream.
pub(super) const NOTHING_TO_REMEMBER: &str = "nothing to remember";
pub(super) const NOTHING_TO_CHANGE: &str = "nothing to change";

/// So many answers in a row may be cut off.
const MOST_CUTS: u32 = 3;
/// So many answers in a row may only say that there is more to come.
const MOST_PAUSES: u32 = 8;

/// How a conversation is held.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// The line with which a model says that there is nothing to do. `None`: silence is an end like any other.
    pub nothing: Option<&'static str>,
    /// Against what sources are held; `None`: the provider gives its reasons in a form of its own.
    pub(super) evidence: Option<Arc<Evidence>>,
    /// Whether the phases of a dream are told.
    pub has_phases: bool,
}

/// Plays a conversation to its end. Cancelling ends it at the next wait, also within a tool. `used` is what the run has used
/// before, and is added to.
///
/// Reaching the turn limit ends the conversation with what was done so far and says so in `left_out`; using up the
/// tokens is an error, because a provider that was stopped by its price left its work half-done.
///
/// # Errors
/// [`EngineError::Cancelled`], [`EngineError::Budget`], or whatever the provider or the working copy says.
pub async fn converse(
    provider: &mut dyn Provider,
    task: String,
    context: &RunContext,
    manners: &Manners,
    used: &mut Tokens,
) -> Result<Verdict, EngineError> {
    let toolbox = Toolbox::new(&context.working_copy, context.reach.clone(), context.cancel.clone())?;
    let mut talk = Talk {
        toolbox,
        context,
        manners,
        verdict: Verdict::default(),
        failed_writes: BTreeMap::new(),
        phases: Phases::default(),
    };
    if manners.has_phases {
        talk.tell(|phases| phases.enter(Phase::Orient));
    }
    let mut history = vec![Message::Task(task)];
    let (mut turns, mut cuts, mut pauses) = (0_u32, 0_u32, 0_u32);
    let (mut is_nudged, mut is_warned) = (false, false);
    loop {
        if let Some(limit) = context.max_turns.filter(|limit| turns >= *limit) {
            talk.verdict.left_out.push(format!("it wanted to go on after {limit} turns, which is the limit"));
            break;
        }
        if provider.room().is_some_and(|room| !window::fit(&mut history, room)) {
            return Err(EngineError::Failed(format!(
                "the conversation ({} bytes) does not fit into what the model can hold; set context_tokens in config.yaml \
                 to what it really holds, or use a larger model",
                window::bytes(&history)
            )));
        }
        provider.allow(context.token_budget.saturating_sub(used.counted()));
        let turn = unless_cancelled(&context.cancel, provider.turn(&history, &context.events)).await??;
        turns += 1;
        *used += turn.usage;
        talk.report(&turn);
        if used.counted() > context.token_budget {
            return Err(EngineError::out_of_tokens(*used, context.token_budget));
        }
        let mut answers = talk.run(&turn.calls).await?;
        talk.verdict.rationales.extend(turn.rationales);
        let is_full = turn.left_out.is_some();
        talk.verdict.left_out.extend(turn.left_out);
        let (is_silent, is_last, is_cut) = (answers.is_empty(), turn.last, turn.is_cut);
        let says_nothing = manners.nothing.is_some() && says_nothing(&turn.text);
        let is_empty = is_silent && turn.text.trim().is_empty();
        history.push(Message::Assistant { text: turn.text, calls: turn.calls, raw: turn.raw });
        if let Some(last) = answers.last_mut().filter(|_| !is_warned && is_near(*used, context.token_budget)) {
            is_warned = true;
            last.text.push_str(
                "\n\n[dreamtop: most of what this run may use is used. Finish what you have begun, and end.]",
            );
        }
        if !is_silent {
            history.push(Message::Answers(answers));
        }
        cuts = if is_cut { cuts + 1 } else { 0 };
        if cuts >= MOST_CUTS {
            return Err(EngineError::Failed(format!(
                "the model's answer was cut off {cuts} times in a row; raise max_tokens in config.yaml"
            )));
        }
        pauses = if is_silent && !is_last && !is_cut { pauses + 1 } else { 0 };
        if pauses >= MOST_PAUSES {
            return Err(EngineError::Failed(format!(
                "the model paused {pauses} times in a row and neither used a tool nor came to an end"
            )));
        }
        if is_last && is_full && !talk.verdict.worked {
            return Err(EngineError::Failed(
                "the model's window was full before it did anything; set context_tokens in config.yaml to what it really \
                 holds, or use a larger model"
                    .to_owned(),
            ));
        }
        if is_cut {
            history.push(Message::Note("Your answer was cut off at its limit. Go on, in smaller steps.".to_owned()));
        } else if is_last && says_nothing {
            talk.verdict.worked = true;
            break;
        } else if is_last && !talk.verdict.worked && !talk.failed_writes.is_empty() && manners.nothing.is_some() {
            let refused: Vec<String> = refused(talk.failed_writes).collect();
            return Err(EngineError::Failed(format!(
                "nothing the model wanted to write could be written: {}",
                refused.join("; ")
            )));
        } else if let (true, false, Some(words)) = (is_last, talk.verdict.worked, manners.nothing) {
            // Manners and prose are no work. A server whose tool calls are not switched on looks just the same.
            if is_nudged && is_empty {
                return Err(EngineError::Failed(format!(
                    "the model answered with nothing, also when it was asked again; if there was nothing to do it had to \
                     say so ({words})"
                )));
            }
            if is_nudged {
                return Err(EngineError::Failed(
                    "the model answered twice in words and used no tool; either it cannot use tools, or its server has to be \
                     told to let it (vLLM: --enable-auto-tool-choice and --tool-call-parser)"
                        .to_owned(),
                ));
            }
            is_nudged = true;
            history.push(Message::Note(format!(
                "Nothing is stored by words. Use the tools; or, if there is nothing to do, answer with this line alone: {words}"
            )));
        } else if is_last {
            break;
        }
    }
    Ok(talk.end())
}

/// Whether most of the tokens are used.
fn is_near(used: Tokens, budget: u64) -> bool {
    used.counted() > budget / 4 * 3
}

/// Whether a text says that there is nothing to do: in the words of either kind of work, a sentence of its own in the first or
/// the last line, whatever marks stand around it.
pub(super) fn says_nothing(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (first, last) = (lines.next(), lines.next_back());
    let sentences = [first, last].into_iter().flatten().flat_map(|line| line.split(['.', '!', ';', ':', '–', '—']));
    sentences
        .map(crate::text::folded_words)
        .any(|sentence| sentence == NOTHING_TO_REMEMBER || sentence == NOTHING_TO_CHANGE)
}

/// A conversation under way.
struct Talk<'a> {
    toolbox: Toolbox,
    context: &'a RunContext,
    manners: &'a Manners,
    verdict: Verdict,
    failed_writes: BTreeMap<String, String>,
    phases: Phases,
}

impl Talk<'_> {
    fn report(&mut self, turn: &Turn) {
        if !turn.text.is_empty() {
            if self.manners.has_phases {
                self.tell(|phases| phases.heard(&turn.text));
            }
            self.context.events.send(EngineEvent::Text(turn.text.clone()));
        }
    }

    fn tell(&mut self, enter: impl FnOnce(&mut Phases) -> Vec<Phase>) {
        for phase in enter(&mut self.phases) {
            self.context.events.send(EngineEvent::Phase(phase));
        }
    }

    /// Runs the calls of a turn, in order.
    async fn run(&mut self, calls: &[ToolCall]) -> Result<Vec<ToolAnswer>, EngineError> {
        let mut answers = Vec::with_capacity(calls.len());
        for call in calls {
            if self.manners.has_phases {
                self.tell(|phases| phases.did(call));
            }
            let (outcome, weighed) = self.perform(call).await?;
            self.verdict.worked |= outcome.ran;
            let mut text = outcome.text;
            if let Some(file) = outcome.file {
                if outcome.is_error {
                    self.failed_writes.insert(file, format!("{} {}", call.name, first_line(&text)));
                } else {
                    self.failed_writes.remove(&file);
                    // What was written without a name may be this.
                    self.failed_writes.remove("");
                    if let Some(weighed) = weighed {
                        text.extend(weighed.remarks.iter().map(|remark| format!("\n{remark}")));
                        weighed.add_to(self.verdict.rationales.entry(file).or_default());
                    }
                }
            }
            // What a tool read may hold a credential, and the answer leaves the machine.
            answers.push(ToolAnswer { id: call.id.clone(), text: redacted(&text), is_error: outcome.is_error });
        }
        Ok(answers)
    }

    /// Runs one call on a thread that may block, reports it, and gives up on it when the run is cancelled.
    async fn perform(&self, call: &ToolCall) -> Result<(Outcome, Option<Weighed>), EngineError> {
        let (outcome, weighed) = match &call.fault {
            Some(fault) => (Outcome { text: fault.clone(), is_error: true, ..Outcome::default() }, None),
            None => {
                let (toolbox, copy, evidence) = (self.toolbox.clone(), call.clone(), self.manners.evidence.clone());
                let handle = tokio::task::spawn_blocking(move || {
                    let outcome = toolbox.perform(&copy);
                    let weighed = evidence
                        .filter(|_| outcome.file.is_some() && !outcome.is_error)
                        .map(|evidence| evidence.weigh(&copy, &toolbox, &outcome));
                    (outcome, weighed)
                });
                unless_cancelled(&self.context.cancel, handle)
                    .await?
                    .map_err(|error| EngineError::Failed(format!("the tool {} broke off: {error}", call.name)))?
            }
        };
        self.context.events.send(EngineEvent::Tool {
            name: call.name.clone(),
            target: outcome.target.clone(),
            allowed: outcome.allowed,
        });
        Ok((outcome, weighed))
    }

    fn end(mut self) -> Verdict {
        self.verdict.left_out.extend(refused(self.failed_writes));
        self.verdict
    }
}

async fn unless_cancelled<F: Future>(cancel: &CancellationToken, future: F) -> Result<F::Output, EngineError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(EngineError::Cancelled),
        output = future => Ok(output),
    }
}

/// Writes that failed, in words.
fn refused(writes: BTreeMap<String, String>) -> impl Iterator<Item = String> {
    let named = |file: String| if file.is_empty() { "a file without a name".to_owned() } else { file };
    writes.into_iter().map(move |(file, why)| format!("{}: {why}", named(file)))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
