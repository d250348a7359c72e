//! What the command `claude` may reach beside its working copy: every store of its home, its settings and instructions.
//!
//! The kernel leaves the whole directory of Claude Code open to it, because it renews its credentials there and walls cannot
//! leave out a part. So what matters there is looked at before and after: a change ends the run as failed, and stands in the
//! store's history, where it can be taken back. Not its job: the walls (`crate::engine`), and the record (`crate::change`).

use std::path::PathBuf;
use std::time::SystemTime;

use crate::change::Door;
use crate::clock::Clock;
use crate::memory::Store;
use crate::project::Choice;
use crate::state::{StateDir, read_file};

/// Files of a home that say what every session does.
const FILES: [&str; 3] = ["settings.json", "settings.local.json", "CLAUDE.md"];

/// What lay there before.
pub(super) struct Outside {
    door: Door,
    stores: Vec<Place>,
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
    began: SystemTime,
}

/// A store, and where the transcripts of its sessions lie.
struct Place {
    store: Store,
    sessions: Vec<PathBuf>,
}

/// What changed meanwhile, in sentences.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// By nobody else who is known of.
    pub(super) by_claude: Vec<String>,
    /// In the store of a project where a session goes on, which writes there as well.
    pub(super) beside_sessions: Vec<String>,
}

impl Outside {
    /// Looks at all of it.
    pub(super) fn look(choice: &Choice, state: &StateDir, clock: &Clock) -> Self {
        let own = Place { store: choice.store.clone(), sessions: choice.sessions.clone() };
        let folders = choice.home.iter().filter_map(|home| home.folders().ok()).flatten();
        let others = folders
            .filter(|project| project.has_store && project.store.root() != choice.store.root())
            .map(|project| Place { store: project.store, sessions: vec![project.sessions] });
        let stores: Vec<Place> = std::iter::once(own).chain(others).collect();
        let paths = choice.home.iter().flat_map(|home| FILES.map(|file| home.base().join(file)));
        let files = paths.map(|path| (path.clone(), read_file(&path).ok())).collect();
        let outside = Self { door: Door::new(state.clone(), clock.clone()), stores, files, began: SystemTime::now() };
        for place in &outside.stores {
            outside.noted(place);
        }
        outside
    }

    /// Compares, and records what changed in the stores.
    pub(super) fn compare(&self) -> Changed {
        let mut changed = Changed::default();
        for place in &self.stores {
            let Some(entry) = self.noted(place) else { continue };
            let dir = crate::text::visible(&place.store.root().to_string_lossy()).into_owned();
            let sentence = format!("the store {dir} (take it back: dreamtop --memory-dir {dir} undo {entry})");
            let kind = if self.has_session(place) { &mut changed.beside_sessions } else { &mut changed.by_claude };
            kind.push(sentence);
        }
        let others = self.files.iter().filter(|(path, before)| read_file(path).ok() != *before);
        changed.by_claude.extend(others.map(|(path, _)| crate::text::visible(&path.to_string_lossy()).into_owned()));
        changed
    }

    /// What another program did to a store since it was last looked at: the entry's id.
    fn noted(&self, place: &Place) -> Option<String> {
        self.door.note_foreign(&place.store).unwrap_or_else(|error| {
            tracing::warn!("changes by other programs are not recorded: {error}");
            None
        })
    }

    /// Whether a session of the project said something meanwhile.
    fn has_session(&self, place: &Place) -> bool {
        let entries = place.sessions.iter().filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten();
        let transcripts = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "jsonl"));
        let mut spoken = transcripts.filter_map(|entry| entry.metadata().and_then(|found| found.modified()).ok());
        spoken.any(|at| at >= self.began)
    }
}
