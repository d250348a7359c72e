//! What a person made of the changes that a run held, file by file.
//!
//! The inbox knows what still waits, the door what was decided on and how; a run's own journal ends before either. Not its
//! job: deciding (see [`crate::change::review`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::Value;

use super::RunView;
use super::event::HeldLine;
use crate::change::guard::secrets::GUARD;
use crate::change::{Door, DoorError, HistoryEntry, Origin, Settled};
use crate::memory::{INDEX_FILE, Store};
use crate::text::count;

/// What became of what a run held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Became {
    /// All of it was accepted.
    Accepted,
    /// Something was accepted; the rest was rejected or still waits.
    AcceptedInPart,
    /// Nothing was accepted; what does not wait any more was rejected.
    Rejected,
}

/// A person's decision on what a run held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// What became of it.
    pub became: Became,
    /// How many changes were accepted as a whole.
    pub accepted: usize,
    /// How many were accepted in part, and the rest of them rejected.
    pub in_part: usize,
    /// How many were rejected.
    pub rejected: usize,
    /// How many still wait, as a whole or in part.
    pub waiting: usize,
    /// The history entries that landed of it, oldest first.
    pub history: Vec<String>,
}

impl Decided {
    /// Whether nothing of it waits any more.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.waiting == 0
    }

    /// `4 changes were held, then 3 accepted (ID), 1 rejected`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let landed: String = self.history.iter().map(|id| format!(" ({id})")).collect();
        let said: Vec<(usize, String)> = [
            (self.accepted, format!("accepted{landed}")),
            (
                self.in_part,
                if self.accepted > 0 { "accepted in part".to_owned() } else { format!("accepted in part{landed}") },
            ),
            (self.rejected, "rejected".to_owned()),
            (self.waiting, "still waiting".to_owned()),
        ]
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .collect();
        let held: usize = said.iter().map(|(many, _)| many).sum();
        let became = match said.as_slice() {
            [(_, all)] => all.clone(),
            parts => parts.iter().map(|(many, word)| format!("{many} {word}")).collect::<Vec<_>>().join(", "),
        };
        format!("{} held, then {became}", count(held, "change was", "changes were"))
    }
}

/// What is known of one store: what waits and what was decided on by inbox entry, and what landed of each run, oldest first.
struct Known {
    waiting: HashMap<String, BTreeSet<String>>,
    settled: BTreeMap<String, Settled>,
    landed: Vec<HistoryEntry>,
}

/// Tells of many runs, and reads each store once.
pub struct Decisions<'a> {
    door: &'a Door,
    stores: HashMap<String, Option<Known>>,
}

impl<'a> Decisions<'a> {
    /// Nothing read yet.
    #[must_use]
    pub fn new(door: &'a Door) -> Self {
        Self { door, stores: HashMap::new() }
    }

    /// What became of what a run held. `None`: it held nothing, all of it waits, or its store cannot be asked.
    pub fn of(&mut self, run: &RunView) -> Option<Decided> {
        let entry = run.inbox.as_ref()?;
        let door = self.door;
        let known = self.stores.entry(run.store.clone()).or_insert_with(|| known(door, &run.store).ok());
        known.as_ref()?.decided(run, entry)
    }

    /// The run's JSON with `reviewed`; an inbox entry that is gone is not named in it.
    pub fn json(&mut self, run: &RunView) -> Value {
        let (mut json, decided) = (run.to_json(), self.of(run));
        if let Some(object) = json.as_object_mut() {
            if decided.as_ref().is_some_and(Decided::is_whole) {
                object.insert("inbox".to_owned(), Value::Null);
            }
            object.insert("reviewed".to_owned(), serde_json::to_value(decided).unwrap_or_default());
        }
        json
    }
}

impl Known {
    fn decided(&self, run: &RunView, entry: &str) -> Option<Decided> {
        let mut decided =
            Decided { became: Became::Rejected, accepted: 0, in_part: 0, rejected: 0, waiting: 0, history: Vec::new() };
        // Of a decision that nobody noted, the history tells whether anything landed.
        let landed = || {
            let of_run = self.landed.iter().filter(|entry| entry.run.as_ref() == Some(&run.id));
            of_run.filter(|entry| run.history.as_ref() != Some(&entry.id))
        };
        let touching = |file: &str| {
            let of_file = |entry: &&HistoryEntry| entry.files.iter().any(|changed| changed.file == file);
            landed().filter(of_file).map(|entry| &entry.id).collect::<Vec<&String>>()
        };
        let mut is_any = false;
        // What holds a credential was kept nowhere, so nobody could decide on it.
        let is_kept = |held: &&HeldLine| !held.reasons.iter().any(|reason| reason.guard == GUARD);
        // The lines of the index go with their files, whatever was said of the index itself: it is no change to count beside them.
        let (index, files): (Vec<&HeldLine>, Vec<&HeldLine>) =
            run.held.iter().filter(is_kept).partition(|held| held.file == INDEX_FILE);
        for held in if files.is_empty() { index } else { files } {
            let entry = held.waits_in.as_deref().unwrap_or(entry);
            let settled = self.settled.get(entry);
            let accepted = settled.and_then(|settled| settled.accepted.get(&held.file));
            let is_rejected = settled.is_some_and(|settled| settled.rejected.contains(&held.file));
            let waits = self.waiting.get(entry).is_some_and(|files| files.contains(&held.file));
            // By hunk a file lands in several, of which only the last was noted.
            let mut history = if accepted.is_some() { touching(&held.file) } else { Vec::new() };
            history.extend(accepted.into_iter().flatten());
            is_any |= accepted.is_some();
            match (waits, accepted.is_some(), is_rejected) {
                (true, ..) => decided.waiting += 1,
                (false, true, true) => decided.in_part += 1,
                (false, true, false) => decided.accepted += 1,
                (false, false, true) => decided.rejected += 1,
                (false, false, false) => {
                    history.extend(landed().map(|entry| &entry.id));
                    is_any |= !history.is_empty();
                    *(if history.is_empty() { &mut decided.rejected } else { &mut decided.accepted }) += 1;
                }
            }
            for id in history {
                if !decided.history.contains(id) {
                    decided.history.push(id.clone());
                }
            }
        }
        decided.history.sort();
        if !is_any && decided.rejected == 0 {
            return None;
        }
        let is_all = decided.in_part + decided.rejected + decided.waiting == 0;
        decided.became = match (is_any, is_all) {
            (true, true) => Became::Accepted,
            (true, false) => Became::AcceptedInPart,
            (false, _) => Became::Rejected,
        };
        Some(decided)
    }
}

fn known(door: &Door, store: &str) -> Result<Known, DoorError> {
    let store = Store::at(store);
    let files = |entry: crate::change::InboxEntry| entry.changes.into_iter().map(|change| change.file).collect();
    let waiting = door.inbox(&store)?.into_iter().map(|entry| (entry.id.clone(), files(entry))).collect();
    let history = door.history(&store)?.into_iter().rev().filter(|entry| entry.origin != Origin::Undo);
    let landed = history.filter(|entry| entry.run.is_some()).collect();
    Ok(Known { waiting, settled: door.settled(&store), landed })
}
