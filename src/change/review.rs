//! A person's look at what waits, and their decision: whole files, single hunks, a text of their own, or no.
//!
//! What is accepted lands at once as one history entry; what cannot land, and what is neither accepted nor rejected, stays
//! in the inbox, so that a decision never loses anything. Not its job: the guards, and how any of it looks.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::guard::held;
use super::halves::Halves;
use super::hunks::{self, Hunk, take};
use super::inbox::{Inbox, Rest};
use super::index_replay::{lines_changed, replay};
use super::merge::{Merge, three_way};
use super::plan::Request;
use super::settled::{self, Settled};
use super::workshop::Workshop;
use super::write::Root;
use super::{
    Change, ChangeSet, Consent, DoorError, Held, HeldChange, InboxEntry, IndexChange, Landing, Loss, Op, land, rejected,
};
use crate::memory::{INDEX_FILE, Store};
use crate::secret;

/// What a person makes of the files of one inbox entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// What lands.
    pub accepted: Vec<Accepted>,
    /// What is dropped.
    pub rejected: BTreeSet<String>,
}

/// What is taken of one held file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The file.
    pub file: String,
    /// How much of it.
    pub take: Take,
}

/// How much of a held change is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// All of it.
    Whole,
    /// The hunks of these numbers, from 1; the rest goes on waiting.
    Hunks(BTreeSet<usize>),
    /// The person's own version of it.
    Text {
        /// What it becomes.
        text: Vec<u8>,
        /// What they saw on the disk when they wrote it; `None`: what the proposal was made from.
        base: Option<Vec<u8>>,
    },
}

/// How a held change meets the file as it is on the disk now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Disk {
    /// The file is as it was.
    Same,
    /// It changed since, elsewhere than the proposal: both come together.
    Merges,
    /// It changed since, in the same places: it cannot land as it is.
    Conflicts,
    /// It is gone.
    Gone,
    /// It is as proposed already.
    Done,
}

impl Disk {
    /// What that means for a change, to tell a person; empty when there is nothing to tell.
    #[must_use]
    pub const fn sentence(self, op: Op) -> &'static str {
        match (self, op) {
            (Self::Same, _) => "",
            (Self::Merges, _) => "the file changed since; both changes will be merged",
            (Self::Conflicts, Op::Create) => "another file has this name by now; this one lands under a numbered name",
            (Self::Conflicts, Op::Replace) => {
                "the file changed since in the same places; edit brings both versions together, or reject it"
            }
            (Self::Conflicts, Op::Remove) => "the file changed since, so it is not what was to go; reject the removal",
            (Self::Gone, _) => "the file is gone since; reject the change",
            (Self::Done, _) => "the file is as proposed already",
        }
    }
}

/// Lines of the index about one held file: they land, wait and go with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct IndexLines {
    /// Lines that go.
    pub removed: Vec<String>,
    /// Lines that come.
    pub added: Vec<String>,
}

impl IndexLines {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Those of an index edit that are about a file.
    fn about(file: &str, edit: Option<&IndexChange>) -> Self {
        let mut lines = Self::default();
        for (comes, text, targets) in edit.map(lines_changed).unwrap_or_default() {
            if targets.iter().any(|target| target == file) {
                let side = if comes { &mut lines.added } else { &mut lines.removed };
                side.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        lines
    }
}

/// All there is to know about one held change before deciding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReview {
    /// Where it differs from what it was made from. Only a replaced file has more than one.
    pub hunks: Vec<Hunk>,
    /// Every sentence that would go, and what would become of it.
    pub losses: Vec<Loss>,
    /// The files whose changes are its other half: accepted, it takes them along.
    pub with: Vec<String>,
    /// The lines of the index that come and go with it.
    pub index: IndexLines,
    /// How it meets the disk.
    pub disk: Disk,
    /// What the disk holds, where that cannot be merged with the proposal.
    pub theirs: Option<Vec<u8>>,
}

/// An inbox entry with all there is to know before deciding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// What waits.
    pub entry: InboxEntry,
    /// For each of its changes, in the same order.
    pub files: Vec<FileReview>,
}

pub(super) fn look(workshop: &Workshop, store: &Store, id: &str, now: DateTime<Utc>) -> Result<Review, DoorError> {
    let inbox = Inbox::of(workshop);
    let stored = inbox.find(id)?;
    let (entry, edit) = (inbox.with_bytes(&stored), inbox.index_of(&stored));
    let root = land::open(store)?;
    let halves = Halves::of(&entry, root.as_ref(), store, now)?;
    let files = entry
        .changes
        .iter()
        .zip(halves.together())
        .map(|(change, with)| {
            let (disk, theirs) = disk(change, root.as_ref());
            FileReview {
                hunks: hunks::of(change),
                index: IndexLines::about(&change.file, edit.as_ref()),
                losses: halves.losses(change, change.content.as_deref()),
                with: with.into_iter().collect(),
                disk,
                theirs,
            }
        })
        .collect();
    Ok(Review { entry, files })
}

