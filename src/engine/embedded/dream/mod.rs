//! A dream: orient, gather, consolidate, prune.
//!
//! A second dream over its own result changes nothing. Not its job: when to run, and whether what it did lands.

mod consolidate;
mod gather;
mod orient;
mod prune;

use super::super::{EngineError, Job, Phase, RunContext, Verdict};
use super::desk::Desk;
use super::extract::Tally;
use crate::text;

/// Runs a dream.
pub(super) async fn run(job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
    let mut desk = Desk::open(context)?;
    let mut tally = Tally::default();
    desk.phase(Phase::Orient);
    orient::run(&desk).await?;
    desk.phase(Phase::Gather);
    gather::run(&mut desk, job, &mut tally).await?;
    desk.phase(Phase::Consolidate);
    consolidate::run(&mut desk).await?;
    desk.phase(Phase::Prune);
    prune::run(&mut desk).await?;
    desk.save_index()?;
    let mut verdict = std::mem::take(&mut desk.verdict);
    let sessions = text::count(job.sessions.len(), "session", "sessions");
    verdict.summary = match verdict.rationales.len() {
        0 => format!("reviewed {sessions}, nothing to change"),
        changed => format!("reviewed {sessions}, {} changed", text::count(changed, "memory", "memories")),
    };
    verdict.worked = true;
    Ok(verdict)
}
