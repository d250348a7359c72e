//! The labelled cases: reading them, and which half each belongs to.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// The halves of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// Rules are tuned on it.
    Develop,
    /// Rules are judged on it.
    HeldOut,
}

impl Half {
    pub const ALL: [Self; 2] = [Self::Develop, Self::HeldOut];

    /// Its directory.
    pub fn directory(self) -> &'static str {
        match self {
            Self::Develop => "develop",
            Self::HeldOut => "held_out",
        }
    }

    /// Where a case belongs, by a hash (FNV-1a, 64 bits) of its name.
    pub fn of(name: &str) -> Self {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        if (hash >> 32) & 1 == 0 { Self::Develop } else { Self::HeldOut }
    }
}

/// An invented transcript and what it is worth.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub turns: Vec<Turn>,
    /// Memories that stand in the store before, by file.
    #[serde(default)]
    pub memories: BTreeMap<String, String>,
    /// The project's CLAUDE.md.
    #[serde(default)]
    pub claude_md: Option<String>,
    /// What has to be remembered.
    #[serde(default)]
    pub expect: Vec<Label>,
    /// What may be remembered; neither counted for nor against.
    #[serde(default)]
    pub allow: Vec<Label>,
}

/// One turn; exactly one of the three.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub user: Option<String>,
    pub assistant: Option<String>,
    pub tool: Option<String>,
}

/// What a memory has to be like.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    #[serde(rename = "type")]
    pub kinds: Kinds,
    /// Words that stand in its description or body, in any case.
    pub words: Vec<String>,
    /// A day that stands there.
    #[serde(default)]
    pub date: Option<String>,
    /// The memory that it updates.
    #[serde(default)]
    pub file: Option<String>,
}

/// One type, or several where careful readers would differ.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Kinds {
    One(String),
    Several(Vec<String>),
}

impl Kinds {
    pub fn has(&self, kind: &str) -> bool {
        match self {
            Self::One(one) => one == kind,
            Self::Several(several) => several.iter().any(|one| one == kind),
        }
    }

    /// The likeliest one, under which the expectation is counted.
    pub fn first(&self) -> &str {
        match self {
            Self::One(one) => one,
            Self::Several(several) => several.first().map_or("", String::as_str),
        }
    }
}

/// Where a case comes from: its file is `LANGUAGE.yaml` for the first batch, and `LANGUAGE-BATCH.yaml` for a later one.
#[derive(Clone, Debug)]
pub struct Origin {
    pub language: String,
    pub batch: String,
}

/// The cases of a half with where they come from.
pub fn load(half: Half) -> Vec<(Origin, Case)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction").join(half.directory());
    let mut files: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let (language, batch) = stem.split_once('-').unwrap_or((stem, "first"));
        let origin = Origin { language: language.to_owned(), batch: batch.to_owned() };
        let text = std::fs::read_to_string(&file).unwrap();
        let cases: Vec<Case> =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        all.extend(cases.into_iter().map(|case| (origin.clone(), case)));
    }
    all
}
