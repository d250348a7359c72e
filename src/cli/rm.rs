//! `rm`: memories to the trash, with their index lines.

use serde_json::json;

use super::args::Rm;
use super::context::{Context, find};
use super::output::Failure;
use super::{exit, landing};
use crate::change::verbs;
use crate::run::live::Site;
use crate::text;

/// Removes.
pub(super) fn run(context: &Context, arguments: &Rm) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let mut files = Vec::new();
    for word in &arguments.files {
        let file = find(&snapshot, word)?.file.clone();
        if !files.contains(&file) {
            files.push(file);
        }
    }
    if arguments.dry_run {
        context.output.answer(&json!({ "would_remove": files }), |page| {
            files.iter().try_for_each(|file| page.line(format!("would remove {}", text::visible(file))))
        })?;
        return Ok(exit::DONE);
    }
    let set = verbs::remove(&snapshot, &files).map_err(landing::failure)?;
    let landed = context.land(&choice.store, &set, Site::of(&choice).as_ref()).map_err(landing::failure)?;
    landing::conclude(context, &landed)
}
