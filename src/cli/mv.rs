//! `mv`: another file name for a memory; links and index follow.

use serde_json::json;

use super::args::Mv;
use super::context::{Context, find};
use super::output::Failure;
use super::{exit, landing};
use crate::change::{Consent, verbs};
use crate::memory::names;
use crate::text::visible;

/// Renames.
pub(super) fn run(context: &Context, arguments: &Mv) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let from = find(&snapshot, &arguments.from)?.file.clone();
    let to = names::typed(&arguments.to).map_err(Failure::usage)?;
    let folder = verbs::new_folder(&snapshot, &to).map(|folder| format!("the folder {folder}/ is made"));
    let set = verbs::rename(&snapshot, &from, &to).map_err(landing::failure)?;
    if arguments.dry_run {
        let follows: Vec<String> = folder.into_iter().chain(verbs::follow(&set, &from, &to)).collect();
        context.output.answer(&json!({ "from": from, "to": to, "follows": follows }), |page| {
            page.line(format!("would rename {} to {}", visible(&from), visible(&to)))?;
            follows.iter().try_for_each(|line| page.line(format!("  {}", visible(line))))
        })?;
        return Ok(exit::DONE);
    }
    if let Some(folder) = folder {
        context.output.notice(&folder);
    }
    let landed = context.door().land(&choice.store, &set, Consent::Person).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}
