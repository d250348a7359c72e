//! News of runs: started, going on, over.

use std::sync::Arc;

use super::Effect;
use crate::run::RunView;
use crate::tui::sign;
use crate::tui::state::{Ending, Launching, State};
use crate::tui::theme::Meaning;

/// The first word of a worker is waited for this long.
const PATIENCE_SECONDS: i64 = 10;

/// Takes the runs as their journals tell them. A run that ended since the last look becomes the pill's notice; one of this
/// store also changed it. The first look only learns what is past.
pub(super) fn refreshed(state: &mut State, runs: Vec<Arc<RunView>>) -> Vec<Effect> {
    let is_first = !state.knows_runs;
    state.knows_runs = true;
    let live_before = state.live_count();
    let ended: Vec<&RunView> = runs
        .iter()
        .map(AsRef::as_ref)
        .filter(|run| !is_first && !run.is_live() && state.run(&run.id).is_none_or(|known| known.is_live()))
        .collect();
    let ended_here = ended.iter().any(|run| state.is_here(run));
    // Newest first: the newest is told, and the history has the others.
    if let Some(run) = ended.iter().find(|run| state.is_here(run) || state.run(&run.id).is_some()) {
        state.ending = Some(ending(run, state.is_here(run)));
    }
    if state.launching.as_ref().is_some_and(|launching| runs.iter().any(|run| run.id == launching.run)) {
        state.launching = None;
    }
    let gates_moved = ended_here || runs.iter().filter(|run| run.is_live()).count() != live_before;
    state.runs = runs;
    // What a run did is no news once it was taken back.
    let ended = state.ending.as_ref().and_then(|ending| state.run(&ending.run));
    if ended.is_some_and(|run| run.undone_by.is_some()) {
        state.ending = None;
    }
    super::runs::drop_questions(state);
    let mut effects = Vec::new();
    if ended_here {
        effects.extend([Effect::Rescan, Effect::ReadHistory, Effect::ReadInbox]);
    }
    if gates_moved {
        effects.push(Effect::RefreshGates);
    }
    effects
}

fn ending(run: &RunView, is_here: bool) -> Ending {
    let (word, outcome) = (crate::tui::page::run_word(run.kind), run.word());
    let mut text = match &run.notice {
        Some(notice) => notice.clone(),
        None if run.reason.is_empty() => format!("{word} {outcome}"),
        None if run.reason.starts_with(outcome) => format!("{word} {}", run.reason),
        None => format!("{word} {outcome}: {}", run.reason),
    };
    if !is_here {
        text.push_str(&format!(" in {}", run.project));
    }
    Ending { run: run.id.clone(), outcome: run.outcome, text: format!("{} {text}", sign::outcome(run.outcome)) }
}

/// A worker is up, or is not.
pub(super) fn launched(state: &mut State, run: &str, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => vec![Effect::RefreshRuns],
        Err(error) => {
            if state.launching.as_ref().is_some_and(|launching| launching.run == run) {
                state.launching = None;
            }
            state.tell(Meaning::Bad, format!("The dream could not be started: {error}"));
            Vec::new()
        }
    }
}

/// A worker whose first word does not come died of something it could not write down: its state directory, mostly.
pub(super) fn lose_patience(state: &mut State) {
    let waits = |launching: &Launching| (state.now - launching.since).num_seconds().abs() < PATIENCE_SECONDS;
    if state.launching.as_ref().is_none_or(waits) {
        return;
    }
    state.launching = None;
    let text = "The dream did not start; `dreamtop dream --force` in a shell says why";
    state.tell(Meaning::Bad, text);
}

/// A run was killed, or was not.
pub(super) fn killed(state: &mut State, run: &str, result: Result<Box<RunView>, String>) -> Vec<Effect> {
    match result {
        Ok(ended) => {
            let reason = if ended.reason.is_empty() { ended.word() } else { &ended.reason };
            state.tell(Meaning::Text, format!("{run}: {reason}"));
        }
        Err(error) => state.tell(Meaning::Bad, error),
    }
    vec![Effect::RefreshRuns]
}
