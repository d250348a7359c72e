//! Searching the text of memories and sessions for the screen: what is shown first, and ended as soon as nobody wants it.
//!
//! Not its job: matching (see [`crate::recall::find`]).

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::{World, turn};
use crate::memory::{ScanOptions, Store};
use crate::project::Choice;
use crate::project::stores::Stores;
use crate::recall::find::hunt::{Catch, FileHits};
use crate::recall::find::{Finder, Found, FoundLine};
use crate::text::visible;
use crate::tui::effect::FindQuestion;
use crate::tui::event::AppEvent;
use crate::tui::layer::find::{FindNews, FoundFile, FoundHit, FoundPlace, MOST_SHOWN};

/// Sessions are looked at when the person has stopped typing for so long.
const PAUSE: Duration = Duration::from_millis(120);
/// How deep transcripts lie below a project's folder at most.
const DEEPEST: usize = 4;

/// Which question counts.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    newest: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Wanted {
    /// From now on questions with a lower number do not count.
    pub(super) fn is_now(&self, id: u64) {
        self.newest.fetch_max(id, Ordering::SeqCst);
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    fn counts(&self, id: u64) -> bool {
        self.newest.load(Ordering::SeqCst) <= id
    }

    /// Waits a while; whether the question still counts then. Comes back at once when it does not.
    fn after(&self, id: u64, pause: Duration) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.changed.wait_timeout_while(guard, pause, |()| self.counts(id));
        self.counts(id)
    }
}

/// Searches, and tells what was found as it comes.
pub(super) fn search(world: &World, choice: &Choice, question: &FindQuestion, tell: &mut dyn FnMut(AppEvent)) {
    world.wanted.is_now(question.id);
    let finder = match question.is_regex {
        true => Finder::new(&question.pattern),
        false => Finder::literal(&question.pattern),
    };
    let id = question.id;
    let finder = match finder {
        Ok(finder) => finder,
        Err(why) => return tell(AppEvent::Found { id, news: FindNews::Failed(why) }),
    };
    let mut search = Search {
        world,
        choice,
        id,
        finder: Arc::new(finder),
        found: Found::default(),
        shown: Shown::default(),
        sessions: 0,
        skipped: Vec::new(),
        titles: HashMap::new(),
        projects: HashMap::new(),
        tell,
    };
    search.memories(&choice.store, &choice.title);
    let has_more_to_do = question.sessions || question.all;
    if has_more_to_do && !world.wanted.after(id, PAUSE) {
        return;
    }
    let own = if question.sessions { transcripts(&choice.sessions, &[]) } else { Vec::new() };
    search.sessions(&own);
    if let Some(home) = choice.home.as_ref().filter(|_| question.all && !search.is_over()) {
        match Stores::find(home, &world.environment, &world.state) {
            Ok(stores) => {
                for found in stores.found.iter().filter(|found| found.store != choice.store) {
                    if search.is_over() {
                        break;
                    }
                    search.memories(&found.store, &found.title);
                }
                search.copies();
            }
            Err(error) => search.skipped.push(error.to_string()),
        }
        if question.sessions && !search.is_over() {
            let others = transcripts(&[home.projects_dir()], &choice.sessions);
            search.sessions(&others);
        }
    }
    if question.all && choice.home.is_none() {
        search.skipped.push("other projects: no Claude home is known".to_owned());
    }
    search.end();
}

/// A search under way.
struct Search<'a> {
    world: &'a World,
    choice: &'a Choice,
    id: u64,
    finder: Arc<Finder>,
    /// What the memories gave, and which contents were searched.
    found: Found,
    shown: Shown,
    sessions: usize,
    skipped: Vec<String>,
    /// The title of each store.
    titles: HashMap<PathBuf, String>,
    /// The title of the project of each directory with sessions.
    projects: HashMap<PathBuf, String>,
    tell: &'a mut dyn FnMut(AppEvent),
}

/// How many hits are shown, and whether that is as many as there is room for.
#[derive(Clone, Debug, Default)]
struct Shown {
    count: usize,
    is_full: Arc<AtomicBool>,
}

