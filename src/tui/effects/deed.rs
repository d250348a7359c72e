//! Changing the store: every deed becomes a change set and goes through the door.

use super::World;
use crate::change::verbs::{self, SaveKind};
use crate::change::{ChangeSet, Consent, DoorError, Landing, Origin};
use crate::memory::{Index, Snapshot, Store};
use crate::project::Choice;
use crate::run::undo;
use crate::tui::effect::Deed;
use crate::tui::event::Outcome;

/// Does a deed.
pub(super) fn perform(world: &World, choice: &Choice, deed: &Deed) -> Result<Outcome, DoorError> {
    let door = world.door();
    let store = &choice.store;
    let snapshot = world.snapshot().filter(|snapshot| snapshot.store == *store);
    let empty;
    let snapshot = match &snapshot {
        Some(snapshot) => snapshot.as_ref(),
        None => {
            empty = nothing_known(world, store);
            &empty
        }
    };
    let set = match deed {
        Deed::Create(draft) => verbs::create(snapshot, draft),
        Deed::Save { file, base, content, kind } => {
            verbs::save(snapshot, file, base, content, *kind, world.clock.now())
        }
        Deed::Remove(files) => verbs::remove(snapshot, files)?,
        Deed::StillTrue(files) => still_true(world, snapshot, files)?,
        Deed::Rename { from, to } => verbs::rename(snapshot, from, to)?,
        Deed::Repair => {
            let findings = crate::health::check(snapshot, &world.grounds(choice));
            crate::health::fix(snapshot, &findings).0
        }
        Deed::Undo { store, entry } => {
            let store = &Store::at(store);
            let title = door
                .history(store)?
                .into_iter()
                .find(|known| known.id == *entry || known.run.as_ref() == Some(entry))
                .map_or_else(|| entry.clone(), |known| known.title);
            return Ok(Outcome::Landed { title, landing: undo::undo(&door, store, entry)? });
        }
        Deed::Decide { store, entry, decision } => {
            let landing = door.decide(&Store::at(store), entry, decision)?;
            if decision.accepted.is_empty() {
                return Ok(Outcome::Dropped(decision.rejected.iter().cloned().collect()));
            }
            return Ok(Outcome::Landed { title: format!("review {entry}"), landing });
        }
        Deed::Accept { entry, files } => {
            let landing = door.accept(store, entry, files)?;
            return Ok(Outcome::Landed { title: format!("accept {entry}"), landing });
        }
        Deed::Reject { entry, files } => return Ok(Outcome::Dropped(door.reject(store, entry, files)?)),
    };
    let landing = if set.is_empty() { Landing::default() } else { door.land(store, &set, Consent::Person)? };
    Ok(Outcome::Landed { title: set.title, landing })
}

/// One change set that renews the claims of several memories.
fn still_true(world: &World, snapshot: &Snapshot, files: &[String]) -> Result<ChangeSet, DoorError> {
    let mut set = ChangeSet::new(Origin::Triage, format!("still true: {}", files.join(", ")));
    for file in files {
        let path = snapshot.store.path(file);
        let bytes =
            std::fs::read(&path).map_err(|source| DoorError::Io { what: "cannot read", path: path.clone(), source })?;
        let renewed = verbs::save(snapshot, file, &bytes, &bytes, SaveKind::Renew, world.clock.now());
        set.changes.extend(renewed.changes);
    }
    Ok(set)
}

/// A store of which nothing is known yet: not scanned, or not there.
fn nothing_known(world: &World, store: &Store) -> Snapshot {
    Snapshot {
        store: store.clone(),
        index: Index::default(),
        has_index: false,
        memories: Vec::new(),
        others: Vec::new(),
        problems: Vec::new(),
        scanned_at: world.clock.now(),
    }
}
