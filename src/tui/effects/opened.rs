//! Where files led when they were opened for editing: what became a symbolic link meanwhile is not written through unasked.
//!
//! Not its job: whether a link may be written through at all (the door knows).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::change::{DoorError, HoldReason};
use crate::text::visible;

/// The files that were opened, each with where its symbolic link led; `None`: it was none.
#[derive(Debug, Default)]
pub(super) struct Opened(Mutex<HashMap<PathBuf, Option<PathBuf>>>);

impl Opened {
    /// A file is opened.
    pub(super) fn note(&self, path: &Path) {
        self.all().insert(path.to_owned(), link_of(path));
    }

    /// Whether a file still leads where it led when it was opened. Who is told that it does not, and saves again, means it.
    ///
    /// # Errors
    /// [`DoorError::Refused`] the first time when it became a symbolic link, or another one.
    pub(super) fn admit(&self, file: &str, path: &Path) -> Result<(), DoorError> {
        let mut all = self.all();
        let Some(before) = all.get(path) else { return Ok(()) };
        let now = link_of(path);
        let (true, Some(target)) = (*before != now, &now) else { return Ok(()) };
        let message = format!(
            "since it was opened it became a symbolic link to {}; nothing was written. Save again to write there, or close \
             the form",
            visible(&target.to_string_lossy())
        );
        let reason = HoldReason { guard: "containment".to_owned(), message };
        all.insert(path.to_owned(), now);
        Err(DoorError::Refused { file: file.to_owned(), reason })
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Option<PathBuf>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn link_of(path: &Path) -> Option<PathBuf> {
    std::fs::read_link(path).ok()
}
