//! Full text: what is looked for, where, and what was found so far.

use std::ops::Range;
use std::path::PathBuf;

use crate::recall::find::Voice;
use crate::tui::effect::TurnQuestion;
use crate::tui::layer::turn::Stretch;
use crate::tui::state::TextLine;

/// No more hits are shown: whoever gets so many looks for something else.
pub const MOST_SHOWN: usize = 2_000;

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundPlace {
    /// A memory, or an index.
    Memory {
        /// The store's directory.
        store: PathBuf,
        /// The file in it.
        file: String,
    },
    /// A transcript.
    Session(PathBuf),
}

/// A line with a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHit {
    /// The line, from 1.
    pub line: u64,
    /// The text, escaped.
    pub text: String,
    /// What of it matched.
    pub marks: Vec<Range<usize>>,
    /// Whose words they are.
    pub voice: Voice,
}

/// A file with its hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// What it is.
    pub place: FoundPlace,
    /// What to call it.
    pub heading: String,
    /// The hits, by line.
    pub hits: Vec<FoundHit>,
    /// Whether there are more in it.
    pub has_more: bool,
    /// Where copies of it lie.
    pub copies: Vec<String>,
}

/// News of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindNews {
    /// It cannot be done.
    Failed(String),
    /// Files with hits; a file that is known already has got copies.
    Files(Vec<FoundFile>),
    /// How many of how many sessions were searched.
    Progress(usize, usize),
    /// It is over.
    Done {
        /// How many sessions were searched.
        sessions: usize,
        /// What could not be searched, in words.
        skipped: Vec<String>,
        /// Whether it ended because there were too many hits.
        is_capped: bool,
    },
}

/// How a search stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stand {
    /// Nothing was asked yet.
    #[default]
    Idle,
    /// It goes on: so many of so many sessions.
    Going(usize, usize),
    /// It was stopped by the person.
    Stopped,
    /// It is over.
    Done {
        /// How many sessions were searched.
        sessions: usize,
        /// What could not be searched, in words.
        skipped: Vec<String>,
        /// Whether there are more hits than are shown.
        is_capped: bool,
    },
    /// It cannot be done.
    Failed(String),
}

/// The search.
#[derive(Clone, Debug)]
pub struct Find {
    /// What is looked for.
    pub line: TextLine,
    /// Whether it is a regular expression.
    pub is_regex: bool,
    /// Whether sessions are searched.
    pub sessions: bool,
    /// Whether all projects are.
    pub all: bool,
    /// The number of the question that counts.
    pub id: u64,
    /// What was found.
    pub files: Vec<FoundFile>,
    /// How it stands.
    pub stand: Stand,
    /// Which hit is selected, counted over all files.
    pub selected: usize,
    /// The first row shown.
    pub offset: usize,
    /// The place of the selected hit: what was asked for, and what stands there.
    pub preview: Option<(TurnQuestion, Option<Result<Stretch, String>>)>,
}

impl Default for Find {
    fn default() -> Self {
        Self {
            line: TextLine::default(),
            is_regex: false,
            sessions: true,
            all: false,
            id: 0,
            files: Vec::new(),
            stand: Stand::Idle,
            selected: 0,
            offset: 0,
            preview: None,
        }
    }
}

impl Find {
    /// How many hits there are.
    #[must_use]
    pub fn length(&self) -> usize {
        self.files.iter().map(|file| file.hits.len()).sum()
    }

    /// The file and the hit of a number.
    #[must_use]
    pub fn hit(&self, number: usize) -> Option<(&FoundFile, &FoundHit)> {
        let mut passed = 0;
        for file in &self.files {
            if let Some(hit) = number.checked_sub(passed).and_then(|at| file.hits.get(at)) {
                return Some((file, hit));
            }
            passed += file.hits.len();
        }
        None
    }

    /// The rows: a heading for each file, then its hits by their number.
    pub fn rows(&self) -> impl Iterator<Item = (&FoundFile, Option<usize>)> {
        let mut number = 0;
        self.files.iter().flat_map(move |file| {
            let first = number;
            number += file.hits.len();
            let hits = (first..number).map(move |hit| (file, Some(hit)));
            std::iter::once((file, None)).chain(hits)
        })
    }

    /// The row of the selected hit.
    #[must_use]
    pub fn selected_row(&self) -> usize {
        self.rows().position(|(_, hit)| hit == Some(self.selected)).unwrap_or_default()
    }

    /// What the place of a hit is asked for with.
    #[must_use]
    pub fn place_of(&self, number: usize, is_glance: bool) -> Option<TurnQuestion> {
        let (file, hit) = self.hit(number)?;
        let line = Some(hit.line);
        Some(match &file.place {
            FoundPlace::Memory { store, file } => {
                TurnQuestion { store: store.clone(), session: file.clone(), line, is_glance, ..TurnQuestion::default() }
            }
            FoundPlace::Session(path) => {
                let session = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                TurnQuestion { session, line, path: Some(path.clone()), is_glance, ..TurnQuestion::default() }
            }
        })
    }

    /// Whether a search goes on.
    #[must_use]
    pub const fn is_going(&self) -> bool {
        matches!(self.stand, Stand::Going(..))
    }
}