impl Shown {
    /// Hits as they are shown, as many as there is room for.
    fn take(&mut self, finder: &Finder, hits: Vec<FoundLine>) -> Vec<FoundHit> {
        let hit = |hit: FoundLine| {
            let text = visible(&hit.text).into_owned();
            FoundHit { line: hit.line, marks: finder.marks(&text), text, voice: hit.voice }
        };
        let room = MOST_SHOWN.saturating_sub(self.count);
        let hits: Vec<FoundHit> = hits.into_iter().take(room).map(hit).collect();
        self.count += hits.len();
        if self.count >= MOST_SHOWN {
            self.is_full.store(true, Ordering::Relaxed);
        }
        hits
    }
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        !self.world.wanted.counts(self.id) || self.shown.is_full.load(Ordering::Relaxed)
    }

    fn news(&mut self, news: FindNews) {
        if self.world.wanted.counts(self.id) {
            (self.tell)(AppEvent::Found { id: self.id, news });
        }
    }

    /// The memories of a store; copies of what was searched before are named with it.
    fn memories(&mut self, store: &Store, title: &str) {
        self.titles.insert(store.root().to_owned(), title.to_owned());
        let confirmed = HashMap::new();
        let options =
            ScanOptions { now: self.world.clock.now(), shelf_life: self.world.config().shelf_life, confirmed };
        let before = self.found.hits.len();
        // A store that is not there has nothing to be found.
        if let Err(error) = self.finder.store(store, &options, &mut self.found) {
            if store.root().exists() {
                self.skipped.push(error.to_string());
            }
            return;
        }
        let mut files: Vec<FileHits> = Vec::new();
        for hit in self.found.hits.iter().skip(before) {
            match files.last_mut().filter(|file| file.path == hit.file) {
                Some(file) => file.hits.push(hit.clone()),
                None => files.push(FileHits { path: hit.file.clone(), hits: vec![hit.clone()], has_more: false }),
            }
        }
        let mut news: Vec<FoundFile> = Vec::new();
        for file in files {
            let total = file.hits.len();
            news.extend(self.memory(FileHits::of(file.path, file.hits, total)));
        }
        if !news.is_empty() {
            self.news(FindNews::Files(news));
        }
    }

    /// What is told of a memory's file.
    fn memory(&mut self, file: FileHits) -> Option<FoundFile> {
        let (store, name, title) = self.name_of(&file.path)?;
        let heading = format!("{title} · {name}");
        let hits = self.shown.take(&self.finder, file.hits);
        let place = FoundPlace::Memory { store, file: name };
        Some(FoundFile { place, heading, hits, has_more: file.has_more, copies: Vec::new() })
            .filter(|file| !file.hits.is_empty())
    }

    /// The store, the file and the title of a path.
    fn name_of(&self, path: &Path) -> Option<(PathBuf, String, String)> {
        let root = path.ancestors().skip(1).find(|ancestor| self.titles.contains_key(*ancestor))?;
        let name = path.strip_prefix(root).ok()?.to_string_lossy().into_owned();
        Some((root.to_owned(), name, self.titles.get(root)?.clone()))
    }

    /// Names the copies of what was found.
    fn copies(&mut self) {
        let hit: HashSet<&PathBuf> = self.found.hits.iter().map(|hit| &hit.file).collect();
        let of_hits = self.found.copies().filter(|(first, _)| hit.contains(first));
        let named = of_hits.filter_map(|(first, copies)| {
            let (store, file, _) = self.name_of(first)?;
            let copies = copies.iter().filter_map(|copy| self.name_of(copy).map(|(_, _, title)| title)).collect();
            let place = FoundPlace::Memory { store, file };
            Some(FoundFile { place, heading: String::new(), hits: Vec::new(), has_more: false, copies })
        });
        let named: Vec<FoundFile> = named.collect();
        if !named.is_empty() {
            self.news(FindNews::Files(named));
        }
    }

    fn sessions(&mut self, files: &[PathBuf]) {
        if files.is_empty() || self.is_over() {
            return;
        }
        let all = files.len();
        self.news(FindNews::Progress(0, all));
        let (world, id, is_full, finder) =
            (self.world, self.id, Arc::clone(&self.shown.is_full), Arc::clone(&self.finder));
        let is_over = || !world.wanted.counts(id) || is_full.load(Ordering::Relaxed);
        let mut done = 0;
        finder.hunt(files, &is_over, &mut |catch| {
            done += catch.searched;
            self.caught(catch);
            self.news(FindNews::Progress(done, all));
        });
    }

    fn caught(&mut self, catch: Catch) {
        self.sessions += catch.searched;
        self.skipped.extend(catch.skipped);
        let mut news = Vec::new();
        for file in catch.files {
            let hits = self.shown.take(&self.finder, file.hits);
            if hits.is_empty() {
                continue;
            }
            let folder = file.path.parent().unwrap_or(&file.path).to_owned();
            let choice = self.choice;
            let project = self.projects.entry(folder).or_insert_with(|| turn::project(choice, &file.path));
            let heading = turn::title(project, &file.path, None);
            let place = FoundPlace::Session(file.path);
            news.push(FoundFile { place, heading, hits, has_more: file.has_more, copies: Vec::new() });
        }
        if !news.is_empty() {
            self.news(FindNews::Files(news));
        }
    }

    fn end(mut self) {
        let is_capped = self.shown.is_full.load(Ordering::Relaxed);
        let skipped = std::mem::take(&mut self.skipped);
        let sessions = self.sessions;
        self.news(FindNews::Done { sessions, skipped, is_capped });
    }
}

/// The transcripts below directories, the newest first; none that lie below the others.
fn transcripts(directories: &[PathBuf], others: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    let (mut waiting, others): (Vec<PathBuf>, Vec<PathBuf>) =
        (directories.iter().map(real).collect(), others.iter().map(real).collect());
    // Two ways to one directory are one directory.
    waiting.sort();
    waiting.dedup();
    let mut waiting: Vec<(PathBuf, usize)> = waiting.into_iter().map(|directory| (directory, 0)).collect();
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    while let Some((directory, depth)) = waiting.pop() {
        if others.contains(&directory) {
            continue;
        }
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() && depth < DEEPEST {
                waiting.push((path, depth + 1));
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "jsonl") {
                let at = entry.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                found.push((at, path));
            }
        }
    }
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    found.into_iter().map(|(_, path)| path).collect()
}
