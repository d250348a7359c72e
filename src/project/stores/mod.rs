//! Every store there is, each once: with its project, what decided it, and what is odd about it.
//!
//! Transcripts give their heads only. Not its job: reading what is in the stores, and doing anything about an oddity
//! (see `crate::change`).

mod odd;
mod pairs;
mod places;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub use odd::Oddity;
pub use pairs::{Pair, PairKind};

use super::git::physical;
use super::home::recorded_paths;
use super::identity::{self, Identity, Remembered};
use super::origin::SessionFolders;
use super::{ClaudeHome, Project, settings};
use crate::environment::Environment;
use crate::memory::store::neighbours;
use crate::memory::{Store, StoreKind};
use crate::state::StateDir;
use places::Places;

/// A store that was found.
#[derive(Clone, Debug)]
pub struct FoundStore {
    /// The store.
    pub store: Store,
    /// Its kind.
    pub kind: StoreKind,
    /// What to call it.
    pub title: String,
    /// The folder under `projects/` it lies in.
    pub folder: Option<String>,
    /// The paths its folder's transcripts name; more than one when projects share it.
    pub paths: Vec<PathBuf>,
    /// The project it belongs to: the only path that is named.
    pub project: Option<PathBuf>,
    /// The root of the project's main work tree, or the project's directory outside git; `None` when it is not known or
    /// gone from the disk without a trace.
    pub root: Option<PathBuf>,
    /// What decided the project, in words.
    pub decided_by: String,
    /// What is odd.
    pub odd: Vec<Oddity>,
}

/// All that was found in one look.
#[derive(Debug)]
pub struct Stores {
    /// The stores, ordered by kind and place.
    pub found: Vec<FoundStore>,
    /// What could be brought together.
    pub pairs: Vec<Pair>,
    folders: Vec<Folder>,
    places: Places,
}

/// A folder under `projects/` and the paths its transcripts name.
#[derive(Clone, Debug)]
struct Folder {
    project: Project,
    paths: Vec<PathBuf>,
    /// What we remember of its store's project.
    remembered: Option<Remembered>,
}

impl Folder {
    /// The one path that is known for it, and what says so.
    fn path(&self) -> Option<(&Path, &'static str)> {
        match (self.paths.as_slice(), &self.remembered) {
            ([path], _) => Some((path, "the cwd in its transcripts")),
            ([], Some(remembered)) => Some((&remembered.path, "what dreamtop remembers of its last run")),
            _ => None,
        }
    }
}

impl Stores {
    /// Looks for every store of a Claude home and of the checkouts its transcripts name.
    ///
    /// # Errors
    /// When the home is there but cannot be listed.
    pub fn find(home: &ClaudeHome, environment: &Environment, state: &StateDir) -> std::io::Result<Self> {
        let mut seen = BTreeSet::new();
        let mut folders: Vec<Folder> = Vec::new();
        for project in home.folders()? {
            if seen.insert(physical(&project.sessions)) {
                let paths = recorded_paths(&project);
                let remembered = project.has_store.then(|| Remembered::read(state, &project.store)).flatten();
                folders.push(Folder { project, paths, remembered });
            }
        }
        let here = physical(environment.current_dir());
        let places = Places::of(&folders, &here);
        let mut finding = Finding { home, places: &places, seen: BTreeSet::new(), found: Vec::new() };
        finding.projects(&folders);
        finding.setting(environment);
        finding.teams();
        finding.agents();
        finding.checkouts(home);
        finding.neighbours(environment);
        let mut found = finding.found;
        let noted = identity::noted_by_claude(home);
        let known = |folder: &Folder| known_identity(folder, &noted);
        let pairs = pairs::find(home, &folders, &places, &known);
        odd::mark(&mut found, &places, &pairs);
        Ok(Self { found, pairs, folders, places })
    }

