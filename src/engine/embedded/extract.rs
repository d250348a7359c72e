//! Extraction: one session from the cursor on, a memory for what is worth one.
//!
//! Not its job: when to run and where the cursor stands (`crate::run`).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::super::{EngineError, Job, RunContext, SessionSource, Verdict};
use super::collect::{self, Fact};
use super::desk::{self, Desk};
use super::settle::{self, Settled};
use super::similarity::Shape;
use super::{classify, drafts, retractions};
use crate::session::human;
use crate::text;

/// New memories a session may give.
const MOST_NEW: usize = 12;

/// Runs an extraction.
pub(super) async fn run(job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
    let mut desk = Desk::open(context)?;
    let instructions = settle::instructions(job.checkout.as_deref());
    let mut tally = Tally::default();
    // The newest session comes first in a job; claims are settled in the order they were made.
    for (done, session) in job.sessions.iter().rev().enumerate() {
        desk.breathe().await?;
        review(&mut desk, session, &instructions, &mut tally).await?;
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

/// Reads one session and settles what it gives. The log names it as a person knows it; its path is nobody's business.
pub(super) async fn review(
    desk: &mut Desk<'_>,
    session: &SessionSource,
    instructions: &[Shape],
    tally: &mut Tally,
) -> Result<(), EngineError> {
    let name = format!("session {}", text::brief(&session.id));
    desk.tool("Read", name.clone());
    let Some(facts) = facts(desk, session, tally)? else { return Ok(()) };
    settle_all(desk, &name, &facts, instructions, tally).await
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

/// The facts of a session's new turns, after removing what its new turns take back. `None`: not a person's session, or gone.
fn facts(desk: &mut Desk<'_>, session: &SessionSource, tally: &mut Tally) -> Result<Option<Vec<Fact>>, EngineError> {
    let Some(turns) = read(desk, session, session.from)? else { return Ok(None) };
    let is_new = |at: Option<DateTime<Utc>>| session.since.is_none_or(|since| at.is_none_or(|at| at > since));
    let new: BTreeSet<u64> = turns.iter().filter(|turn| is_new(turn.at)).map(|turn| turn.line).collect();
    if new.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let takes_back = turns
        .iter()
        .filter(|turn| new.contains(&turn.line))
        .any(|turn| classify::takes_back(&turn.text) || classify::lifts(&turn.text));
    // What is taken back may stand before the cursor: only then is the session read from its start.
    let turns = if takes_back && session.from.0 > 0 { read(desk, session, (0, 0))?.unwrap_or(turns) } else { turns };
    let collected = collect::collect(&turns, desk.now());
    retract(desk, &collected.retracted, tally)?;
    for fact in collected.taken_back.iter().filter(|fact| new.contains(&fact.line)) {
        if let Some(file) = retractions::settle(desk, fact, &collected.facts)? {
            tally.updated += 1;
            desk.say(format!("Taken back later, {file}: {}", drafts::description(fact)));
        }
    }
    Ok(Some(collected.facts.into_iter().filter(|fact| new.contains(&fact.line)).collect()))
}

fn read(
    desk: &Desk<'_>,
    session: &SessionSource,
    from: (u64, u64),
) -> Result<Option<Vec<crate::session::HumanTurn>>, EngineError> {
    // Whether the assistant itself wrote memories is a question of the gates, not of this engine.
    let turns = human::human_turns(&session.path, from, &|_| false, &|| desk.is_cancelled());
    if desk.is_cancelled() {
        return Err(EngineError::Cancelled);
    }
    match turns {
        Ok(found) if found.not_a_person => {
            desk.say(format!("Session {} is not a person talking", text::brief(&session.id)));
            Ok(None)
        }
        Ok(found) => Ok(Some(found.turns)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            desk.say(format!("Session {} is gone", text::brief(&session.id)));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes memories whose only sources were taken back.
fn retract(desk: &mut Desk<'_>, retracted: &BTreeSet<String>, tally: &mut Tally) -> Result<(), EngineError> {
    let gone: Vec<String> = desk
        .notes
        .values()
        .filter(|note| {
            let mut sources = note.body.lines().filter(|line| desk::is_source(line)).peekable();
            sources.peek().is_some() && sources.all(|line| retracted.contains(line.trim()))
        })
        .map(|note| note.file.clone())
        .collect();
    for file in gone {
        desk.say(format!("Taken back in the same session: {file}"));
        desk.remove(&file, "taken back by the person in the same session", Vec::new())?;
        tally.removed += 1;
    }
    Ok(())
}
