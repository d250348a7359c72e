//! The verdicts of triage as change sets: still true, gone, another type, merged with its partner.
//!
//! Each is about what the person saw: a file that changed since is a conflict, never judged unseen. Nothing here touches the
//! disk but to read. Not its job: in which order memories are judged (see `crate::health`), and asking.

use chrono::{DateTime, Utc};

use super::guard::held;
use super::verbs::{self, SaveKind};
use super::{Change, ChangeSet, DoorError, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::{ContentHash, Entry, Field, Following, Index, Kind, Memory, Snapshot, Topic, frontmatter};
use crate::text::{count, visible};

/// A memory as a person saw it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// The file.
    pub file: String,
    /// What it held.
    pub hash: ContentHash,
}

impl From<&Memory> for Seen {
    fn from(memory: &Memory) -> Self {
        Self { file: memory.file.clone(), hash: memory.hash }
    }
}

/// Two memories that become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// The file that stays.
    pub keep: String,
    /// What it held when the person saw it.
    pub keep_base: Vec<u8>,
    /// The file that goes to the trash.
    pub partner: String,
    /// What it held.
    pub partner_base: Vec<u8>,
    /// What the one that stays becomes.
    pub content: Vec<u8>,
    /// Whether its claim is as old as the newer of the two, or renewed.
    pub kind: SaveKind,
}

/// The claims still hold: their age starts again.
///
/// # Errors
/// When a file changed since it was seen, cannot be read, or says nothing.
pub fn still_true(snapshot: &Snapshot, seen: &[Seen], at: DateTime<Utc>) -> Result<ChangeSet, DoorError> {
    let mut set = ChangeSet::new(Origin::Triage, format!("still true: {}", named(seen)));
    for one in seen {
        let bytes = as_seen(snapshot, one)?;
        let topic = Topic::read(bytes.clone());
        if topic.body().trim().is_empty()
            && topic.frontmatter.description.as_deref().unwrap_or_default().trim().is_empty()
        {
            let why = "it says nothing that could be true; write what it says, or delete it";
            return Err(DoorError::Refused {
                file: visible(&one.file).into_owned(),
                reason: held("validity", why.to_owned()),
            });
        }
        set.changes.extend(verbs::save(snapshot, &one.file, &bytes, &bytes, SaveKind::Renew, at).changes);
    }
    Ok(set)
}

/// Memories to the trash, with their index lines.
///
/// # Errors
/// When a file changed since it was seen, or cannot be read.
pub fn remove(snapshot: &Snapshot, seen: &[Seen]) -> Result<ChangeSet, DoorError> {
    for one in seen {
        as_seen(snapshot, one)?;
    }
    let files: Vec<String> = seen.iter().map(|one| one.file.clone()).collect();
    let mut set = verbs::remove(snapshot, &files)?;
    set.origin = Origin::Triage;
    for change in &mut set.changes {
        "judged as no longer true or needed".clone_into(&mut change.rationale.reason);
    }
    Ok(set)
}

/// Another type; the claim keeps its age, the file its name. What has the type already stays as it is.
///
/// # Errors
/// When a file changed since it was seen, cannot be read, or has a block too damaged for an edit of one line.
pub fn retype(snapshot: &Snapshot, seen: &[Seen], kind: Kind) -> Result<ChangeSet, DoorError> {
    let mut set = ChangeSet::new(Origin::Triage, format!("type {}: {}", kind.word(), named(seen)));
    for one in seen {
        let bytes = as_seen(snapshot, one)?;
        let refused = |error: &dyn std::fmt::Display| DoorError::Refused {
            file: visible(&one.file).into_owned(),
            reason: held("validity", format!("its type cannot be set: {error}; edit it by hand")),
        };
        let content = frontmatter::set(&bytes, Field::Type, kind.word()).map_err(|error| refused(&error))?;
        if content == bytes {
            continue;
        }
        set.changes.push(Change {
            file: one.file.clone(),
            op: Op::Replace,
            base: Some(bytes),
            content: Some(content),
            rationale: by_hand(format!("its type is {}", kind.word())),
            mtime: Mtime::Keep,
        });
    }
    Ok(set)
}

