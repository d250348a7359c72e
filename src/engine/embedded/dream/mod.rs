//! A dream: orient, gather, consolidate, prune.
//!
//! A second dream over its own result changes nothing. Not its job: when to run, and whether what it did lands.

mod consolidate;
mod expired;
mod gather;
mod orient;
mod overflow;
mod prune;
mod same;
mod superseded;

use super::super::{EngineError, Job, Phase, RunContext, Verdict};
use super::desk::Desk;
use crate::text;

/// Runs a dream.
pub(super) async fn run(job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
    let mut desk = Desk::open(context)?;
    desk.phase(Phase::Orient);
    orient::run(&desk).await?;
    desk.phase(Phase::Gather);
    gather::run(&mut desk, job).await?;
    desk.phase(Phase::Consolidate);
    consolidate::run(&mut desk).await?;
    desk.phase(Phase::Prune);
    prune::run(&mut desk).await?;
    desk.save_index()?;
    let sessions = text::count(job.sessions.len(), "session", "sessions");
    desk.say(match desk.verdict.rationales.len() {
        0 => format!("Reviewed {sessions}, nothing to change"),
        changed => format!("Reviewed {sessions}, {} changed", text::count(changed, "memory", "memories")),
    });
    let mut verdict = std::mem::take(&mut desk.verdict);
    verdict.worked = true;
    Ok(verdict)
}
