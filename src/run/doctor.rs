//! Whether everything a run needs is in order: our own files, what dead runs left, the store and the place it lies on.
//!
//! Each check says what, where and what next. With `fix` what is safe is repaired at once: modes, leftovers, a file of ours
//! that cannot be read (set aside, never removed). A store is touched only through the door and by the lock's own protocol.
//! Not its job: the command line's checks (version, configuration, terminal: `crate::cli`) and what is wrong with memories
//! (`crate::health`).

mod files;
mod leftovers;
mod place;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::project::Choice;
use crate::state::StateDir;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// In order.
    Ok,
    /// Something works less well than it could.
    Warn,
    /// Something does not work.
    Fail,
}

impl Level {
    /// The word in JSON and in the list.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at, in a word: `modes`, `state-files`, `store`.
    pub check: &'static str,
    /// How it came out; before the repair, if there was one.
    pub level: Level,
    /// What was found.
    pub message: String,
    /// Where.
    pub path: Option<PathBuf>,
    /// What to do next, when something is to do.
    pub next: Option<String>,
    /// Whether it was repaired just now.
    pub fixed: bool,
}

impl Check {
    /// In order.
    #[must_use]
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, message: message.into(), path: None, next: None, fixed: false }
    }

    /// Works less well than it could; `next` says what to do.
    #[must_use]
    pub fn warn(check: &'static str, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { level: Level::Warn, next: Some(next.into()), ..Self::ok(check, message) }
    }

    /// Does not work; `next` says what to do.
    #[must_use]
    pub fn fail(check: &'static str, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { level: Level::Fail, ..Self::warn(check, message, next) }
    }

    /// The same check about a path.
    #[must_use]
    pub fn at(self, path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..self }
    }

    /// The same check, repaired or not.
    #[must_use]
    pub(in crate::run) fn repaired(self, fixed: bool) -> Self {
        Self { fixed, ..self }
    }

    /// Whether something is left to do.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.level != Level::Ok && !self.fixed
    }
}

/// What is examined, and whether it is repaired.
#[derive(Clone, Copy, Debug)]
pub struct Examination<'a> {
    /// Our files.
    pub state: &'a StateDir,
    /// The store and its project, when there is one.
    pub choice: Option<&'a Choice>,
    /// The configuration.
    pub config: &'a Config,
    /// The variables.
    pub environment: &'a Environment,
    /// The time.
    pub clock: &'a Clock,
    /// Repair what is safe.
    pub fix: bool,
}

const NEXT_FIX: &str = "`dreamtop doctor --fix` repairs it";

/// Looks at everything, in an order in which a repair can help what comes after it.
#[must_use]
pub fn examine(examination: Examination<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    checks.extend(place::state(examination));
    checks.extend(files::modes(examination));
    checks.extend(files::contents(examination));
    checks.extend(leftovers::all(examination));
    checks.push(leftovers::unsaved(examination));
    checks.extend(leftovers::edited(examination));
    if let Some(choice) = examination.choice {
        checks.extend(place::store(examination, choice));
    }
    checks.extend(place::pauses(examination));
    checks
}
