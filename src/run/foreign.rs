//! Dreams of other programs, seen by their lock: watched, never killed. Not its job: our own runs (see
//! [`super::journal`]), and what they change (`crate::change` records it).

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::lock::{Holder, foreign_holder};
use crate::memory::LOCK_FILE;
use crate::project::Choice;
use crate::state::StateDir;

/// A dream of another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForeignDream {
    /// The store's directory.
    pub store: PathBuf,
    /// The project's title.
    pub project: String,
    /// The holder's process id.
    pub pid: u32,
    /// Since when it holds the lock.
    pub since: DateTime<Utc>,
    /// The files of the store that changed since then, by name.
    pub touched: Vec<String>,
}

/// The dreams of other programs in the store that is shown and in every store of the same home. One look at one file a
/// store; what cannot be read has none.
#[must_use]
pub fn foreign_dreams(choice: &Choice, state: &StateDir, now: DateTime<Utc>) -> Vec<ForeignDream> {
    let folders = choice.home.as_ref().and_then(|home| home.folders().ok().map(|folders| (home, folders)));
    let mut found = Vec::new();
    let dream = |store: &Path, title: &dyn Fn() -> String| {
        // Most stores have no lock, and cost this one look.
        store.join(LOCK_FILE).symlink_metadata().ok()?;
        let Holder { pid, since } = foreign_holder(store, &state.store(store), now)?;
        let touched = touched_since(store, since);
        Some(ForeignDream { store: store.to_owned(), project: title(), pid, since, touched })
    };
    found.extend(dream(choice.store.root(), &|| choice.title.clone()));
    for (home, folder) in
        folders.into_iter().flat_map(|(home, folders)| folders.into_iter().map(move |one| (home, one)))
    {
        if !folder.has_store || folder.store.root() == choice.store.root() {
            continue;
        }
        // What a project is called costs opening its transcripts: only where somebody dreams.
        let title = || home.with_path(folder.clone()).title();
        found.extend(dream(folder.store.root(), &title));
    }
    found
}

fn touched_since(store: &Path, since: DateTime<Utc>) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(store) else { return Vec::new() };
    let mut touched: Vec<String> = entries
        .flatten()
        .filter(|entry| {
            let changed = entry.metadata().and_then(|found| found.modified()).map(DateTime::<Utc>::from);
            entry.path().extension().is_some_and(|ending| ending == "md") && changed.is_ok_and(|at| at >= since)
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    touched.sort();
    touched
}
