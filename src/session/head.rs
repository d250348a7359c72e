//! What a session is, from the first and last 64 KiB of its transcript.

use std::path::Path;

use chrono::{DateTime, Utc};

/// A session at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionHead {
    /// The first `cwd` inside.
    pub cwd: Option<String>,
    /// The first timestamp seen.
    pub first: Option<DateTime<Utc>>,
    /// The last timestamp seen.
    pub last: Option<DateTime<Utc>>,
    /// The last custom title, else AI title, else last prompt, summary, first prompt.
    pub title: Option<String>,
    /// `entrypoint`.
    pub entrypoint: Option<String>,
    /// Whether its first graph line is a sidechain.
    pub is_sidechain: bool,
}

impl SessionHead {
    /// Whether a program, not a person, talked here.
    #[must_use]
    pub fn is_headless(&self) -> bool {
        self.entrypoint.as_deref().is_some_and(|entrypoint| entrypoint.starts_with("sdk-"))
    }
}

/// Reads a session's head. At most 128 KiB are read, whatever the file's size.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn read_head(path: &Path) -> std::io::Result<SessionHead> {
    let _ = path;
    todo!()
}
