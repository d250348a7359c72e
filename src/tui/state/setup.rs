//! The configuration as the screen follows it, and what decides beside it.
//!
//! Not its job: reading and writing the file.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::tui::keymap::Complaint;

/// What the screen goes by.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The configuration; `engine` is the word that counts.
    pub config: Config,
    /// Where it is, or would be.
    pub file: Option<PathBuf>,
    /// The person's home.
    pub home: Option<PathBuf>,
    /// The engine that `--engine` named: it counts as long as this program runs.
    pub engine_flag: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// What is wrong with the configured keys.
    pub complaints: Vec<Complaint>,
}

impl Setup {
    /// `config.yaml:12`, where the configuration sets a key.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<usize> {
        self.config.lines.get(name).copied()
    }

    /// A path as a person writes it: `~/.config/dreamtop/config.yaml`.
    #[must_use]
    pub fn short(&self, path: &Path) -> String {
        let inside = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        inside.map_or_else(|| path.display().to_string(), |inside| Path::new("~").join(inside).display().to_string())
    }

    /// The file's name, for a place that has no room for its path.
    #[must_use]
    pub fn file_name(&self) -> String {
        let name = self.file.as_ref().and_then(|file| file.file_name());
        name.map_or_else(|| "config.yaml".to_owned(), |name| name.to_string_lossy().into_owned())
    }
}
