//! The list of what was let go, `let-go.json`: kept up from the record of what landed, and from what a person rejects.
//!
//! Whatever landing takes evidence out of the store lets it go, whoever wanted that; one that brings it in takes that back,
//! and so does undoing the landing that let it go. The list follows the journal, so that a crash between the two loses
//! nothing, and one that is lost or damaged is made anew from what the journal still tells. Not its job: what a sentence
//! that was let go is told by (see [`super`]).

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::evidence::{Evidence, bars};
use super::{Bar, LetGo};
use crate::change::history::{self, Recorded};
use crate::change::journal::{Begin, Journal, Record};
use crate::change::objects::Objects;
use crate::change::stored::Stored;
use crate::change::workshop::Workshop;
use crate::change::{DoorError, HistoryEntry, Op, Origin, Rationale, TAKEN_BACK, beyond};
use crate::memory::names::is_markdown;
use crate::memory::{ContentHash, INDEX_FILE};
use crate::state::files;

/// So many sentences are remembered of a store, the latest.
const MOST: usize = 5_000;

/// So many bytes of the journal are read again rather than the list written for them.
const CHEAP: u64 = 64 * 1024;

/// The list as it is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct List {
    /// How much of the journal is in it already.
    journal: u64,
    bars: Vec<Bar>,
}

/// What was let go of a store by now. Writes nothing.
pub(in crate::change) fn read(workshop: &Workshop) -> Result<LetGo, DoorError> {
    Ok(LetGo::of(current(workshop)?.bars))
}

/// Brings the list up to the journal. Under the lock of the store.
pub(in crate::change) fn keep(workshop: &Workshop) -> Result<(), DoorError> {
    let (kept, list): (List, List) = (files::read(&workshop.let_go()), current(workshop)?);
    // A record of landings that say nothing new is read again as long as that costs nothing.
    if kept.bars == list.bars && list.journal.saturating_sub(kept.journal) < CHEAP && kept.journal <= list.journal {
        return Ok(());
    }
    write(workshop, list)
}

/// The same after a landing. Trouble here is for the log: the next who looks takes up the journal from where this left it.
pub(in crate::change) fn followed(workshop: &Workshop) {
    if let Err(error) = keep(workshop) {
        tracing::warn!("what was let go is not kept yet: {error}");
    }
}

/// The journal was begun anew: what it says was in the list already.
pub(in crate::change) fn follow(workshop: &Workshop) -> Result<(), DoorError> {
    let mut list: List = files::read(&workshop.let_go());
    list.journal = Journal::at(workshop.journal()).length();
    write(workshop, list)
}

/// Adds what a person rejected of an entry of the inbox. Under the lock of the store. `partly`: what landed of files of which
/// only the rest was rejected.
pub(in crate::change) fn reject(
    workshop: &Workshop,
    stored: &Stored,
    files: &BTreeSet<String>,
    partly: Vec<Vec<u8>>,
    now: DateTime<Utc>,
) -> Result<(), DoorError> {
    if !matches!(stored.origin, Origin::Extract | Origin::Dream | Origin::Proposal) {
        return Ok(());
    }
    let objects = Objects::at(workshop.objects());
    let read = |hash: Option<ContentHash>| hash.and_then(|hash| objects.read(hash).ok()).map(Evidence::of);
    // What the memories have as they are stays theirs.
    let bases = stored.changes.iter().filter_map(|change| read(change.base));
    let stays: Vec<Bar> = bases.chain(partly.into_iter().map(Evidence::of)).flat_map(|one| one.quoted).collect();
    let mut gone = Vec::new();
    for change in stored.changes.iter().filter(|change| files.contains(&change.file)) {
        if !is_of_words(change.op, &change.rationale) {
            continue;
        }
        let Evidence { quoted, said_at, .. } = read(change.content).unwrap_or_default();
        let of_it = quoted.into_iter().chain(change.rationale.sources.iter().flat_map(bars));
        let of_it = of_it.filter(|bar| !stays.iter().any(|stays| stays.is_of(bar)));
        gone.extend(of_it.map(|bar| Bar { said_at, ..bar }));
    }
    if gone.is_empty() {
        return Ok(());
    }
    let mut list = current(workshop)?;
    list.add(gone, &stored.id, now);
    write(workshop, list)
}

