//! From two directories to a change set: what a run did is read off its working copy, never taken from its words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use super::{Change, ChangeSet, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::index::NewEntry;
use crate::memory::names::is_markdown;
use crate::memory::names::without_extension;
use crate::memory::{INDEX_FILE, Index, frontmatter};
use crate::state::with_path;

/// What turns `pristine` (the store as the run found it) into `working` (as the run left it). Topic files become changes
/// with the rationale given for them, `MEMORY.md` an index change; anything but regular `*.md` files is ignored.
///
/// A dream only tidies, so a changed memory keeps the age of its claim; anyone else's change renews it.
///
/// # Errors
/// When one of the directories cannot be read.
pub fn change_set(
    pristine: &Path,
    working: &Path,
    origin: Origin,
    title: &str,
    rationales: &BTreeMap<String, Rationale>,
) -> io::Result<ChangeSet> {
    let (old, new) = (files(pristine)?, files(working)?);
    let mut set = ChangeSet::new(origin, title);
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for file in names {
        let (base, content) = (old.get(file), new.get(file));
        if base == content || file == INDEX_FILE {
            continue;
        }
        let op = match (base, content) {
            (None, _) => Op::Create,
            (_, None) => Op::Remove,
            _ => Op::Replace,
        };
        set.changes.push(Change {
            file: file.clone(),
            op,
            base: base.cloned(),
            content: content.cloned(),
            rationale: rationales.get(file).cloned().unwrap_or_default(),
            mtime: if origin == Origin::Dream && op == Op::Replace { Mtime::Keep } else { Mtime::Now },
        });
    }
    let side = |files: &BTreeMap<String, Vec<u8>>| files.get(INDEX_FILE).cloned().unwrap_or_default();
    let (base, content) = (side(&old), following(side(&new), set.changes.iter()));
    set.index = (base != content).then_some(IndexChange { base, content });
    Ok(set)
}

/// The index after a run that may have forgotten it: files that went have no entry, new ones have one.
pub(super) fn following<'a>(mut index: Vec<u8>, changes: impl Iterator<Item = &'a Change>) -> Vec<u8> {
    for change in changes {
        match (change.op, &change.content) {
            (Op::Remove, _) => index = Index::read(index).without(&change.file),
            (Op::Create, Some(bytes)) => {
                let said = frontmatter::read(bytes);
                let entry = NewEntry {
                    file: change.file.clone(),
                    title: said.name.unwrap_or_else(|| without_extension(&change.file).to_owned()),
                    hook: said.description.unwrap_or_default(),
                };
                index = Index::read(index).with_entry(&entry);
            }
            _ => {}
        }
    }
    index
}

/// The regular Markdown files of a directory with their bytes, hidden ones and links left out.
fn files(root: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(root.to_owned(), String::new())];
    while let Some((directory, way)) = waiting.pop() {
        let entries = fs::read_dir(&directory).map_err(|error| with_path(error, "cannot read", &directory))?;
        for entry in entries {
            let entry = entry.map_err(|error| with_path(error, "cannot read", &directory))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let file = if way.is_empty() { name } else { format!("{way}/{name}") };
            let kind = entry.file_type().map_err(|error| with_path(error, "cannot read", &entry.path()))?;
            if kind.is_dir() {
                waiting.push((entry.path(), file));
            } else if kind.is_file() && is_markdown(&file) {
                let bytes = fs::read(entry.path()).map_err(|error| with_path(error, "cannot read", &entry.path()))?;
                found.insert(file, bytes);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn what_a_run_did_is_read_off_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let (old, new) = (directory.path().join("old"), directory.path().join("new"));
        for (file, text) in [("same.md", "s"), ("changed.md", "1"), ("gone.md", "g"), ("MEMORY.md", "- a\n")] {
            write(&old, file, text);
        }
        for (file, text) in [
            ("same.md", "s"),
            ("changed.md", "2"),
            ("sub/new.md", "n"),
            ("MEMORY.md", "- b\n"),
            ("note.txt", "no Markdown"),
            (".hidden.md", "h"),
            (".consolidate-lock", "7"),
        ] {
            write(&new, file, text);
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", new.join("link.md")).unwrap();
        let why = Rationale { reason: "it changed".to_owned(), sources: Vec::new() };
        let rationales = BTreeMap::from([("changed.md".to_owned(), why.clone())]);
        let set = change_set(&old, &new, Origin::Dream, "dream", &rationales).unwrap();
        let told: Vec<(&str, Op, Mtime)> =
            set.changes.iter().map(|change| (change.file.as_str(), change.op, change.mtime)).collect();
        assert_eq!(
            told,
            [
                ("changed.md", Op::Replace, Mtime::Keep),
                ("gone.md", Op::Remove, Mtime::Now),
                ("sub/new.md", Op::Create, Mtime::Now)
            ]
        );
        assert_eq!(set.changes.first().unwrap().rationale, why);
        let content = b"- b\n- [sub/new](sub/new.md)\n".to_vec();
        assert_eq!(set.index, Some(IndexChange { base: b"- a\n".to_vec(), content }), "a new file gets its line");
        assert!(change_set(&new, &new, Origin::Dream, "dream", &rationales).unwrap().is_empty());
    }

    #[test]
    fn a_memory_with_an_ending_in_capitals_is_one_here_too() {
        let directory = tempfile::tempdir().unwrap();
        let (old, new) = (directory.path().join("old"), directory.path().join("new"));
        write(&old, "A.MD", "1");
        write(&new, "A.MD", "2");
        let set = change_set(&old, &new, Origin::Dream, "dream", &BTreeMap::new()).unwrap();
        let told: Vec<_> = set.changes.iter().map(|change| (change.file.as_str(), change.op)).collect();
        assert_eq!(told, [("A.MD", Op::Replace)]);
    }

    #[test]
    fn a_missing_directory_is_an_error_with_its_path() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing");
        let error =
            change_set(&missing, directory.path(), Origin::Dream, "dream", &BTreeMap::new()).unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
    }
}
