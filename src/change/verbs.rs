//! What a person does to memories, as change sets: one verb, one function. Nothing here touches the disk but to read.

use chrono::{DateTime, SecondsFormat, Utc};

use super::guard::held;
use super::{Change, ChangeSet, DoorError, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::index::NewEntry;
use crate::memory::names::{folded, set_apart};
use crate::memory::{Draft, Entry, Field, Following, Frontmatter, INDEX_FILE, Index, Shape, Snapshot, frontmatter};
use crate::text;

/// What saving means for the age of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    /// A typo: the claim keeps its age.
    KeepAge,
    /// The claim was checked: its age starts again. `modified` is set where the shape has it or the file already dates
    /// itself; the file's own time dates the others.
    Renew,
}

/// A new memory and its index line. The file's name is in the change.
#[must_use]
pub fn create(snapshot: &Snapshot, draft: &Draft) -> ChangeSet {
    let files = || {
        let memories = snapshot.memories.iter().map(|memory| memory.file.as_str());
        memories.chain(snapshot.others.iter().map(|other| other.file.as_str()))
    };
    let file = draft.file_name(&|name| files().any(|file| folded(file) == name));
    let mut set = ChangeSet::new(Origin::Edit, format!("new {file}"));
    let entry = NewEntry { file: file.clone(), title: draft.name.clone(), hook: draft.description.clone() };
    set.index = index_change(&snapshot.index, snapshot.index.with_entry(&entry));
    set.changes.push(Change {
        file,
        op: Op::Create,
        base: None,
        content: Some(draft.to_bytes()),
        rationale: by_hand("written by hand"),
        mtime: Mtime::Now,
    });
    set
}

/// An edited memory: `base` is what was opened, `content` what it becomes. When the description changed and the index
/// line held the old one, the line follows. `at` dates a renewed claim.
#[must_use]
pub fn save(
    snapshot: &Snapshot,
    file: &str,
    base: &[u8],
    content: &[u8],
    kind: SaveKind,
    at: DateTime<Utc>,
) -> ChangeSet {
    let mut content = content.to_vec();
    let after = frontmatter::read(&content);
    // A date in the file wins over the file's own time, so one that is there must not stay behind.
    if kind == SaveKind::Renew && (after.shape == Shape::Nested || after.modified.is_some()) {
        // A block too damaged to be dated keeps its bytes; the file's own time tells the age then.
        let stamp = at.to_rfc3339_opts(SecondsFormat::Millis, true);
        content = frontmatter::set(&content, Field::Modified, &stamp).unwrap_or(content);
    }
    let mut set = ChangeSet::new(Origin::Edit, format!("edit {file}"));
    set.index = index_change(&snapshot.index, following(&snapshot.index, file, &frontmatter::read(base), &after));
    let (reason, mtime) = match kind {
        SaveKind::KeepAge => ("edited by hand", Mtime::Keep),
        SaveKind::Renew => ("checked by hand and still true", Mtime::Now),
    };
    set.changes.push(Change {
        file: file.to_owned(),
        op: Op::Replace,
        base: Some(base.to_vec()),
        content: Some(content),
        rationale: by_hand(reason),
        mtime,
    });
    set
}

/// An edited memory whose file went meanwhile: the edit under the same name, dated as [`save`] would have. `file` comes with
/// the time it had. The index line that is there stays; where there is none, no session would see the memory.
#[must_use]
pub fn recreate(
    snapshot: &Snapshot,
    (file, claimed): (&str, Option<DateTime<Utc>>),
    base: &[u8],
    content: &[u8],
    kind: SaveKind,
    at: DateTime<Utc>,
) -> ChangeSet {
    let mut set = save(snapshot, file, base, content, kind, at);
    for change in &mut set.changes {
        (change.op, change.base) = (Op::Create, None);
        if kind == SaveKind::KeepAge {
            change.mtime = claimed.map_or(Mtime::Now, Mtime::At);
        }
    }
    if !snapshot.index.entries().any(|(_, entry, _)| entry.target == file) {
        let front = frontmatter::read(content);
        let title = front.name.unwrap_or_else(|| file.trim_end_matches(".md").to_owned());
        let entry = NewEntry { file: file.to_owned(), title, hook: front.description.unwrap_or_default() };
        set.index = index_change(&snapshot.index, snapshot.index.with_entry(&entry));
    }
    set
}

