//! Journals of runs: `runs/<id>.jsonl` in the state directory, appended by the worker, read by everyone.

use std::io;

use super::{RunView, Stamped};
use crate::state::StateDir;

/// A run's journal, open for appending.
#[derive(Debug)]
pub struct JournalWriter {
    path: std::path::PathBuf,
}

impl JournalWriter {
    /// The journal of a run, made when missing.
    #[must_use]
    pub fn of(state: &StateDir, run: &str) -> Self {
        Self { path: state.runs().join(format!("{run}.jsonl")) }
    }

    /// Appends an event.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&self, event: &Stamped) -> io::Result<()> {
        let _ = (&self.path, event);
        todo!()
    }
}

/// Follows journals: keeps the fold of each and reads only what was appended since the last look.
#[derive(Debug)]
pub struct RunBook {
    state: StateDir,
}

impl RunBook {
    /// A book over the runs of a state directory; nothing is read yet.
    #[must_use]
    pub fn new(state: StateDir) -> Self {
        Self { state }
    }

    /// Reads what is new; returns whether anything changed. A run without an end whose process is gone becomes
    /// `interrupted`. Damaged or torn lines are skipped.
    ///
    /// # Errors
    /// When the runs directory is there but cannot be listed.
    pub fn refresh(&mut self) -> io::Result<bool> {
        let _ = &self.state;
        todo!()
    }

    /// The runs, newest first.
    #[must_use]
    pub fn runs(&self) -> &[RunView] {
        todo!()
    }
}
