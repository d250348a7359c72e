//! After a crash: a landing that began and never ended is finished when all its files are as intended, else taken back.
//!
//! A file that is neither as before nor as intended was changed by someone else since: it is left alone and named. Not
//! its job: holding the lock (its callers do).

use std::cell::LazyCell;
use std::collections::HashSet;
use std::io;
use std::path::Path;

use chrono::{TimeDelta, Utc};

use super::commit::restore;
use super::file::{EntryKind, FileState};
use super::journal::{Begin, Journal, PlannedFile, Record};
use super::objects::Objects;
use super::workshop::Workshop;
use super::write::{Place, Root, SwapError, TEMP_PREFIX};
use super::{DoorError, Op, Origin};
use crate::memory::ContentHash;
use crate::text;

/// Where a file of an unfinished landing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Before,
    After,
    Foreign,
}

/// Ends what a crash left open. One sentence for each thing done.
pub(super) fn under_lock(workshop: &Workshop, store: &Path) -> Result<Vec<String>, DoorError> {
    let journal = Journal::at(workshop.journal());
    let in_journal = |source| DoorError::Io { what: "cannot read", path: journal.path().to_owned(), source };
    let Some(begin) = journal.open_landing().map_err(in_journal)? else { return Ok(Vec::new()) };
    let mut said = Vec::new();
    let landed = match Root::open(store) {
        // It was done before it was written down: there is nothing to finish.
        _ if begin.entry.origin == Origin::Foreign => true,
        Ok(root) => settle(&begin, &root, &Objects::at(workshop.objects()), store, &mut said)?,
        // Without a store there is nothing to bring back to order.
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(source) => return Err(DoorError::Io { what: "cannot open", path: store.to_owned(), source }),
    };
    let end = Record::End { id: begin.entry.id.clone(), landed };
    journal.append(&end).map_err(|source| DoorError::Io {
        what: "cannot write",
        path: journal.path().to_owned(),
        source,
    })?;
    Ok(said)
}

fn settle(
    begin: &Begin,
    root: &Root,
    objects: &Objects,
    store: &Path,
    said: &mut Vec<String>,
) -> Result<bool, DoorError> {
    let mut files = Vec::new();
    for planned in &begin.files {
        // A file that cannot even be looked up was made into something else meanwhile: not ours to touch.
        if let Ok(place) = root.locate(&planned.file.file) {
            let standing = give_back_foreign(planned, &place, said);
            files.push((planned, place, standing));
        }
    }
    let title = text::visible(&begin.entry.title).into_owned();
    for (planned, _, _) in files.iter().filter(|(_, _, standing)| *standing == Standing::Foreign) {
        let file = text::visible(&planned.file.file).into_owned();
        said.push(format!(
            "{file} was changed by another program after \"{title}\" was interrupted; it was left alone"
        ));
    }
    let finished = files.iter().all(|(_, _, standing)| *standing != Standing::Before);
    if finished {
        said.push(format!("\"{title}\" was interrupted after its last file; it is complete"));
    } else {
        for (planned, place, _) in files.iter().rev().filter(|(_, _, standing)| *standing == Standing::After) {
            said.extend(take_back(planned, place, objects, store, &title)?);
        }
        said.push(format!("\"{title}\" was interrupted half-way; it was taken back"));
    }
    for (planned, place, _) in &files {
        for place in [place.clone(), place.entry()] {
            if let Ok(directory) = place.directory() {
                let _ = directory.remove(&planned.temp);
            }
        }
    }
    for planned in begin.files.iter().filter(|planned| !finished && planned.file.op == Op::Create) {
        let mut way = planned.file.file.as_str();
        while let Some((parent, _)) = way.rsplit_once('/') {
            root.remove_empty_directory(parent);
            way = parent;
        }
    }
    Ok(finished)
}

/// How a file stands. When the crash fell between a swap and the look at what it displaced, and that was another
/// program's version, that version is put back first.
fn give_back_foreign(planned: &PlannedFile, place: &Place, said: &mut Vec<String>) -> Standing {
    let now = match place.read() {
        Ok(state) => state.map(|state| state.hash()),
        Err(_) => return Standing::Foreign,
    };
    let standing = if now == planned.file.after {
        Standing::After
    } else if now == planned.file.before {
        Standing::Before
    } else {
        Standing::Foreign
    };
    let Ok(directory) = place.directory() else { return standing };
    if standing != Standing::After || planned.file.before.is_none() || planned.link.is_some() {
        return standing;
    }
    let displaced = match directory.kind(&planned.temp) {
        Ok(Some(EntryKind::File)) => directory.read(&planned.temp).ok().flatten().map(|state| state.hash()),
        _ => None,
    };
    if displaced.is_none() || displaced == planned.file.before || displaced == planned.file.after {
        return standing;
    }
    let put_back = if now.is_some() {
        directory.rename(&planned.temp, place.name())
    } else {
        directory.rename_new(&planned.temp, place.name())
    };
    if put_back.is_ok() {
        let file = text::visible(&planned.file.file).into_owned();
        said.push(format!("another program's version of {file} was put back"));
    }
    Standing::Foreign
}