/// How a change meets the disk, and what lies there when the two cannot be merged.
pub(super) fn disk(change: &HeldChange, root: Option<&Root>) -> (Disk, Option<Vec<u8>>) {
    let found = root.and_then(|root| root.locate(&change.file).and_then(|place| place.read()).ok().flatten());
    let now = found.as_ref().map(|state| state.bytes.as_slice());
    if now == change.content.as_deref() {
        return (Disk::Done, None);
    }
    if now == change.base.as_deref() {
        return (Disk::Same, None);
    }
    // The index is edited line by line, on whatever it is.
    if change.file == INDEX_FILE {
        return (Disk::Merges, None);
    }
    match (change.base.as_deref(), change.content.as_deref(), now) {
        (_, _, None) => (Disk::Gone, None),
        (Some(base), Some(content), Some(now)) if matches!(three_way(base, content, now), Merge::Clean(_)) => {
            (Disk::Merges, None)
        }
        (_, _, Some(now)) => (Disk::Conflicts, Some(now.to_vec())),
    }
}

/// What a decision leaves to do, worked out before anything is touched.
struct Chosen {
    set: ChangeSet,
    /// Files whose change is taken as a whole.
    whole: BTreeSet<String>,
    /// Files of which some hunks are taken, with what they become: the base of what goes on waiting.
    parts: Vec<(String, Vec<u8>)>,
}

impl Chosen {
    /// What could not land goes on waiting as it was.
    fn leave(&mut self, held: &[Held]) {
        let waits = |file: &String| held.iter().any(|held| held.file == secret::redacted_name(file));
        self.whole.retain(|file| !waits(file));
        self.parts.retain(|(file, _)| !waits(file));
    }

    /// Of the index, the lines about files that land come with their files, whichever hunks were taken.
    fn complete_index(&mut self, asked: Option<&IndexChange>) {
        let taken = self.parts.iter_mut().find(|(file, _)| file == INDEX_FILE).map(|(_, taken)| taken);
        let (Some(asked), Some(taken), Some(index)) = (asked, taken, &mut self.set.index) else { return };
        let rest = IndexChange { base: taken.clone(), content: asked.content.clone() };
        let lands = |targets: &[String]| targets.iter().any(|target| self.whole.contains(target));
        *taken = replay(&rest, taken, &lands);
        index.content.clone_from(taken);
    }
}

pub(super) fn decide(
    workshop: &Workshop,
    store: &Store,
    id: &str,
    decision: &Decision,
    now: DateTime<Utc>,
) -> Result<Landing, DoorError> {
    let inbox = Inbox::of(workshop);
    let stored = inbox.find(id)?;
    let named = decision.accepted.iter().map(|accepted| &accepted.file).chain(&decision.rejected);
    super::inbox::chosen_files(&stored, &named.cloned().collect::<Vec<_>>())?;
    let entry = inbox.with_bytes(&stored);
    let (decision, along) = Halves::of(&entry, land::open(store)?.as_ref(), store, now)?.complete(decision)?;
    let wanted = decision.accepted.iter().map(|accepted| accepted.file.clone()).collect();
    let all = inbox.choose(&stored, &wanted)?;
    let mut chosen = choose(&all.set, &all.files, &decision)?;
    chosen.complete_index(all.set.index.as_ref());
    let mut landing = Landing::default();
    let takes_index = chosen.whole.contains(INDEX_FILE) || chosen.parts.iter().any(|(file, _)| file == INDEX_FILE);
    // A line about a file that does not land stays with that file, or it would point to nothing. So does one about a file
    // that waits elsewhere to come or go.
    let elsewhere = inbox.coming_and_going(id)?;
    let waits = |chosen: &Chosen| &all.files.difference(&chosen.whole).cloned().collect::<BTreeSet<_>>() | &elsewhere;
    let not_yet = waits(&chosen);
    if !chosen.set.is_empty() {
        let request = Request {
            set: &chosen.set,
            consent: Consent::Person,
            index_files: (!takes_index).then_some(&chosen.whole),
            index_without: Some(&not_yet),
            from_inbox: true,
            now,
        };
        landing = land::land(workshop, store, request)?;
        chosen.leave(&landing.held);
        landing.inbox = (!landing.held.is_empty()).then(|| id.to_owned());
    }
    landing.along = along;
    let not_yet = waits(&chosen);
    let mut rest = Rest { gone: &chosen.whole | &decision.rejected, ..Rest::default() };
    if let Some(index) = &all.set.index {
        let lands = |targets: &[String]| {
            let is_meant = takes_index || targets.iter().any(|target| chosen.whole.contains(target));
            is_meant && !targets.iter().any(|target| not_yet.contains(target))
        };
        let taken = chosen.parts.iter().find(|(file, _)| file == INDEX_FILE).map(|(_, taken)| taken.clone());
        let landed = IndexChange { base: index.base.clone(), content: taken.unwrap_or_else(|| index.content.clone()) };
        let base = replay(&landed, &index.base, &lands);
        // A file that was rejected takes the lines about it along.
        let left = IndexChange { base: base.clone(), content: index.content.clone() };
        let stays = |targets: &[String]| !targets.iter().any(|target| decision.rejected.contains(target));
        rest.index = Some(IndexChange { content: replay(&left, &base, &stays), base });
    }
    let taken = chosen.whole.iter().chain(chosen.parts.iter().map(|(file, _)| file));
    let mut decided = Settled {
        accepted: taken.map(|file| (file.clone(), landing.history.clone())).collect(),
        rejected: decision.rejected.clone(),
    };
    let parts = chosen.parts.into_iter().filter(|(file, _)| file != INDEX_FILE && !decision.rejected.contains(file));
    rest.bases = parts.collect();
    let _lock = workshop.lock()?;
    rejected::remember(workshop, stored.rejected(&decision.rejected))?;
    let is_index_left = inbox.keep_rest(id, &rest)?;
    if all.files.contains(INDEX_FILE) && !decision.rejected.contains(INDEX_FILE) {
        if landing.landed.iter().any(|landed| landed.file == INDEX_FILE) {
            decided.accepted.insert(INDEX_FILE.to_owned(), landing.history.clone());
        } else if !is_index_left
            && !decided.accepted.contains_key(INDEX_FILE)
            && !settled::is_accepted(workshop, id, INDEX_FILE)
        {
            // All its lines went with the files they are about.
            decided.rejected.insert(INDEX_FILE.to_owned());
        }
    }
    settled::remember(workshop, id, decided)?;
    Ok(landing)
}

