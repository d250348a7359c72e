//! Change sets that wait for a person.
//!
//! Each is a small JSON file in the state directory; the bytes lie among the images. Not its job: holding a change for
//! a secret, which is kept nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::index_replay::{lines_changed, replay};
use super::objects::Objects;
use super::stored::{Stored, StoredChange, StoredIndex, read};
use super::wish::Wish;
use super::workshop::Workshop;
use super::{Change, ChangeSet, DoorError, HoldReason, IndexChange, Op, Origin, Rationale};
use crate::memory::{ContentHash, INDEX_FILE};
use crate::secret;
use crate::state::write_atomic;

/// A held change set, or the held part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxEntry {
    /// Its id.
    pub id: String,
    /// When it was held.
    pub at: DateTime<Utc>,
    /// Who wants it.
    pub origin: Origin,
    /// The run it comes from.
    pub run: Option<String>,
    /// One line.
    pub title: String,
    /// What waits.
    pub changes: Vec<HeldChange>,
}

/// One held change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldChange {
    /// The file.
    pub file: String,
    /// What is wanted.
    pub op: Op,
    /// The bytes it was based on.
    pub base: Option<Vec<u8>>,
    /// The bytes it would become.
    pub content: Option<Vec<u8>>,
    /// Why, and on what evidence.
    pub rationale: Rationale,
    /// Why it waits.
    pub reasons: Vec<HoldReason>,
    /// Of two versions of a team's entry the one that is not in the file: what both had come from.
    pub common: Option<Vec<u8>>,
}

/// What a landing leaves for the inbox.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) changes: Vec<(Change, Vec<HoldReason>)>,
    pub(super) index: Option<WaitingIndex>,
    /// As in [`HeldChange`], for each of the changes.
    pub(super) common: Option<Vec<u8>>,
}

/// An index edit that waits, as a whole or for its lines about files that wait.
#[derive(Debug)]
pub(super) struct WaitingIndex {
    pub(super) change: IndexChange,
    /// Why the whole edit waits; empty: only the lines about files that wait do.
    pub(super) reasons: Vec<HoldReason>,
}

impl Waiting {
    pub(super) fn is_worth_keeping(&self) -> bool {
        !self.changes.is_empty() || self.index.as_ref().is_some_and(|index| !index.reasons.is_empty())
    }
}

/// The inbox of one store.
#[derive(Debug)]
pub(super) struct Inbox {
    directory: PathBuf,
    objects: Objects,
}

/// What became of what was to be kept.
#[derive(Debug)]
pub(super) struct Added {
    /// The entry that holds it; of what waits already as a whole, one of those where it does.
    pub(super) id: String,
    pub(super) is_new: bool,
    /// The files whose change waited already, with the entry where it does.
    pub(super) earlier: BTreeMap<String, String>,
}

/// What a person chose of an entry.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) files: BTreeSet<String>,
    pub(super) set: ChangeSet,
}

/// What goes on waiting after a decision.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Files that wait no longer.
    pub(super) gone: BTreeSet<String>,
    /// Files of which some hunks landed, with the base of what is left.
    pub(super) bases: Vec<(String, Vec<u8>)>,
    /// What is left of the index edit.
    pub(super) index: Option<IndexChange>,
}

impl Inbox {
    pub(super) fn of(workshop: &Workshop) -> Self {
        Self { directory: workshop.inbox(), objects: Objects::at(workshop.objects()) }
    }

    fn failed(&self, what: &'static str) -> impl FnOnce(io::Error) -> DoorError + use<> {
        let path = self.directory.clone();
        move |source| DoorError::Io { what, path, source }
    }

