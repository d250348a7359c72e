//! `team delete`: take an entry from the server, for everybody.

use serde_json::json;

use super::super::args::TeamDelete;
use super::super::context::Context;
use super::super::output::Failure;
use super::super::{exit, landing};
use super::{act_failure, open_clear};
use crate::change::Landing;
use crate::team::client::act;
use crate::text::visible;

/// Asks where a person can answer, and takes it. One that the server never had goes to the trash here, unasked.
pub(super) fn run(context: &Context, arguments: &TeamDelete) -> Result<u8, Failure> {
    let shared = open_clear(context)?;
    let (door, store, place) = (&shared.door, &shared.store, &shared.place);
    if let Some((key, landed)) = act::drop_unsent(door, store, place, &arguments.file).map_err(act_failure)? {
        return tell(context, &landed, "removed", &key, "was never sent; it is in the trash here");
    }
    let question = format!("take {} from the server, for everybody on {}?", arguments.file, shared.settings.repository);
    if !arguments.yes && !context.output.agrees(&question)?.unwrap_or(true) {
        context.output.notice("nothing was deleted");
        return Ok(exit::FINDINGS);
    }
    let remote = shared.remote().map_err(Failure::usage)?;
    let (key, landed) = act::delete(door, store, place, &remote, &arguments.file).map_err(act_failure)?;
    tell(context, &landed, "deleted", &key, "is gone from the server; its history there stays")
}

fn tell(context: &Context, landed: &Landing, what: &str, key: &str, words: &str) -> Result<u8, Failure> {
    context.output.answer(&json!({ what: [key], "history": landed.history }), |page| {
        page.line(format!("{} {words}", visible(key)))?;
        if landed.landed.len() > 1 {
            page.line("its line in the team's index is gone here; `dreamtop team push` sends that")?;
        }
        match &landed.history {
            Some(id) => landing::way_back(page, id),
            None => Ok(()),
        }
    })?;
    Ok(exit::DONE)
}
