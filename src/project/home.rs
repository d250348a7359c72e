//! A Claude home and the projects in it.

use std::path::{Path, PathBuf};

use crate::memory::Store;

/// Claude Code's configuration directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaudeHome {
    base: PathBuf,
}

/// A folder under `projects/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The folder's name.
    pub folder: String,
    /// The project's real path, from the first `cwd` of its newest transcripts that fits the folder. `None`: no transcript says.
    pub path: Option<PathBuf>,
    /// The folder's own path: where its transcripts lie.
    pub sessions: PathBuf,
    /// Its store, whether it exists or not.
    pub store: Store,
    /// Whether the store's directory exists.
    pub has_store: bool,
}

impl Project {
    /// What to call it: the last part of its real path, else the folder's name.
    #[must_use]
    pub fn title(&self) -> String {
        self.path
            .as_ref()
            .and_then(|path| path.file_name())
            .map_or_else(|| self.folder.clone(), |name| name.to_string_lossy().into_owned())
    }
}

impl ClaudeHome {
    /// The home at a directory.
    #[must_use]
    pub fn at(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into() }
    }

    /// The directory.
    #[must_use]
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Whether it exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.base.is_dir()
    }

    /// Every folder under `projects/`, ordered by name, without its path (cheap: one directory listing and a stat each).
    ///
    /// # Errors
    /// When `projects/` is there but cannot be listed.
    pub fn folders(&self) -> std::io::Result<Vec<Project>> {
        todo!()
    }

    /// The same project with its real path read from its transcripts (at most the five newest are opened).
    #[must_use]
    pub fn with_path(&self, project: Project) -> Project {
        let _ = project;
        todo!()
    }
}
