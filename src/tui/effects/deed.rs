//! Changing the store: every deed becomes a change set and goes through the door.

use super::World;
use crate::change::verdicts::{self, Seen};
use crate::change::{ChangeSet, Consent, DoorError, Landing};
use crate::change::{index_edit, promote, verbs};
use crate::memory::{Index, Snapshot, Store};
use crate::project::Choice;
use crate::run::undo;
use crate::tui::effect::{Deed, Judgement};
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
    if let Deed::Save { file, .. } | Deed::Recreate { file, .. } = deed {
        world.opened.admit(file, &store.path(file))?;
    }
    let set = match deed {
        Deed::Create(draft) => verbs::create(snapshot, draft),
        Deed::Save { file, base, content, kind, origin } => {
            let set = verbs::save(snapshot, file, base, content, *kind, world.clock.now());
            ChangeSet { origin: *origin, ..set }
        }
        Deed::Recreate { file, base, content, kind, claimed, origin } => {
            let set = verbs::recreate(snapshot, (file, *claimed), base, content, *kind, world.clock.now());
            ChangeSet { origin: *origin, ..set }
        }
        Deed::Judge { seen, judgement } => judged(world, snapshot, seen, judgement)?,
        Deed::Snooze(wanted) => return door.snooze(store, wanted).map(Outcome::Snoozed),
        Deed::Rename { from, to } => verbs::rename(snapshot, from, to)?,
        Deed::Promote(promotion) => promote::promote(snapshot, promotion)?,
        Deed::EditIndex(edit) => index_edit::edit_index(snapshot, edit)?,
        Deed::Repair => {
            // What can be repaired shows in the store itself.
            let findings = crate::health::check(snapshot, &crate::health::Grounds::default());
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
                let along = landing.along.into_iter().map(|along| along.file);
                return Ok(Outcome::Dropped(decision.rejected.iter().cloned().chain(along).collect()));
            }
            return Ok(Outcome::Landed { title: format!("review {entry}"), landing });
        }
        Deed::WaitAgain { store, entry } => return door.wait_again(&Store::at(store), entry).map(Outcome::Waiting),
        Deed::Accept { entry, files } => {
            let landing = door.accept(store, entry, files)?;
            return Ok(Outcome::Landed { title: format!("accept {entry}"), landing });
        }
        Deed::Reject { entry, files } => return Ok(Outcome::Dropped(door.reject(store, entry, files)?)),
    };
    let landing = if set.is_empty() { Landing::default() } else { door.land(store, &set, Consent::Person)? };
    Ok(Outcome::Landed { title: set.title, landing })
}

/// The change set of a verdict.
fn judged(world: &World, snapshot: &Snapshot, seen: &[Seen], judgement: &Judgement) -> Result<ChangeSet, DoorError> {
    match judgement {
        Judgement::StillTrue => verdicts::still_true(snapshot, seen, world.clock.now()),
        Judgement::Delete => verdicts::remove(snapshot, seen),
        Judgement::Retype(kind) => verdicts::retype(snapshot, seen, *kind),
        Judgement::Merge(union) => verdicts::merge(snapshot, union, world.clock.now()),
    }
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
