//! The four types of memory. Not its job: where a file says its type (see [`super::frontmatter`]).

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a memory is about. Called `type` in files and JSON; other words on disk are shown as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Who the person is: role, goals, skills, preferences.
    User,
    /// How the person wants the assistant to work: corrections and approvals.
    Feedback,
    /// Who does what, why, by when.
    Project,
    /// Where things are outside the repository: trackers, dashboards, channels.
    Reference,
}

impl Kind {
    /// All four, in the order they are listed everywhere.
    pub const ALL: [Self; 4] = [Self::User, Self::Feedback, Self::Project, Self::Reference];

    /// The word in files: `user`, `feedback`, `project`, `reference`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
        }
    }

    /// The type a word names, whatever its case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word().eq_ignore_ascii_case(word.trim()))
    }

    /// The type a file name's prefix names: `feedback_testing.md` and `feedback-testing.md` are feedback.
    #[must_use]
    pub fn from_file_name(file: &str) -> Option<Self> {
        let name = file.rsplit('/').next().unwrap_or(file);
        Self::ALL
            .into_iter()
            .find(|kind| name.strip_prefix(kind.word()).is_some_and(|rest| rest.starts_with(['_', '-', '.'])))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
