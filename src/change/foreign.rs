//! What another program did to a store: noticed by comparing it with what it held, recorded as a history entry.
//!
//! The comparison costs one `stat` a file when nothing changed. What landed through the door since the last look is read
//! off the journal, so a landing has nothing to write down here. Not its job: taking it back (see [`super::undo`]).

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};

use super::beyond;
use super::history;
use super::journal::{Begin, Journal, PlannedFile, Record};
use super::manifest::{self, Copies, Copy, Known, Manifest, Seen};
use super::objects::Objects;
use super::workshop::Workshop;
use super::write::Root;
use super::{DoorError, HistoryEntry, HistoryFile, Op, Origin, Rationale};
use crate::memory::{INDEX_FILE, Store};
use crate::secret;

/// Changes of different files that follow each other within this time are one entry.
const BURST: TimeDelta = TimeDelta::seconds(60);
/// So many files are read again rather than written down once more.
const CHEAP: usize = 16;
/// Images are put on disk in portions of this size.
const PORTION: usize = 8_000_000;

/// Whether what was learned by reading files again is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saving {
    Always,
    /// Only when it is much: a landing waits for it.
    WhenWorthIt,
    /// As before a landing; and what is new is an entry of its own, for the newest one may be about to be taken back.
    Apart,
}

/// One file that another program changed.
struct Foreign {
    file: String,
    before: Option<Known>,
    after: Option<Known>,
    /// The new bytes, if a copy of them may be kept.
    bytes: Option<Vec<u8>>,
}

/// Looks at the store and records what others did. Called under the landing lock, with no landing open.
pub(super) fn note(
    workshop: &Workshop,
    store: &Store,
    now: DateTime<Utc>,
    saving: Saving,
) -> Result<Option<String>, DoorError> {
    let failed = |source| DoorError::Io { what: "cannot look at", path: store.root().to_owned(), source };
    let known = Manifest::read(workshop);
    let is_first = known.is_none();
    let found = match manifest::look(store.root()) {
        Ok(found) => found,
        Err(_) if !store.root().exists() => {
            // A store that goes with its surroundings was unmounted or moved, not emptied.
            if is_first || !store.root().parent().is_some_and(Path::exists) {
                return Ok(None);
            }
            BTreeMap::new()
        }
        Err(error) => return Err(failed(error)),
    };
    let journal = Journal::at(workshop.journal());
    let mut manifest = known.unwrap_or_else(|| Manifest { journal: journal.length(), ..Manifest::default() });
    let mut learned = catch_up(&mut manifest, &journal).map_err(failed)?;
    let mut copies = Copies::of(workshop, &manifest);
    let changes = compare(store, found, &mut manifest, &mut copies, &mut learned).map_err(failed)?;
    let mut id = None;
    if !is_first && !changes.is_empty() {
        id = Some(record(workshop, &journal, &copies, &changes, now, saving).map_err(failed)?);
        manifest.journal = journal.length();
    }
    let is_worth_it = learned > if saving == Saving::Always { 0 } else { CHEAP };
    if is_first || !changes.is_empty() || is_worth_it {
        manifest.save(workshop).map_err(failed)?;
    }
    let gone: Vec<_> = changes.iter().filter_map(|change| Some(change.before.as_ref()?.hash)).collect();
    copies.drop_unneeded(&gone, &manifest);
    Ok(id)
}

