//! Erasing kept contents for good, for a secret that got in: images, copies, and held changes made of them.
//!
//! History entries stay, marked. Not its job: the file in the store (a person edits or removes that), and what an
//! operating system or a backup keeps of erased files.

use std::collections::{BTreeSet, HashSet};
use std::io;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::inbox::Inbox;
use super::journal::{Begin, Journal, PlannedFile, Record};
use super::manifest::{Copy, Manifest};
use super::objects::Objects;
use super::stored::Stored;
use super::unsaved::{self, Rescued};
use super::workshop::Workshop;
use super::{DoorError, recover, rewrite};
use crate::memory::{ContentHash, Store};
use crate::text;

/// What is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purge {
    /// Every content that a file of this name, or the history entry of this id, ever had.
    Named(String),
    /// Everything the history keeps. What waits in the inbox stays, and so do copies of what the store holds now.
    All,
}

/// What was erased, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// How many contents.
    pub images: usize,
    /// How many bytes they took.
    pub bytes: u64,
    /// The history entries that cannot be taken back wholly any more.
    pub entries: Vec<String>,
    /// The files concerned.
    pub files: BTreeSet<String>,
    /// Held changes that were dropped, as `entry file`.
    pub dropped: Vec<String>,
    /// The files that lie in the store with an erased content still.
    pub still_in_store: BTreeSet<String>,
}

pub(super) fn purge(
    workshop: &Workshop,
    store: &Store,
    what: &Purge,
    dry_run: bool,
    now: DateTime<Utc>,
) -> Result<Purged, DoorError> {
    let nothing = || match what {
        Purge::Named(name) => Err(DoorError::Unknown {
            what: "kept content of a file or history entry",
            id: text::visible(name).into_owned(),
            command: "history",
        }),
        Purge::All => Ok(Purged::default()),
    };
    if !workshop.exists() {
        return nothing();
    }
    let _lock = workshop.lock()?;
    recover::under_lock(workshop, store.root())?;
    let failed = |source| DoorError::Io { what: "cannot purge", path: workshop.objects(), source };
    let mut records = Journal::at(workshop.journal()).records().map_err(failed)?;
    let inbox = Inbox::of(workshop);
    let waiting = inbox.all()?;
    let mut manifest = Manifest::read(workshop);
    let dropped: Vec<Stored> = super::dropped::read(workshop).into_iter().map(|dropped| dropped.entry).collect();
    let doomed = doomed(what, &records, [&waiting, &dropped], manifest.as_ref());
    let drafts: Vec<Rescued> = match what {
        Purge::Named(name) => unsaved::in_directory(&workshop.unsaved())
            .0
            .into_iter()
            .filter(|draft| draft.text.is_about(name) || draft.text.is_about(&format!("{name}.md")))
            .collect(),
        // What is in no history stays.
        Purge::All => Vec::new(),
    };
    if doomed.is_empty() && drafts.is_empty() {
        return nothing();
    }

    let mut purged = Purged::default();
    let why = format!("purged on {}", now.format("%Y-%m-%d"));
    for record in &mut records {
        let Record::Begin(begin) = record else { continue };
        mark(begin, &doomed, &why, &mut purged);
    }
    for stored in &waiting {
        for file in stored.files_made_of(&doomed) {
            purged.files.insert(file.clone());
            purged.dropped.push(format!("{} {file}", stored.id));
        }
    }
    for draft in &drafts {
        purged.files.extend(draft.text.files().into_iter().map(str::to_owned));
        purged.dropped.push(format!("unsaved draft of {}", draft.text.files().join(", ")));
    }
    for (file, known) in manifest.iter_mut().flat_map(|manifest| &mut manifest.files) {
        if *what != Purge::All && doomed.contains(&known.hash) {
            known.copy = Copy::Purged;
            purged.files.insert(file.clone());
            purged.still_in_store.insert(file.clone());
        }
    }
    let (objects, copies) = (Objects::at(workshop.objects()), Objects::at(workshop.current()));
    for hash in &doomed {
        let both = [&objects, &copies];
        let places = both.get(..if *what == Purge::All { 1 } else { 2 }).unwrap_or_default();
        let sizes: Vec<Option<u64>> =
            places.iter().map(|kept| std::fs::metadata(kept.path(*hash)).map(|data| data.len()).ok()).collect();
        purged.images += usize::from(sizes.iter().any(Option::is_some));
        purged.bytes += sizes.into_iter().flatten().sum::<u64>();
    }
    if dry_run {
        return Ok(purged);
    }
    // The marks come first: after a crash in between, what is still there is erased by asking again.
    if let Some(manifest) = &manifest {
        manifest.save(workshop).map_err(failed)?;
    }
    rewrite::journal(workshop, &records).map_err(failed)?;
    for stored in &waiting {
        let files = stored.files_made_of(&doomed);
        if !files.is_empty() {
            inbox.drop_files(&stored.id, &files)?;
        }
    }
    super::dropped::forget(workshop, &|entry| entry.images().any(|hash| doomed.contains(&hash)))?;
    let erased = doomed.iter().try_for_each(|hash| -> io::Result<()> {
        objects.erase(*hash)?;
        if *what == Purge::All {
            return Ok(());
        }
        // Without it the next merge with the team's version has to do without what both had.
        workshop.shared(*hash).iter().try_for_each(std::fs::remove_file)?;
        copies.erase(*hash)
    });
    erased.map_err(failed)?;
    for draft in &drafts {
        let failed = |source| DoorError::Io { what: "cannot purge", path: draft.path.clone(), source };
        unsaved::discard(&draft.path).map_err(failed)?;
    }
    Ok(purged)
}

