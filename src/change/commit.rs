//! Carrying out a planned landing: images and intent first, then every file, the index last, then the done mark.
//!
//! All temp files are written before the first file is touched, so that a full disk is met while nothing has changed.
//! Not its job: deciding what lands (see [`super::plan`]) and what a crash leaves behind (see [`super::recover`]).

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::directory::Directory;
use super::file::{EntryKind, FileState, NewFile};
use super::journal::{Begin, Journal, PlannedFile, Record};
use super::objects::Objects;
use super::workshop::Workshop;
use super::write::{Place, Root, SwapError, TEMP_PREFIX, TEMP_SUFFIX, give_back, is_as_displaced, swap_in, take_out};
use super::{DoorError, HistoryEntry, HistoryFile, Op, Origin, Rationale};
use crate::lanes;
use crate::memory::ContentHash;

/// One file to change.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its path inside the store.
    pub(super) file: String,
    /// What is there; must still be there when it is changed.
    pub(super) before: Option<FileState>,
    /// What happens.
    pub(super) action: Action,
    /// Why.
    pub(super) rationale: Rationale,
}

/// What happens to a file.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// It gets these bytes, permission bits and modification time.
    Put { bytes: Vec<u8>, mode: u32, mtime: DateTime<Utc> },
    /// A symbolic link to this target is made; `leads_to` is the content behind it.
    Link { target: String, leads_to: ContentHash },
    /// It is taken away.
    Take,
}

impl Step {
    fn after(&self) -> Option<ContentHash> {
        match &self.action {
            Action::Put { bytes, .. } => Some(ContentHash::of(bytes)),
            Action::Link { leads_to, .. } => Some(*leads_to),
            Action::Take => None,
        }
    }

    pub(super) fn op(&self) -> Op {
        match (&self.before, &self.action) {
            (_, Action::Take) => Op::Remove,
            (None, _) => Op::Create,
            (Some(_), _) => Op::Replace,
        }
    }
}

/// What history shows of a landing besides its files.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) at: DateTime<Utc>,
    pub(super) origin: Origin,
    pub(super) run: Option<String>,
    pub(super) title: String,
    /// Whether a person wants it.
    pub(super) by_person: bool,
    /// The entries it takes back.
    pub(super) undoes: Vec<String>,
    /// Whether something of them still stands.
    pub(super) is_in_part: bool,
}

/// Why a landing did not happen. The store is as it was.
#[derive(Debug)]
pub(super) enum CommitError {
    /// A file changed between planning and writing: plan again.
    Moved,
    /// It cannot be done.
    Door(DoorError),
}

/// Lands `steps`, in their order, all or nothing, and returns the id of the history entry.
pub(super) fn run(workshop: &Workshop, store: &Path, header: Header, steps: &[Step]) -> Result<String, CommitError> {
    let journal = Journal::at(workshop.journal());
    let objects = Objects::at(workshop.objects());
    let mut images: Vec<&[u8]> = Vec::new();
    for step in steps {
        images.extend(step.before.as_ref().map(|state| state.bytes.as_slice()));
        if let Action::Put { bytes, .. } = &step.action {
            images.push(bytes);
        }
    }
    objects.keep(&images).map_err(failed("cannot keep copies in", &workshop.objects()))?;

    let root = open_or_make(store)?;
    let id = new_id(header.at);
    let mut transaction =
        Transaction { root: &root, store, id: id.clone(), steps, entries: Vec::new(), made: Vec::new() };
    transaction.locate()?;
    let begin = Record::Begin(transaction.begin(header));
    journal.append(&begin).map_err(failed("cannot write", journal.path()))?;
    let outcome = transaction.stage().and_then(|()| transaction.swap_all());
    if outcome.is_err() && !transaction.roll_back() {
        // Something could not be put back: without a done mark the next start tries again, from the kept copies.
        return outcome.map(|()| id);
    }
    let end = Record::End { id: id.clone(), landed: outcome.is_ok() };
    // Before the done mark, so that a crash in between leaves the landing open and the next start cleans up.
    transaction.remove_temps(outcome.is_err());
    // A landing whose done mark cannot be written is done all the same: the next start finds every file as intended.
    let _ = journal.append(&end);
    outcome.map(|()| id)
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CommitError + use<> {
    let path = path.to_owned();
    move |source| CommitError::Door(DoorError::Io { what, path, source })
}

fn open_or_make(store: &Path) -> Result<Root, CommitError> {
    crate::state::create_private_dir(store).map_err(failed("cannot make", store))?;
    Root::open(store).map_err(failed("cannot open", store))
}

/// An id that sorts by time and is never given twice.
pub(super) fn new_id(at: DateTime<Utc>) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let seed = format!(
        "{}-{}-{:?}",
        std::process::id(),
        COUNTER.fetch_add(1, Ordering::Relaxed),
        std::time::SystemTime::now()
    );
    let hash: String = ContentHash::of(seed.as_bytes()).to_string().chars().take(8).collect();
    format!("{}-{hash}", at.format("%Y%m%dT%H%M%S"))
}

