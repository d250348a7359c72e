//! What the command `claude` may reach beside its working copy: every store of its home, its transcripts, settings,
//! instructions and programs.
//!
//! The kernel leaves the whole directory of Claude Code open to it, because it renews its credentials there and walls cannot
//! leave out a part. So what matters there is looked at before and after: a change ends the run as failed. That of a store
//! stands in the store's history, where it can be taken back; other files are given back at once ([`super::home_files`],
//! [`super::registered`]). Not its job: the walls (`crate::engine`), and the record (`crate::change`).

use std::path::{Path, PathBuf};

use super::home_files::HomeFiles;
use super::registered::Registered;
use super::strayed::named;
use super::transcripts::{Became, Transcripts};
use crate::change::Door;
use crate::clock::Clock;
use crate::memory::Store;
use crate::project::Choice;
use crate::secret::redacted_name;
use crate::state::StateDir;
use crate::text::visible;

/// The newest of the places where what strayed is kept.
const KEPT: usize = 20;

/// What lay there before.
pub(super) struct Outside {
    door: Door,
    stores: Vec<Place>,
    files: HomeFiles,
    registered: Vec<Registered>,
    transcripts: Transcripts,
    /// Where both sides of what changed are kept.
    kept: PathBuf,
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
    /// In the store of a project where a session goes on, which writes there as well; or what Claude Code renews by itself.
    pub(super) by_others: Vec<String>,
}

impl Outside {
    /// Looks at all of it. `kept_days`: how long Claude Code keeps transcripts.
    pub(super) fn look(choice: &Choice, state: &StateDir, clock: &Clock, run: &str, kept_days: u32) -> Self {
        let own = Place { store: choice.store.clone(), sessions: choice.sessions.clone() };
        let folders = choice.home.iter().filter_map(|home| home.folders().ok()).flatten();
        let others = folders
            .filter(|project| project.has_store && project.store.root() != choice.store.root())
            .map(|project| Place { store: project.store, sessions: vec![project.sessions] });
        let stores: Vec<Place> = std::iter::once(own).chain(others).collect();
        let base = choice.home.as_ref().map(|home| home.base().to_owned());
        // Inside a configured home, beside `~/.claude`.
        let inside = base.as_deref().map(|dir| (dir, "registered.json"));
        let beside = base.as_deref().and_then(Path::parent).map(|dir| (dir, "registered-beside.json"));
        let outside = Self {
            door: Door::new(state.clone(), clock.clone()),
            stores,
            files: HomeFiles::look(base.as_deref()),
            registered: inside
                .into_iter()
                .chain(beside)
                .map(|(dir, kept_as)| Registered::look(&dir.join(".claude.json"), kept_as))
                .collect(),
            transcripts: Transcripts::look(transcripts_of(choice), kept_days),
            kept: state.root().join("strayed").join(run),
        };
        for place in &outside.stores {
            outside.noted(place);
        }
        outside
    }

    /// What could not be looked at, in words; `None`: all was.
    pub(super) fn unseen(&self) -> Option<String> {
        let transcripts = self
            .transcripts
            .is_cut()
            .then(|| "there are more transcripts than are looked after while claude works".to_owned());
        self.files.unseen().into_iter().chain(transcripts).reduce(|one, other| format!("{one}; {other}"))
    }

