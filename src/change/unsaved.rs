//! Text that a person wrote in the screen and had not saved when it ended: kept in our state directory until they take it up
//! again or drop it.
//!
//! One file a screen, private like all of ours, never in a store; a credential is taken out of it first, as out of every copy
//! that may lie there for long. Not its job: the forms (`crate::tui`), and saving any of it (the door).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::workshop::Workshop;
use crate::process::{Identity, Life};
use crate::secret;
use crate::state::{StateDir, files, read_file, with_path};

/// Which form the text stood in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The editor of a memory.
    #[default]
    Edit,
    /// The form of a new memory.
    New,
    /// A memory's text on its way into CLAUDE.md or a rule.
    Promote,
    /// The index, put in order.
    Index,
}

/// The text as it stood there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Unsaved {
    /// In which form.
    pub form: Form,
    /// Of which file; empty: a new memory.
    pub file: String,
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The word for the type.
    pub type_word: String,
    /// The body, or the whole text where there are no fields.
    pub body: String,
    /// What was opened; `None`: it held a credential, or nothing was.
    pub base: Option<String>,
    /// Of an index: the memories that take over what a line said.
    pub taken_over: Vec<Taken>,
}

/// A memory that takes over what an index line said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Taken {
    /// Its file.
    pub file: String,
    /// What it held.
    pub base: String,
    /// What it becomes.
    pub content: String,
}

impl Unsaved {
    /// What it is, for people: the file, or that it is new.
    #[must_use]
    pub fn title(&self) -> String {
        match self.form {
            Form::New if self.name.trim().is_empty() => "a new memory".to_owned(),
            Form::New => format!("the new memory {}", self.name.trim()),
            Form::Promote => format!("what {} should become in CLAUDE.md or a rule", self.file),
            Form::Edit | Form::Index => self.file.clone(),
        }
    }

    /// The same without what must not lie in our files, and whether something was taken out.
    fn clean(&self) -> (Self, bool) {
        let mut clean = self.clone();
        let mut is_redacted = false;
        for text in [&mut clean.name, &mut clean.description, &mut clean.type_word, &mut clean.body] {
            if !secret::scan(text.as_bytes()).is_empty() {
                *text = secret::redacted(text);
                is_redacted = true;
            }
        }
        let taken = clean.taken_over.len();
        let is_clean = |text: &str| secret::scan(text.as_bytes()).is_empty();
        clean.taken_over.retain(|taken| is_clean(&taken.content) && is_clean(&taken.base));
        is_redacted |= clean.taken_over.len() < taken;
        clean.base = clean.base.filter(|base| is_clean(base));
        (clean, is_redacted)
    }
}

/// A text as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescued {
    /// The file it is kept in.
    #[serde(skip)]
    pub path: PathBuf,
    /// The store it is meant for.
    pub store: PathBuf,
    /// When it was kept.
    pub at: DateTime<Utc>,
    /// Whether a credential was taken out of it.
    #[serde(default)]
    pub is_redacted: bool,
    /// The screen it stands in, while that runs.
    pub owner: Identity,
    /// The text.
    pub text: Unsaved,
}

/// The file in which a screen keeps its text for a store.
#[must_use]
pub fn path(state: &StateDir, store: &Path, screen: &str) -> PathBuf {
    Workshop::at(&state.store(store)).unsaved().join(format!("{screen}.json"))
}

/// Keeps a text in a file, in place of what was kept there.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn keep(path: &Path, store: &Path, text: &Unsaved, at: DateTime<Utc>) -> io::Result<()> {
    let (text, is_redacted) = text.clean();
    let (path, store) = (path.to_owned(), store.to_owned());
    let record = Rescued { path, store, at, is_redacted, owner: Identity::own(), text };
    files::write(&record.path, "unsaved", &record)
}

/// Drops what is kept in a file; none is none.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn discard(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(with_path(error, "cannot remove", path)),
        _ => Ok(()),
    }
}

/// What waits for a store, newest first. What stands in a screen that still runs does not wait.
#[must_use]
pub fn waiting(state: &StateDir, store: &Path) -> Vec<Rescued> {
    in_directory(&Workshop::at(&state.store(store)).unsaved()).0
}

/// What waits for any store, newest first; and the files that say nothing this version understands, each with why.
#[must_use]
pub fn all_waiting(state: &StateDir) -> (Vec<Rescued>, Vec<(PathBuf, String)>) {
    let stores = fs::read_dir(state.root().join("stores")).into_iter().flatten().flatten();
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    for store in stores {
        let (found, others) = in_directory(&Workshop::at(&store.path()).unsaved());
        all.extend(found);
        unreadable.extend(others);
    }
    all.sort_by(newest_first);
    unreadable.sort();
    (all, unreadable)
}

/// The texts in a directory of them whose screen does not run any more, newest first; and the files that are not understood.
pub(super) fn in_directory(directory: &Path) -> (Vec<Rescued>, Vec<(PathBuf, String)>) {
    let paths = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let read = match read_file(&path) {
            // Its screen saved it just now.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => Err(error.to_string()),
            Ok(bytes) => files::understood::<Rescued>(&bytes),
        };
        match read {
            Ok(rescued) if rescued.owner.life() == Life::Alive => {}
            Ok(rescued) => found.push(Rescued { path, ..rescued }),
            Err(why) => unreadable.push((path, why)),
        }
    }
    found.sort_by(newest_first);
    (found, unreadable)
}

fn newest_first(one: &Rescued, other: &Rescued) -> std::cmp::Ordering {
    other.at.cmp(&one.at).then_with(|| one.path.cmp(&other.path))
}
