//! `undo`: takes back a run or any other change, byte for byte, and a rejection, so that it waits again.

use serde_json::json;

use super::args::Undo;
use super::context::Context;
use super::output::Failure;
use super::{exit, landing};
use crate::change::{DoorError, HistoryEntry, Origin};
use crate::memory::Store;
use crate::project::stores::Stores;
use crate::run::journal::RunBook;
use crate::run::{RunView, undo};
use crate::text::visible;

/// Undoes. Names a run or a history entry; without a name: the latest entry of ours of which nothing was undone yet, and
/// that is no undo itself.
pub(super) fn run(context: &Context, arguments: &Undo) -> Result<u8, Failure> {
    let choice = context.choose()?;
    context.recover(&choice);
    let door = context.door();
    let dropped = door.dropped(&choice.store);
    let Some(name) = &arguments.run else {
        let history = door.history(&choice.store).map_err(landing::failure)?;
        // What was rejected since the last landing of ours that stands is the latest thing done.
        let ours = |entry: &&HistoryEntry| entry.origin != Origin::Foreign && entry.stands_whole();
        let landed_at = history.iter().filter(ours).map(|entry| entry.at).max();
        if let Some((entry, _)) = dropped.last().filter(|(_, at)| landed_at.is_none_or(|landed| landed < *at)) {
            return wait_again(context, &choice.store, entry);
        }
        let mut standing = history.iter().filter(|entry| entry.stands_whole());
        // What another program did is not taken back by a word that did not name it.
        let foreign = standing.clone().take_while(|entry| entry.origin == Origin::Foreign).next();
        let latest = standing.find(|entry| entry.origin != Origin::Foreign);
        let by_name = |id: &str| format!("to take that back, name it: `dreamtop undo {id}`");
        let latest = latest.ok_or_else(|| match foreign {
            Some(entry) => Failure::not_found(format!(
                "nothing of ours is left to undo in this store; another program changed it: {}",
                by_name(&entry.id)
            )),
            None => Failure::not_found("there is nothing to undo in this store"),
        })?;
        if let Some(entry) = foreign {
            context.output.notice(&format!("another program changed the store since; {}", by_name(&entry.id)));
        }
        let landed = undo::undo(&door, &choice.store, &latest.id).inspect_err(|error| {
            // Nothing marks it as done with, so it would be meant again each time.
            let earlier = standing.find(|entry| entry.origin != Origin::Foreign);
            if let (DoorError::CannotUndo(_), Some(entry)) = (error, earlier) {
                let title = visible(&entry.title);
                context.output.notice(&format!("before it was \"{title}\"; {}", by_name(&entry.id)));
            }
        });
        let landed = landed.map_err(landing::failure)?;
        return landing::undone(context, &landed);
    };
    if dropped.iter().any(|(entry, _)| entry == name) {
        return wait_again(context, &choice.store, name);
    }
    // A run of another project is undone where it landed, whatever directory we are in.
    let mut book = RunBook::new(context.state.clone());
    book.refresh()?;
    let run = book.runs().iter().find(|run| run.id == *name);
    // What a person accepted of a run landed later than the run did.
    let has_landed = |run: &RunView| {
        let history = door.history(&Store::at(&run.store)).unwrap_or_default();
        run.history.is_some() || history.iter().any(|entry| entry.run.as_deref() == Some(name))
    };
    if let Some(run) = run
        && !has_landed(run)
    {
        context.output.notice(&format!("run {name} landed nothing ({}), so there is nothing to undo", run.reason));
        return Ok(exit::FINDINGS);
    }
    let store = match run {
        Some(run) => Store::at(&run.store),
        None => landed_in(context, &choice.store, name)?,
    };
    let landed = undo::undo(&door, &store, name).map_err(landing::failure)?;
    landing::undone(context, &landed)
}

/// What was rejected of an inbox entry waits again.
fn wait_again(context: &Context, store: &Store, entry: &str) -> Result<u8, Failure> {
    let files = context.door().wait_again(store, entry).map_err(landing::failure)?;
    context.output.answer(&json!({ "waiting": files, "inbox": entry }), |page| {
        files.iter().try_for_each(|file| page.line(format!("waits again  {}", visible(file))))?;
        page.line(format!("see `dreamtop inbox show {entry}`"))
    })?;
    Ok(exit::DONE)
}

/// The store a history entry landed in: the one that is meant, else whichever of the Claude home has an entry of that id.
fn landed_in(context: &Context, meant: &Store, id: &str) -> Result<Store, Failure> {
    let door = context.door();
    let has_entry = |store: &Store| {
        door.history(store)
            .is_ok_and(|history| history.iter().any(|entry| entry.id == id || entry.run.as_deref() == Some(id)))
    };
    if has_entry(meant) {
        return Ok(meant.clone());
    }
    // Without a Claude home there are no others to look in.
    let Ok(home) = context.claude_home() else { return Ok(meant.clone()) };
    let found = Stores::find(&home, &context.environment, &context.state)?.found;
    Ok(found.into_iter().map(|found| found.store).find(has_entry).unwrap_or_else(|| meant.clone()))
}
