//! The door itself: what a landing is asked and what it answers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::inbox::Inbox;
use super::journal::Damage;
use super::let_go::LetGo;
use super::objects::Objects;
use super::plan::Request;
use super::purge::{Purge, Purged};
use super::settled::Settled;
use super::verdicts::Seen;
use super::wish::Wish;
use super::workshop::Workshop;
use super::write::Root;
use super::{Accepted, Along, ChangeSet, Decision, HistoryEntry, InboxEntry, Op, Rationale, Review, Take, guard};
use crate::clock::Clock;
use crate::memory::{ContentHash, Snapshot, Store};
use crate::state::StateDir;

/// Who agreed to a change set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Nobody: the guards hold what is doubtful.
    None,
    /// Nobody, and the configuration says to ask: everything is held.
    Ask,
    /// A person saw exactly this: guards about amounts and losses do not hold it; containment and secrets still do.
    Person,
}

/// Which guard holds a change, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct HoldReason {
    /// The guard: `containment`, `secret`, `validity`, `size`, `bulk-removal`, `loss`, `placeholder`, `provenance`,
    /// `instruction`, `conflict`, `ask`.
    pub guard: String,
    /// One sentence.
    pub message: String,
}

/// A file that landed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Landed {
    /// The file.
    pub file: String,
    /// What happened to it.
    pub op: Op,
    /// Why.
    #[serde(flatten)]
    pub rationale: Rationale,
    /// Whether it was merged with a change someone made meanwhile.
    pub merged: bool,
}

/// A file that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// The file.
    pub file: String,
    /// What was wanted.
    pub op: Op,
    /// Why it waits.
    pub reasons: Vec<HoldReason>,
    /// The inbox entry in which the very same waits since an earlier landing: it does not wait twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_in: Option<String>,
}

impl Held {
    /// A change that is held now.
    #[must_use]
    pub fn new(op: Op, file: String, reasons: Vec<HoldReason>) -> Self {
        Self { file, op, reasons, waits_in: None }
    }
}

/// What became of a sentence that an automatic change took out of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Account {
    /// It stands in another file.
    Kept,
    /// It stands in other words, in the file named.
    Merged,
    /// Something newer takes its place, in the file named or said by the person in that session.
    Superseded,
    /// It spoke of a day that is past.
    Expired,
    /// Nothing says why it goes: the change waits.
    Unexplained,
}

impl Account {
    /// The word in JSON and in reasons.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Merged => "merged",
            Self::Superseded => "superseded",
            Self::Expired => "expired",
            Self::Unexplained => "unexplained",
        }
    }
}

/// One line of a loss report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The file the sentence stood in.
    pub file: String,
    /// Its words, in lower case, without marks.
    pub sentence: String,
    /// What became of it.
    pub account: Account,
    /// Where it is, or what took its place.
    pub into: Option<String>,
}

/// What became of a change set. Every figure is from the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Landing {
    /// The history entry, when something landed.
    pub history: Option<String>,
    /// The inbox entry, when something is held: a new one, or where all of it waits already.
    pub inbox: Option<String>,
    /// What landed; `MEMORY.md` is among it when the index changed.
    pub landed: Vec<Landed>,
    /// What waits.
    pub held: Vec<Held>,
    /// What was decided on with the rest of a decision, because it is the other half of something in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<Along>,
    /// Entries that fall past a load limit of the index because of this landing.
    pub newly_cut: Vec<String>,
    /// For automatic changes: every sentence that went, and what became of it.
    pub losses: Vec<Loss>,
}

