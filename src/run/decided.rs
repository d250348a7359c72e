//! What a person made of the changes that a run held.
//!
//! The inbox knows what still waits, the history what landed of it; a run's own journal ends before either. Not its job:
//! deciding (see [`crate::change::review`]).

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use super::RunView;
use crate::change::{Door, DoorError, Origin};
use crate::memory::Store;

/// What became of what a run held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Became {
    /// Something landed, and nothing waits any more.
    Accepted,
    /// Something landed, and the rest still waits.
    AcceptedInPart,
    /// Nothing landed, and nothing waits any more.
    Rejected,
}

impl Became {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::AcceptedInPart => "accepted in part",
            Self::Rejected => "rejected",
        }
    }
}

/// A person's decision on what a run held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// What became of it.
    pub became: Became,
    /// The history entries that landed of it, newest first.
    pub history: Vec<String>,
}

impl Decided {
    /// Whether nothing of it waits any more.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.became != Became::AcceptedInPart
    }
}

/// What is known of one store: the inbox entries there, and what landed of each run, newest first.
struct Known {
    waiting: Vec<String>,
    landed: Vec<(String, String)>,
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
        let known = known.as_ref()?;
        let landed = known.landed.iter().filter(|(of, id)| *of == run.id && run.history.as_ref() != Some(id));
        let history: Vec<String> = landed.map(|(_, id)| id.clone()).collect();
        let became = match (known.waiting.contains(entry), history.is_empty()) {
            (true, true) => return None,
            (true, false) => Became::AcceptedInPart,
            (false, false) => Became::Accepted,
            (false, true) => Became::Rejected,
        };
        Some(Decided { became, history })
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

fn known(door: &Door, store: &str) -> Result<Known, DoorError> {
    let store = Store::at(store);
    let waiting = door.inbox(&store)?.into_iter().map(|entry| entry.id).collect();
    let history = door.history(&store)?.into_iter().filter(|entry| entry.origin != Origin::Undo);
    let landed = history.filter_map(|entry| Some((entry.run?, entry.id))).collect();
    Ok(Known { waiting, landed })
}
