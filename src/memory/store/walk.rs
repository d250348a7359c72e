//! What lies in a store's directory, and what each thing is. Nothing is opened here.
//!
//! Symlinked files count as files, symlinked directories are named and not entered, so that no walk is endless. Near folders
//! come before deep ones: where a walk ends early, it is the far ones that are left out.

use std::collections::VecDeque;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::OtherFile;
use super::bound::{Bound, is_entered};
use crate::memory::names::{is_markdown, set_apart};
use crate::memory::{INDEX_FILE, LOCK_FILE};

/// How deep folders are walked.
const MOST_DEPTH: usize = 16;

/// A file that may be a memory or an index.
pub(super) struct Candidate {
    /// Its path inside the store, `/` separated.
    pub(super) file: String,
    /// What the file system says of it; of a link's target when it is one.
    pub(super) metadata: io::Result<Metadata>,
}

/// Everything in a store.
#[derive(Default)]
pub(super) struct Walked {
    /// Topic files.
    pub(super) topics: Vec<Candidate>,
    /// `MEMORY.md` of the store and of its folders.
    pub(super) indexes: Vec<Candidate>,
    /// The rest.
    pub(super) others: Vec<OtherFile>,
    /// Memories that nothing can name: their names are not Unicode.
    pub(super) nameless: Vec<String>,
    /// Folders that could not be listed.
    pub(super) closed: Vec<(String, io::Error)>,
    /// Where the walk ended, because there is too much: this folder and further ones were not looked through.
    pub(super) ended: Option<String>,
}

/// Lists a store.
pub(super) fn walk(root: &Path) -> io::Result<Walked> {
    let mut walked = Walked::default();
    let mut bound = Bound::new();
    let mut folders: VecDeque<(PathBuf, String, usize)> = VecDeque::from([(root.to_owned(), String::new(), 0)]);
    'walk: while let Some((path, prefix, depth)) = folders.pop_front() {
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(error),
            // A folder that vanished meanwhile holds nothing.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                walked.closed.push((prefix.trim_end_matches('/').to_owned(), error));
                continue;
            }
        };
        for entry in entries.flatten() {
            if !bound.takes_one() {
                walked.ended = Some(prefix.trim_end_matches('/').to_owned());
                break 'walk;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            let file = format!("{prefix}{}", name.to_string_lossy());
            let what = match name.to_str() {
                None => {
                    if kind.is_file() && is_markdown(&file) {
                        walked.nameless.push(file.clone());
                    }
                    "name is not Unicode"
                }
                Some(name) if name == LOCK_FILE => "lock",
                Some(name) if name.starts_with('.') => "hidden",
                // A folder in the index's place: what is in it is read, and that there is no index is said.
                Some(INDEX_FILE) if kind.is_dir() && depth == 0 => {
                    walked.indexes.push(Candidate { file: file.clone(), metadata: fs::metadata(entry.path()) });
                    folders.push_back((entry.path(), format!("{file}/"), depth + 1));
                    continue;
                }
                Some(name) if kind.is_dir() && !is_entered(name) => "folder of packages",
                Some(_) if kind.is_dir() && depth < MOST_DEPTH => {
                    folders.push_back((entry.path(), format!("{file}/"), depth + 1));
                    continue;
                }
                Some(_) if kind.is_dir() => "folder too deep",
                Some(name) => {
                    sort_in(&mut walked, name, file, kind, &entry.path());
                    continue;
                }
            };
            let bytes = entry.metadata().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 });
            walked.others.push(OtherFile { file, what, bytes });
        }
    }
    if walked.ended.is_some() && walked.indexes.iter().all(|index| index.file != INDEX_FILE) {
        // What a session loads is read in any case.
        let metadata = fs::metadata(root.join(INDEX_FILE));
        if metadata.is_ok() {
            walked.indexes.push(Candidate { file: INDEX_FILE.to_owned(), metadata });
        }
    }
    walked.topics.sort_by(|one, other| one.file.cmp(&other.file));
    walked.indexes.sort_by(|one, other| one.file.cmp(&other.file));
    walked.others.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(walked)
}

/// Puts a file where it belongs.
fn sort_in(walked: &mut Walked, name: &str, file: String, kind: FileType, path: &Path) {
    // `stat`, not `open`: a named pipe would wait for a writer.
    let metadata = fs::metadata(path);
    if kind.is_symlink() && metadata.as_ref().is_ok_and(Metadata::is_dir) {
        walked.others.push(OtherFile { file, what: "directory link", bytes: 0 });
        return;
    }
    let what = set_apart(&file).or_else(|| (!is_markdown(name)).then_some("not Markdown"));
    let bytes = metadata.as_ref().map_or(0, Metadata::len);
    match what {
        Some(what) => walked.others.push(OtherFile { file, what, bytes }),
        None if name == INDEX_FILE && file.contains('/') => {
            walked.others.push(OtherFile { file: file.clone(), what: "sub-index", bytes });
            walked.indexes.push(Candidate { file, metadata });
        }
        None if name == INDEX_FILE => walked.indexes.push(Candidate { file, metadata }),
        None => walked.topics.push(Candidate { file, metadata }),
    }
}