/// A rejection is taken back: what was let go by it may be stored again. Under the lock of the store.
pub(in crate::change) fn take_back(workshop: &Workshop, id: &str, at: DateTime<Utc>) -> Result<(), DoorError> {
    let mut list = current(workshop)?;
    list.bars.retain(|bar| bar.by != id || bar.at != at);
    write(workshop, list)
}

fn current(workshop: &Workshop) -> Result<List, DoorError> {
    let mut list: List = files::read(&workshop.let_go());
    let journal = Journal::at(workshop.journal());
    let failed = |source| DoorError::Io { what: "cannot read", path: workshop.journal(), source };
    let length = journal.length();
    if list.journal > length {
        list.journal = 0;
    }
    if list.journal < length {
        let records = journal.records_from(list.journal).map_err(failed)?;
        list.take_in(workshop, &records)?;
        list.journal = length;
    }
    Ok(list)
}

fn write(workshop: &Workshop, mut list: List) -> Result<(), DoorError> {
    let path = workshop.let_go();
    // A store of which nothing was let go needs no list.
    if list.bars.is_empty() && !path.exists() {
        return Ok(());
    }
    let surplus = list.bars.len().saturating_sub(MOST);
    list.bars.drain(..surplus);
    files::write(&path, "let-go", &list).map_err(|source| DoorError::Io { what: "cannot write", path, source })
}

/// Whether bytes are the list of what was let go, or why not.
///
/// # Errors
/// Why they are none.
pub(crate) fn understood(bytes: &[u8]) -> Result<(), String> {
    files::understood::<List>(bytes).map(drop)
}

/// The contents of a landing's memories, before and after.
#[derive(Default)]
struct Change {
    op: Option<Op>,
    before: Evidence,
    after: Evidence,
}

impl List {
    fn add(&mut self, gone: Vec<Bar>, by: &str, at: DateTime<Utc>) {
        for bar in gone {
            let fresh = Bar { at, by: by.to_owned(), ..bar };
            // The latest verdict counts.
            self.bars.retain(|known| !known.is_of(&fresh));
            self.bars.push(fresh);
        }
    }

    fn take_in(&mut self, workshop: &Workshop, records: &[Record]) -> Result<(), DoorError> {
        let landed: HashMap<&str, bool> = records
            .iter()
            .filter_map(|record| match record {
                Record::End { id, landed } => Some((id.as_str(), *landed)),
                Record::Begin(_) => None,
            })
            .collect();
        let begins = records.iter().filter_map(|record| match record {
            Record::Begin(begin) if landed.get(begin.entry.id.as_str()) == Some(&true) => Some(begin),
            _ => None,
        });
        // Read only when evidence may be told by nothing but an earlier landing.
        let mut known: Option<Vec<Recorded>> = None;
        for begin in begins {
            let takes_away = begin.files.iter().any(|planned| planned.file.op == Op::Remove);
            if known.is_none() && (takes_away || !begin.undoes.is_empty()) {
                known = Some(history::recorded(workshop)?);
            }
            self.landed(workshop, begin, known.as_deref().unwrap_or_default());
        }
        Ok(())
    }