/// Puts what landed since the last look into the manifest; how many files that were.
pub(super) fn catch_up(manifest: &mut Manifest, journal: &Journal) -> io::Result<usize> {
    let length = journal.length();
    if manifest.journal >= length {
        manifest.journal = length;
        return Ok(0);
    }
    let records = journal.records_from(manifest.journal)?;
    let landed: HashMap<&str, bool> = records
        .iter()
        .filter_map(|record| match record {
            Record::End { id, landed } => Some((id.as_str(), *landed)),
            Record::Begin(_) => None,
        })
        .collect();
    let mut count = 0;
    for record in &records {
        let Record::Begin(begin) = record else { continue };
        if landed.get(begin.entry.id.as_str()) != Some(&true) {
            continue;
        }
        for PlannedFile { file, .. } in begin.files.iter().filter(|planned| !beyond::is_beyond(&planned.file.file)) {
            count += 1;
            match file.after {
                None => drop(manifest.files.remove(&file.file)),
                Some(after) => {
                    let mode = file.mode_before.unwrap_or(0o600);
                    manifest.files.insert(file.file.clone(), Known::landed(after, begin.entry.at, mode));
                }
            }
        }
    }
    manifest.journal = length;
    Ok(count)
}

/// Brings the manifest up to what is on disk and says what differed; `learned` counts what was read for nothing.
fn compare(
    store: &Store,
    mut found: BTreeMap<String, Seen>,
    manifest: &mut Manifest,
    copies: &mut Copies,
    learned: &mut usize,
) -> io::Result<Vec<Foreign>> {
    let mut changes = Vec::new();
    let gone: Vec<String> = manifest.files.keys().filter(|file| !found.contains_key(*file)).cloned().collect();
    for file in gone {
        // Listed once as a file too large to read, or a link to nothing: not gone.
        if store.path(&file).symlink_metadata().is_err() {
            let before = manifest.files.remove(&file);
            changes.push(Foreign { file, before, after: None, bytes: None });
        }
    }
    let root = match Root::open(store.root()) {
        Ok(root) => root,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(changes),
        Err(error) => return Err(error),
    };
    // The index first: when room is short, it is the one to keep.
    let index = found.remove_entry(INDEX_FILE);
    for (file, seen) in index.into_iter().chain(found) {
        let known = manifest.files.get(&file);
        if let Some(known) = known.filter(|known| known.is_unchanged(&seen))
            && (known.copy != Copy::Later || !copies.has_room(seen.size))
        {
            continue;
        }
        if known.is_none() && secret::in_name(&file).is_some() {
            continue;
        }
        // A file that cannot be read now is as it was, for all we know.
        let Ok(Some(state)) = root.locate(&file).and_then(|place| place.read()) else { continue };
        let hash = state.hash();
        let before = known.cloned();
        let is_same = before.as_ref().is_some_and(|known| known.hash == hash);
        let copy = match &before {
            Some(known) if is_same && known.copy != Copy::Later => known.copy,
            _ => copies.keep(hash, &state.bytes),
        };
        let after = Known::new(hash, seen.clone(), manifest::link_of(store.root(), &file, &seen), copy);
        manifest.files.insert(file.clone(), after.clone());
        if is_same {
            *learned += 1;
        } else {
            let bytes = matches!(copy, Copy::Kept | Copy::Later).then_some(state.bytes);
            changes.push(Foreign { file, before, after: Some(after), bytes });
        }
    }
    Ok(changes)
}