/// The name of a landing's temp file.
fn temp_name(id: &str, number: usize) -> String {
    format!("{TEMP_PREFIX}{id}-{number}{TEMP_SUFFIX}")
}

struct Transaction<'a> {
    root: &'a Root,
    store: &'a Path,
    id: String,
    steps: &'a [Step],
    /// Place, temp name and progress of each step.
    entries: Vec<Entry>,
    /// Directories made for it.
    made: Vec<String>,
}

struct Entry {
    place: Place,
    temp: String,
    swapped: bool,
}

impl Transaction<'_> {
    fn io(&self, what: &'static str, file: &str) -> impl FnOnce(io::Error) -> CommitError + use<> {
        failed(what, &self.store.join(file))
    }

    fn locate(&mut self) -> Result<(), CommitError> {
        for (number, step) in self.steps.iter().enumerate() {
            let place = self.root.locate(&step.file).map_err(self.io("cannot write", &step.file))?;
            self.entries.push(Entry { place, temp: temp_name(&self.id, number), swapped: false });
        }
        Ok(())
    }

    fn begin(&self, header: Header) -> Begin {
        let files = self.steps.iter().zip(&self.entries).map(|(step, entry)| PlannedFile {
            file: HistoryFile {
                file: step.file.clone(),
                op: step.op(),
                before: step.before.as_ref().map(FileState::hash),
                after: step.after(),
                mtime_before: step.before.as_ref().map(|state| state.mtime),
                mode_before: step.before.as_ref().map(|state| state.mode),
                not_kept: None,
                rationale: step.rationale.clone(),
            },
            temp: entry.temp.clone(),
            link: entry.place.link.as_ref().filter(|_| step.op() == Op::Remove).map(|link| link.target.clone()),
            made: if step.op() == Op::Create { self.root.missing_way(&step.file) } else { Vec::new() },
        });
        Begin {
            files: files.collect(),
            undoes: header.undoes,
            is_in_part: header.is_in_part,
            entry: HistoryEntry {
                id: self.id.clone(),
                at: header.at,
                origin: header.origin,
                run: header.run,
                title: header.title,
                files: Vec::new(),
                undone_by: None,
                undone_in_part_by: None,
                by_person: header.by_person,
            },
        }
    }

    /// Writes every temp file.
    fn stage(&mut self) -> Result<(), CommitError> {
        for (number, step) in self.steps.iter().enumerate() {
            if matches!(step.action, Action::Take) {
                continue;
            }
            if step.before.is_none() {
                let made =
                    self.root.make_way(&step.file).map_err(self.io("cannot make the directory of", &step.file))?;
                self.made.extend(made);
                // Made now, or for another file of the same directory.
                if self.entries.get(number).is_some_and(|entry| entry.place.directory().is_err()) {
                    let place = self.root.locate(&step.file).map_err(self.io("cannot write", &step.file))?;
                    if let Some(entry) = self.entries.get_mut(number) {
                        entry.place = place;
                    }
                }
            }
        }
        let all: Vec<(&Step, &Entry)> = self.steps.iter().zip(&self.entries).collect();
        lanes::each(&all, |(step, entry)| {
            let staged = entry.place.directory().and_then(|directory| match &step.action {
                Action::Put { bytes, mode, mtime } => directory.write_new(
                    &entry.temp,
                    &NewFile {
                        bytes,
                        mode: *mode,
                        mtime: *mtime,
                        owner: step.before.as_ref().and_then(|before| before.owner),
                    },
                ),
                Action::Link { target, .. } => directory.link(target, &entry.temp),
                Action::Take => Ok(()),
            });
            staged.map_err(self.io("cannot write", &step.file))
        })?;
        Ok(())
    }

    /// Puts every file in its place, the index after everything else is on disk.
    fn swap_all(&mut self) -> Result<(), CommitError> {
        for (number, step) in self.steps.iter().enumerate() {
            if step.file == crate::memory::INDEX_FILE {
                self.sync()?;
            }
            let Some(entry) = self.entries.get_mut(number) else { continue };
            let swapped = match (&step.action, &step.before) {
                (Action::Take, Some(before)) => take_out(&entry.place, &entry.temp, before.hash()),
                (Action::Take, None) => continue,
                (_, before) => swap_in(&entry.place, &entry.temp, before.as_ref().map(FileState::hash)),
            };
            match swapped {
                Ok(()) => entry.swapped = true,
                Err(SwapError::Moved) => return Err(CommitError::Moved),
                Err(SwapError::Io(error)) => return Err(self.io("cannot write", &step.file)(error)),
            }
        }
        self.sync()?;
        self.look_again()
    }

    /// Gives back what another program wrote into a file that it had opened before ours took the name: a writer that empties
    /// a file and fills it again is met with the file empty, and what it fills is no longer there by name.
    fn look_again(&mut self) -> Result<(), CommitError> {
        let mut is_moved = false;
        for (step, entry) in self.steps.iter().zip(&mut self.entries).filter(|(_, entry)| entry.swapped) {
            let Some(before) = &step.before else { continue };
            if is_as_displaced(&entry.place, &entry.temp, before.hash()) {
                continue;
            }
            give_back(&entry.place, &entry.temp, step.after()).map_err(|error| match error {
                SwapError::Moved => CommitError::Moved,
                SwapError::Io(error) => failed("cannot write", &self.store.join(&step.file))(error),
            })?;
            entry.swapped = false;
            is_moved = true;
        }
        if is_moved { Err(CommitError::Moved) } else { Ok(()) }
    }

    /// Waits until the directories concerned are on disk, each once.
    fn sync(&self) -> Result<(), CommitError> {
        let mut seen = BTreeSet::new();
        for (step, entry) in self.steps.iter().zip(&self.entries) {
            let way = step.file.rsplit_once('/').map_or("", |(way, _)| way);
            if entry.place.link.is_some() || seen.insert(way) {
                let synced = entry.place.entry().directory().and_then(Directory::sync);
                synced.map_err(self.io("cannot write", &step.file))?;
            }
            if entry.place.link.is_some() {
                let synced = entry.place.directory().and_then(Directory::sync);
                synced.map_err(self.io("cannot write", &step.file))?;
            }
        }
        Ok(())
    }

    /// Takes back what was swapped, last first; `false` when a file could not be. What another program wrote meanwhile
    /// stays, and is no failure.
    fn roll_back(&self) -> bool {
        let mut is_whole = true;
        for (step, entry) in self.steps.iter().zip(&self.entries).rev().filter(|(_, entry)| entry.swapped) {
            let before = step.before.as_ref().map(|state| (state.hash(), state));
            match restore(&entry.place, &entry.temp, step.after(), before) {
                Ok(()) | Err(SwapError::Moved) => {}
                Err(SwapError::Io(_)) => is_whole = false,
            }
        }
        is_whole
    }

    /// Removes the temp files, and the directories made for them when nothing landed there.
    fn remove_temps(&self, nothing_landed: bool) {
        for entry in &self.entries {
            if let Ok(directory) = entry.place.directory() {
                let _ = directory.remove(&entry.temp);
            }
            if entry.place.link.is_some()
                && let Ok(directory) = entry.place.entry().directory()
            {
                let _ = directory.remove(&entry.temp);
            }
        }
        for way in self.made.iter().rev().filter(|_| nothing_landed) {
            self.root.remove_empty_directory(way);
        }
    }
}