    /// One landing.
    fn landed(&mut self, workshop: &Workshop, begin: &Begin, known: &[Recorded]) {
        let (objects, entry) = (Objects::at(workshop.objects()), &begin.entry);
        // Of one that is taken back in part, what came back is told by the files. What another program goes on changing is
        // recorded again as a whole.
        let is_back = |by: &String| begin.undoes.contains(by) && !begin.is_in_part;
        self.bars.retain(|bar| !is_back(&bar.by) && bar.by != entry.id);
        let by_hand = entry.by_person || entry.origin == Origin::Foreign;
        let is_memory = |file: &str| is_markdown(file) && file != INDEX_FILE && !beyond::is_beyond(file);
        let copies = Objects::at(workshop.current());
        let read = |hash: Option<ContentHash>| {
            let bytes = hash.and_then(|hash| objects.read(hash).or_else(|_| copies.read(hash)).ok());
            bytes.map(Evidence::of).unwrap_or_default()
        };
        let files: Vec<_> =
            begin.files.iter().map(|planned| &planned.file).filter(|file| is_memory(&file.file)).collect();
        // Nothing that comes can take anything back.
        if self.bars.is_empty() && begin.undoes.is_empty() && files.iter().all(|file| file.op == Op::Create) {
            return;
        }
        let changes: Vec<Change> = files
            .iter()
            .map(|file| Change { op: Some(file.op), before: read(file.before), after: read(file.after) })
            .collect();
        let of = |wanted: Option<Op>, side: fn(&Change) -> &Evidence| -> Vec<&Bar> {
            let meant = changes.iter().filter(move |change| wanted.is_none() || change.op == wanted);
            meant.flat_map(move |change| side(change).quoted.iter().chain(&side(change).says)).collect()
        };
        let has = |all: &[&Bar], bar: &Bar| all.iter().any(|other| other.is_of(bar));
        let (before, after, made) =
            (of(None, |c| &c.before), of(None, |c| &c.after), of(Some(Op::Create), |c| &c.after));
        let rationales = files.iter().filter(|file| file.op != Op::Remove && entry.origin != Origin::Undo);
        let rests_on: Vec<Bar> = rationales.flat_map(|file| &file.rationale.sources).flat_map(bars).collect();
        let comes = |bar: &Bar| (has(&after, bar) && !has(&before, bar)) || rests_on.iter().any(|one| one.is_of(bar));
        self.bars.retain(|bar| !comes(bar));

        let mut gone: Vec<Bar> = Vec::new();
        for (file, change) in files.iter().zip(&changes) {
            let is_removal = file.op == Op::Remove;
            // What is only called otherwise is not gone.
            let stays = if is_removal { &made } else { &after };
            let says = &change.before.says;
            let is_moved = !says.is_empty() && says.iter().all(|bar| has(&made, bar));
            let own = says.iter().filter(|_| is_removal || by_hand);
            let lost = change.before.quoted.iter().chain(own).filter(|bar| !has(stays, bar)).cloned();
            let sources = if is_removal && !is_moved { sources_of(&file.file, entry, known) } else { Vec::new() };
            let of_it = lost.chain(sources).map(|bar| Bar { said_at: bar.said_at.or(change.before.said_at), ..bar });
            gone.extend(of_it);
        }
        let undone: HashSet<&String> = begin.undoes.iter().collect();
        let names: BTreeSet<&String> = files.iter().map(|file| &file.file).collect();
        let added = known
            .iter()
            .filter(|one| undone.contains(&one.entry.id) && one.entry.origin != Origin::Undo)
            .flat_map(|one| &one.entry.files)
            .filter(|file| is_of_words(file.op, &file.rationale) && names.contains(&file.file))
            .flat_map(|file| &file.rationale.sources)
            .flat_map(bars)
            .filter(|bar| !has(&after, bar));
        gone.extend(added);
        self.add(gone, &entry.id, entry.at);
    }
}

/// Whether a change does what somebody's words say: it stores them, or they take a memory back. Another removal has grounds of
/// its own, and its sources stand elsewhere.
fn is_of_words(op: Op, rationale: &Rationale) -> bool {
    op != Op::Remove || rationale.reason == TAKEN_BACK
}

/// What the landings that made a memory before an entry rested on.
fn sources_of(file: &str, until: &HistoryEntry, known: &[Recorded]) -> Vec<Bar> {
    let mut sources = Vec::new();
    let earlier = known.iter().take_while(|one| one.entry.id != until.id);
    for one in earlier.filter(|one| one.entry.origin != Origin::Undo) {
        for changed in one.entry.files.iter().filter(|changed| changed.file == file) {
            match changed.op {
                // What was before is another memory of the same name.
                Op::Remove => sources.clear(),
                Op::Create | Op::Replace => sources.extend(changed.rationale.sources.iter().flat_map(bars)),
            }
        }
    }
    sources
}
