//! `promote`: a memory's text into CLAUDE.md or a rule.

use serde_json::json;

use super::args::{Promote, PromoteTo};
use super::context::{Context, find, read_topic};
use super::output::Failure;
use super::{exit, landing};
use crate::change::promote::{self, Place, Promotion, Target};
use crate::change::verdicts::Seen;
use crate::memory::names::is_markdown;
use crate::project::ClaudeHome;
use crate::text::visible;

/// Shows the file and the text, asks where a person can answer, and puts it there.
pub(super) fn run(context: &Context, arguments: &Promote) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    context.door().admit(&choice.store).map_err(landing::failure)?;
    let memory = find(&snapshot, &arguments.file)?;
    let (file, seen) = (memory.file.clone(), Seen::from(memory));
    let topic = read_topic(&snapshot, &file)?;
    let place = match arguments.to {
        PromoteTo::Project => Place::Project,
        PromoteTo::Local => Place::Local,
        PromoteTo::Rule => Place::Rule,
        PromoteTo::Everywhere => Place::Everywhere,
    };
    if place != Place::Rule && (!arguments.paths.is_empty() || arguments.name.is_some()) {
        return Err(Failure::usage("--paths and --name are for a rule: add `--to rule`"));
    }
    let claude = choice.home.as_ref().map(ClaudeHome::base);
    let targets = promote::targets(choice.checkout.as_deref(), claude, &file, &topic);
    let target = targets.into_iter().find(|target| target.place == place).ok_or_else(|| {
        Failure::usage("no directory of the project is known, so there is no such file; name it with --project DIR")
    })?;
    let target = named(target, arguments.name.as_deref());
    if target.before.is_some() && !arguments.paths.is_empty() {
        return Err(Failure::usage(format!(
            "{} is there already and keeps its paths; choose another --name, or leave --paths out",
            visible(&target.path)
        )));
    }
    if let Some(wrong) = promote::wrong_pattern(&arguments.paths) {
        return Err(Failure::usage(format!("{wrong}; write it like src/api/** or *.sql")));
    }
    let text = arguments.text.clone().unwrap_or_else(|| promote::text(&file, &topic));
    let content = promote::content(place, target.before.as_deref(), &arguments.paths, &text);
    if arguments.dry_run {
        let answer = json!({
            "would_write": target.path, "new": target.before.is_none(), "text": text, "removes": arguments.remove.then_some(&file),
            "content": String::from_utf8_lossy(&content),
        });
        context.output.answer(&answer, |page| {
            page.line(format!("would write {}", visible(&target.path)))?;
            page.text(&text, "  ")
        })?;
        return Ok(exit::DONE);
    }
    if !arguments.yes && !is_agreed(context, &target, &text)? {
        context.output.notice("nothing was written");
        return Ok(exit::FINDINGS);
    }
    let Target { path, before, .. } = target;
    let promotion = Promotion { seen, path, before, content, is_removed: arguments.remove };
    let set = promote::promote(&snapshot, &promotion).map_err(landing::failure)?;
    let landed = context.land(&choice.store, &set, None).map_err(landing::failure)?;
    if !arguments.remove {
        context.output.notice(&format!("{} stays; it is in {} now", visible(&file), visible(&promotion.path)));
    }
    landing::conclude(context, &landed)
}

/// The target under another file name of a rule.
fn named(target: Target, name: Option<&str>) -> Target {
    let Some(name) = name else { return target };
    let name = if is_markdown(name) { name.to_owned() } else { format!("{name}.md") };
    let path = match target.path.rsplit_once(['/', '\\']) {
        Some((directory, _)) => format!("{directory}/{name}"),
        None => name,
    };
    promote::at(target.place, path)
}

/// Asks where a person is there to answer: CLAUDE.md is read by every session, and often by others.
fn is_agreed(context: &Context, target: &Target, text: &str) -> Result<bool, Failure> {
    if !context.output.can_ask() {
        return Ok(true);
    }
    context.output.lines(|page| page.text(text, "  "))?;
    Ok(context.output.agrees(&format!("write this to {}?", visible(&target.path)))?.unwrap_or(true))
}
