//! What the project shares with a team: the files of `memory/team/`, and what keeps one of them from being shared.

use crate::secret::SecretHit;
use crate::tui::state::ListState;

/// No file is shared that is larger, in bytes.
pub const LARGEST: u64 = 250_000;

/// The team screen.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// Which file is selected.
    pub list: ListState,
    /// What is there; `None`: not read yet.
    pub read: Option<Result<TeamFiles, String>>,
}

/// The team's part of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamFiles {
    /// Whether there is a `team` directory at all.
    pub exists: bool,
    /// Its Markdown files, by name.
    pub files: Vec<TeamFile>,
    /// What else lies there: it is never shared.
    pub others: Vec<String>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamFile {
    /// Its path below `team/`.
    pub file: String,
    /// What it is about: the memory's description, or what it is.
    pub about: String,
    /// Its size.
    pub bytes: u64,
    /// Credentials in it, by rule and line.
    pub secrets: Vec<SecretHit>,
    /// Why it cannot be read.
    pub unreadable: Option<String>,
}

impl TeamFile {
    /// Why it would not be shared, if so.
    #[must_use]
    pub fn kept_back(&self) -> Option<String> {
        if let Some(why) = &self.unreadable {
            return Some(format!("it cannot be read: {why}"));
        }
        if let Some(hit) = self.secrets.first() {
            return Some(format!("a credential ({}) is on line {}", hit.rule, hit.line));
        }
        let is_too_large = self.bytes > LARGEST;
        is_too_large.then(|| format!("{} is more than {}", crate::text::bytes(self.bytes), crate::text::bytes(LARGEST)))
    }
}
