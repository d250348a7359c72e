//! `snooze`: memories that triage leaves out for a while.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::args::Snooze;
use super::context::{Context, find_each};
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::change::verdicts::Seen;
use crate::clock::local_day;
use crate::text;

/// The JSON.
#[derive(Debug, Serialize)]
struct Answer {
    snoozed: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    file: String,
    snoozed_until: Option<DateTime<Utc>>,
    before: Option<DateTime<Utc>>,
}

/// Lets them wait, or wakes them.
pub(super) fn run(context: &Context, arguments: &Snooze) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let until = (!arguments.wake).then(|| context.clock.now() + TimeDelta::days(i64::from(arguments.days)));
    let wanted: Vec<(Seen, Option<DateTime<Utc>>)> =
        find_each(&snapshot, &arguments.files)?.into_iter().map(|seen| (seen, until)).collect();
    let before = context.door().snooze(&choice.store, &wanted).map_err(landing::failure)?;
    let row = |(seen, before): (Seen, _)| Row { file: seen.file, snoozed_until: until, before };
    let answer = Answer { snoozed: before.into_iter().map(row).collect() };
    context.output.answer(&answer, |page| {
        for row in &answer.snoozed {
            let file = text::visible(&row.file);
            page.line(match (until, row.before) {
                (Some(until), _) => format!("snoozed until {}  {file}", local_day(until)),
                (None, Some(_)) => format!("awake  {file}"),
                (None, None) => format!("was not snoozed  {file}"),
            })?;
        }
        let hint = "take it back with `dreamtop snooze --wake FILE…`; a memory that changes comes back at once";
        if until.is_some() { page.line(page.paint(hint, Meaning::Dim)) } else { Ok(()) }
    })?;
    Ok(exit::DONE)
}
