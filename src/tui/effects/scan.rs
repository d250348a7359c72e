//! Reading a store, and listing the projects of a Claude home.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use super::World;
use crate::engine::JobKind;
use crate::health::Grounds;
use crate::memory::store::ScanOptions;
use crate::memory::{Snapshot, StoreError};
use crate::project::{Choice, ClaudeHome, Project, root};
use crate::run::lock::last_success;
use crate::run::schedule::Schedule;
use crate::tui::event::{AppEvent, StoreTrouble};
use crate::tui::layer::projects::ProjectFacts;

/// Reads the store; files that did not change since the last scan are taken over from it.
pub(super) fn rescan(world: &World, choice: &Choice) -> AppEvent {
    let confirmed = world.door().confirmed(&choice.store);
    let options = ScanOptions { now: world.clock.now(), shelf_life: world.config().shelf_life, confirmed };
    let previous = world.snapshot().filter(|snapshot| snapshot.store == choice.store);
    let result = choice.store.rescan(&options, previous.as_deref()).map(|mut snapshot| {
        world.door().mark_snoozed(&mut snapshot);
        Arc::new(snapshot)
    });
    let known = result.as_ref().ok().cloned();
    // The first look is noted at the start, when what a crash left is brought in order.
    if let (Some(before), Some(after)) = (&previous, &known)
        && is_changed(before, after)
    {
        note_foreign(world, choice);
    }
    *world.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = known;
    AppEvent::Scanned { store: choice.store.root().to_owned(), result: result.map_err(|error| trouble(error, choice)) }
}

/// Records what other programs changed. A service: when it fails, the log says so and the screen goes on.
pub(super) fn note_foreign(world: &World, choice: &Choice) {
    if let Err(error) = world.door().note_foreign(&choice.store) {
        tracing::warn!("changes by other programs are not recorded: {error}");
    }
}

fn is_changed(before: &Snapshot, after: &Snapshot) -> bool {
    let told = |snapshot: &Snapshot| {
        let memories = snapshot.memories.iter().map(|memory| (memory.file.clone(), Some(memory.hash), memory.bytes));
        let others = snapshot.others.iter().map(|other| (other.file.clone(), None, other.bytes));
        memories.chain(others).collect::<Vec<_>>()
    };
    before.index.bytes != after.index.bytes || told(before) != told(after)
}

fn trouble(error: StoreError, choice: &Choice) -> StoreTrouble {
    match error {
        StoreError::Missing(path) => match &choice.home {
            None => StoreTrouble::NoHome(None),
            Some(home) if !home.exists() => StoreTrouble::NoHome(Some(home.base().to_owned())),
            Some(_) => StoreTrouble::Missing(path),
        },
        error @ (StoreError::NotADirectory(_) | StoreError::Unreadable { .. }) => {
            StoreTrouble::Unreadable(error.to_string())
        }
    }
}

/// The projects of the Claude home, with the paths their transcripts name.
pub(super) fn projects(choice: &Choice) -> Result<Vec<Project>, String> {
    let Some(home) = &choice.home else {
        return Err("there is no Claude home to list projects of; name one with --claude-dir DIR".to_owned());
    };
    let folders =
        home.folders().map_err(|error| format!("cannot list the projects of {}: {error}", home.base().display()))?;
    Ok(folders.into_iter().map(|project| home.with_path(project)).collect())
}

/// What the memories of a project that is not shown are held against.
fn grounds(world: &World, choice: &Choice, project: &Project) -> Grounds {
    let opened = choice.home.as_ref().map(|home| root::choice_of(project, home, &world.environment));
    let checkout = opened.as_ref().and_then(|opened| opened.checkout.as_deref());
    let claude = choice.home.as_ref().map(ClaudeHome::base);
    Grounds::of_project(checkout, claude, &world.environment, &world.state)
}

/// What the stores of projects hold. One that cannot be read is left out: opening it says why.
pub(super) fn survey(world: &World, choice: &Choice, projects: &[Project]) -> Vec<(PathBuf, ProjectFacts)> {
    let now = world.clock.now();
    let facts = |project: &Project| {
        let store = &project.store;
        let confirmed = world.door().confirmed(store);
        let options = ScanOptions { now, shelf_life: world.config().shelf_life, confirmed };
        let snapshot = store.scan(&options).ok()?;
        let schedule = Schedule::of(&world.state, store.root());
        let own = schedule.record(JobKind::Dream).success_by(now);
        Some(ProjectFacts {
            memories: snapshot.memories.len(),
            stale: crate::health::stale(&snapshot, &grounds(world, choice, project)),
            bytes: snapshot.memories.iter().map(|memory| memory.bytes).sum::<u64>() + snapshot.index.bytes.len() as u64,
            last_dream: last_success(store.root(), schedule.dir(), own, now),
        })
    };
    projects.iter().filter_map(|project| Some((project.store.root().to_owned(), facts(project)?))).collect()
}