    /// Compares, records what changed in the stores, and gives back what changed elsewhere.
    pub(super) fn compare(&self) -> Changed {
        let mut changed = Changed::default();
        let transcripts = self.transcripts.changed();
        let spoken: Vec<&Path> = transcripts
            .iter()
            .filter(|(_, became)| *became == Became::Session)
            .map(|(path, _)| path.as_path())
            .collect();
        tell(&transcripts, &mut changed);
        for place in &self.stores {
            let Some(entry) = self.noted(place) else { continue };
            let dir = visible(&place.store.root().to_string_lossy()).into_owned();
            let sentence = format!("the store {dir} (take it back: dreamtop --memory-dir {dir} undo {entry})");
            let kind = if place.has_session(&spoken) { &mut changed.by_others } else { &mut changed.by_claude };
            kind.push(sentence);
        }
        // Seen before anything is given back, so that what somebody writes from now on is never taken for the command's.
        let files = self.files.changed();
        if self.files.is_moved() {
            let what =
                "Claude Code's directory itself (it leads elsewhere now; nothing in it is compared or given back)";
            changed.by_claude.push(what.to_owned());
        }
        let registered: Vec<_> = self.registered.iter().filter_map(|one| Some((one, one.changed()?))).collect();
        if files.is_empty() && registered.is_empty() {
            return changed;
        }
        let is_sure = spoken.is_empty();
        self.files.give_back(files, is_sure, &self.kept, &mut changed);
        for (one, found) in registered {
            let sentence = one.give_back(&found, is_sure, &self.kept);
            let is_persons = !is_sure && one.is_answered(&found);
            if is_persons { &mut changed.by_others } else { &mut changed.by_claude }.push(sentence);
        }
        self.forget_oldest();
        changed
    }

    /// What another program did to a store since it was last looked at: the entry's id.
    fn noted(&self, place: &Place) -> Option<String> {
        self.door.note_foreign(&place.store).unwrap_or_else(|error| {
            tracing::warn!("changes by other programs are not recorded: {error}");
            None
        })
    }

    /// Run ids begin with the kind; what counts is when the place was made.
    fn forget_oldest(&self) {
        let Some(entries) = self.kept.parent().and_then(|dir| std::fs::read_dir(dir).ok()) else { return };
        let made =
            |entry: std::fs::DirEntry| Some((entry.metadata().and_then(|found| found.modified()).ok()?, entry.path()));
        let mut all: Vec<_> = entries.flatten().filter_map(made).collect();
        all.sort_by(|one, other| other.cmp(one));
        for (_, path) in all.into_iter().skip(KEPT) {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

impl Place {
    /// Whether one of the sessions that went on is of this project.
    fn has_session(&self, spoken: &[&Path]) -> bool {
        spoken.iter().any(|path| self.sessions.iter().any(|dir| path.starts_with(dir)))
    }
}

/// The directories that transcripts lie in, those of the home and those that were named.
fn transcripts_of(choice: &Choice) -> Vec<PathBuf> {
    let projects = choice.home.as_ref().map(crate::project::ClaudeHome::projects_dir);
    let is_outside = |dir: &&PathBuf| projects.as_ref().is_none_or(|projects| !dir.starts_with(projects));
    let named: Vec<PathBuf> = choice.sessions.iter().filter(is_outside).cloned().collect();
    // A folder may be a link: what it leads to is looked at like the others.
    let linked = projects.iter().filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten();
    let linked = linked.map(|entry| entry.path()).filter(|path| path.is_symlink() && path.is_dir());
    let linked: Vec<PathBuf> = linked.collect();
    projects.into_iter().chain(named).chain(linked).collect()
}

/// Says what became of the transcripts.
fn tell(transcripts: &[(PathBuf, Became)], changed: &mut Changed) {
    for became in [Became::Session, Became::Swept, Became::Gone, Became::Odd, Became::Rewritten, Became::Extended] {
        let of = transcripts.iter().filter(|(_, other)| *other == became);
        let names: Vec<String> = of.map(|(path, _)| redacted_name(&visible(&path.to_string_lossy()))).collect();
        if names.is_empty() {
            continue;
        }
        let is_usual = matches!(became, Became::Session | Became::Swept);
        let kind = if is_usual { &mut changed.by_others } else { &mut changed.by_claude };
        let what = if names.len() == 1 { "the transcript" } else { "the transcripts" };
        kind.push(format!("{what} {} ({})", named(&names), became.words()));
    }
}