/// Why nothing could be landed at all. The store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// The operating system refuses: read-only, full, gone.
    #[error("{what} {path}: {source}; nothing was changed")]
    Io {
        /// What was tried, `cannot write`.
        what: &'static str,
        /// On which path.
        path: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// A person's edit met a file that changed since it was read, and the two cannot be merged.
    #[error("{file} was changed on disk since it was opened; both versions are kept: review them before saving again")]
    Conflict {
        /// The file.
        file: String,
        /// What is on disk now; `None`: it is gone.
        theirs: Option<Vec<u8>>,
        /// A merge with conflict markers, when there is text to merge.
        merged: Option<String>,
    },
    /// A guard that no consent overrides.
    #[error("{file}: {}", .reason.message)]
    Refused {
        /// The file.
        file: String,
        /// Which guard and why.
        reason: HoldReason,
    },
    /// A store of another program's, with rules that are not ours.
    #[error(
        "{path} is {writer}'s and opens read-only: nothing was changed; {writer} itself changes it, or copy what you need with `dreamtop new`"
    )]
    ReadOnly {
        /// The store.
        path: PathBuf,
        /// Whose it is.
        writer: &'static str,
    },
    /// No history or inbox entry of that name.
    #[error("there is no {what} {id:?}; see `dreamtop {command}`")]
    Unknown {
        /// `history entry`, `inbox entry`.
        what: &'static str,
        /// What was asked for.
        id: String,
        /// The command that lists them.
        command: &'static str,
    },
    /// Undo of something that cannot be undone now.
    #[error("{0}")]
    CannotUndo(String),
}

/// The door to stores.
#[derive(Clone, Debug)]
pub struct Door {
    state: StateDir,
    clock: Clock,
}

impl Door {
    /// A door that keeps its journal, history and inbox in `state`.
    #[must_use]
    pub fn new(state: StateDir, clock: Clock) -> Self {
        Self { state, clock }
    }

    /// Our files about stores.
    #[must_use]
    pub fn state(&self) -> &StateDir {
        &self.state
    }

    /// The time landings are dated with.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Applies a change set: guards → intent to the journal → each file → index → done. What a guard holds goes to the
    /// inbox and the rest lands. With [`Consent::Person`] a conflict or refusal is an error and nothing lands.
    ///
    /// # Errors
    /// When nothing could be landed; the store is unchanged then.
    pub fn land(&self, store: &Store, set: &ChangeSet, consent: Consent) -> Result<Landing, DoorError> {
        self.land_without(store, set, consent, &BTreeSet::new())
    }

    /// The same but for the changes of some files, and the lines of the index about them: they rest on what was let go (see
    /// [`Door::let_go`]), and are not asked about.
    ///
    /// # Errors
    /// As [`Door::land`].
    pub fn land_without(
        &self,
        store: &Store,
        set: &ChangeSet,
        consent: Consent,
        without: &BTreeSet<String>,
    ) -> Result<Landing, DoorError> {
        let request =
            Request { set, consent, index_files: None, index_without: None, from_inbox: false, now: self.clock.now() };
        super::land::land(&self.open(store)?, store, request, without)
    }