    /// Remembers what each project is whose directory is there, so that it is known again after a move.
    ///
    /// # Errors
    /// When our state directory cannot be written.
    pub fn remember(&self, state: &StateDir) -> std::io::Result<()> {
        for folder in self.folders.iter().filter(|folder| folder.project.has_store) {
            if let [path] = folder.paths.as_slice()
                && path.is_dir()
            {
                Remembered::write(state, &folder.project.store, &physical(path))?;
            }
        }
        Ok(())
    }

    /// What is odd about where a store's memories come from: sessions that lie in other projects' folders.
    ///
    /// `origins` are its memories with the sessions they name.
    #[must_use]
    pub fn written_elsewhere<'a>(
        &self,
        store: &FoundStore,
        origins: impl Iterator<Item = (&'a str, &'a str)>,
        sessions: &SessionFolders,
    ) -> Vec<Oddity> {
        self.foreign(store, origins, sessions).iter().map(odd::marked).collect()
    }

    /// The moves that would bring such memories to the project whose sessions wrote them, where exactly one is known.
    #[must_use]
    pub fn moves<'a>(
        &self,
        home: &ClaudeHome,
        store: &FoundStore,
        origins: impl Iterator<Item = (&'a str, &'a str)>,
        sessions: &SessionFolders,
    ) -> Vec<Pair> {
        let proposed = self.foreign(store, origins, sessions).into_iter().filter_map(|foreign| {
            let root = self.places.root(foreign.path.as_deref()?)?;
            let into = home.folder_of(&root);
            let is_shared =
                self.folders.iter().any(|other| other.project.folder == into.folder && other.paths.len() > 1);
            if is_shared || physical(into.store.root()) == physical(store.store.root()) {
                return None;
            }
            let why = odd::said(&foreign);
            let pair = Pair::new(PairKind::Move, &store.store, &into.store, Some(root), why);
            Some(Pair { files: Some(foreign.files), ..pair })
        });
        proposed.collect()
    }

    fn foreign<'a>(
        &self,
        store: &FoundStore,
        origins: impl Iterator<Item = (&'a str, &'a str)>,
        sessions: &SessionFolders,
    ) -> Vec<odd::Foreign> {
        let (StoreKind::Project, Some(own)) = (&store.kind, &store.folder) else { return Vec::new() };
        odd::written_elsewhere(store, own, origins, sessions, &self.folders, &self.places)
    }
}

/// The identity of a folder's project that is gone: as we remember it, else as Claude Code noted it.
fn known_identity(folder: &Folder, noted: &[(PathBuf, Identity)]) -> Option<Identity> {
    let (path, _) = folder.path()?;
    let remembered = folder.remembered.as_ref().filter(|remembered| remembered.path == path);
    let remembered = remembered.map(|remembered| remembered.identity.clone());
    remembered.or_else(|| noted.iter().find(|(noted, _)| noted == path).map(|(_, identity)| identity.clone()))
}

/// Collects stores, each place once.
struct Finding<'a> {
    home: &'a ClaudeHome,
    places: &'a Places,
    seen: BTreeSet<PathBuf>,
    found: Vec<FoundStore>,
}