    /// Keeps what waits, under a new id; what waits already does not wait twice.
    pub(super) fn add(&self, set: &ChangeSet, at: DateTime<Utc>, mut waiting: Waiting) -> Result<Added, DoorError> {
        let all = self.all()?;
        let mut earlier: BTreeMap<String, String> = BTreeMap::new();
        for (change, _) in &waiting.changes {
            if let Some((entry, _)) = self.same(&all, set.origin, change) {
                earlier.insert(change.file.clone(), entry.id.clone());
            }
        }
        waiting.changes.retain(|(change, _)| !earlier.contains_key(&change.file));
        let own: BTreeSet<&str> = waiting.changes.iter().map(|(change, _)| change.file.as_str()).collect();
        waiting.index = waiting.index.take().and_then(|index| self.new_lines(index, &own, &all, &mut earlier));
        if let Some(id) = earlier.values().next().filter(|_| !waiting.is_worth_keeping()) {
            return Ok(Added { id: id.clone(), is_new: false, earlier });
        }
        let keep = |bytes: &[u8]| -> Result<ContentHash, DoorError> {
            self.objects.keep(&[bytes]).map_err(self.failed("cannot write to the inbox"))?;
            Ok(ContentHash::of(bytes))
        };
        let keep_some = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| keep(bytes)).transpose();
        let mut changes = Vec::new();
        for (change, reasons) in waiting.changes {
            changes.push(StoredChange {
                base: keep_some(change.base.as_ref())?,
                content: keep_some(change.content.as_ref())?,
                file: change.file,
                op: change.op,
                rationale: change.rationale,
                mtime: change.mtime,
                reasons,
                common: keep_some(waiting.common.as_ref())?,
            });
        }
        let index = match waiting.index {
            None => None,
            Some(waiting) => Some(StoredIndex {
                base: keep(&waiting.change.base)?,
                content: keep(&waiting.change.content)?,
                reasons: waiting.reasons,
            }),
        };
        let stored = Stored {
            id: super::commit::new_id(at),
            at,
            origin: set.origin,
            run: set.run.clone(),
            title: secret::redacted(&set.title),
            changes,
            index,
        };
        self.write(&stored)?;
        Ok(Added { id: stored.id, is_new: true, earlier })
    }

    /// The entry in which the same is wanted already, and its change.
    pub(super) fn same<'a>(
        &self,
        all: &'a [Stored],
        origin: Origin,
        change: &Change,
    ) -> Option<(&'a Stored, &'a StoredChange)> {
        let wish = change.content.clone().filter(|_| Wish::is_told_by_words(origin));
        let wish =
            wish.and_then(|content| Wish::of(&change.file, change.base.as_deref().map(ContentHash::of), content));
        let wants = |known: &StoredChange| {
            let content = self.bytes(known.content).ok().flatten();
            content.and_then(|content| Wish::of(&known.file, known.base, content))
        };
        all.iter().find_map(|entry| {
            let wish = wish.as_ref().filter(|_| Wish::is_told_by_words(entry.origin));
            let is_same = |known: &&StoredChange| {
                known.is(change)
                    || (known.op == change.op && wish.is_some_and(|wish| wants(known).as_ref() == Some(wish)))
            };
            Some((entry, entry.changes.iter().find(is_same)?))
        })
    }

    /// Of an index edit, what does not wait yet: the lines about files that wait in an `earlier` entry wait there, and land
    /// with those files; those about its `own` files wait with them, whatever waits elsewhere, or a file whose line came
    /// with another of its name would have none. `None`: nothing is left, or all of it waits in one of the entries, which
    /// `earlier` names then.
    fn new_lines(
        &self,
        mut index: WaitingIndex,
        own: &BTreeSet<&str>,
        all: &[Stored],
        earlier: &mut BTreeMap<String, String>,
    ) -> Option<WaitingIndex> {
        let is_new = |targets: &[String]| !targets.iter().any(|target| earlier.contains_key(target));
        index.change.content = replay(&index.change, &index.change.base, &is_new);
        let whole = all.iter().filter(|entry| entry.index.as_ref().is_some_and(StoredIndex::is_whole));
        let mut known = whole.filter_map(|entry| Some((entry, lines_changed(&self.index_of(entry)?))));
        let lines = lines_changed(&index.change);
        let is_own =
            |(_, _, targets): &(bool, Vec<u8>, Vec<String>)| targets.iter().any(|file| own.contains(file.as_str()));
        let waits_in = match earlier.values().next() {
            Some(entry) if lines.is_empty() => Some(entry.clone()),
            _ => known
                .find(|(_, known)| lines.iter().all(|line| !is_own(line) && known.contains(line)))
                .map(|(entry, _)| entry.id.clone()),
        };
        let Some(entry) = waits_in else { return Some(index) };
        if !index.reasons.is_empty() {
            earlier.insert(INDEX_FILE.to_owned(), entry);
        }
        None
    }

    /// The files that an entry other than this one would bring or take away.
    pub(super) fn coming_and_going(&self, id: &str) -> Result<BTreeSet<String>, DoorError> {
        let others = self.all()?.into_iter().filter(|entry| entry.id != id).flat_map(|entry| entry.changes);
        Ok(others.filter(|change| change.op != Op::Replace).map(|change| change.file).collect())
    }

    fn write(&self, stored: &Stored) -> Result<(), DoorError> {
        let bytes = serde_json::to_vec_pretty(stored).map_err(io::Error::from);
        bytes
            .and_then(|bytes| write_atomic(&self.path(&stored.id), &bytes))
            .map_err(self.failed("cannot write to the inbox"))
    }

    fn path(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    /// Takes an entry back that was just added.
    pub(super) fn discard(&self, id: &str) {
        let _ = fs::remove_file(self.path(id));
    }

    /// Every entry that can be read, newest first. One that cannot is left where it is.
    pub(super) fn all(&self) -> Result<Vec<Stored>, DoorError> {
        let directory = match fs::read_dir(&self.directory) {
            Ok(directory) => directory,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed("cannot read the inbox")(error)),
        };
        let mut entries: Vec<Stored> = directory
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .filter_map(|path| read(&path))
            .collect();
        entries.sort_by(|one, other| (other.at, &other.id).cmp(&(one.at, &one.id)));
        Ok(entries)
    }

    /// The entry of an id.
    pub(super) fn find(&self, id: &str) -> Result<Stored, DoorError> {
        self.all()?.into_iter().find(|entry| entry.id == id).ok_or_else(|| DoorError::Unknown {
            what: "inbox entry",
            id: crate::text::visible(id).into_owned(),
            command: "inbox",
        })
    }

    /// An entry with its bytes.
    pub(super) fn with_bytes(&self, stored: &Stored) -> InboxEntry {
        let mut changes = Vec::new();
        for change in &stored.changes {
            changes.push(self.readable(
                HeldChange {
                    file: change.file.clone(),
                    op: change.op,
                    base: None,
                    content: None,
                    rationale: change.rationale.clone(),
                    reasons: change.reasons.clone(),
                    // Without it the two are brought together as if they had nothing in common.
                    common: change.common.and_then(|hash| self.objects.read(hash).ok()),
                },
                change.base,
                change.content,
            ));
        }
        if let Some(index) = stored.index.as_ref().filter(|index| index.is_whole()) {
            changes.push(self.readable(
                HeldChange {
                    file: INDEX_FILE.to_owned(),
                    op: Op::Replace,
                    base: None,
                    content: None,
                    rationale: Rationale { reason: stored.title.clone(), sources: Vec::new() },
                    reasons: index.reasons.clone(),
                    common: None,
                },
                Some(index.base),
                Some(index.content),
            ));
        }
        InboxEntry {
            id: stored.id.clone(),
            at: stored.at,
            origin: stored.origin,
            run: stored.run.clone(),
            title: stored.title.clone(),
            changes,
        }
    }

    /// A held change with its bytes. One whose bytes are lost hides no other: it says so, and can be rejected.
    fn readable(&self, change: HeldChange, base: Option<ContentHash>, content: Option<ContentHash>) -> HeldChange {
        match (self.bytes(base), self.bytes(content)) {
            (Ok(base), Ok(content)) => HeldChange { base, content, ..change },
            (Err(error), _) | (_, Err(error)) => {
                let message = format!("what was kept of it is lost, so it can only be rejected: {error}");
                let lost = HoldReason { guard: "validity".to_owned(), message };
                HeldChange { reasons: change.reasons.iter().cloned().chain([lost]).collect(), ..change }
            }
        }
    }

    /// The index edit of an entry; `None`: it has none, or what was kept of it is lost.
    pub(super) fn index_of(&self, stored: &Stored) -> Option<IndexChange> {
        let index = stored.index.as_ref()?;
        let read = |hash| self.objects.read(hash).ok();
        Some(IndexChange { base: read(index.base)?, content: read(index.content)? })
    }

    fn bytes(&self, hash: Option<ContentHash>) -> Result<Option<Vec<u8>>, DoorError> {
        hash.map(|hash| self.objects.read(hash)).transpose().map_err(self.failed("cannot read the inbox"))
    }

    /// An entry's files, and those of them that are wanted as a change set. Only what is wanted has to be readable.
    pub(super) fn choose(&self, stored: &Stored, wanted: &BTreeSet<String>) -> Result<Chosen, DoorError> {
        let files = chosen_files(stored, &[])?;
        let mut set = ChangeSet::new(stored.origin, stored.title.clone());
        set.run.clone_from(&stored.run);
        for change in stored.changes.iter().filter(|change| wanted.contains(&change.file)) {
            set.changes.push(Change {
                file: change.file.clone(),
                op: change.op,
                base: self.bytes(change.base)?,
                content: self.bytes(change.content)?,
                rationale: change.rationale.clone(),
                mtime: change.mtime,
            });
        }
        if let Some(index) = &stored.index {
            let images = self.bytes(Some(index.base)).and_then(|base| Ok((base, self.bytes(Some(index.content))?)));
            set.index = match images {
                Ok((base, content)) => {
                    Some(IndexChange { base: base.unwrap_or_default(), content: content.unwrap_or_default() })
                }
                // Where nothing is to land, a lost image keeps nobody from rejecting.
                Err(_) if wanted.is_empty() => None,
                Err(error) => return Err(error),
            };
        }
        Ok(Chosen { files, set })
    }

    /// Leaves of an entry what a decision left; an entry without files goes. Whether the index edit still waits as a whole.
    pub(super) fn keep_rest(&self, id: &str, rest: &Rest) -> Result<bool, DoorError> {
        let mut stored = self.find(id)?;
        let keep = |bytes: &Vec<u8>| -> Result<ContentHash, DoorError> {
            self.objects.keep(&[bytes]).map_err(self.failed("cannot write to the inbox"))?;
            Ok(ContentHash::of(bytes))
        };
        for (file, base) in &rest.bases {
            let hash = keep(base)?;
            let named = stored.changes.iter_mut().filter(|change| change.file == *file);
            named.for_each(|change| change.base = Some(hash));
        }
        stored.index = match (stored.index.take(), &rest.index) {
            (Some(_), Some(left)) if left.base == left.content => None,
            (Some(index), Some(left)) => {
                Some(StoredIndex { base: keep(&left.base)?, content: keep(&left.content)?, ..index })
            }
            (index, _) => index,
        };
        self.write(&stored)?;
        self.drop_files(id, &rest.gone)?;
        Ok(stored.index.is_some_and(|index| index.is_whole()) && !rest.gone.contains(INDEX_FILE))
    }

    /// Puts files back into an entry as they waited `before`, with the index lines that came with them; the entry may be gone
    /// meanwhile. Whether the index edit waits as a whole then. Under the lock of the store.
    pub(super) fn wait_again(&self, before: &Stored, files: &BTreeSet<String>) -> Result<bool, DoorError> {
        let now = self.all()?.into_iter().find(|entry| entry.id == before.id);
        let mut again = before.clone();
        let still = |file: &str| now.as_ref().and_then(|now| now.changes.iter().find(|change| change.file == file));
        again.changes.retain(|change| files.contains(&change.file) || still(&change.file).is_some());
        for change in &mut again.changes {
            if let Some(still) = still(&change.file) {
                change.clone_from(still);
            }
        }
        let left = now.as_ref().and_then(|now| now.index.as_ref()).filter(|_| !files.contains(INDEX_FILE));
        if let (Some(index), Some(left)) = (again.index.as_mut(), left) {
            // What was decided on the index itself stays decided.
            index.reasons.clone_from(&left.reasons);
        }
        self.write(&again)?;
        Ok(again.index.is_some_and(|index| index.is_whole()))
    }

    /// Takes files out of an entry; an entry without files goes.
    pub(super) fn drop_files(&self, id: &str, files: &BTreeSet<String>) -> Result<(), DoorError> {
        let mut stored = self.find(id)?;
        stored.changes.retain(|change| !files.contains(&change.file));
        if files.contains(INDEX_FILE)
            && let Some(index) = &mut stored.index
        {
            // What is left of the edit are the lines about files that still wait.
            index.reasons.clear();
        }
        if stored.files().is_empty() {
            return fs::remove_file(self.path(&stored.id)).map_err(self.failed("cannot write to the inbox"));
        }
        self.write(&stored)
    }
}

/// The files a person named, or all; an error for one that does not wait.
pub(super) fn chosen_files(stored: &Stored, files: &[String]) -> Result<BTreeSet<String>, DoorError> {
    let waiting: BTreeSet<String> = stored.files().into_iter().map(str::to_owned).collect();
    if files.is_empty() {
        return Ok(waiting);
    }
    match files.iter().find(|file| !waiting.contains(*file)) {
        None => Ok(files.iter().cloned().collect()),
        Some(file) => {
            Err(DoorError::Unknown { what: "held file", id: crate::text::visible(file).into_owned(), command: "inbox" })
        }
    }
}
