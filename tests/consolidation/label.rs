//! A labelled store as its YAML file has it; its half of the set.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use chrono::NaiveDate;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Which half of the set a store belongs to, by the hash of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Looked at while rules are tuned.
    Develop,
    /// Only its totals are looked at.
    HeldOut,
}

impl fmt::Display for Half {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Develop => "develop",
            Self::HeldOut => "held-out",
        })
    }
}

/// One labelled store.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Label {
    #[serde(skip)]
    pub name: String,
    pub about: String,
    /// Languages of the healthy memories that stand beside, or `none`.
    pub neighbours: String,
    pub files: BTreeMap<String, File>,
    pub series: Option<Series>,
    /// The index, with `{neighbours}` where their lines go; one line a file without it.
    pub index: Option<String>,
    pub index_crlf: bool,
    pub sessions: Vec<Session>,
    #[serde(with = "serde_yaml::with::singleton_map_recursive")]
    pub planted: Vec<Planted>,
    /// Files a dream may rewrite; every other one is kept byte for byte.
    pub changes: Vec<String>,
    /// A dream may add files.
    pub new: bool,
    /// What some topic file has to say afterwards.
    pub says: Vec<String>,
    /// Index lines that must be there afterwards.
    pub index_keeps: Vec<String>,
    /// Every file must be linked from some other one afterwards.
    pub reachable: bool,
    /// Nothing is wrong: index and all keep their bytes.
    pub healthy: bool,
}

/// One file of a store.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// The whole text as it is, in place of all below.
    pub raw: Option<String>,
    /// `flat` for the old frontmatter shape.
    pub shape: String,
    /// The day of the claim.
    pub modified: Option<NaiveDate>,
    /// The day of the file's time on disk; the claim's without it.
    pub touched: Option<NaiveDate>,
    #[serde(rename = "type")]
    pub kind: String,
    /// Further lines of the frontmatter.
    pub keys: String,
    pub description: String,
    pub body: String,
    pub crlf: bool,
    /// A byte-order mark at the start.
    pub mark: bool,
    /// The index has no line for it.
    pub unlisted: bool,
}

/// Files that differ in a number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    pub count: usize,
    pub file: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub modified: NaiveDate,
    pub description: String,
    pub body: String,
    #[serde(default)]
    pub line: Option<String>,
}

/// One session.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    pub when: String,
    pub turns: Vec<BTreeMap<String, String>>,
}

/// One planted problem, and how it is known to be fixed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Planted {
    /// Exactly one of them is left, and the index names only that one.
    Duplicate(Vec<String>),
    /// The key is gone with a pointer to the value, which stays.
    Superseded(BTreeMap<String, String>),
    /// Both stay, and a finding names the pair.
    Conflict(Vec<String>),
    /// The file is gone.
    Expired(String),
    /// The file stays without the text.
    Drops { file: String, text: String },
    /// No topic file says it any more.
    StoreLacks(String),
    /// Some topic file says it.
    StoreSays(String),
    /// The file is gone, or carries the date.
    StoreLacksUndated { file: String, date: String },
    /// The file carries one of the dates.
    Dated { file: String, any: Vec<String> },
    /// No file links to one that went.
    NoDangling,
    /// No entry of the index is longer than 150 characters.
    IndexShort,
    /// The index is loaded whole.
    IndexFits,
    /// Exactly one line of the index links the file.
    ListedOnce(String),
    /// The index does not hold the text.
    IndexLacks(String),
}

impl Label {
    /// The half this store belongs to.
    pub fn half(&self) -> Half {
        let first = Sha256::digest(self.name.as_bytes()).first().copied().unwrap_or(0);
        if first % 2 == 0 { Half::Develop } else { Half::HeldOut }
    }
}

/// Where the set lies.
pub fn place() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/consolidation")
}

/// Every labelled store, by name.
pub fn load() -> Vec<Label> {
    let mut labels: Vec<Label> = fs::read_dir(place().join("stores"))
        .expect("the set is there")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a readable label");
            let mut label: Label = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(label.healthy == label.planted.is_empty(), "{name}: either healthy or with something planted");
            label.name = name;
            label
        })
        .collect();
    labels.sort_by(|left, right| left.name.cmp(&right.name));
    labels
}

/// The healthy memories of a language.
pub fn neighbours(language: &str) -> BTreeMap<String, File> {
    let text = fs::read_to_string(place().join("neighbours.yaml")).expect("the neighbours are there");
    let mut all: BTreeMap<String, BTreeMap<String, File>> = serde_yaml::from_str(&text).expect("neighbours are YAML");
    all.remove(language).unwrap_or_else(|| panic!("no neighbours that speak {language}"))
}
