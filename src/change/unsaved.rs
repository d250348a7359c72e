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

use crate::process::{Identity, Life};
use crate::secret;
use crate::state::{StateDir, read_file, write_atomic};

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
        clean.taken_over.retain(|taken| secret::scan(taken.content.as_bytes()).is_empty());
        is_redacted |= clean.taken_over.len() < taken;
        let versions = clean.review.iter_mut().flat_map(|review| &mut review.versions).map(|version| &mut version.base);
        let partner = clean.partner.iter_mut().map(|partner| &mut partner.base);
        for base in versions.chain(partner).chain([&mut clean.base]) {
            base.take_if(|base| !secret::scan(base.as_bytes()).is_empty());
        }
        (clean, is_redacted)
    }
}

/// A text as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescued {
    /// Its file's stem.
    #[serde(skip)]
    pub id: String,
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

fn place(state: &StateDir, store: &Path) -> PathBuf {
    state.store(store).join("unsaved")
}

fn path(state: &StateDir, store: &Path, id: &str) -> PathBuf {
    place(state, store).join(format!("{id}.json"))
}

/// Keeps a text under an id, in place of what was kept there.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn keep(state: &StateDir, store: &Path, id: &str, text: &Unsaved, at: DateTime<Utc>) -> io::Result<()> {
    let (text, is_redacted) = text.clean();
    let store = store.to_owned();
    let file = path(state, &store, id);
    let record = Rescued { id: id.to_owned(), store, at, is_redacted, owner: Identity::own(), text };
    write_atomic(&file, &serde_json::to_vec(&record)?)
}

/// Keeps the parts of a waiting text as texts of their own, in its place: what they were for is over. `store`: where their
/// files are.
///
/// # Errors
/// The operating system's error, with the path in its message; what waits is dropped only when all parts are kept.
pub fn part(state: &StateDir, whole: &Rescued, store: &Path, parts: &[Unsaved]) -> io::Result<()> {
    for (number, text) in parts.iter().enumerate() {
        let id = format!("{}-{}", whole.id, number + 1);
        let file = path(state, store, &id);
        let record = Rescued { id, store: store.to_owned(), text: text.clone(), ..whole.clone() };
        write_atomic(&file, &serde_json::to_vec(&record)?)?;
    }
    discard(state, &whole.store, &whole.id)
}

/// Drops what is kept under an id; none is none.
///
/// # Errors
/// The operating system's error, with the path in its message.
pub fn discard(state: &StateDir, store: &Path, id: &str) -> io::Result<()> {
    let file = path(state, store, id);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(crate::state::with_path(error, "cannot remove", &file))
        }
        _ => Ok(()),
    }
}

/// What waits for a store, newest first. What stands in a screen that still runs does not wait.
#[must_use]
pub fn waiting(state: &StateDir, store: &Path) -> Vec<Rescued> {
    in_directory(&place(state, store))
}

/// What waits for any store, newest first, each with its file.
#[must_use]
pub fn all_waiting(state: &StateDir) -> Vec<(PathBuf, Rescued)> {
    let stores = fs::read_dir(state.root().join("stores")).into_iter().flatten().flatten();
    let mut all: Vec<(PathBuf, Rescued)> = stores
        .map(|store| store.path().join("unsaved"))
        .flat_map(|directory| {
            let found = in_directory(&directory);
            found.into_iter().map(move |rescued| (directory.join(format!("{}.json", rescued.id)), rescued))
        })
        .collect();
    all.sort_by(|one, other| other.1.at.cmp(&one.1.at).then_with(|| one.0.cmp(&other.0)));
    all
}

/// The texts in a directory of them whose screen does not run any more, newest first.
pub(super) fn in_directory(directory: &Path) -> Vec<Rescued> {
    let files = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<Rescued> = files
        .filter_map(|file| {
            let id = file.file_name()?.to_str()?.strip_suffix(".json")?.to_owned();
            let rescued: Rescued = serde_json::from_slice(&read_file(&file).ok()?).ok()?;
            (rescued.owner.life() != Life::Alive).then_some(Rescued { id, ..rescued })
        })
        .collect();
    found.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.id.cmp(&other.id)));
    found
}
