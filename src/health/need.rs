//! How much a memory needs a person, and why in one sentence: the order of triage.
//!
//! Evidence before age, age before corrections, those before likeness, likeness before disuse. Not its job: finding anything.

use std::cmp::Reverse;

use serde::Serialize;

use super::{Finding, Severity};
use crate::memory::{Freshness, Memory, ProblemCode};
use crate::text::count;

/// How much a memory needs a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// More is more; 0: none. Comparable between memories of all stores.
    pub score: u32,
    /// Why, in one sentence; empty for none.
    pub reason: String,
}

/// The steps; what is added within one never reaches the next.
const DAMAGED: u32 = 100_000;
const CONTRADICTED: u32 = 90_000;
const STALE: u32 = 80_000;
const CORRECTED: u32 = 70_000;
const CONFLICT: u32 = 60_000;
const DUPLICATE: u32 = 50_000;
const ODD: u32 = 40_000;
const UNUSED: u32 = 30_000;
const AGING: u32 = 20_000;
const NOTED: u32 = 10_000;

/// How much a memory needs a person. `findings` are those about its file; others are passed over.
#[must_use]
pub fn need<'a>(memory: &Memory, findings: impl Iterator<Item = &'a Finding>) -> Need {
    let mut best: Option<(u32, &Finding)> = None;
    let mut contradictions = 0;
    for finding in findings.filter(|finding| finding.file == memory.file) {
        let step = step(finding);
        contradictions += u32::from(step == CONTRADICTED);
        if best.is_none_or(|(known, _)| step > known) {
            best = Some((step, finding));
        }
    }
    let age = memory.age_days.unwrap_or_default();
    let (of_age, told) = match (memory.freshness, memory.age_days) {
        (Freshness::Stale, Some(days)) => {
            (STALE, format!("it is {} old, past its shelf life", count(days as usize, "day", "days")))
        }
        (Freshness::Stale, None) => (STALE, "it is past its shelf life".to_owned()),
        (Freshness::Aging, Some(days)) => {
            (AGING, format!("it is {} old, past half its shelf life", count(days as usize, "day", "days")))
        }
        (Freshness::Aging, None) => (AGING, "nothing says how old it is".to_owned()),
        (Freshness::Fresh, _) => (0, String::new()),
    };
    let own = memory.problems.first().map(|problem| (ODD, problem.message.clone()));
    let found = best.map(|(step, finding)| (step, finding.message.clone()));
    let (step, reason) =
        found.into_iter().chain(own).fold((of_age, told), |known, other| if other.0 > known.0 { other } else { known });
    // Within a step: more evidence first, then the older claim, then what else is wrong.
    let within = contradictions.min(20) * 200 + age.min(3_999) + u32::from(of_age > 0 && step != of_age) * 300;
    Need { score: if step == 0 { 0 } else { step + within.min(8_999) }, reason }
}

/// The key of the one order of need, which triage and all lists share: more need first, then the older claim, then by file.
#[must_use]
pub fn order(score: u32, age_days: Option<u32>, file: &str) -> (Reverse<u32>, Reverse<Option<u32>>, &str) {
    (Reverse(score), Reverse(age_days), file)
}

fn step(finding: &Finding) -> u32 {
    match finding.code {
        _ if finding.severity == Severity::Error => DAMAGED,
        _ if finding.contradicts() => CONTRADICTED,
        ProblemCode::Corrected => CORRECTED,
        ProblemCode::Conflict => CONFLICT,
        ProblemCode::Duplicate | ProblemCode::InClaudeMd => DUPLICATE,
        ProblemCode::NeverRecalled => UNUSED,
        _ if finding.severity == Severity::Warning => ODD,
        _ => NOTED,
    }
}