fn choose(all: &ChangeSet, files: &BTreeSet<String>, decision: &Decision) -> Result<Chosen, DoorError> {
    let mut set = ChangeSet { changes: Vec::new(), index: all.index.clone(), ..all.clone() };
    let (mut whole, mut parts) = (BTreeSet::new(), Vec::new());
    for Accepted { file, take: wanted } in &decision.accepted {
        if decision.rejected.contains(file) && *wanted == Take::Whole {
            return Err(refused(file, "it cannot be accepted and rejected at once".to_owned()));
        }
        if file == INDEX_FILE && files.contains(INDEX_FILE) {
            let Some(index) = &mut set.index else { continue };
            match part(file, Op::Replace, Some(&index.base), Some(&index.content), wanted)? {
                Part::Whole => {
                    whole.insert(file.clone());
                }
                Part::Some(taken) => {
                    parts.push((file.clone(), taken.clone()));
                    index.content = taken;
                }
                Part::Nothing => {}
                Part::Own { .. } => {
                    return Err(refused(file, "the index is edited line by line; take or leave its hunks".to_owned()));
                }
            }
            continue;
        }
        let Some(change) = all.changes.iter().find(|change| change.file == *file) else { continue };
        match part(file, change.op, change.base.as_deref(), change.content.as_deref(), wanted)? {
            Part::Whole => {
                whole.insert(file.clone());
                set.changes.push(change.clone());
            }
            Part::Own { text, base } => {
                let base = base.or_else(|| change.base.clone());
                let mut own = Change { content: Some(text), base, ..change.clone() };
                own.rationale.reason.push_str(" (edited in review)");
                whole.insert(file.clone());
                set.changes.push(own);
            }
            Part::Some(taken) => {
                set.changes.push(Change { content: Some(taken.clone()), ..change.clone() });
                parts.push((file.clone(), taken));
            }
            Part::Nothing => {}
        }
    }
    if whole.is_empty() && parts.is_empty() {
        set.index = None;
    }
    Ok(Chosen { set, whole, parts })
}

/// What is meant to land of one file.
pub(super) enum Part {
    Whole,
    Some(Vec<u8>),
    Own { text: Vec<u8>, base: Option<Vec<u8>> },
    Nothing,
}

pub(super) fn part(
    file: &str,
    op: Op,
    base: Option<&[u8]>,
    content: Option<&[u8]>,
    wanted: &Take,
) -> Result<Part, DoorError> {
    let numbers = match wanted {
        Take::Whole => return Ok(Part::Whole),
        Take::Text { .. } if op == Op::Remove => {
            return Err(refused(file, "a removal has no text to edit; accept or reject it".to_owned()));
        }
        Take::Text { text, base } => {
            // A new file has no base, whatever was seen beside it.
            let base = base.clone().filter(|_| op != Op::Create);
            return Ok(Part::Own { text: text.clone(), base });
        }
        Take::Hunks(numbers) => numbers,
    };
    let count = match (base, content) {
        (Some(base), Some(content)) => hunks::between(base, content).len(),
        _ => 1,
    };
    if let Some(wrong) = numbers.iter().find(|number| **number == 0 || **number > count) {
        let has = crate::text::count(count, "hunk", "hunks");
        return Err(refused(file, format!("there is no hunk {wrong}; it has {has}, see `dreamtop inbox show`")));
    }
    Ok(match (base, content) {
        _ if numbers.is_empty() => Part::Nothing,
        (Some(base), Some(content)) if numbers.len() < count => Part::Some(take(base, content, numbers)),
        _ => Part::Whole,
    })
}

fn refused(file: &str, message: String) -> DoorError {
    DoorError::Refused { file: crate::text::visible(file).into_owned(), reason: held("validity", message) }
}
