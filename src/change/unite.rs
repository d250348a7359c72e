//! One store's memories copied into another, as a change set: nothing is taken away anywhere, a name both have is kept
//! twice, index lines come along. Reads only.
//!
//! Not its job: whether the two belong together (see [`crate::project::stores`]).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Change, ChangeSet, DoorError, HistoryEntry, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::index::NewEntry;
use crate::memory::names::{folded, numbered};
use crate::memory::{ContentHash, Following, INDEX_FILE, Index, Memory, Snapshot};

/// A file that would be created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Created {
    /// Its name in the source.
    pub from: String,
    /// Its name in the target; another one when the target has a different file of that name.
    pub file: String,
    /// Whether the target has a different file of that name, so that both are kept.
    pub clash: bool,
}

/// What would happen, from the files as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The files that would be created.
    pub creates: Vec<Created>,
    /// Files the target has already, byte for byte, or got from an earlier landing.
    pub there: Vec<String>,
    /// The lines the target's index would get.
    pub index_lines: Vec<String>,
    /// What lies in the source and is no memory: it is not copied.
    pub left: Vec<String>,
}

impl Preview {
    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.creates.is_empty() && self.index_lines.is_empty()
    }
}

/// The change set that copies `from` into `into`, and its preview. `history` is the target's: what it says came from here
/// before is not copied again, whatever became of it since, unless that was undone. `name` names the landing.
///
/// # Errors
/// When a file cannot be read.
pub fn unite(
    from: &Snapshot,
    into: &Snapshot,
    history: &[HistoryEntry],
    name: &str,
) -> Result<(ChangeSet, Preview), DoorError> {
    let mut set = ChangeSet::new(Origin::Edit, name);
    let mut preview = Preview { left: left(from), ..Preview::default() };
    let earlier = earlier(history, from);
    let mut taken: BTreeSet<String> = into.memories.iter().map(|memory| folded(&memory.file)).collect();
    taken.extend(into.others.iter().map(|other| folded(&other.file)));
    taken.extend(earlier.values().map(|(file, _)| folded(file)));
    let mut names: Vec<(&Memory, String)> = Vec::new();
    for memory in &from.memories {
        let known = earlier.get(memory.file.as_str());
        let is_same = |file: &str| into.memory(file).is_some_and(|there| there.hash == memory.hash);
        if is_same(&memory.file) {
            names.push((memory, memory.file.clone()));
        } else if let Some((file, _)) = known {
            names.push((memory, file.clone()));
        } else {
            let file = free_name(&memory.file, &taken);
            taken.insert(folded(&file));
            names.push((memory, file));
        }
    }
    let renamed: Vec<(&str, &str)> = names
        .iter()
        .filter(|(memory, file)| memory.file != *file)
        .map(|(memory, file)| (memory.file.as_str(), file.as_str()))
        .collect();
    let following = Following::of(from, &renamed);
    for (memory, file) in &names {
        let path = from.store.path(&memory.file);
        let bytes = from.store.topic(&memory.file).map(|topic| topic.bytes);
        let bytes = bytes.map_err(|source| DoorError::Io { what: "cannot read", path, source })?;
        let content = following.text(bytes, &memory.file, &memory.file);
        let landed = earlier.get(memory.file.as_str()).is_some_and(|(_, hash)| *hash == ContentHash::of(&content));
        let is_there = into.memory(file).is_some_and(|there| there.hash == memory.hash);
        if landed || is_there {
            preview.there.push(memory.file.clone());
            continue;
        }
        // An earlier copy of a file that has changed here since stays; the newer one comes beside it.
        let file = match earlier.get(memory.file.as_str()) {
            Some(_) => free_name(file, &taken),
            None => file.clone(),
        };
        taken.insert(folded(&file));
        preview.creates.push(Created {
            from: memory.file.clone(),
            clash: folded(&file) != folded(&memory.file),
            file: file.clone(),
        });
        set.changes.push(Change {
            file,
            op: Op::Create,
            base: None,
            content: Some(content),
            rationale: Rationale { reason: reason(from, &memory.file), sources: Vec::new() },
            // The claim is the same one: it keeps its time.
            mtime: Mtime::At(memory.mtime),
        });
    }
    set.index = index(from, into, &preview, &following, !earlier.is_empty());
    if let Some(index) = &set.index {
        preview.index_lines = added_lines(&index.base, &index.content);
    }
    Ok((set, preview))
}

