//! The embedded engine: rules, no model, no network; the same input gives the same bytes.
//!
//! Right before complete: text comes from the person's own words, nothing is invented, and what is not sure is left for
//! a person. Not its job: writing anywhere but its working copy.

mod ahead;
mod amend;
mod announced;
mod circumstances;
mod classify;
mod collect;
mod confidential;
mod confirm;
mod contrast;
mod cues;
mod decisions;
mod desk;
mod drafts;
mod dream;
mod explicit;
mod extract;
mod forgetting;
mod habits;
mod irony;
mod lookup;
mod manner;
pub mod merge;
mod moves;
mod naming;
mod note;
mod once;
mod orders;
mod paraphrase;
mod parts;
mod people;
mod places;
mod retractions;
mod revoke;
mod scratched;
mod sentences;
mod settle;
mod slips;
mod statement;
mod types;
mod voices;
mod wishes;

use crate::memory::likeness as similarity;
use crate::memory::likeness::{dates, language, spans, supersede};

use super::{Engine, EngineError, EngineFuture, Job, JobKind, RunContext};

/// The embedded engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Engine for Embedded {
    fn run<'a>(&'a self, job: &'a Job, context: &'a RunContext) -> EngineFuture<'a> {
        Box::pin(async move {
            match job.kind {
                JobKind::Extract => extract::run(job, context).await,
                JobKind::Dream => dream::run(job, context).await,
            }
        })
    }
}
