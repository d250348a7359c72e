//! What a person does to one entry: keep it away from here, let it come again, take it from the server.
//!
//! Not its job: sending and taking changes (see [`super::sync`]).

use super::file_of;
use super::local::Local;
use super::obstacle::{Names, obstacle};
use super::overtaken::withdraw;
use super::record::{Record, RecordPlace};
use super::remote::{Remote, RemoteError};
use crate::change::{Change, ChangeSet, Consent, Door, DoorError, Landing, Mtime, Op, Origin, Rationale};
use crate::memory::names::of_the_team;
use crate::memory::{INDEX_FILE, Index, Store};

/// Why an act did nothing.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// No such entry.
    #[error("{0:?} is no entry of the team; `dreamtop team status` lists them")]
    Unknown(String),
    /// It is the index, which is made of the others.
    #[error("MEMORY.md is the index of the team's entries and stays; name one of them")]
    Index,
    /// The person would lose something.
    #[error("{0}")]
    Unsent(String),
    /// Another sync is going on.
    #[error("another sync of this store is going on; try again when it is done")]
    Busy,
    /// The server.
    #[error("{0}")]
    Remote(#[from] RemoteError),
    /// The store.
    #[error(transparent)]
    Door(#[from] DoorError),
    /// Our record, or `memory/team/`.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The entry that a person means: `notes.md`, `notes`, `team/notes.md`.
///
/// # Errors
/// When there is no such entry here, on the server or among the hidden ones.
pub fn meant(word: &str, local: &Local, record: &Record) -> Result<String, ActError> {
    let plain = of_the_team(word).unwrap_or(word);
    let known = |key: &str| {
        local.texts.contains_key(key)
            || local.refusal(key).is_some()
            || record.server.contains_key(key)
            || record.hidden.contains(key)
    };
    [plain.to_owned(), format!("{plain}.md")]
        .into_iter()
        .find(|key| known(key))
        .ok_or_else(|| ActError::Unknown(crate::text::visible(word).into_owned()))
}

/// A change set that takes an entry, and its lines in the team's index if so wished, out of `memory/team/`.
fn removal(local: &Local, key: &str, title: String, with_lines: bool) -> ChangeSet {
    let mut set = ChangeSet::new(Origin::Edit, title);
    let rationale = |reason: &str| Rationale { reason: reason.to_owned(), sources: Vec::new() };
    if let Some(text) = local.texts.get(key) {
        set.changes.push(Change {
            file: file_of(key),
            op: Op::Remove,
            base: Some(text.clone()),
            content: None,
            rationale: rationale("removed by hand"),
            mtime: Mtime::Now,
        });
    }
    if let Some(index) = local.texts.get(INDEX_FILE).filter(|_| with_lines) {
        let without = Index::read(index.clone()).without(key);
        if without != *index && !without.trim_ascii().is_empty() {
            set.changes.push(Change {
                file: file_of(INDEX_FILE),
                op: Op::Replace,
                base: Some(index.clone()),
                content: Some(without),
                rationale: rationale("its line goes with it"),
                mtime: Mtime::Now,
            });
        }
    }
    set
}

/// Keeps an entry away from here: what lies here goes to the trash, and no pull brings it back. The team keeps it.
///
/// # Errors
/// When the server has no such entry, or what is here differs from what it has.
pub fn hide(door: &Door, store: &Store, place: &RecordPlace, word: &str) -> Result<(String, Landing), ActError> {
    let _lock = place.lock()?.ok_or(ActError::Busy)?;
    let (mut record, local) = (place.read().0, Local::read(store.root())?);
    let key = meant(word, &local, &record)?;
    if key == INDEX_FILE {
        return Err(ActError::Index);
    }
    let (here, there) = (local.sum(&key), record.server.get(&key));
    if there.is_none() {
        let advice = format!("the team's server has no {key}; `dreamtop team delete {key}` takes it out here");
        return Err(ActError::Unsent(advice));
    }
    if here.is_some() && record.counted(&key, here.as_ref()) != record.base.get(&key) {
        return Err(ActError::Unsent(format!("{key} was changed here and not sent; sync first, or undo the change")));
    }
    // Accepted later, it would come here all the same.
    withdraw(door, store, &|_, held| held == key)?;
    // Written first: a crash in between leaves an entry that is still there and so is not hidden, which hiding again does.
    record.held.remove(&key);
    record.hidden.insert(key.clone());
    place.write(&record, &[])?;
    let set = removal(&local, &key, format!("hide {}", file_of(&key)), false);
    let landing = if set.is_empty() { Landing::default() } else { door.land(store, &set, Consent::Person)? };
    Ok((key, landing))
}

/// Lets a hidden entry come again with the next pull. False: it was not hidden.
///
/// # Errors
/// When there is no such entry.
pub fn unhide(store: &Store, place: &RecordPlace, word: &str) -> Result<(String, bool), ActError> {
    let _lock = place.lock()?.ok_or(ActError::Busy)?;
    let (mut record, local) = (place.read().0, Local::read(store.root())?);
    let key = meant(word, &local, &record)?;
    let was_hidden = record.hidden.remove(&key);
    if was_hidden {
        // What was written here meanwhile is no edit of what the team has: the two meet as strangers.
        if local.sum(&key).is_some_and(|here| record.base.get(&key) != record.counted(&key, Some(&here))) {
            record.base.remove(&key);
        }
        place.write(&record, &[])?;
    }
    Ok((key, was_hidden))
}

/// Puts an entry that was never sent into the trash, with its line in the team's index. `None`: the server has one of this
/// name, as far as is known.
///
/// # Errors
/// When there is no such entry.
pub fn drop_unsent(
    door: &Door,
    store: &Store,
    place: &RecordPlace,
    word: &str,
) -> Result<Option<(String, Landing)>, ActError> {
    let _lock = place.lock()?.ok_or(ActError::Busy)?;
    let (record, local) = (place.read().0, Local::read(store.root())?);
    let key = meant(word, &local, &record)?;
    if key == INDEX_FILE {
        return Err(ActError::Index);
    }
    if record.server.contains_key(&key) || record.base.contains_key(&key) || !local.texts.contains_key(&key) {
        return Ok(None);
    }
    let set = removal(&local, &key, format!("remove {}", file_of(&key)), true);
    let landing = door.land(store, &set, Consent::Person)?;
    Ok(Some((key, landing)))
}

/// Takes an entry from the server, for everybody, and puts what is here into the trash. Our own servers can; they keep its
/// history.
///
/// # Errors
/// When the server has no such entry, somebody changed it since it was last seen, or what is here was not sent.
pub fn delete(
    door: &Door,
    store: &Store,
    place: &RecordPlace,
    remote: &dyn Remote,
    word: &str,
) -> Result<(String, Landing), ActError> {
    let _lock = place.lock()?.ok_or(ActError::Busy)?;
    let (mut record, local) = (place.read().0, Local::read(store.root())?);
    let key = meant(word, &local, &record)?;
    if key == INDEX_FILE {
        return Err(ActError::Index);
    }
    let Some(there) = record.server.get(&key).cloned() else {
        let advice = format!("the team's server has no {key} as far as is known; `dreamtop team pull` looks");
        return Err(ActError::Unsent(advice));
    };
    if local.sum(&key).is_some_and(|here| record.counted(&key, Some(&here)) != Some(&there)) {
        let names = Names::of(record.server.keys());
        let text = local.texts.get(&key).map(Vec::as_slice).unwrap_or_default();
        return Err(ActError::Unsent(match obstacle(&record, &local, &names, &key, text) {
            Some(reason) => format!(
                "{key} differs here from what the server has, and is not sent ({reason}): take your file out of memory/team/ first, then delete {key} for everybody"
            ),
            None => format!("{key} differs here from what the server has; sync first"),
        }));
    }
    // Both have this, and that is written down first: a crash further on leaves an entry that is here as both had it and there
    // no longer, which the next pull takes away. Without it, the next push would bring it back for everybody.
    if let Some(text) = local.texts.get(&key) {
        record.base.insert(key.clone(), there.clone());
        place.write(&record, &[text])?;
    }
    remote.delete(&key, &there).map_err(|error| match error {
        RemoteError::Moved => {
            ActError::Unsent(format!("somebody changed {key} since; pull, look, and delete it again"))
        }
        error => ActError::Remote(error),
    })?;
    record.server.remove(&key);
    record.hidden.remove(&key);
    record.blocked.remove(&key);
    record.accepted.remove(&key);
    record.held.remove(&key);
    record.disputed.remove(&key);
    // Accepted later, it would bring back for everybody what is deleted.
    withdraw(door, store, &|_, held| held == key)?;
    record.returned.remove(&key);
    // What the server has now is asked for whole.
    record.etag = None;
    place.write(&record, &[])?;
    let set = removal(&local, &key, format!("delete {} for the team", file_of(&key)), true);
    let landing = if set.is_empty() { Landing::default() } else { door.land(store, &set, Consent::Person)? };
    record.base.remove(&key);
    place.write(&record, &[])?;
    Ok((key, landing))
}
