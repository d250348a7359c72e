//! Extraction: one session from the cursor on, a memory for what is worth one.
//!
//! Not its job: when to run and where the cursor stands (`crate::run`).

use std::collections::{BTreeMap, BTreeSet};

use super::super::{EngineError, Job, RunContext, SessionSource, Verdict};
use super::ahead::{Ahead, Gathered};
use super::collect::Collected;
use super::desk::Desk;
use super::settle::{self, Settled};
use super::similarity::Shape;
use super::statement::Fact;
use super::{drafts, retractions};
use crate::change::{Source, TAKEN_BACK};
use crate::memory::likeness::measured;
use crate::text;

/// New memories a session may give.
const MOST_NEW: usize = 12;

/// Runs an extraction.
pub(super) async fn run(job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
    let mut desk = Desk::open(context)?;
    let instructions = settle::instructions(job.checkout.as_deref());
    let mut tally = Tally::default();
    let mut ahead = Ahead::of(job, desk.now(), &context.cancel)?;
    // The newest session comes first in a job; claims are settled in the order they were made.
    for (done, session) in job.sessions.iter().rev().enumerate() {
        desk.breathe().await?;
        if let Some(error) = review(&mut desk, session, &mut ahead, &instructions, &mut tally).await? {
            // There is nothing else to read: the cursor has to stay where it is.
            return Err(error.into());
        }
        desk.progress(done + 1, job.sessions.len(), "sessions");
    }
    desk.save_index()?;
    desk.say(tally.summary());
    let mut verdict = std::mem::take(&mut desk.verdict);
    verdict.worked = true;
    Ok(verdict)
}

/// What a run did, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    created: usize,
    updated: usize,
    removed: usize,
    known: usize,
}

impl Tally {
    /// One sentence.
    pub(super) fn summary(self) -> String {
        let memories = |number| text::count(number, "memory", "memories");
        let mut parts = Vec::new();
        if self.created > 0 {
            parts.push(format!("{} saved", memories(self.created)));
        }
        if self.updated > 0 {
            parts.push(format!("{} updated", memories(self.updated)));
        }
        if self.removed > 0 {
            parts.push(format!("{} removed", memories(self.removed)));
        }
        if parts.is_empty() {
            return if self.known > 0 {
                "Nothing new: all of it is known".to_owned()
            } else {
                "Nothing worth remembering".to_owned()
            };
        }
        parts.join(", ")
    }
}

/// Settles what the next session gives, which is this one; why it cannot be read, if it cannot. The log names it as a person
/// knows it; its path is nobody's business.
pub(super) async fn review(
    desk: &mut Desk<'_>,
    session: &SessionSource,
    ahead: &mut Ahead,
    instructions: &[Shape],
    tally: &mut Tally,
) -> Result<Option<std::io::Error>, EngineError> {
    let id = text::brief(&session.id);
    let name = format!("session {id}");
    desk.tool("Read", name.clone());
    let (collected, new, let_go) = match ahead.next().await? {
        Gathered::Said(collected, new, let_go) => (collected, new, let_go),
        Gathered::NothingNew => return Ok(None),
        Gathered::NotAPerson => {
            desk.say(format!("Session {id} is not a person talking"));
            return Ok(None);
        }
        Gathered::Unreadable(error) => return Ok(Some(error)),
    };
    if let_go > 0 {
        let statements = text::count(let_go, "statement is", "statements are");
        desk.say(format!("Of {name}, {statements} left out that you let go before"));
    }
    let facts = take_back(desk, collected, &new, tally)?;
    settle_all(desk, &name, &facts, instructions, tally).await?;
    Ok(None)
}

/// Settles the facts of one place, which `from` names.
pub(super) async fn settle_all(
    desk: &mut Desk<'_>,
    from: &str,
    facts: &[Fact],
    instructions: &[Shape],
    tally: &mut Tally,
) -> Result<(), EngineError> {
    let mut created = 0;
    let mut left_out = 0_usize;
    for fact in facts {
        desk.breathe().await?;
        match settle::settle(desk, fact, instructions, created < MOST_NEW)? {
            Some(Settled::Created(file)) => {
                created += 1;
                tally.created += 1;
                desk.say(format!("New from {from}: {} ({file})", drafts::description(fact)));
            }
            Some(Settled::Updated(file)) => {
                tally.updated += 1;
                desk.say(format!("Updated {file} from {from}: {}", drafts::description(fact)));
            }
            Some(Settled::Known(by)) => {
                tally.known += 1;
                desk.say(format!("Known already from {by}: {}", drafts::description(fact)));
            }
            Some(Settled::Idle) => {}
            Some(Settled::Over) => desk.say(format!("Over by now: {}", drafts::description(fact))),
            None => left_out += 1,
        }
    }
    if left_out > 0 {
        let more = text::count(left_out, "more fact", "more facts");
        let note = format!("{from} gave {MOST_NEW} new memories; {more} left out");
        desk.say(note.clone());
        desk.verdict.left_out.push(note);
    }
    Ok(())
}

/// Removes what the new turns of a session take back; the facts of those turns.
fn take_back(
    desk: &mut Desk<'_>,
    collected: Collected,
    new: &BTreeSet<u64>,
    tally: &mut Tally,
) -> Result<Vec<Fact>, EngineError> {
    retract(desk, &collected.retracted, tally)?;
    for fact in collected.taken_back.iter().filter(|fact| new.contains(&fact.line)) {
        if let Some(file) = retractions::settle(desk, fact, &collected.facts)? {
            tally.updated += 1;
            desk.say(format!("Taken back later, {file}: {}", drafts::description(fact)));
        }
    }
    Ok(collected.facts.into_iter().filter(|fact| new.contains(&fact.line)).collect())
}

/// Removes memories whose only sources were taken back.
fn retract(desk: &mut Desk<'_>, retracted: &BTreeMap<String, Source>, tally: &mut Tally) -> Result<(), EngineError> {
    if retracted.is_empty() {
        return Ok(());
    }
    let gone: Vec<(String, Vec<Source>)> = desk
        .notes
        .values()
        .filter_map(|note| {
            let sources = note.body.lines().filter(|line| measured::is_source(line));
            let by: Option<Vec<Source>> = sources.map(|line| retracted.get(line.trim()).cloned()).collect();
            Some((note.file.clone(), by.filter(|by| !by.is_empty())?))
        })
        .collect();
    for (file, by) in gone {
        desk.say(format!("Taken back in the same session: {file}"));
        desk.remove(&file, TAKEN_BACK, by)?;
        tally.removed += 1;
    }
    Ok(())
}
