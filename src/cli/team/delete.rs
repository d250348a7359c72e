//! `team delete`: take an entry from the server, for everybody.

use serde_json::json;

use super::super::args::TeamDelete;
use super::super::context::Context;
use super::super::output::Failure;
use super::super::{exit, landing};
use super::{Shared, act_failure};
use crate::team::client::act;
use crate::text::visible;

/// Asks where a person can answer, and takes it.
pub(super) fn run(context: &Context, arguments: &TeamDelete) -> Result<u8, Failure> {
    let shared = Shared::open(context)?;
    let question = format!("take {} from the server, for everybody on {}?", arguments.file, shared.settings.repository);
    if !arguments.yes && !context.output.agrees(&question)?.unwrap_or(true) {
        context.output.notice("nothing was deleted");
        return Ok(exit::FINDINGS);
    }
    let remote = shared.remote(context)?;
    let (key, landed) = act::delete(&shared.door, &shared.choice.store, &shared.place, &remote, &arguments.file)
        .map_err(act_failure)?;
    context.output.answer(&json!({ "deleted": [key], "history": landed.history }), |page| {
        page.line(format!("{} is gone from the server; its history there stays", visible(&key)))?;
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