/// Two memories become one: the partner goes to the trash, links and index lines to it lead to the one that stays.
///
/// # Errors
/// When one of the two changed since it was seen, or cannot be read.
pub fn merge(snapshot: &Snapshot, union: &Union, at: DateTime<Utc>) -> Result<ChangeSet, DoorError> {
    let Union { keep, partner, .. } = union;
    for (file, base) in [(keep, &union.keep_base), (partner, &union.partner_base)] {
        as_seen(snapshot, &Seen { file: file.clone(), hash: ContentHash::of(base) })?;
    }
    verbs::index_was_read(snapshot)?;
    let mut set = ChangeSet::new(Origin::Triage, format!("merge {partner} into {keep}"));
    let following = Following::of(snapshot, &[(partner, keep)]);
    let content = following.text(union.content.clone(), keep, keep);
    let saved = verbs::save(snapshot, keep, &union.keep_base, &content, union.kind, at);
    let newest = [keep, partner].into_iter().filter_map(|file| Some(snapshot.memory(file)?.mtime)).max();
    for mut change in saved.changes {
        change.rationale = by_hand(format!("merged with {partner} by hand"));
        if let (SaveKind::KeepAge, Some(newest)) = (union.kind, newest) {
            change.mtime = Mtime::At(newest);
        }
        set.changes.push(change);
    }
    set.changes.push(Change {
        file: partner.clone(),
        op: Op::Remove,
        base: Some(union.partner_base.clone()),
        content: None,
        rationale: by_hand(format!("merged into {keep} by hand")),
        mtime: Mtime::Now,
    });
    let reason = format!("its link follows {partner}, now in {keep}");
    set.changes.extend(verbs::links_following(snapshot, &following, [partner, keep], &reason));
    // A description that changed has its index line follow, before the partner's line goes.
    let index = saved.index.map_or_else(|| snapshot.index.clone(), |index| Index::read(index.content));
    let content = united_index(&index, &following, keep, partner);
    let base = &snapshot.index.bytes;
    set.index = (content != *base).then(|| IndexChange { base: base.clone(), content });
    Ok(set)
}

/// The index in which what led to the partner leads to the one that stays; two lines for one file become one.
fn united_index(index: &Index, following: &Following<'_>, keep: &str, partner: &str) -> Vec<u8> {
    let has_line = index.entries().any(|(_, entry, _)| !entry.mention && following.meant(entry) == Some(keep));
    let superfluous =
        |line: usize, entry: &Entry| has_line && following.meant(entry) == Some(partner) && index.is_entry_line(line);
    following.index(&Index::read(index.without_where(&superfluous)))
}

/// The bytes of a file, when they are the ones that were seen.
fn as_seen(snapshot: &Snapshot, seen: &Seen) -> Result<Vec<u8>, DoorError> {
    let conflict = |theirs| DoorError::Conflict { file: seen.file.clone(), theirs, merged: None };
    // With the care a scan takes: what is a link to nothing, or no file at all, is there and cannot be judged.
    match snapshot.store.topic(&seen.file).map(|topic| topic.bytes) {
        Ok(bytes) if ContentHash::of(&bytes) == seen.hash => Ok(bytes),
        Ok(bytes) => Err(conflict(Some(bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(conflict(None)),
        Err(source) => Err(DoorError::Io { what: "cannot read", path: snapshot.store.path(&seen.file), source }),
    }
}

/// The one file, or how many.
fn named(seen: &[Seen]) -> String {
    match seen {
        [one] => one.file.clone(),
        _ => count(seen.len(), "memory", "memories"),
    }
}

fn by_hand(reason: String) -> Rationale {
    Rationale { reason, sources: Vec::new() }
}