/// Brings a file back to what it was. A sentence when that is lost: the file stays as the landing left it then, for a
/// store that can never be changed again would be worse.
fn take_back(
    planned: &PlannedFile,
    place: &Place,
    objects: &Objects,
    store: &Path,
    title: &str,
) -> Result<Option<String>, DoorError> {
    let file = &planned.file;
    let failed = |source| DoorError::Io { what: "cannot restore", path: store.join(&file.file), source };
    let before = match file.before {
        None => None,
        Some(hash) => {
            let bytes = match objects.read(hash) {
                Ok(bytes) => bytes,
                Err(error) if is_lost(&error) => match displaced(planned, place, hash) {
                    Some(bytes) => bytes,
                    None => {
                        tracing::warn!("a kept content is lost: {error}");
                        return Ok(Some(cannot_be_taken_back(planned, title)));
                    }
                },
                Err(error) => return Err(failed(error)),
            };
            let state = FileState {
                bytes,
                mode: file.mode_before.unwrap_or(0o600),
                mtime: file.mtime_before.unwrap_or_else(Utc::now),
                hard_links: 1,
                owner: None,
            };
            Some((hash, state))
        }
    };
    match restore(place, &planned.temp, file.after, before.as_ref().map(|(hash, state)| (*hash, state))) {
        // Changed by another program this very moment: theirs stays.
        Ok(()) | Err(SwapError::Moved) => Ok(None),
        Err(SwapError::Io(error)) => Err(failed(error)),
    }
}

/// Whether a kept content is gone for good, and not only out of reach now.
fn is_lost(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData)
}

/// What the landing displaced, if it still lies under its temp name.
fn displaced(planned: &PlannedFile, place: &Place, hash: ContentHash) -> Option<Vec<u8>> {
    [place.clone(), place.entry()].into_iter().find_map(|place| {
        let directory = place.directory().ok()?;
        if planned.link.is_some() && directory.kind(&planned.temp).ok()? == Some(EntryKind::Link) {
            // A removed link goes back as the link it is; no bytes are written for it.
            return Some(Vec::new());
        }
        let state = directory.read(&planned.temp).ok().flatten()?;
        (state.hash() == hash).then_some(state.bytes)
    })
}

fn cannot_be_taken_back(planned: &PlannedFile, title: &str) -> String {
    let file = text::visible(&planned.file.file);
    match planned.file.after {
        Some(_) => format!(
            "{file} could not be taken back, because the kept copy of its old content is lost; it stays as \"{title}\" \
             wrote it: read it, and edit it if it is wrong"
        ),
        None => format!(
            "{file} could not be brought back, because the kept copy of its content is lost; it stays removed by \
             \"{title}\": restore it from a backup, or write it anew"
        ),
    }
}

/// Removes temp files of landings that are over, ours or, after an hour, anyone's.
pub(super) fn remove_strays(workshop: &Workshop, store: &Path) -> Result<Vec<String>, DoorError> {
    let failed = |source| DoorError::Io { what: "cannot clean up", path: store.to_owned(), source };
    let root = match Root::open(store) {
        Ok(root) => root,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(failed(source)),
    };
    // The machine's own time, not the injected one: it is held against times that the file system gave.
    let now = Utc::now();
    // Read only when there is a temp file to judge. No landing of ours is under way: the caller has the lock.
    let ours = LazyCell::new(|| -> HashSet<String> {
        let records = Journal::at(workshop.journal()).records().unwrap_or_default();
        let ids = records.into_iter().filter_map(|record| match record {
            Record::Begin(begin) => Some(begin.entry.id),
            Record::End { .. } => None,
        });
        ids.collect()
    });
    let is_ours = |name: &str| {
        let middle = name.strip_prefix(TEMP_PREFIX).and_then(|rest| rest.rsplit_once('-'));
        middle.is_some_and(|(id, _)| ours.contains(id))
    };
    let removed = root
        .remove_strays(&|name, modified| {
            is_ours(name) || modified.is_none_or(|modified| now - modified > TimeDelta::hours(1))
        })
        .map_err(failed)?;
    if removed == 0 {
        return Ok(Vec::new());
    }
    Ok(vec![format!("removed {}", text::count(removed, "left-over temp file", "left-over temp files"))])
}