/// Memories to the trash, with their index lines.
///
/// # Errors
/// When a file cannot be read.
pub fn remove(snapshot: &Snapshot, files: &[String]) -> Result<ChangeSet, DoorError> {
    let title = match files {
        [file] => format!("remove {file}"),
        _ => format!("remove {}", text::count(files.len(), "memory", "memories")),
    };
    let mut set = ChangeSet::new(Origin::Edit, title);
    index_was_read(snapshot)?;
    let mut index = snapshot.index.clone();
    for file in files {
        index = Index::read(index.without(file));
        set.changes.push(Change {
            file: file.clone(),
            op: Op::Remove,
            base: Some(read(snapshot, file)?),
            content: None,
            rationale: by_hand("removed by hand"),
            mtime: Mtime::Now,
        });
    }
    set.index = index_change(&snapshot.index, index.bytes);
    Ok(set)
}

/// A memory under another file name; links in the index and in other memories follow.
///
/// # Errors
/// When the file cannot be read, or the new name is taken.
pub fn rename(snapshot: &Snapshot, from: &str, to: &str) -> Result<ChangeSet, DoorError> {
    let refuse = |message: String| {
        let reason = held("validity", message);
        Err(DoorError::Refused { file: text::visible(to).into_owned(), reason })
    };
    if folded(from) == folded(to) {
        return refuse("the new name differs from the old one at most in letter case or accents".to_owned());
    }
    let taken = snapshot.memories.iter().map(|memory| memory.file.as_str());
    let taken = taken.chain(snapshot.others.iter().map(|other| other.file.as_str()));
    if let Some(file) = taken.into_iter().find(|file| folded(file) == folded(to)) {
        return refuse(format!("the name is taken by {}; choose another", text::visible(file)));
    }
    if let Some(reason) = super::guard::containment::refusal(to) {
        return Err(DoorError::Refused { file: text::visible(to).into_owned(), reason });
    }
    // There it would be in no list any more, and what is the team's would go to the others unreviewed.
    match set_apart(&folded(to)) {
        Some("team memory") => {
            return refuse(
                "team/ holds what is shared; `dreamtop team promote` offers a memory to the team".to_owned(),
            );
        }
        Some(what) => return refuse(format!("a {what} is no memory; choose another folder")),
        None => {}
    }
    if to.rsplit('/').next().is_some_and(|name| folded(name) == folded(INDEX_FILE)) {
        return refuse("that is the name of an index; choose another".to_owned());
    }
    index_was_read(snapshot)?;
    let bytes = read(snapshot, from)?;
    let following = Following::of(snapshot, &[(from, to)]);
    let mut set = ChangeSet::new(Origin::Edit, format!("rename {from} to {to}"));
    // The claim is the same one: it keeps its time under the new name.
    let mtime = snapshot.memory(from).map_or(Mtime::Now, |memory| Mtime::At(memory.mtime));
    set.changes.push(Change {
        file: to.to_owned(),
        op: Op::Create,
        base: None,
        content: Some(following.text(bytes.clone(), from, to)),
        rationale: by_hand(&format!("renamed from {from}")),
        mtime,
    });
    set.changes.push(Change {
        file: from.to_owned(),
        op: Op::Remove,
        base: Some(bytes),
        content: None,
        rationale: by_hand(&format!("renamed to {to}")),
        mtime: Mtime::Now,
    });
    set.changes.extend(links_following(
        snapshot,
        &following,
        [from, to],
        &format!("its link follows {from}, now {to}"),
    ));
    set.index = index_change(&snapshot.index, following.index(&snapshot.index));
    Ok(set)
}

