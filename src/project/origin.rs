//! Where the session a memory comes from lies: with its project, with another one, or nowhere any more.
//!
//! Sessions are swept after a while and moved between folders; a memory outlives them. Not its job: reading them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Choice, ClaudeHome, Project};

/// Where a session lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// With the project itself.
    Here(PathBuf),
    /// With another folder.
    Elsewhere(PathBuf),
    /// Nowhere: swept, or never on this machine.
    Gone,
}

/// Where the session of that id lies.
#[must_use]
pub fn whereabouts(choice: &Choice, id: &str) -> Whereabouts {
    // An id from a file is data: it must not lead anywhere.
    if id.is_empty() || id.contains(['/', '\\', '\0']) {
        return Whereabouts::Gone;
    }
    let name = format!("{id}.jsonl");
    let in_dir = |dir: &Path| Some(dir.join(&name)).filter(|path| path.is_file());
    if let Some(path) = choice.sessions.iter().find_map(|dir| in_dir(dir)) {
        return Whereabouts::Here(path);
    }
    let folders = choice.home.as_ref().and_then(|home| home.folders().ok()).unwrap_or_default();
    let elsewhere = folders.iter().find_map(|folder| in_dir(&folder.sessions));
    elsewhere.map_or(Whereabouts::Gone, Whereabouts::Elsewhere)
}

/// Why nothing is known of where a memory comes from, for people.
pub const NONE_RECORDED: &str = "no session is recorded for this memory: its file names none (no originSessionId), no landing \
                                 of dreamtop made it";

/// Why a session is not there, for people. `kept_days`: how long Claude Code keeps them here.
#[must_use]
pub fn gone(id: &str, kept_days: u32) -> String {
    format!(
        "session {id} is no longer on disk: Claude Code sweeps sessions after {kept_days} days (cleanupPeriodDays), or it was \
         never on this machine"
    )
}

/// The folders that hold each session, by the session's id: names alone, nothing is opened.
#[derive(Clone, Debug, Default)]
pub struct SessionFolders {
    folders: BTreeMap<String, Vec<String>>,
}

impl SessionFolders {
    /// Lists a home. What cannot be listed holds none.
    #[must_use]
    pub fn of(home: &ClaudeHome) -> Self {
        let mut all = Self::default();
        for Project { folder, sessions, .. } in home.folders().unwrap_or_default() {
            for entry in fs::read_dir(&sessions).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".jsonl")) {
                    all.folders.entry(id.to_owned()).or_default().push(folder.clone());
                }
            }
        }
        all
    }

    /// The folders that hold a session.
    #[must_use]
    pub fn holding(&self, id: &str) -> &[String] {
        self.folders.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}
