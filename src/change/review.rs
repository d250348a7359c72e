//! A person's look at what waits, and their decision: whole files, single hunks, a text of their own, or no.
//!
//! What is accepted lands at once as one history entry; what cannot land, and what is neither accepted nor rejected, stays
//! in the inbox, so that a decision never loses anything. Not its job: the guards, and how any of it looks.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::decision::{Accepted, Decision, Disk, Part, Take, disk, part, refused};
use super::halves::Halves;
use super::hunks::{self, Hunk};
use super::inbox::{Inbox, Rest};
use super::index_replay::{lines_changed, replay};
use super::plan::Request;
use super::settled::{self, Settled};
use super::workshop::Workshop;
use super::{
    Change, ChangeSet, Consent, DoorError, Held, InboxEntry, IndexChange, Landing, Loss, Op, dropped, land, let_go,
    rejected,
};
use crate::memory::{INDEX_FILE, Store};
use crate::secret;

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
    /// The files whose changes are dropped along with it.
    pub dropped_with: Vec<String>,
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
        .zip(halves.together().into_iter().zip(halves.dropped_together()))
        .map(|(change, (with, dropped_with))| {
            let (disk, theirs) = disk(change, root.as_ref());
            FileReview {
                hunks: hunks::of(change),
                index: IndexLines::about(&change.file, edit.as_ref()),
                losses: halves.losses(change, change.content.as_deref()),
                with: with.into_iter().collect(),
                dropped_with: dropped_with.into_iter().collect(),
                disk,
                theirs,
            }
        })
        .collect();
    Ok(Review { entry, files })
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
    // that only waits elsewhere to come or go.
    let elsewhere = inbox.coming_and_going(id)?;
    let waits = |chosen: &Chosen| &(&all.files | &elsewhere) - &chosen.whole;
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
        landing = land::land(workshop, store, request, &BTreeSet::new())?;
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
    let partly: Vec<Vec<u8>> = chosen.parts.iter().map(|(_, taken)| taken.clone()).collect();
    let taken = chosen.whole.iter().chain(chosen.parts.iter().map(|(file, _)| file));
    let mut decided = Settled {
        accepted: taken.map(|file| (file.clone(), landing.history.clone())).collect(),
        rejected: decision.rejected.clone(),
    };
    let parts = chosen.parts.into_iter().filter(|(file, _)| file != INDEX_FILE && !decision.rejected.contains(file));
    rest.bases = parts.collect();
    let _lock = workshop.lock()?;
    rejected::remember(workshop, stored.rejected(&decision.rejected))?;
    let_go::record::reject(workshop, &stored, &decision.rejected, partly, now)?;
    dropped::remember(workshop, &stored, &decision.rejected, now)?;
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