/// Writes a history entry about the changes, or makes the newest one longer.
fn record(
    workshop: &Workshop,
    journal: &Journal,
    copies: &Copies,
    changes: &[Foreign],
    now: DateTime<Utc>,
    saving: Saving,
) -> io::Result<String> {
    let objects = Objects::at(workshop.objects());
    let mut portion: Vec<Vec<u8>> = Vec::new();
    let mut files: BTreeMap<String, PlannedFile> = BTreeMap::new();
    for change in changes {
        let mut not_kept = None;
        if let Some(before) = &change.before {
            match copies.read(before.hash) {
                Some(bytes) => portion.push(bytes),
                // What landed through the door is among the images of the history already.
                None if objects.read(before.hash).is_ok() => {}
                None => not_kept = Some(before.copy.why_not().to_owned()),
            }
        }
        portion.extend(change.bytes.clone());
        if portion.iter().map(Vec::len).sum::<usize>() > PORTION {
            keep(&objects, &mut portion)?;
        }
        files.insert(change.file.clone(), planned(change, not_kept));
    }
    keep(&objects, &mut portion)?;

    let newest = history::recorded(workshop).map_err(io::Error::other)?.pop();
    let burst = newest.filter(|newest| {
        let entry = &newest.entry;
        let is_burst = entry.undone_by.is_none() && (now - entry.at).abs() < BURST;
        // What such an entry says a file became is given back by no undo of a longer one. The index is, line by line.
        let is_again = |earlier: &PlannedFile| {
            let HistoryFile { file, after, .. } = &earlier.file;
            after.is_some() && file != INDEX_FILE && files.contains_key(file)
        };
        entry.origin == Origin::Foreign && is_burst && saving != Saving::Apart && !newest.files.iter().any(is_again)
    });
    let id = match burst {
        Some(burst) => {
            for earlier in burst.files {
                merge(&mut files, earlier);
            }
            burst.entry.id
        }
        None => super::commit::new_id(now),
    };
    let mut files: Vec<PlannedFile> = files.into_values().collect();
    files.sort_by_key(|planned| (planned.file.file == INDEX_FILE, planned.file.file.clone()));
    let entry = HistoryEntry {
        id: id.clone(),
        at: now,
        origin: Origin::Foreign,
        run: None,
        title: "changed by another program".to_owned(),
        files: Vec::new(),
        undone_by: None,
        undone_in_part_by: None,
        by_person: false,
    };
    let begin = Record::Begin(Begin { entry, files, undoes: Vec::new(), is_in_part: false });
    journal.append_all(&[&begin, &Record::End { id: id.clone(), landed: true }])?;
    Ok(id)
}

fn keep(objects: &Objects, portion: &mut Vec<Vec<u8>>) -> io::Result<()> {
    let images: Vec<&[u8]> = portion.iter().map(Vec::as_slice).collect();
    objects.keep(&images)?;
    portion.clear();
    Ok(())
}

/// What another program did to a file, by whether it was there before and is there now.
fn told(before: bool, after: bool) -> (Op, String) {
    let (op, done) = match (before, after) {
        (false, _) => (Op::Create, "made"),
        (true, false) => (Op::Remove, "removed"),
        (true, true) => (Op::Replace, "changed"),
    };
    (op, format!("{done} by another program"))
}

fn planned(change: &Foreign, not_kept: Option<String>) -> PlannedFile {
    let (op, reason) = told(change.before.is_some(), change.after.is_some());
    PlannedFile {
        file: HistoryFile {
            file: change.file.clone(),
            op,
            before: change.before.as_ref().map(|known| known.hash),
            after: change.after.as_ref().map(|known| known.hash),
            mtime_before: change.before.as_ref().map(|known| known.seen.mtime),
            mode_before: change.before.as_ref().map(|known| known.seen.mode),
            not_kept,
            rationale: Rationale { reason, sources: Vec::new() },
        },
        temp: String::new(),
        link: change.before.as_ref().and_then(|known| known.link.clone()).filter(|_| op == Op::Remove),
        made: Vec::new(),
    }
}

/// Puts what an entry said before to what it says now; a file that is again as it was is no change.
fn merge(files: &mut BTreeMap<String, PlannedFile>, earlier: PlannedFile) {
    let name = earlier.file.file.clone();
    let Some(later) = files.get_mut(&name) else {
        files.insert(name, earlier);
        return;
    };
    if earlier.file.before == later.file.after {
        files.remove(&name);
        return;
    }
    let (op, reason) = told(earlier.file.before.is_some(), later.file.after.is_some());
    later.file.op = op;
    later.file.rationale.reason = reason;
    later.file.before = earlier.file.before;
    later.file.mtime_before = earlier.file.mtime_before;
    later.file.mode_before = earlier.file.mode_before;
    later.file.not_kept = earlier.file.not_kept;
    later.link = earlier.link.or(later.link.take()).filter(|_| op == Op::Remove);
}
