//! The working copy on the desk: reading it once, changing it file by file, and saying why.
//!
//! Every change goes through here, so that the index agrees with the files, every touched file has its reason and sources,
//! and every step is reported. Of files whose frontmatter cannot be read and files in sub-folders nothing is changed but links. Not its
//! job: deciding what to change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDate, Utc};
use tokio_util::sync::CancellationToken;

use super::super::{EngineError, EngineEvent, Phase, RunContext, Verdict};
use super::lookup::Lookup;
use super::note::{self, Note, written_claim};
use crate::change::Source;
use crate::memory::index::NewEntry;
use crate::memory::names::{folded, slug};
use crate::memory::store::ScanOptions;
use crate::memory::{
    AgeSource, Draft, Entry, INDEX_FILE, Index, Kind, ProblemCode, Snapshot, Store, StoreError, Topic,
};

/// The desk.
pub(super) struct Desk<'a> {
    context: &'a RunContext,
    store: Store,
    /// The memories, by file.
    pub(super) notes: BTreeMap<String, Note>,
    /// The index as it is by now.
    pub(super) index: Index,
    index_on_disk: Vec<u8>,
    /// The names in the working copy, [`folded`]; read when the first memory is made.
    taken: BTreeSet<String>,
    /// Which memories have which words.
    lookup: Lookup,
    /// What was said about the project in the sessions under review, stored or not, with its day.
    pub(super) heard: Vec<(String, NaiveDate)>,
    /// What will be said at the end.
    pub(super) verdict: Verdict,
}

impl<'a> Desk<'a> {
    /// Reads the working copy.
    pub(super) fn open(context: &'a RunContext) -> Result<Self, EngineError> {
        let store = Store::at(&context.working_copy);
        let snapshot = match scan(&store, context) {
            Ok(snapshot) => snapshot,
            Err(StoreError::Missing(path)) => {
                fs::create_dir_all(path)?;
                scan(&store, context).map_err(|error| EngineError::Failed(error.to_string()))?
            }
            Err(error) => return Err(EngineError::Failed(error.to_string())),
        };
        let mut notes = BTreeMap::new();
        for memory in &snapshot.memories {
            let Ok(bytes) = fs::read(store.path(&memory.file)) else { continue };
            let is_damaged = memory.problems.iter().any(|problem| {
                matches!(
                    problem.code,
                    ProblemCode::FrontmatterUnreadable
                        | ProblemCode::FrontmatterTwoBlocks
                        | ProblemCode::FrontmatterStub
                        | ProblemCode::Unreadable
                )
            });
            let is_open = !is_damaged && !memory.file.contains('/');
            let mut note = note::of(&memory.file, bytes, is_open);
            note.claimed = memory.claim.at;
            note.is_dated = memory.claim.source == AgeSource::Modified;
            note.measured.description.clone_from(&memory.description);
            notes.insert(memory.file.clone(), note);
        }
        let index_on_disk = snapshot.index.bytes.clone();
        let mut lookup = Lookup::default();
        notes.keys().for_each(|file| lookup.touch(file));
        Ok(Self {
            context,
            store,
            notes,
            index: snapshot.index,
            index_on_disk,
            taken: BTreeSet::new(),
            lookup,
            heard: Vec::new(),
            verdict: Verdict::default(),
        })
    }

    /// Stops when somebody killed the run; lets others work otherwise.
    pub(super) async fn breathe(&self) -> Result<(), EngineError> {
        tokio::task::yield_now().await;
        if self.context.cancel.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
    }

    /// The working copy as it is on the disk by now.
    pub(super) fn scan(&self) -> Result<Snapshot, EngineError> {
        scan(&self.store, self.context).map_err(|error| EngineError::Failed(error.to_string()))
    }

