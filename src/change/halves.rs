//! Changes that wait and belong together: what one takes away is to stand in another one.
//!
//! Of a memory that is merged into or superseded by another, the removal is one half and the line that says so the other.
//! A decision on one is a decision on both, so that nothing goes whose words were to be kept. Not its job: what a guard makes
//! of an automatic change (see [`super::guard`]), and how any of it looks.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::{DateTime, Utc};

use super::decision::{Disk, Part, disk, part};
use super::guard::sentences::{self, Sentences};
use super::guard::{Subject, held, loss};
use super::write::Root;
use super::{Accepted, Account, Decision, DoorError, HeldChange, InboxEntry, Loss, Op, Take};
use crate::memory::{INDEX_FILE, Store};

/// A change that was decided on because its other half was.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Along {
    /// The file.
    pub file: String,
    /// The file that was decided on.
    pub with: String,
    /// Whether it was accepted; else it was rejected.
    pub is_accepted: bool,
}

/// What one file has to say for another one to go: sentences word by word, and sentences in other words.
#[derive(Clone, Debug, Default)]
struct Kept {
    word_by_word: Vec<String>,
    reworded: Vec<String>,
}

impl Kept {
    /// Whether a content says all of it.
    fn stands_in(&self, content: &[u8]) -> bool {
        let all = sentences::of_file(content);
        let words: HashSet<&str> = all.iter().flat_map(|sentence| sentence.split(' ')).collect();
        self.word_by_word.iter().all(|sentence| all.contains(sentence))
            && self.reworded.iter().all(|sentence| sentences::is_said_in(sentence, &words))
    }
}

/// The files that keep what a change takes away, and what.
type Needs = BTreeMap<String, Kept>;

/// The changes of an inbox entry, and what the store would say with them.
pub(super) struct Halves<'a> {
    changes: &'a [HeldChange],
    /// What the store would say if all of them landed that can.
    after: Sentences,
    /// What the disk holds of their files.
    disk: BTreeMap<&'a str, Vec<u8>>,
    now: DateTime<Utc>,
}

impl<'a> Halves<'a> {
    /// # Errors
    /// When the store cannot be listed.
    pub(super) fn of(
        entry: &'a InboxEntry,
        root: Option<&Root>,
        store: &Store,
        now: DateTime<Utc>,
    ) -> Result<Self, DoorError> {
        let changes = entry.changes.as_slice();
        let mut halves = Self { changes, after: Sentences::default(), disk: BTreeMap::new(), now };
        let failed = |source| DoorError::Io { what: "cannot read", path: store.root().to_owned(), source };
        // What stands there already is named before what is only to come.
        for file in root.map(Root::topic_files).transpose().map_err(failed)?.unwrap_or_default() {
            // A file that cannot be read vouches for nothing.
            let Some(Ok(Some(state))) = root.map(|root| root.locate(&file).and_then(|place| place.read())) else {
                continue;
            };
            match changes.iter().find(|change| change.file == file) {
                Some(change) => drop(halves.disk.insert(&change.file, state.bytes)),
                None => halves.after.add(&file, &state.bytes),
            }
        }
        let is_stuck = |change: &HeldChange| matches!(disk(change, root).0, Disk::Conflicts | Disk::Gone);
        let lands: Vec<(&HeldChange, bool)> =
            halves.memories().map(|change| (change, change.op == Op::Create || !is_stuck(change))).collect();
        for (change, _) in &lands {
            if let (Some(there), Some(content)) = (halves.disk.get(change.file.as_str()), &change.content) {
                halves.after.add_common(&change.file, there, content);
            }
        }
        for (change, lands) in lands {
            let there = halves.disk.get(change.file.as_str());
            if let Some(bytes) = if lands { change.content.as_ref() } else { there } {
                halves.after.add(&change.file, bytes);
            }
        }
        Ok(halves)
    }

    /// The changes of memories; the index follows.
    fn memories(&self) -> impl Iterator<Item = &'a HeldChange> + use<'a> {
        self.changes.iter().filter(|change| change.file != INDEX_FILE)
    }

    /// Every sentence that a change takes away, and what becomes of it. What is called kept stands on the disk, or lands with
    /// the change.
    pub(super) fn losses(&self, change: &HeldChange, content: Option<&[u8]>) -> Vec<Loss> {
        if change.file == INDEX_FILE {
            return Vec::new();
        }
        let subject = Subject {
            file: &change.file,
            before: change.base.as_deref(),
            after: content,
            rationale: &change.rationale,
        };
        loss::account(&subject, &self.after, self.now, false)
    }