/// The folder that a file of this name would need and that is not there; `None`: none is missing.
#[must_use]
pub fn new_folder<'a>(snapshot: &Snapshot, file: &'a str) -> Option<&'a str> {
    let (folder, _) = file.rsplit_once('/')?;
    (!snapshot.store.path(folder).is_dir()).then_some(folder)
}

/// What follows a rename, one line each, for a person to see before it lands.
#[must_use]
pub fn follow(set: &ChangeSet, from: &str, to: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(change) = &set.index {
        let (before, after) = (Index::read(change.base.clone()), Index::read(change.content.clone()));
        let changed = before.lines.iter().zip(&after.lines).filter(|(old, new)| old.text != new.text);
        lines.extend(changed.map(|(_, new)| format!("{INDEX_FILE}: {}", text::visible(&new.text))));
    }
    let others = set.changes.iter().filter(|change| change.file != from && change.file != to);
    lines.extend(others.map(|change| format!("its link follows in {}", text::visible(&change.file))));
    if lines.is_empty() {
        lines.push("nothing else names it".to_owned());
    }
    lines
}

fn by_hand(reason: &str) -> Rationale {
    Rationale { reason: reason.to_owned(), sources: Vec::new() }
}

fn index_change(index: &Index, content: Vec<u8>) -> Option<IndexChange> {
    (content != index.bytes).then(|| IndexChange { base: index.bytes.clone(), content })
}

/// The index whose hook of the file follows its description, when it said the same as the old one.
fn following(index: &Index, file: &str, before: &Frontmatter, after: &Frontmatter) -> Vec<u8> {
    let (Some(old), Some(new)) = (&before.description, &after.description) else { return index.bytes.clone() };
    if old == new || follows(index, file, old).is_none() {
        return index.bytes.clone();
    }
    index.with_hook(file, new)
}

/// The entry of a file that says the same as its description, with the number of its line: it follows when that changes.
#[must_use]
pub fn follows<'a>(index: &'a Index, file: &str, description: &str) -> Option<(usize, &'a Entry, bool)> {
    index
        .entries()
        .find(|(_, entry, _)| entry.target == file)
        .filter(|(_, entry, _)| entry.hook.trim() == description.trim())
}

/// The links of all memories but these two, which are changed already, and of the indexes of folders.
pub(super) fn links_following(
    snapshot: &Snapshot,
    following: &Following<'_>,
    but: [&str; 2],
    reason: &str,
) -> Vec<Change> {
    let folders = snapshot.others.iter().filter(|other| other.what == "sub-index").map(|other| &other.file);
    let others = snapshot.memories.iter().map(|memory| &memory.file).chain(folders);
    let others = others.filter(|file| !but.contains(&file.as_str()));
    let change = |file: &str| {
        // What cannot be read now has no links that could follow, and must not stand in the way.
        let bytes = read(snapshot, file).ok()?;
        let anew = following.text(bytes.clone(), file, file);
        (anew != bytes).then(|| Change {
            file: file.to_owned(),
            op: Op::Replace,
            base: Some(bytes),
            content: Some(anew),
            rationale: by_hand(reason),
            mtime: Mtime::Keep,
        })
    };
    others.filter_map(|file| change(file)).collect()
}

/// Refuses where the index is there and could not be read: a line in it could not follow.
///
/// # Errors
/// With the reason that the scan found.
pub(super) fn index_was_read(snapshot: &Snapshot) -> Result<(), DoorError> {
    let Some(why) = snapshot.unread_index() else { return Ok(()) };
    let reason = held("validity", format!("{why}; its line there would stay"));
    Err(DoorError::Refused { file: INDEX_FILE.to_owned(), reason })
}

fn read(snapshot: &Snapshot, file: &str) -> Result<Vec<u8>, DoorError> {
    let path = snapshot.store.path(file);
    let read = snapshot.store.topic(file).map(|topic| topic.bytes);
    read.map_err(|source| DoorError::Io { what: "cannot read", path, source })
}

#[cfg(test)]
#[path = "verbs_tests.rs"]
mod tests;
