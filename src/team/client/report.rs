//! What came of a sync: each entry ends as sent, received, restored or set aside with a reason.

use serde::Serialize;

use crate::text;

/// An entry that was left as it is, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetAside {
    /// The entry.
    pub file: String,
    /// One sentence without a full stop.
    pub reason: String,
    /// Whether that is what a person decided.
    #[serde(rename = "decided")]
    pub is_decided: bool,
}

/// A version of an entry that waits for a person since an earlier sync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// The entry.
    pub file: String,
    /// The inbox entry that has it.
    pub inbox: String,
    /// Why it waits.
    pub reason: String,
    /// Whether it is one of two versions that could not be merged; else guards hold what the server has.
    #[serde(rename = "conflict")]
    pub is_conflict: bool,
}

/// An entry that both sides had changed in the same lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The entry.
    pub file: String,
    /// Whose version lies in the file now: `server` or `local`.
    pub kept: &'static str,
    /// Where the other one is.
    pub reason: String,
    /// The inbox entry that has it; `None`: the history alone has.
    pub inbox: Option<String>,
    /// Whether a person said which one to keep.
    #[serde(rename = "decided")]
    pub is_decided: bool,
}

/// What came of a sync.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Entries the server has from here now.
    pub sent: Vec<String>,
    /// Entries that came from the server.
    pub received: Vec<String>,
    /// Entries that were removed here and came back, because the server has them.
    pub restored: Vec<String>,
    /// Entries the server has no longer, which went to the trash.
    pub removed: Vec<String>,
    /// Entries that were left as they are.
    pub set_aside: Vec<SetAside>,
    /// Entries both sides had changed.
    pub conflicts: Vec<Conflict>,
    /// Versions that wait for a person since an earlier sync.
    pub waiting: Vec<Waiting>,
    /// Whether nothing was sent since the server had refused the token.
    #[serde(skip)]
    pub is_refused: bool,
    /// Entries that are kept away from here.
    pub hidden: Vec<String>,
    /// Entries that were changed here, where nothing was to be sent.
    pub to_send: Vec<String>,
    /// Entries that were changed on the server, where nothing was to come.
    pub to_receive: Vec<String>,
    /// The history entry, when something landed.
    pub history: Option<String>,
    /// What else is to be said.
    pub notices: Vec<String>,
}

impl Report {
    /// Leaves an entry as it is. What is said of it first holds.
    pub(super) fn leave(&mut self, file: &str, reason: impl Into<String>) {
        if !self.is_set_aside(file) {
            self.set_aside.push(SetAside { file: file.to_owned(), reason: reason.into(), is_decided: false });
        }
    }

    /// Leaves an entry as a person decided.
    pub(super) fn leave_decided(&mut self, file: &str, reason: String) {
        if !self.is_set_aside(file) {
            self.set_aside.push(SetAside { file: file.to_owned(), reason, is_decided: true });
        }
    }

    /// Tells of a version that waits in the inbox, unless that was said already.
    pub(super) fn waits(&mut self, waiting: Waiting) {
        let Waiting { file, inbox, .. } = &waiting;
        let is_told = self.conflicts.iter().any(|told| told.file == *file && told.inbox.as_ref() == Some(inbox))
            || self.set_aside.iter().any(|told| told.file == *file && told.reason.contains(inbox.as_str()));
        if !is_told {
            self.waiting.push(waiting);
        }
    }

    /// Whether something was done.
    #[must_use]
    pub(super) fn has_done_something(&self) -> bool {
        let lists = [&self.sent, &self.received, &self.restored, &self.removed];
        self.history.is_some() || !self.conflicts.is_empty() || lists.iter().any(|list| !list.is_empty())
    }

    /// Whether an entry was left as it is.
    pub(super) fn is_set_aside(&self, file: &str) -> bool {
        self.set_aside.iter().any(|known| known.file == file)
    }

    /// Says something, once.
    pub(super) fn notice(&mut self, words: String) {
        if !self.notices.contains(&words) {
            self.notices.push(words);
        }
    }

    /// Whether a person has to look at something.
    #[must_use]
    pub fn needs_person(&self) -> bool {
        self.set_aside.iter().any(|aside| !aside.is_decided)
            || !self.waiting.is_empty()
            || self.conflicts.iter().any(|conflict| !conflict.is_decided)
    }

    /// All of it in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let counts = [
            (self.sent.len(), "sent"),
            (self.received.len(), "received"),
            (self.restored.len(), "restored by the team's server"),
            (self.removed.len(), "gone there and in the trash here"),
            (self.conflicts.len(), "changed on both sides"),
            (self.waiting.len(), "in the inbox for you to decide"),
            (self.set_aside.len(), "set aside"),
            (self.to_send.len(), "to send"),
            (self.to_receive.len(), "to receive"),
        ];
        let said: Vec<String> =
            counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if said.is_empty() { "both sides have the same".to_owned() } else { said.join(" · ") }
    }
}

/// The first of some names, and how many more there are.
fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.get(..SHOWN).unwrap_or(names).join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Why a sync did not come to its end. What had been done before it stays done and recorded.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The server lost so much that a person is asked first.
    #[error(
        "the server has only {has} of the {had} entries that both sides had, so nothing was changed. Gone: {}. Take that over with `dreamtop team pull --accept-shrink`, or push yours to another repository",
        text::visible(&some_of(gone))
    )]
    Shrunk {
        /// How many both sides had.
        had: usize,
        /// How many of them the server has now.
        has: usize,
        /// The entries it has no longer.
        gone: Vec<String>,
    },
    /// Somebody was faster, three times.
    #[error(
        "conflict: the team's memories changed on the server at each of {0} tries; nothing here was changed by that, run it again later"
    )]
    Conflict(u32),
    /// The server does not take this token.
    #[error("{0}")]
    Refused(String),
    /// The server did not take this token, and nothing changed since.
    #[error(
        "nothing was sent: the server refused this token on {at} ({words}); give it another one, or try again with --retry"
    )]
    StillRefused {
        /// The day.
        at: String,
        /// What it said.
        words: String,
    },
    /// It ended halfway.
    #[error("{error}")]
    Halfway {
        /// What was done by then.
        done: Box<Report>,
        /// Why it went no further.
        error: Box<SyncError>,
    },
    /// There is no token, or the proxy's address is none.
    #[error("{0}")]
    NotSet(String),
    /// A person has to say first whose `memory/team/` is.
    #[error(transparent)]
    Doubt(#[from] super::share::Doubt),
    /// Another sync of this store is going on.
    #[error("another sync of this store is going on; try again when it is done")]
    Busy,
    /// The server cannot be reached or understood.
    #[error("{0}")]
    Remote(String),
    /// The store cannot be read or written.
    #[error(transparent)]
    Door(#[from] crate::change::DoorError),
    /// Our record, or `memory/team/`, cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