    /// The changes that a change, with this content, cannot do without.
    fn needs(&self, change: &HeldChange, content: Option<&[u8]>) -> Needs {
        let mut needs = Needs::new();
        for loss in self.losses(change, content) {
            let Some(keeper) = loss.into.filter(|file| *file != change.file) else { continue };
            if !self.memories().any(|other| other.file == keeper && other.op != Op::Remove) {
                continue;
            }
            let kept = match loss.account {
                Account::Kept if self.is_there(&keeper, &loss.sentence) => continue,
                Account::Kept => Kept { word_by_word: vec![loss.sentence], ..Kept::default() },
                Account::Merged => Kept { reworded: vec![loss.sentence], ..Kept::default() },
                Account::Superseded => Kept::default(),
                Account::Expired | Account::Unexplained => continue,
            };
            let known = needs.entry(keeper).or_default();
            known.word_by_word.extend(kept.word_by_word);
            known.reworded.extend(kept.reworded);
        }
        needs
    }

    /// Whether a file says a sentence already, as it lies on the disk.
    fn is_there(&self, file: &str, sentence: &str) -> bool {
        let there = self.disk.get(file).map(|bytes| sentences::of_file(bytes)).unwrap_or_default();
        there.iter().any(|known| known == sentence)
    }

    /// For each file, in the order of the changes, those that are accepted along with it: what it cannot do without, and what
    /// goes because this says it.
    pub(super) fn together(&self) -> Vec<BTreeSet<String>> {
        let needs: Vec<(&HeldChange, Needs)> =
            self.changes.iter().map(|change| (change, self.needs(change, change.content.as_deref()))).collect();
        let mut together: Vec<BTreeSet<String>> =
            needs.iter().map(|(_, needs)| needs.keys().cloned().collect()).collect();
        for (change, needs) in needs.iter().filter(|(change, _)| change.op == Op::Remove) {
            for (at, other) in self.changes.iter().enumerate() {
                if let Some(with) = together.get_mut(at).filter(|_| needs.contains_key(&other.file)) {
                    with.insert(change.file.clone());
                }
            }
        }
        together
    }

    /// For each file, in the order of the changes, those that are rejected along with it.
    pub(super) fn dropped_together(&self) -> Vec<BTreeSet<String>> {
        let whole = self.whole();
        let none = BTreeSet::new();
        let removals: Vec<&HeldChange> = self.memories().filter(|change| change.op == Op::Remove).collect();
        let of = |change: &HeldChange| {
            let rests_on = |removal: &&&HeldChange| {
                whole.get(removal.file.as_str()).is_some_and(|needs| needs.contains_key(&change.file))
            };
            let mut along: BTreeSet<String> =
                removals.iter().filter(rests_on).map(|removal| removal.file.clone()).collect();
            along.extend(self.pointless(&whole, &BTreeSet::from([change.file.clone()]), &none));
            along
        };
        self.changes.iter().map(of).collect()
    }

