//! The extraction's gates: the main agent, switched on, turns, nothing saved by the session itself.

use std::path::Path;

use super::wait::{after_deaths, waiting};
use super::{Gate, Look, Trigger, Walk, memory_off, speakers};
use crate::engine::JobKind;
use crate::run::schedule::{Cursor, Schedule};
use crate::run::{quiet, review, trigger};
use crate::session::human::HumanTurns;
use crate::session::{Speakers, head};

/// What the extraction's gates found.
pub(in crate::run) struct ExtractLook {
    pub(in crate::run) gates: Vec<Gate>,
    /// Where to go on.
    pub(in crate::run) cursor: Cursor,
    /// What is new after the cursor, when it was looked at.
    pub(in crate::run) new: Option<HumanTurns>,
}

/// Looks at a transcript for what started it (`by`, see [`crate::run::trigger`]). By hand anything new is enough, and failures
/// before do not count.
pub(in crate::run) fn extract(trigger: Trigger<'_>, transcript: Option<&Path>, by: &str, look: Look) -> ExtractLook {
    let Trigger { choice, config, state, .. } = trigger;
    let schedule = Schedule::of(state, choice.store.root());
    let mut walk = Walk::new(look);
    let cursor = transcript.map(|path| review::cursor(&schedule, path)).unwrap_or_default();
    let mut new: Option<Result<HumanTurns, String>> = None;
    walk.ask("main-agent", || main_agent(transcript, speakers(config)));
    walk.ask("enabled", || match memory_off(choice) {
        None => Gate::new("enabled", true, "on", "on"),
        Some(off) => Gate::new("enabled", false, off, "off"),
    });
    walk.ask("turns", || {
        let Some(path) = transcript else { return Gate::new("turns", false, "no session yet", "none") };
        if trigger::is_automatic(by) {
            let record = schedule.record(JobKind::Extract);
            let closed = waiting(trigger, JobKind::Extract, &record, config.extract.budget);
            let died = || after_deaths(&schedule.session_record(&review::session_id(path)), trigger.clock.now());
            if let Some(closed) = closed.or_else(died) {
                return Gate { gate: "turns", ..closed };
            }
        }
        let read = review::new_turns(
            path,
            &cursor,
            choice.store.root(),
            speakers(config),
            &quiet::of(state, choice.store.root()),
        );
        let gate = match &read {
            Ok(new) => turns(new.turns.len(), trigger::turns_needed(by, config.extract.every_turns)),
            Err(error) if trigger::is_automatic(by) && error.kind() == std::io::ErrorKind::NotFound => Gate::new(
                "turns",
                false,
                "this session has no transcript yet; what is said in it is read once there is one",
                "none",
            ),
            Err(error) => Gate::new("turns", false, format!("cannot read {}: {error}", path.display()), "unreadable"),
        };
        new = Some(read.map_err(|error| error.to_string()));
        gate
    });
    walk.ask("already-saved", || match &new {
        Some(Ok(HumanTurns { memory_written_at: Some(line), .. })) => {
            let detail = format!("the session itself wrote a memory since the last extraction (line {line})");
            Gate::new("already-saved", false, detail, "saved")
        }
        _ => Gate::new("already-saved", true, "the session itself wrote no memory since the last extraction", "none"),
    });
    ExtractLook { gates: walk.gates, cursor, new: new.and_then(Result::ok) }
}

fn main_agent(transcript: Option<&Path>, speakers: Speakers) -> Gate {
    let gate = |passed, detail: &str, short: &str| Gate::new("main-agent", passed, detail, short);
    match transcript.map(head::read_beginning) {
        Some(Ok(head)) if head.is_sidechain => gate(false, "a sub-agent's session", "sub-agent"),
        Some(Ok(head)) if speakers.leave_out(head.entrypoint.as_deref()) => {
            gate(false, "a program talks in this session, not a person", "headless")
        }
        // An unreadable transcript is named by the next gate that reads it.
        _ => gate(true, "the main agent's session", "main"),
    }
}

fn turns(new: usize, needed: usize) -> Gate {
    let needed = needed.max(1);
    let short = format!("{new}/{needed} turns");
    let detail = if new == 0 {
        format!("{short}: nothing new since the last extraction")
    } else {
        format!("{short} since the last extraction")
    };
    Gate::new("turns", new >= needed, detail, short)
}
