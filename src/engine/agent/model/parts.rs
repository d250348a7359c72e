//! The parts of an extraction, one question after the other, whoever answers them.
//!
//! When a later part fails, what those before it gave is kept, the working copy is put back to the end of the last of
//! them, and the next extraction goes on there. Not its job: cutting a session into parts (see [`super::extract`]).

use std::collections::BTreeMap;

use super::extract::Part;
use super::mend;
use crate::change::Rationale;
use crate::engine::agent::earlier::Earlier;
use crate::engine::{EngineError, EngineEvent, EngineFuture, RunContext, Verdict};

/// Who is asked.
pub(in crate::engine::agent) trait Reader: Send {
    /// Works on one part; `at` counts from 0, `before` is the working copy as the part finds it.
    fn read<'a>(&'a mut self, at: usize, part: &'a Part, before: &'a Earlier) -> EngineFuture<'a>;
}

/// Has all parts read.
///
/// # Errors
/// What the first part ends with, that somebody killed the run, or that the working copy cannot be put back.
pub(in crate::engine::agent) async fn read(
    parts: &[Part],
    reader: &mut dyn Reader,
    context: &RunContext,
) -> Result<Verdict, EngineError> {
    let index = mend::Before::of(context);
    let mut verdict = Verdict { worked: parts.is_empty(), ..Verdict::default() };
    let total = parts.len() as u64;
    for (at, part) in parts.iter().enumerate() {
        let before = Earlier::of(context)?;
        let did = match reader.read(at, part, &before).await {
            Ok(did) => did,
            Err(error) => {
                not_read(error, parts, at, &mut verdict)?;
                // What it half wrote was weighed by nobody, and will be read again.
                before.put_all_back()?;
                break;
            }
        };
        verdict.worked |= did.worked;
        verdict.left_out.extend(did.left_out);
        add_rationales(&mut verdict, did.rationales);
        context.events.send(EngineEvent::Progress { done: at as u64 + 1, total, what: "parts".to_owned() });
    }
    index.mend(context)?;
    Ok(verdict)
}

/// Adds the reasons and sources of a part to those of the parts before it.
fn add_rationales(verdict: &mut Verdict, more: BTreeMap<String, Rationale>) {
    for (file, rationale) in more {
        let known = verdict.rationales.entry(file).or_default();
        if known.reason.is_empty() {
            known.reason.clone_from(&rationale.reason);
        }
        known.sources.extend(rationale.sources);
    }
}

/// Notes that the parts from one on were not read.
///
/// # Errors
/// The error itself when there is nothing to keep, or somebody killed the run.
fn not_read(error: EngineError, parts: &[Part], from: usize, verdict: &mut Verdict) -> Result<(), EngineError> {
    let before = from.checked_sub(1).and_then(|before| parts.get(before));
    let Some(before) = before.filter(|_| !matches!(error, EngineError::Cancelled)) else { return Err(error) };
    let left: Vec<&str> = parts.iter().skip(from).map(|part| part.about.as_str()).collect();
    verdict.left_out.push(format!(
        "read in part, {from} of {} parts: {error}; {} was not read, the next extraction goes on there",
        parts.len(),
        left.join(", ")
    ));
    verdict.read_to = Some(before.read_to.clone());
    Ok(())
}
