//! `team promote`: one of a person's own memories offered to the team, after a look at what goes out.

use chrono::NaiveDate;
use serde_json::json;

use super::super::args::TeamPromote;
use super::super::context::{Context, find, read_topic};
use super::super::output::Failure;
use super::super::{exit, landing};
use super::hidden;
use crate::change::verbs;
use crate::team::client::local::Local;
use crate::team::client::offer::{Offer, change, entry};
use crate::team::client::shared::Shared;
use crate::text::visible;

/// Shows what would go out, asks, and puts it into `memory/team/`.
pub(super) fn run(context: &Context, arguments: &TeamPromote) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    context.door().admit(&choice.store).map_err(landing::failure)?;
    let file = find(&snapshot, &arguments.file)?.file.clone();
    let bytes = read_topic(&snapshot, &file)?.bytes;
    let local = Local::read(choice.store.root())?;
    let owner = asked(context, arguments.owner.clone(), "who answers for it? ", "--owner NAME")?;
    let day = asked(context, arguments.review_by.clone(), "look again by when? (2027-03-31) ", "--review-by DATE")?;
    let review_by = NaiveDate::parse_from_str(day.trim(), "%Y-%m-%d")
        .map_err(|_| Failure::usage(format!("{day:?} is no day; write it like 2027-03-31")))?;
    if review_by <= context.clock.today() {
        return Err(Failure::usage(format!("{review_by} is not ahead; name the day by which to look again")));
    }
    // What is put there goes where the store shares.
    let shared = Shared::of(context.door(), &choice, &context.config.team, &context.environment);
    if let Some(doubt) = shared.ok().and_then(|shared| shared.doubt()) {
        return Err(Failure::person(doubt));
    }
    let hidden = &hidden(context, &choice.store, choice.checkout.as_deref());
    let offer = Offer { file: &file, bytes: &bytes, owner: &owner, review_by, is_forced: arguments.force, hidden };
    let (key, content) = entry(&offer, &local).map_err(Failure::usage)?;
    let text = String::from_utf8_lossy(&content).into_owned();
    if arguments.dry_run {
        let answer = json!({ "would_offer": key, "content": text, "removes": arguments.remove.then_some(&file) });
        context.output.answer(&answer, |page| {
            page.line(format!("would go to the team as {}:", visible(&key)))?;
            page.text(&text, "  ")
        })?;
        return Ok(exit::DONE);
    }
    if !arguments.yes && context.output.can_ask() {
        context.output.lines(|page| page.text(&text, "  "))?;
        if !context.output.agrees(&format!("offer this to the team as {key}?"))?.unwrap_or(true) {
            context.output.notice("nothing was offered");
            return Ok(exit::FINDINGS);
        }
    }
    let mut set = change(&key, &content, &local);
    if arguments.remove {
        let removal = verbs::remove(&snapshot, &[file]).map_err(landing::failure)?;
        set.changes.extend(removal.changes);
        set.index = removal.index;
    }
    let landed = context.land(&choice.store, &set, None).map_err(landing::failure)?;
    let code = landing::conclude(context, &landed)?;
    context.output.notice("`dreamtop team push` sends it");
    Ok(code)
}

/// What was typed, else what a person answers.
fn asked(context: &Context, typed: Option<String>, question: &str, flag: &str) -> Result<String, Failure> {
    match typed {
        Some(typed) => Ok(typed),
        None if context.output.can_ask() => Ok(context.output.answers(question)?),
        None => Err(Failure::usage(format!("what goes to a team needs {flag}"))),
    }
}