/// Brings one file back from `after` to `before`: from the temp file when that still holds the displaced bytes, else by
/// writing them anew. A file that is neither is left alone: [`SwapError::Moved`].
pub(super) fn restore(
    place: &Place,
    temp: &str,
    after: Option<ContentHash>,
    before: Option<(ContentHash, &FileState)>,
) -> Result<(), SwapError> {
    let entry = place.entry();
    match (after, before) {
        (None, None) => Ok(()),
        // Made by us: take it away, if it is still ours.
        (Some(after), None) => {
            let directory = place.directory()?;
            let _ = directory.remove(temp);
            take_out(place, temp, after)?;
            directory.remove(temp)?;
            Ok(())
        }
        // Taken away by us: it lies under the temp name, a link as a link.
        (None, Some((hash, state))) => {
            let directory = entry.directory()?;
            if directory.kind(temp)?.is_none() {
                directory.write_new(temp, &new_file(state))?;
            } else if place.link.is_none() && directory.kind(temp)? == Some(EntryKind::File) {
                let displaced = directory.read(temp)?.map(|state| state.hash());
                if displaced != Some(hash) {
                    directory.remove(temp)?;
                    directory.write_new(temp, &new_file(state))?;
                }
            }
            directory.rename_new(temp, entry.name())?;
            directory.sync()?;
            Ok(())
        }
        (Some(after), Some((hash, state))) => {
            let directory = place.directory()?;
            let displaced = directory.read(temp).ok().flatten().map(|state| state.hash());
            if displaced != Some(hash) {
                let _ = directory.remove(temp);
                directory.write_new(temp, &new_file(state))?;
            }
            swap_in(place, temp, Some(after))?;
            directory.sync()?;
            Ok(())
        }
    }
}

fn new_file(state: &FileState) -> NewFile<'_> {
    NewFile { bytes: &state.bytes, mode: state.mode, mtime: state.mtime, owner: state.owner }
}