    /// What each change cannot do without, where there is something.
    fn whole(&self) -> BTreeMap<&'a str, Needs> {
        self.memories()
            .map(|change| (change.file.as_str(), self.needs(change, change.content.as_deref())))
            .filter(|(_, needs)| !needs.is_empty())
            .collect()
    }

    /// The changes that add nothing but what rejected ones were to leave in them, and which so goes on standing where it stood:
    /// the line that says of a superseded memory what held before. What was decided on is `settled`.
    fn pointless(
        &self,
        whole: &BTreeMap<&'a str, Needs>,
        rejected: &BTreeSet<String>,
        settled: &BTreeSet<String>,
    ) -> Vec<String> {
        let is_pointless = |keeper: &HeldChange| {
            let needing: Vec<(&str, &Kept)> =
                whole.iter().filter_map(|(file, needs)| Some((*file, needs.get(&keeper.file)?))).collect();
            let all = |bytes: &Option<Vec<u8>>| sentences::of_file(bytes.as_deref().unwrap_or_default());
            let (before, mut after) = (all(&keeper.base), all(&keeper.content));
            let says_all_it_said = before.iter().all(|sentence| after.contains(sentence));
            after.retain(|sentence| !before.contains(sentence));
            let is_theirs = |sentence: &String| needing.iter().any(|(_, kept)| kept.word_by_word.contains(sentence));
            says_all_it_said
                && !needing.is_empty()
                && needing.iter().all(|(file, _)| rejected.contains(*file))
                && after.iter().all(is_theirs)
        };
        let open = self.memories().filter(|change| {
            change.op != Op::Remove && !rejected.contains(&change.file) && !settled.contains(&change.file)
        });
        open.filter(|change| is_pointless(change)).map(|change| change.file.clone()).collect()
    }

    /// A decision with the other halves of what it names.
    ///
    /// # Errors
    /// [`DoorError::Refused`] when a change is accepted and what is to keep its words is rejected or left out.
    pub(super) fn complete(&self, decision: &Decision) -> Result<(Decision, Vec<Along>), DoorError> {
        let whole = self.whole();
        let (mut made, mut along) = (decision.clone(), Vec::new());
        loop {
            let taken = self.taken(&made)?;
            let mut more: Vec<Along> = Vec::new();
            for (file, taken_of) in &taken {
                let Some(change) = self.memories().find(|change| change.file == *file) else { continue };
                let of_part = (!taken_of.is_whole).then(|| self.needs(change, taken_of.content.as_deref()));
                for (keeper, kept) in of_part.iter().chain(whole.get(file.as_str())).take(1).flatten() {
                    match taken.get(keeper) {
                        Some(other) if other.says(kept) => {}
                        None if !made.rejected.contains(keeper) => more.push(accepted(keeper, file)),
                        _ => return Err(torn(file, keeper)),
                    }
                }
            }
            let is_open = |file: &str| !taken.contains_key(file) && !made.rejected.contains(file);
            let removals = self.memories().filter(|change| change.op == Op::Remove && is_open(&change.file));
            for (change, needs) in removals.filter_map(|change| Some((change, whole.get(change.file.as_str())?))) {
                let is_lost = |(file, kept): (&String, &Kept)| match taken.get(file) {
                    Some(other) => !other.says(kept),
                    None => made.rejected.contains(file),
                };
                if let Some(keeper) =
                    needs.keys().find(|file| made.rejected.contains(*file) && !taken.contains_key(*file))
                {
                    more.push(Along { is_accepted: false, ..accepted(&change.file, keeper) });
                } else if let Some(keeper) = needs.keys().find(|file| taken.contains_key(*file))
                    && !needs.iter().any(is_lost)
                {
                    more.push(accepted(&change.file, keeper));
                }
            }
            let settled = taken.keys().cloned().collect();
            for file in self.pointless(&whole, &made.rejected, &settled) {
                let of_it =
                    |removal: &&String| whole.get(removal.as_str()).is_some_and(|needs| needs.contains_key(&file));
                if let Some(removal) = made.rejected.iter().find(of_it) {
                    more.push(Along { is_accepted: false, ..accepted(&file, removal) });
                }
            }
            let mut seen = BTreeSet::new();
            more.retain(|one| seen.insert(one.file.clone()));
            if more.is_empty() {
                return Ok((made, along));
            }
            for one in more {
                if one.is_accepted {
                    made.accepted.push(Accepted { file: one.file.clone(), take: Take::Whole });
                } else {
                    made.rejected.insert(one.file.clone());
                }
                along.push(one);
            }
        }
    }

    /// What the files become of which something is accepted.
    fn taken(&self, decision: &Decision) -> Result<BTreeMap<String, Taken>, DoorError> {
        let mut taken = BTreeMap::new();
        for Accepted { file, take } in &decision.accepted {
            let Some(change) = self.memories().find(|change| change.file == *file) else { continue };
            let (content, is_whole, is_own) =
                match part(file, change.op, change.base.as_deref(), change.content.as_deref(), take)? {
                    Part::Nothing => continue,
                    Part::Whole => (change.content.clone(), true, false),
                    Part::Some(content) => (Some(content), false, false),
                    Part::Own { text, .. } => (Some(text), false, true),
                };
            taken.insert(file.clone(), Taken { content, is_whole, is_own });
        }
        Ok(taken)
    }
}

/// What a file becomes.
struct Taken {
    content: Option<Vec<u8>>,
    is_whole: bool,
    /// In the person's own words, which they know.
    is_own: bool,
}

impl Taken {
    fn says(&self, kept: &Kept) -> bool {
        self.is_whole || self.is_own || self.content.as_ref().is_some_and(|content| kept.stands_in(content))
    }
}

fn accepted(file: &str, with: &str) -> Along {
    Along { file: file.to_owned(), with: with.to_owned(), is_accepted: true }
}

fn torn(file: &str, keeper: &str) -> DoorError {
    let message = format!(
        "what it says was to stand in {}, of which that is not accepted; accept both, or reject this one",
        crate::text::visible(keeper)
    );
    DoorError::Refused { file: crate::text::visible(file).into_owned(), reason: held("loss", message) }
}
