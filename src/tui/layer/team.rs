//! What the project shares with a team: the entries of `memory/team/`, how each stands, and what keeps one back.

use crate::secret::SecretHit;
use crate::team::client::status::Standing;
use crate::team::wire::ENTRY_BYTES;
use crate::tui::state::ListState;

/// The team screen.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// Which file is selected.
    pub list: ListState,
    /// What is there; `None`: not read yet.
    pub read: Option<Result<TeamFiles, String>>,
    /// Whether the server is being asked.
    pub is_working: bool,
}

impl Team {
    /// What is there, once it was read.
    #[must_use]
    pub fn files(&self) -> Option<&TeamFiles> {
        self.read.as_ref()?.as_ref().ok()
    }

    /// The selected entry.
    #[must_use]
    pub fn selected(&self) -> Option<&TeamFile> {
        self.files()?.files.get(self.list.selected)
    }

    /// Whether there is a server to exchange with.
    #[must_use]
    pub fn is_set_up(&self) -> bool {
        self.files().is_some_and(|files| matches!(files.server, Server::Set(_)))
    }
}

/// The server of the team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Server {
    /// None is set up.
    #[default]
    None,
    /// It is set up in a way that cannot be right: why.
    Wrong(String),
    /// It is set up: which repository on which server.
    Set(String),
}

/// The team's part of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamFiles {
    /// Whether there is a `team` directory at all.
    pub exists: bool,
    /// Its entries, by name; with a server also those that are only there.
    pub files: Vec<TeamFile>,
    /// What else lies there: it is never shared.
    pub others: Vec<String>,
    /// Its server.
    pub server: Server,
    /// How the last sync ended, in one sentence; and whether it failed.
    pub last: Option<(String, bool)>,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// How it stands; `None`: there is no server.
    pub standing: Option<Standing>,
    /// Why it stands so.
    pub reason: Option<String>,
    /// The inbox entry with a version of it.
    pub waits: Option<String>,
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
        let most = ENTRY_BYTES as u64;
        let is_too_large = self.bytes > most;
        is_too_large.then(|| format!("{} is more than {}", crate::text::bytes(self.bytes), crate::text::bytes(most)))
    }
}