impl Finding<'_> {
    fn add(&mut self, store: FoundStore) {
        if store.store.root().is_dir() && self.seen.insert(physical(store.store.root())) {
            self.found.push(store);
        }
    }

    fn projects(&mut self, folders: &[Folder]) {
        for folder in folders.iter().filter(|folder| folder.project.has_store) {
            let known = folder.path();
            let decided_by = match (known, folder.paths.len()) {
                (Some((_, by)), _) => by.to_owned(),
                (None, 0) => "nothing: no transcript in its folder names a path".to_owned(),
                (None, number) => format!("nothing: its transcripts name {number} paths"),
            };
            let path = known.map(|(path, _)| path.to_owned());
            let named = Project { path: path.clone(), ..folder.project.clone() };
            self.add(FoundStore {
                store: named.store.clone(),
                kind: StoreKind::Project,
                title: named.title(),
                folder: Some(named.folder),
                paths: folder.paths.clone(),
                root: path.as_deref().and_then(|path| self.places.root(path)),
                project: path,
                decided_by,
                odd: Vec::new(),
            });
        }
    }

    fn setting(&mut self, environment: &Environment) {
        let settings = settings::read(environment, Some(self.home.base()), &[]);
        if let Some(directory) = settings.memory_directory {
            let store = Store::at(directory.value);
            self.add(bare(store, StoreKind::Setting, "every project".to_owned(), directory.by));
        }
    }

    fn teams(&mut self) {
        for owner in self.found.clone() {
            let store = owner.store.team();
            let decided_by = format!("it lies in {}", owner.store.root().display());
            let title = format!("{}, team", owner.title);
            self.add(FoundStore { store, kind: StoreKind::Team, title, decided_by, odd: Vec::new(), ..owner });
        }
    }

    /// What lies in the checkouts: Replit's, and what Claude Code leaves unread.
    fn checkouts(&mut self, home: &ClaudeHome) {
        let trees: Vec<&Path> = self.places.trees().collect();
        for tree in trees {
            for (place, kind) in [(".agents/memory", StoreKind::Replit), (".claude/memory", StoreKind::Checkout)] {
                let name = tree.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let mut store =
                    bare(Store::at(tree.join(place)), kind, format!("{name}, {place}"), "it lies in it".to_owned());
                if store.kind == StoreKind::Checkout {
                    store.odd.push(odd::unread(&home.folder_of(tree).store));
                }
                store.project = Some(tree.to_owned());
                store.root = self.places.root(tree);
                self.add(store);
            }
        }
    }

    /// Other programs' own, under the person's home.
    fn neighbours(&mut self, environment: &Environment) {
        let Some(home) = environment.home() else { return };
        let codex = environment.variable("CODEX_HOME").map(|path| environment.expand(path));
        for (place, kind) in neighbours(&home, codex.as_deref()) {
            let title = match (&kind, place.parent().and_then(Path::file_name)) {
                (StoreKind::Gemini, Some(project)) => format!("{}, {}", kind.writer(), project.to_string_lossy()),
                _ => kind.writer().to_owned(),
            };
            let decided_by = format!("nothing: {} keeps it for itself", kind.writer());
            self.add(bare(Store::at(place), kind, title, decided_by));
        }
    }

    fn agents(&mut self) {
        let mut stores = agents_in(&self.home.base().join("agent-memory"), None, "agent-memory in the Claude home");
        for tree in self.places.trees() {
            for (name, what) in [
                ("agent-memory", "agent-memory in the checkout"),
                ("agent-memory-local", "agent-memory-local in the checkout"),
            ] {
                stores.extend(agents_in(&tree.join(".claude").join(name), Some(tree), what));
            }
        }
        for mut store in stores {
            store.root = store.project.as_deref().and_then(|path| self.places.root(path));
            self.add(store);
        }
    }
}

/// The stores of sub-agents in a directory.
fn agents_in(dir: &Path, checkout: Option<&Path>, decided_by: &str) -> Vec<FoundStore> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let of = checkout.and_then(Path::file_name).map(|of| format!("{}, ", of.to_string_lossy()));
            let title = format!("{}agent {name}", of.unwrap_or_default());
            let store = bare(Store::at(dir.join(&name)), StoreKind::Agent(name), title, decided_by.to_owned());
            FoundStore { project: checkout.map(Path::to_owned), ..store }
        })
        .collect()
}

/// A store outside `projects/`.
fn bare(store: Store, kind: StoreKind, title: String, decided_by: String) -> FoundStore {
    FoundStore {
        store,
        kind,
        title,
        folder: None,
        paths: Vec::new(),
        project: None,
        root: None,
        decided_by,
        odd: Vec::new(),
    }
}