    /// The evidence that was let go of a store: no run stores anything of it again. Writes nothing.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn let_go(&self, store: &Store) -> Result<LetGo, DoorError> {
        super::let_go::record::read(&self.workshop(store))
    }

    /// Finishes or reverts what a crash left half-done in a store, and removes our stray temp files. Cheap when there is
    /// nothing to do. Returns one sentence for each thing done, and about once a day one on what of our record is damaged.
    ///
    /// # Errors
    /// When the journal or the store cannot be read or written.
    pub fn recover(&self, store: &Store) -> Result<Vec<String>, DoorError> {
        let workshop = self.workshop(store);
        if !workshop.exists() {
            return Ok(Vec::new());
        }
        let _lock = workshop.lock()?;
        let mut said = super::recover::under_lock(&workshop, store.root())?;
        said.extend(super::recover::remove_strays(&workshop, store.root())?);
        // Housekeeping of ours: when it fails, nothing of the person's is the worse for it, and tomorrow is another try.
        let damage = super::retention::daily(&workshop, self.clock.now()).ok().flatten();
        said.extend(damage.map(|damage| damage.sentence()));
        Ok(said)
    }

    /// Whether a landing was cut off and waits for [`Door::recover`]. One that is going on is not.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn is_interrupted(&self, store: &Store) -> Result<bool, DoorError> {
        let workshop = self.workshop(store);
        if !workshop.exists() {
            return Ok(false);
        }
        let Some(_lock) = workshop.try_lock()? else { return Ok(false) };
        let path = workshop.journal();
        let open = super::journal::Journal::at(path.clone()).open_landing();
        Ok(open.map_err(|source| DoorError::Io { what: "cannot read", path, source })?.is_some())
    }

    /// Compares a store with what it held when it was last looked at, and records what another program did to it since as
    /// one history entry ([`super::Origin::Foreign`]), which can be undone like any other. What follows within a minute
    /// belongs to the same entry, unless a memory changes again: its text in between would be lost. The first look records nothing but what is there. Writes to the state directory only,
    /// and does nothing while something else is landing. Returns the entry's id.
    ///
    /// # Errors
    /// When the store cannot be listed or the state directory not be written.
    pub fn note_foreign(&self, store: &Store) -> Result<Option<String>, DoorError> {
        let workshop = self.workshop(store);
        if !workshop.exists() && !store.root().is_dir() {
            return Ok(None);
        }
        let Some(_lock) = workshop.try_lock()? else { return Ok(None) };
        super::recover::under_lock(&workshop, store.root())?;
        super::foreign::note(&workshop, store, self.clock.now(), super::foreign::Saving::Always)
    }

    /// What landed in a store, newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn history(&self, store: &Store) -> Result<Vec<HistoryEntry>, DoorError> {
        let mut entries: Vec<HistoryEntry> =
            super::history::recorded(&self.workshop(store))?.into_iter().map(|one| one.entry).collect();
        entries.reverse();
        Ok(entries)
    }

    /// What of the record of a store's landings cannot be read, so that [`Door::history`] does not tell it.
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub fn history_damage(&self, store: &Store) -> Result<Option<Damage>, DoorError> {
        let path = self.workshop(store).journal();
        super::journal::damage(&path).map_err(|source| DoorError::Io { what: "cannot read", path, source })
    }

    /// The memories that were removed and are not there now, newest first: a view of the history.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn trash(&self, store: &Store) -> Result<Vec<super::Trashed>, DoorError> {
        Ok(super::trash::of(&self.history(store)?, store))
    }

    /// The bytes of a pre- or post-image.
    ///
    /// # Errors
    /// When it is no longer kept.
    pub fn image(&self, store: &Store, hash: ContentHash) -> Result<Vec<u8>, DoorError> {
        let objects = Objects::at(self.workshop(store).objects());
        objects.read(hash).map_err(|source| DoorError::Io { what: "cannot read", path: objects.path(hash), source })
    }

    /// Takes back a history entry, named by its id or by the run it came from: files that are still as the entry left them
    /// get their old bytes, mode and mtime; files edited since are left alone and named in `held`.
    ///
    /// # Errors
    /// When there is no such entry, or none of its files can be restored.
    pub fn undo(&self, store: &Store, id_or_run: &str) -> Result<Landing, DoorError> {
        super::undo::undo(&self.open(store)?, store, id_or_run, self.clock.now())
    }

    /// When the person last said "still true" of contents that do not date themselves.
    #[must_use]
    pub fn confirmed(&self, store: &Store) -> HashMap<ContentHash, DateTime<Utc>> {
        super::confirmed::read(&self.workshop(store))
    }

    /// Lets memories wait until an instant before triage asks about them again; `None`: not any more. A memory that changes
    /// comes back at once. Returns how it was before, to take it back.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub fn snooze(
        &self,
        store: &Store,
        wanted: &[(Seen, Option<DateTime<Utc>>)],
    ) -> Result<super::SnoozedBefore, DoorError> {
        super::snooze::set(&self.open(store)?, wanted, self.clock.now())
    }

    /// Marks the memories of a snapshot that wait by [`Door::snooze`] at the time it was made.
    pub fn mark_snoozed(&self, snapshot: &mut Snapshot) {
        super::snooze::mark(&self.workshop(&snapshot.store), snapshot);
    }

    /// Erases kept contents for good: pre- and post-images, copies, and held changes made of them. The history keeps its
    /// entries, marked; what is erased cannot be restored by anyone. What lies in the store stays as it is. With
    /// `dry_run` it only says what would go.
    ///
    /// # Errors
    /// When nothing of that name is kept, or the state directory cannot be written.
    pub fn purge(&self, store: &Store, what: &Purge, dry_run: bool) -> Result<Purged, DoorError> {
        super::purge::purge(&self.workshop(store), store, what, dry_run, self.clock.now())
    }

    /// What waits for a person, newest first.
    ///
    /// # Errors
    /// When the inbox cannot be read.
    pub fn inbox(&self, store: &Store) -> Result<Vec<InboxEntry>, DoorError> {
        let inbox = Inbox::of(&self.workshop(store));
        Ok(inbox.all()?.iter().map(|stored| inbox.with_bytes(stored)).collect())
    }

    /// Where the first of a set's changes that is wanted already waits: the entry, and its file there. `None`: all of it
    /// is new.
    ///
    /// # Errors
    /// When the inbox cannot be read.
    pub fn waits_already(&self, store: &Store, set: &ChangeSet) -> Result<Option<(InboxEntry, String)>, DoorError> {
        let inbox = Inbox::of(&self.workshop(store));
        let all = inbox.all()?;
        let mut known = set.changes.iter().filter_map(|change| inbox.same(&all, set.origin, change));
        Ok(known.next().map(|(entry, change)| (inbox.with_bytes(entry), change.file.clone())))
    }

    /// The memory of a store that says already what a new memory of a set does: the same words, of the same kind. What cannot
    /// be read says nothing.
    #[must_use]
    pub fn kept_already(&self, snapshot: &Snapshot, set: &ChangeSet) -> Option<String> {
        let created = set.changes.iter().filter(|change| change.op == Op::Create);
        let wishes: Vec<Wish> =
            created.filter_map(|change| Wish::of(&change.file, None, change.content.clone()?)).collect();
        let says_it = |file: &&String| {
            let bytes = snapshot.store.bytes(file).ok();
            bytes.and_then(|bytes| Wish::of(file, None, bytes)).is_some_and(|wish| wishes.contains(&wish))
        };
        let mut files = snapshot.memories.iter().map(|memory| &memory.file);
        if wishes.is_empty() { None } else { files.find(says_it).cloned() }
    }

    /// Puts changes before a person without landing them: versions that are to wait while others take their place, which are
    /// their base; `common`: what both have come from. What waits already does not wait twice. Returns the entry, and whether
    /// it is new; `None`: all of it holds what looks like a credential, and such is not kept.
    ///
    /// # Errors
    /// When the inbox cannot be written.
    pub fn put_before(
        &self,
        store: &Store,
        set: &ChangeSet,
        reason: &HoldReason,
        common: &[u8],
    ) -> Result<Option<(String, bool)>, DoorError> {
        let workshop = self.open(store)?;
        let _lock = workshop.lock()?;
        let is_clean = |change: &&super::Change| {
            let content = change.content.as_deref().unwrap_or_default();
            crate::secret::added(change.base.as_deref(), content).is_empty()
        };
        let changes: Vec<_> =
            set.changes.iter().filter(is_clean).map(|change| (change.clone(), vec![reason.clone()])).collect();
        if changes.is_empty() {
            return Ok(None);
        }
        let waiting = super::inbox::Waiting { changes, index: None, common: Some(common.to_vec()) };
        let added = Inbox::of(&workshop).add(set, self.clock.now(), waiting)?;
        Ok(Some((added.id, added.is_new)))
    }

    /// Lands held changes: all of an entry, or the named files of it and their other halves (`along`). What landed leaves the inbox; what cannot land by now
    /// stays in it, and is named in `held`.
    ///
    /// # Errors
    /// When nothing could be landed at all: the disk refuses, or the index must not be written.
    pub fn accept(&self, store: &Store, id: &str, files: &[String]) -> Result<Landing, DoorError> {
        let files = super::inbox::chosen_files(&Inbox::of(&self.workshop(store)).find(id)?, files)?;
        let accepted = files.into_iter().map(|file| Accepted { file, take: Take::Whole }).collect();
        self.decide(store, id, &Decision { accepted, ..Decision::default() })
    }

    /// An inbox entry with what a person wants to know before deciding: hunks, losses, how it meets the disk.
    ///
    /// # Errors
    /// When there is no such entry, or the store cannot be read.
    pub fn review(&self, store: &Store, id: &str) -> Result<Review, DoorError> {
        super::review::look(&self.workshop(store), store, id, self.clock.now())
    }

    /// Carries out a person's decision on an inbox entry: what is accepted lands as one history entry, what is rejected is
    /// dropped, all else goes on waiting, also what was accepted and cannot land by now (in `held`, with the reason). A hunk
    /// that is not taken waits on the base of those that were. What is the other half of something decided on goes the same
    /// way (`along`).
    ///
    /// # Errors
    /// As [`Door::accept`], and when a change is accepted without the one that is to keep its words; nothing landed and nothing was dropped then.
    pub fn decide(&self, store: &Store, id: &str, decision: &Decision) -> Result<Landing, DoorError> {
        super::review::decide(&self.open(store)?, store, id, decision, self.clock.now())
    }

    /// Drops held changes: all of an entry, or the named files of it, and removals that rest on one of them. Returns the
    /// files dropped.
    ///
    /// # Errors
    /// When there is no such entry or file.
    pub fn reject(&self, store: &Store, id: &str, files: &[String]) -> Result<Vec<String>, DoorError> {
        let files = super::inbox::chosen_files(&Inbox::of(&self.workshop(store)).find(id)?, files)?;
        let landing = self.decide(store, id, &Decision { rejected: files.clone(), ..Decision::default() })?;
        Ok(files.into_iter().chain(landing.along.into_iter().map(|along| along.file)).collect())
    }

    /// Takes files of an entry back that whoever put them there wants no longer; nobody rejected them. What waits no more is
    /// no error.
    ///
    /// # Errors
    /// When the inbox cannot be written.
    pub fn withdraw(&self, store: &Store, id: &str, files: &BTreeSet<String>) -> Result<(), DoorError> {
        let workshop = self.open(store)?;
        let _lock = workshop.lock()?;
        match Inbox::of(&workshop).drop_files(id, files) {
            Err(DoorError::Unknown { .. }) => Ok(()),
            result => result,
        }
    }

    /// Lets what was rejected last of an inbox entry wait again. Returns the files.
    ///
    /// # Errors
    /// When nothing was rejected of such an entry that could, or our own files cannot be written.
    pub fn wait_again(&self, store: &Store, id: &str) -> Result<Vec<String>, DoorError> {
        let files = super::dropped::take_back(&self.open(store)?, id)?;
        let unknown = || DoorError::Unknown {
            what: "rejected inbox entry",
            id: crate::text::visible(id).into_owned(),
            command: "inbox",
        };
        Ok(files.ok_or_else(unknown)?.into_iter().collect())
    }

    /// The inbox entries of which something was rejected that can wait again, with when, oldest first.
    #[must_use]
    pub fn dropped(&self, store: &Store) -> Vec<(String, DateTime<Utc>)> {
        let all = super::dropped::read(&self.workshop(store));
        all.into_iter().map(|dropped| (dropped.entry.id, dropped.at)).collect()
    }

    /// What a person made of what waited, by inbox entry, also of entries that are gone by now.
    #[must_use]
    pub fn settled(&self, store: &Store) -> BTreeMap<String, Settled> {
        super::settled::read(&self.workshop(store))
    }

    /// Whether a file can be written where it lies: nobody should type a text that has no way there.
    ///
    /// # Errors
    /// [`DoorError::Refused`] with what stands in the way, such as a symbolic link to something else.
    pub fn can_write(&self, store: &Store, file: &str) -> Result<(), DoorError> {
        match Root::open(store.root()).and_then(|root| root.locate(file)) {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
                Err(DoorError::Refused { file: file.to_owned(), reason: guard::held("containment", error.to_string()) })
            }
            // What else can go wrong is said when it does.
            _ => Ok(()),
        }
    }

    /// Whether a store may be changed at all; to be asked before a person is put to work on a change.
    ///
    /// # Errors
    /// [`DoorError::ReadOnly`] for a store that is only looked at.
    pub fn admit(&self, store: &Store) -> Result<(), DoorError> {
        let kind = store.kind();
        if kind.is_read_only() {
            return Err(DoorError::ReadOnly { path: store.root().to_owned(), writer: kind.writer() });
        }
        Ok(())
    }

    /// The workshop for changing a store; the one place that refuses stores which are only looked at.
    fn open(&self, store: &Store) -> Result<Workshop, DoorError> {
        self.admit(store).map(|()| self.workshop(store))
    }

    fn workshop(&self, store: &Store) -> Workshop {
        Workshop::of(&self.state, store)
    }
}
