//! An extraction by a model: what is stored, then what was said since the cursor, in parts that fit.
//!
//! The size of each question is bounded whatever the session and the store hold, so that a session of any length costs
//! what was said in it, once. Not its job: the cursor (`crate::run`).

use super::talk;
use crate::engine::{EngineError, Job, ReadTo, RunContext, SessionSource};
use crate::session::human::standing_turns;

/// A part of a session, in bytes, where the model has room for it.
const PART: usize = 24_000;
/// The list of what is stored.
const MANIFEST: usize = 12_000;
/// A part smaller than this makes no sense.
const LEAST: usize = 2_000;

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine::agent) struct Part {
    /// What the model is asked.
    pub(in crate::engine::agent) task: String,
    /// Which lines of which session it is about, for people.
    pub(in crate::engine::agent) about: String,
    /// How far the session is read with it.
    pub(in crate::engine::agent) read_to: ReadTo,
}

/// The parts of an extraction, and what had to be left out of them, in words.
///
/// # Errors
/// When a session or the working copy cannot be read, or the model holds too little for any part.
pub(in crate::engine::agent) fn parts(
    job: &Job,
    context: &RunContext,
    room: usize,
) -> Result<(Vec<Part>, Vec<String>), EngineError> {
    // A third each for what was said and for the tools' answers; what is stored takes less.
    let part = (room / 3).min(PART);
    let manifest = (room / 6).min(MANIFEST);
    if part < LEAST {
        return Err(EngineError::Failed(
            "the model holds too little for an extraction; set context_tokens in config.yaml to what it really holds, 8000 or \
             more"
                .to_owned(),
        ));
    }
    let snapshot = talk::scan(context)?;
    let stored = talk::manifest(&snapshot, manifest);
    let (mut parts, mut notes) = (Vec::new(), Vec::new());
    for session in &job.sessions {
        let (stretches, cut) = stretches(session, context, part)?;
        if cut > 0 {
            let turns = crate::text::count(cut, "long turn", "long turns");
            notes.push(format!("session {} is read in part: the middle of {turns} is left out", session.id));
        }
        let of = stretches.len();
        for (at, stretch) in stretches.into_iter().enumerate() {
            let which = if of > 1 { format!(" (part {} of {of})", at + 1) } else { String::new() };
            let task = format!(
                "{}\n\n# What is stored already\n\n{stored}\n# What was said in session {}{which}\n\n{}",
                talk::today(context),
                session.id,
                stretch.text
            );
            parts.push(Part {
                task,
                about: format!("session {}, lines {} to {}", session.id, stretch.first, stretch.last),
                read_to: ReadTo { line: stretch.last, uuid: stretch.uuid },
            });
        }
    }
    Ok((parts, notes))
}

struct Stretch {
    text: String,
    first: u64,
    last: u64,
    /// Of the last turn.
    uuid: Option<String>,
}

/// What was said in a session from its place on, cut between turns; and how many turns had to be cut themselves.
fn stretches(session: &SessionSource, context: &RunContext, part: usize) -> Result<(Vec<Stretch>, usize), EngineError> {
    let stop = || context.cancel.is_cancelled();
    let found = standing_turns(&session.path, session.from, session.speakers, &stop)?;
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut cut = 0;
    let mut before: Option<&str> = None;
    for turn in found.turns.iter().filter(|turn| session.since.is_none_or(|since| turn.at.is_none_or(|at| at > since)))
    {
        // What several turns answer is given once.
        let answer = turn.after.as_deref().filter(|after| before != Some(*after));
        before = turn.after.as_deref();
        let (text, is_cut) = talk::turn(turn, answer);
        cut += usize::from(is_cut);
        match stretches.last_mut().filter(|stretch| stretch.text.len() + text.len() <= part) {
            Some(stretch) => {
                stretch.text.push_str(&text);
                stretch.last = turn.line;
                stretch.uuid.clone_from(&turn.uuid);
            }
            None => stretches.push(Stretch { text, first: turn.line, last: turn.line, uuid: turn.uuid.clone() }),
        }
    }
    Ok((stretches, cut))
}
