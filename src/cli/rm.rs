//! `rm`: memories to the trash, with their index lines.

use serde_json::json;

use super::args::Rm;
use super::context::{Context, find_each};
use super::output::Failure;
use super::{exit, landing};
use crate::change::verbs;
use crate::run::live::Site;
use crate::text;

/// Removes.
pub(super) fn run(context: &Context, arguments: &Rm) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let files: Vec<String> = find_each(&snapshot, &arguments.files)?.into_iter().map(|seen| seen.file).collect();
    if arguments.dry_run {
        context.output.answer(&json!({ "would_remove": files }), |page| {
            files.iter().try_for_each(|file| page.line(format!("would remove {}", text::visible(file))))
        })?;
        return Ok(exit::DONE);
    }
    if !arguments.yes && !is_agreed(context, &files)? {
        context.output.notice("nothing was removed");
        return Ok(exit::FINDINGS);
    }
    let set = verbs::remove(&snapshot, &files).map_err(landing::failure)?;
    let landed = context.land(&choice.store, &set, Site::of(&choice).as_ref()).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}

/// Asks where a person is there to answer. A script was written by one, and what it removes can be undone.
fn is_agreed(context: &Context, files: &[String]) -> Result<bool, Failure> {
    let names: Vec<_> = files.iter().map(|file| text::visible(file)).collect();
    let what = text::count(files.len(), "memory", "memories");
    let question = format!("move {what} to the trash: {}?", names.join(", "));
    Ok(context.output.agrees(&question)?.unwrap_or(true))
}
