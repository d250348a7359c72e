//! The embedded engine: rules, no model, no network; the same input gives the same bytes.
//!
//! Right before complete: text comes from the person's own words, nothing is invented, and what is not sure is left for
//! a person. Not its job: writing anywhere but its working copy.

mod classify;
mod cues;
mod dates;
mod language;
mod similarity;
mod sentences;
mod spans;
mod supersede;

use super::{Engine, EngineFuture, Job, RunContext};

/// The embedded engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Engine for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn run<'a>(&'a self, job: &'a Job, context: &'a RunContext) -> EngineFuture<'a> {
        let _ = (job, context);
        todo!()
    }
}
