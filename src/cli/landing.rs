//! What became of a change set, printed the same for every verb that lands one.

use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::change::{DoorError, Landing};
use crate::text;

const TAKE_BACK: &str = "take it back with";

/// Prints a landing and gives its exit code: 3 when something waits for a person.
pub(super) fn conclude(context: &Context, landing: &Landing) -> Result<u8, Failure> {
    concluded(context, landing, TAKE_BACK)
}

/// The same of an undo. What was taken back does not go on waiting in the inbox, where the next run would only put it beside
/// itself: it stays in the history.
pub(super) fn undone(context: &Context, landing: &Landing) -> Result<u8, Failure> {
    concluded(context, landing, "what was taken back stays in the history; bring it back with")
}

fn concluded(context: &Context, landing: &Landing, way: &str) -> Result<u8, Failure> {
    context.output.answer(landing, |page| {
        for landed in &landing.landed {
            let merged = if landed.merged { " (merged with a change made meanwhile)" } else { "" };
            page.line(format!("{:<7} {}{merged}", landed.op.word(), text::visible(&landed.file)))?;
        }
        for along in &landing.along {
            let (file, with) = (text::visible(&along.file), text::visible(&along.with));
            let what = if along.is_accepted { "accepted" } else { "rejected" };
            page.line(format!("        {file} was {what} along with {with}: one says what the other takes away"))?;
        }
        for held in &landing.held {
            let reasons: Vec<&str> = held.reasons.iter().map(|reason| reason.message.as_str()).collect();
            page.line(page.paint(&format!("held    {}  {}", held.file, reasons.join("; ")), Meaning::Warn))?;
        }
        if let Some(id) = landing.inbox.as_ref().filter(|_| !landing.held.is_empty()) {
            let show = format!(
                "look at it with `dreamtop inbox show {id}`, put it in your words with `dreamtop inbox accept {id} FILE --edit`, drop it with `dreamtop inbox reject {id} FILE`"
            );
            page.line(page.paint(&show, Meaning::Dim))?;
        }
        for cut in &landing.newly_cut {
            page.line(page.paint(
                &format!("⚠ {cut} now lies past the load limit of the index: no session will see it"),
                Meaning::Warn,
            ))?;
        }
        match &landing.history {
            Some(id) => by_undo(page, way, id),
            None if landing.held.is_empty() => page.line("nothing to change"),
            None => Ok(()),
        }
    })?;
    Ok(if landing.held.is_empty() { exit::DONE } else { exit::PERSON })
}

/// How to undo it.
pub(super) fn way_back(page: &mut Page<'_>, id: &str) -> std::io::Result<()> {
    by_undo(page, TAKE_BACK, id)
}

fn by_undo(page: &mut Page<'_>, way: &str, id: &str) -> std::io::Result<()> {
    page.line(page.paint(&format!("{way} `dreamtop undo {id}`"), Meaning::Dim))
}

/// A door's refusal with its exit code.
pub(super) fn failure(error: DoorError) -> Failure {
    match error {
        DoorError::Conflict { .. } | DoorError::CannotUndo(_) => Failure::person(error),
        DoorError::Refused { .. } | DoorError::ReadOnly { .. } => Failure::usage(error),
        DoorError::Unknown { .. } => Failure::not_found(error),
        DoorError::Io { .. } => Failure::failed(error),
    }
}
