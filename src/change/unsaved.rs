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
    /// What a merge of two memories should become.
    Merge,
    /// A person's own versions of held changes.
    Review,
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
    /// Of a merge: the memory that goes, and what it held.
    pub partner: Option<Partner>,
    /// Of a promotion: where it goes, and how.
    pub goes: Option<Goes>,
    /// Of a review: of what, and the versions that are written already. The fields hold the one that was being written,
    /// if there is a file.
    pub review: Option<Reviewed>,
}

/// The memory that a merge takes away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Partner {
    /// Its file.
    pub file: String,
    /// What it held; `None`: a credential.
    pub base: Option<String>,
}

/// Where a promoted text goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Goes {
    /// Into which file, by its absolute path.
    pub path: String,
    /// For which paths, as it was typed.
    pub patterns: String,
    /// Whether the memory goes to the trash.
    pub is_removed: bool,
}

/// A review with versions of one's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reviewed {
    /// The store it is for.
    pub store: PathBuf,
    /// The inbox entry.
    pub entry: String,
    /// The versions.
    pub versions: Vec<Version>,
}

/// A person's own version of a held change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Version {
    /// Of which file.
    pub file: String,
    /// What was seen on the disk; `None`: what the proposal was made from.
    pub base: Option<String>,
    /// The whole text.
    pub content: String,
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
            Form::Merge => {
                let partner = self.partner.as_ref().map_or("another memory", |partner| partner.file.as_str());
                format!("the merge of {partner} into {}", self.file)
            }
            Form::Review => format!("your version of {}", self.files().join(", ")),
            Form::Edit | Form::Index => self.file.clone(),
        }
    }

    /// The files whose texts are in it.
    #[must_use]
    pub fn files(&self) -> Vec<&str> {
        let versions = self.review.iter().flat_map(|review| &review.versions).map(|version| version.file.as_str());
        let partner = self.partner.iter().map(|partner| partner.file.as_str());
        let own = Some(self.file.as_str()).filter(|file| !file.is_empty());
        own.into_iter().chain(versions.chain(partner).filter(|file| Some(*file) != own)).collect()
    }

    /// Whether a text of this file is in it.
    #[must_use]
    pub fn is_about(&self, file: &str) -> bool {
        self.files().contains(&file)
    }

    /// The same without what must not lie in our files, and whether something was taken out.
    fn clean(&self) -> (Self, bool) {
        let mut clean = self.clone();
        let mut is_redacted = false;
        let versions =
            clean.review.iter_mut().flat_map(|review| &mut review.versions).map(|version| &mut version.content);
        let patterns = clean.goes.iter_mut().map(|goes| &mut goes.patterns);
        let fields = [&mut clean.name, &mut clean.description, &mut clean.type_word, &mut clean.body];
        for text in fields.into_iter().chain(patterns).chain(versions) {
            if !secret::scan(text.as_bytes()).is_empty() {
                *text = secret::redacted(text);
                is_redacted = true;
            }
        }
        let taken = clean.taken_over.len();
        let is_clean = |text: &str| secret::scan(text.as_bytes()).is_empty();
        clean.taken_over.retain(|taken| is_clean(&taken.content) && is_clean(&taken.base));
        is_redacted |= clean.taken_over.len() < taken;
        let versions = clean.review.iter_mut().flat_map(|review| &mut review.versions).map(|version| &mut version.base);
        let partner = clean.partner.iter_mut().map(|partner| &mut partner.base);
        for base in versions.chain(partner).chain([&mut clean.base]) {
            base.take_if(|base| !is_clean(base));
        }
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

/// Keeps the parts of a waiting text as texts of their own, in its place: what they were for is over. `store`: where their
/// files are.
///
/// # Errors
/// The operating system's error, with the path in its message; what waits is dropped only when all parts are kept.
pub fn part(state: &StateDir, whole: &Rescued, store: &Path, parts: &[Unsaved]) -> io::Result<()> {
    let id = whole.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    for (number, text) in parts.iter().enumerate() {
        let path = path(state, store, &format!("{id}-{}", number + 1));
        let record = Rescued { path, store: store.to_owned(), text: text.clone(), ..whole.clone() };
        files::write(&record.path, "unsaved", &record)?;
    }
    discard(&whole.path)
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
