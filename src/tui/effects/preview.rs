//! Reading what is only looked at: a memory's page, and what a run did to a file.

use std::path::Path;

use super::World;
use crate::memory::{ContentHash, Store};
use crate::tui::effect::{ImagesQuestion, PreviewQuestion, RunDiffQuestion};
use crate::tui::event::Page;
use crate::tui::layer::run::Images;
use crate::tui::page;

/// Reads a memory and lays it out.
pub(super) fn read(question: &PreviewQuestion) -> Result<Page, String> {
    let store = Store::at(&question.store);
    let path = store.path(&question.file);
    let topic = store.topic(&question.file).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(page::body(&topic, question.width, question.theme))
}

/// The content of a file before and after a run: from its copies while it is live, from the history once
/// it landed, from the inbox while it waits. History and inbox are those of the run's own store: all runs can be looked at
/// from any project.
pub(super) fn run_diff(world: &World, question: &RunDiffQuestion) -> Result<Images, String> {
    let copies = world.state.runs().join(&question.run);
    if copies.is_dir() {
        let read = |copy: &str| read_if_there(&copies.join(copy).join(&question.file));
        return Ok((read("pristine")?, read("work")?));
    }
    let store = Store::at(&question.store);
    let history = world.door().history(&store).map_err(|error| error.to_string())?;
    let entry = history.iter().find(|entry| entry.run.as_deref() == Some(question.run.as_str()));
    let file = entry.and_then(|entry| entry.files.iter().find(|file| file.file == question.file));
    let Some(file) = file else {
        // What the guards held has its contents in the inbox.
        let inbox = world.door().inbox(&store).map_err(|error| error.to_string())?;
        let held = inbox.into_iter().filter(|entry| entry.run.as_deref() == Some(question.run.as_str()));
        if let Some(change) = held.flat_map(|entry| entry.changes).find(|change| change.file == question.file) {
            return Ok((change.base, change.content));
        }
        return Err(format!("{} did not land, and the run's copy is gone", question.file));
    };
    images(world, &ImagesQuestion { store: question.store.clone(), before: file.before, after: file.after })
}

/// The contents before and after a change of the history.
pub(super) fn images(world: &World, question: &ImagesQuestion) -> Result<Images, String> {
    let (door, store) = (world.door(), Store::at(&question.store));
    let image = |hash: Option<ContentHash>| {
        hash.map(|hash| door.image(&store, hash)).transpose().map_err(|error| error.to_string())
    };
    Ok((image(question.before)?, image(question.after)?))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match crate::state::read_file(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}