/// The contents to erase: of the history, of what waits and of what was rejected and could wait again.
fn doomed(
    what: &Purge,
    records: &[Record],
    [waiting, dropped]: [&[Stored]; 2],
    manifest: Option<&Manifest>,
) -> HashSet<ContentHash> {
    let begins = || {
        records.iter().filter_map(|record| match record {
            Record::Begin(begin) => Some(begin),
            Record::End { .. } => None,
        })
    };
    let images = |planned: &PlannedFile| planned.file.before.into_iter().chain(planned.file.after);
    match what {
        Purge::All => {
            let kept: HashSet<ContentHash> = waiting.iter().flat_map(Stored::images).collect();
            let history = begins().flat_map(|begin| &begin.files).flat_map(images);
            let rejected = dropped.iter().flat_map(Stored::images);
            history.chain(rejected).filter(|hash| !kept.contains(hash)).collect()
        }
        Purge::Named(name) => {
            let names = [name.clone(), format!("{name}.md")];
            let of_file = |planned: &&PlannedFile| names.contains(&planned.file.file);
            let of_entry = begins().filter(|begin| begin.entry.id == *name).flat_map(|begin| &begin.files);
            let in_history = begins().flat_map(|begin| &begin.files).filter(of_file).chain(of_entry).flat_map(images);
            let held = waiting.iter().chain(dropped).flat_map(|stored| stored.images_of(&names));
            let copy = manifest.into_iter().flat_map(|manifest| &manifest.files);
            let copy = copy.filter(|(file, known)| names.contains(file) && known.copy != Copy::Purged);
            in_history.chain(held).chain(copy.map(|(_, known)| known.hash)).collect()
        }
    }
}

/// Marks the files of a landing whose contents go. Their evidence goes too: a quote may hold what the file held.
fn mark(begin: &mut Begin, doomed: &HashSet<ContentHash>, why: &str, purged: &mut Purged) {
    let is_doomed = |hash: Option<ContentHash>| hash.is_some_and(|hash| doomed.contains(&hash));
    let mut is_marked = false;
    for planned in &mut begin.files {
        let file = &mut planned.file;
        if !is_doomed(file.before) && !is_doomed(file.after) {
            continue;
        }
        is_marked = true;
        purged.files.insert(file.file.clone());
        if is_doomed(file.before) {
            file.not_kept = Some(why.to_owned());
        }
        for source in &mut file.rationale.sources {
            source.quote = None;
        }
    }
    if is_marked && !purged.entries.contains(&begin.entry.id) {
        purged.entries.push(begin.entry.id.clone());
    }
}