    /// Which memories have which words, as they are now; with what those of a type claim.
    pub(super) fn looked_up(&mut self, kind: Kind) -> (&Lookup, &BTreeMap<String, Note>) {
        self.lookup.refresh(&self.notes, kind);
        (&self.lookup, &self.notes)
    }

    /// How many days a project memory is kept after its last date.
    pub(super) fn project_shelf_life(&self) -> i64 {
        i64::from(self.context.shelf_life.project)
    }

    /// The time.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.context.clock.now()
    }

    /// What tells that the run has been killed.
    pub(super) fn cancellation(&self) -> &'a CancellationToken {
        &self.context.cancel
    }

    /// Reports a phase.
    pub(super) fn phase(&self, phase: Phase) {
        self.context.events.send(EngineEvent::Phase(phase));
    }

    /// Says something.
    pub(super) fn say(&self, text: impl Into<String>) {
        self.context.events.send(EngineEvent::Text(text.into()));
    }

    /// Reports a step.
    pub(super) fn tool(&self, name: &str, target: impl Into<String>) {
        self.context.events.send(EngineEvent::Tool { name: name.to_owned(), target: target.into(), allowed: true });
    }

    /// Reports progress.
    pub(super) fn progress(&self, done: usize, total: usize, what: &str) {
        let (done, total) = (done as u64, total as u64);
        self.context.events.send(EngineEvent::Progress { done, total, what: what.to_owned() });
    }

    /// A file of the working copy.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.store.path(file)
    }

    /// Makes a memory and its index entry; its file.
    pub(super) fn create(&mut self, draft: &Draft, reason: &str, sources: Vec<Source>) -> Result<String, EngineError> {
        if self.taken.is_empty() {
            let entries = fs::read_dir(self.store.root())?;
            self.taken = entries.filter_map(|entry| Some(folded(&entry.ok()?.file_name().to_string_lossy()))).collect();
        }
        let file = draft.file_name(&|name| self.taken.contains(name));
        self.taken.insert(folded(&file));
        let bytes = draft.to_bytes();
        self.tool("Write", file.clone());
        fs::write(self.store.path(&file), &bytes)?;
        let mut note = note::of(&file, bytes, true);
        note.claimed = Some(draft.modified);
        note.is_dated = true;
        self.lookup.touch(&file);
        self.notes.insert(file.clone(), note);
        self.enter(&file, &draft.name, &draft.description);
        self.because(&file, reason, sources);
        Ok(file)
    }

    /// Puts a file into the index, under a title and with a hook that keeps the line short.
    pub(super) fn enter(&mut self, file: &str, name: &str, description: &str) {
        let title = title(name);
        let room =
            crate::memory::index::ENTRY_CHARACTERS.saturating_sub(title.chars().count() + file.chars().count() + 10);
        let hook = crate::text::shortened(description, room.max(24));
        let entry = NewEntry { file: file.to_owned(), title, hook };
        self.reindex(self.index.with_entry(&entry));
    }

    /// Gives a file that is named anew another title in the index, where its title is its name.
    pub(super) fn retitle(&mut self, file: &str, known: &str, name: &str) {
        let is_name = |entry: &Entry| entry.target == file && slug(&entry.title) == slug(known);
        if self.index.entries().any(|(_, entry, _)| is_name(entry)) {
            self.reindex(self.index.with_title(file, &title(name)));
        }
    }

    /// Gives the index other bytes.
    pub(super) fn reindex(&mut self, bytes: Vec<u8>) {
        self.index = std::mem::take(&mut self.index).edited(bytes);
    }

    /// Gives a memory other bytes.
    pub(super) fn rewrite(
        &mut self,
        file: &str,
        topic: Topic,
        reason: &str,
        sources: Vec<Source>,
    ) -> Result<(), EngineError> {
        if self.notes.get(file).is_none_or(|note| !note.is_open) {
            return Ok(());
        }
        self.put(file, topic, reason, sources)
    }

    /// Gives a memory the same text with links that follow; also one that is not open.
    pub(super) fn relinked(&mut self, file: &str, bytes: Vec<u8>, reason: &str) -> Result<(), EngineError> {
        self.put(file, Topic::read(bytes), reason, Vec::new())
    }

    fn put(&mut self, file: &str, topic: Topic, reason: &str, sources: Vec<Source>) -> Result<(), EngineError> {
        let Some(old) = self.notes.get(file).filter(|old| old.topic.bytes != topic.bytes) else { return Ok(()) };
        self.tool("Edit", file);
        fs::write(self.store.path(file), &topic.bytes)?;
        let (claimed, is_dated) = (old.claimed, old.is_dated);
        let mut fresh = note::of(file, topic.bytes, old.is_open);
        fresh.claimed = written_claim(&fresh.topic).or(claimed);
        fresh.is_dated = is_dated || written_claim(&fresh.topic).is_some();
        self.lookup.touch(file);
        self.notes.insert(file.to_owned(), fresh);
        self.because(file, reason, sources);
        Ok(())
    }

    /// Removes a memory and its index entry.
    pub(super) fn remove(&mut self, file: &str, reason: &str, sources: Vec<Source>) -> Result<(), EngineError> {
        if self.notes.get(file).is_none_or(|note| !note.is_open) {
            return Ok(());
        }
        self.tool("Delete", file);
        fs::remove_file(self.store.path(file))?;
        self.taken.remove(&folded(file));
        self.lookup.touch(file);
        self.notes.remove(file);
        self.reindex(self.index.without(file));
        // What happened to the file before it went is no reason why it went.
        if let Some(rationale) = self.verdict.rationales.get_mut(file) {
            rationale.reason.clear();
        }
        self.because(file, reason, sources);
        Ok(())
    }

    /// Removes a memory that another one says now. What went into it before is said by the other one too: a reason that
    /// names a file which is gone explains nothing.
    pub(super) fn remove_merged(&mut self, gone: &str, kept: &str) -> Result<(), EngineError> {
        let (earlier, now) = (format!("merged into {gone}"), format!("merged into {kept}"));
        for rationale in self.verdict.rationales.values_mut().filter(|rationale| rationale.reason == earlier) {
            rationale.reason.clone_from(&now);
        }
        self.remove(gone, &now, Vec::new())
    }

    /// Notes why a file changed; several reasons add up.
    fn because(&mut self, file: &str, reason: &str, sources: Vec<Source>) {
        let rationale = self.verdict.rationales.entry(file.to_owned()).or_default();
        if rationale.reason.is_empty() {
            reason.clone_into(&mut rationale.reason);
        } else if !rationale.reason.contains(reason) {
            rationale.reason = format!("{}; {reason}", rationale.reason);
        }
        for source in sources {
            if !rationale.sources.contains(&source) {
                rationale.sources.push(source);
            }
        }
    }

    /// Writes the index, if it changed.
    pub(super) fn save_index(&mut self) -> Result<(), EngineError> {
        if self.index.bytes != self.index_on_disk {
            self.tool("Edit", INDEX_FILE);
            fs::write(self.store.index_path(), &self.index.bytes)?;
            self.index_on_disk.clone_from(&self.index.bytes);
        }
        Ok(())
    }
}

fn scan(store: &Store, context: &RunContext) -> Result<Snapshot, StoreError> {
    store.scan(&ScanOptions {
        now: context.clock.now(),
        shelf_life: context.shelf_life,
        confirmed: std::collections::HashMap::new(),
    })
}

/// `Real database tests` from a name.
fn title(name: &str) -> String {
    let spaced = name.replace(['-', '_'], " ");
    let mut characters = spaced.chars();
    match characters.next() {
        Some(first) => {
            first.to_uppercase().chain(characters).filter(|c| !matches!(c, '[' | ']' | '(' | ')' | '\n')).collect()
        }
        None => "Memory".to_owned(),
    }
}