/// What the history says came from a store and was not taken back: the file there, as what and with which content.
fn earlier(history: &[HistoryEntry], from: &Snapshot) -> BTreeMap<String, (String, ContentHash)> {
    let mut known = BTreeMap::new();
    let here = reason(from, "");
    // Newest first: of two copies the later one counts.
    for file in history.iter().filter(|entry| entry.undone_by.is_none()).flat_map(|entry| &entry.files) {
        if let (Some(name), None, Some(after)) = (file.rationale.reason.strip_prefix(&here), file.before, file.after) {
            known.entry(name.to_owned()).or_insert((file.file.clone(), after));
        }
    }
    known
}

fn reason(from: &Snapshot, file: &str) -> String {
    format!("copied from {}/{file}", from.store.root().display())
}

/// What in a store is no memory of its own.
fn left(from: &Snapshot) -> Vec<String> {
    let others = from.others.iter().filter(|other| other.what != "lock");
    others.map(|other| format!("{} ({})", other.file, other.what)).collect()
}

/// `topic.md`, else `topic_2.md`, `topic_3.md`…; a new name ends in small letters, whatever the old one does.
fn free_name(file: &str, taken: &BTreeSet<String>) -> String {
    let stem = match file.rsplit_once('.') {
        Some((stem, ending)) if ending.eq_ignore_ascii_case("md") => stem,
        _ => file,
    };
    let file = format!("{stem}.md");
    (1..).map(|number| numbered(&file, number)).find(|name| !taken.contains(&folded(name))).unwrap_or_default()
}

/// The target's index with the source's entries and hand-written lines.
fn index(
    from: &Snapshot,
    into: &Snapshot,
    preview: &Preview,
    following: &Following<'_>,
    is_again: bool,
) -> Option<IndexChange> {
    let mut index = into.index.clone();
    for created in &preview.creates {
        let Some(memory) = from.memory(&created.from) else { continue };
        let said = from.index.entries().map(|(_, entry, _)| entry);
        let said = said.filter(|entry| !entry.wiki && !entry.mention).find(|entry| entry.target == created.from);
        let (title, hook) = match said {
            Some(entry) => (entry.title.clone(), entry.hook.clone()),
            None => (memory.name.clone(), memory.description.clone()),
        };
        index = Index::read(index.with_entry(&NewEntry { file: created.file.clone(), title, hook }));
    }
    let mut content = index.bytes;
    // What a person took out of the target since the first landing does not come again.
    let prose = if is_again { Vec::new() } else { prose(&from.index, &into.index) };
    if !prose.is_empty() {
        if !content.is_empty() && !content.ends_with(b"\n") {
            content.push(b'\n');
        }
        if !content.is_empty() {
            content.push(b'\n');
        }
        let text = following.text((prose.join("\n") + "\n").into_bytes(), INDEX_FILE, INDEX_FILE);
        content.extend_from_slice(&text);
    }
    (content != into.index.bytes).then(|| IndexChange { base: into.index.bytes.clone(), content })
}

/// The lines of an index that are no entries and that the other has not, under their headings.
fn prose(from: &Index, into: &Index) -> Vec<String> {
    let has: BTreeSet<&str> = into.lines.iter().map(|line| line.text.trim()).collect();
    let mut kept = Vec::new();
    let mut heading: Option<&str> = None;
    for (at, line) in from.lines.iter().enumerate() {
        let text = line.text.trim_end();
        let is_block = line.loaded.is_none() || text.trim().is_empty();
        if is_block || from.is_entry_line(at + 1) && !line.entries.is_empty() || has.contains(text.trim()) {
            continue;
        }
        if text.starts_with('#') {
            heading = Some(text);
            continue;
        }
        kept.extend(heading.take().map(str::to_owned));
        kept.push(text.to_owned());
    }
    kept
}

fn added_lines(before: &[u8], after: &[u8]) -> Vec<String> {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let had: BTreeSet<&str> = before.lines().collect();
    after.lines().filter(|line| !line.trim().is_empty() && !had.contains(line)).map(str::to_owned).collect()
}
