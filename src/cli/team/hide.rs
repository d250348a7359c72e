//! `team hide` and `team unhide`: whether an entry of the team lies here.

use serde_json::json;

use super::super::args::TeamPick;
use super::super::context::Context;
use super::super::output::Failure;
use super::super::{exit, landing};
use super::{act_failure, open_clear};
use crate::team::client::act;
use crate::text::visible;

/// Keeps an entry away from here.
pub(super) fn hide(context: &Context, pick: &TeamPick) -> Result<u8, Failure> {
    let shared = open_clear(context)?;
    let (key, landed) = act::hide(&shared.door, &shared.store, &shared.place, &pick.file).map_err(act_failure)?;
    context.output.answer(&json!({ "hidden": [key], "history": landed.history }), |page| {
        page.line(format!(
            "{} stays away from here, and the team keeps it; `dreamtop team unhide {0}` lets it come again",
            visible(&key)
        ))?;
        match &landed.history {
            Some(id) => landing::way_back(page, id),
            None => Ok(()),
        }
    })?;
    Ok(exit::DONE)
}

/// Lets a hidden entry come again.
pub(super) fn unhide(context: &Context, pick: &TeamPick) -> Result<u8, Failure> {
    let shared = open_clear(context)?;
    let (key, was_hidden) = act::unhide(&shared.store, &shared.place, &pick.file).map_err(act_failure)?;
    context.output.answer(&json!({ "unhidden": was_hidden.then_some(&key) }), |page| {
        let name = visible(&key);
        page.line(if was_hidden {
            format!("{name} comes again with the next `dreamtop team pull`")
        } else {
            format!("{name} was not hidden")
        })
    })?;
    Ok(if was_hidden { exit::DONE } else { exit::FINDINGS })
}
