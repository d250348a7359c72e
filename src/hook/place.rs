//! Where an event happens: the store of the project the session was started in.
//!
//! `cwd` follows the session's `cd`, into other repositories too, and memory does not; so what says where the session began
//! comes first. A directory that is gone is nobody's proof: nothing is attributed by its name. Not its job: which store
//! belongs to a directory (`crate::project`).

use std::path::PathBuf;

use super::input::Call;
use super::{Trouble, World};
use crate::project::{self, Choice, Request};

/// The store of an event, and the directory it was found by.
pub(super) struct Place {
    pub(super) choice: Choice,
    pub(super) start: Option<PathBuf>,
}

impl Place {
    /// The place of an event.
    pub(super) fn of(call: &Call, world: &World) -> Result<Self, Trouble> {
        let start = world.request.project.clone().or_else(|| start(call, world));
        if start.is_none() && world.request.memory_dir.is_none() {
            return Err("no directory the event names is there, so no project is known".into());
        }
        let request = Request { project: start.clone(), ..world.request.clone() };
        Ok(Self { choice: project::choose(&request, &world.environment)?, start })
    }
}

/// The directory a session began in: as Claude Code says, as its transcript says, else the one it is in.
fn start(call: &Call, world: &World) -> Option<PathBuf> {
    let told = world.environment.variable("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let recorded = || call.head()?.cwd.as_deref().map(PathBuf::from);
    let is_there = |path: &PathBuf| path.is_absolute() && path.is_dir();
    told.filter(is_there).or_else(|| recorded().filter(is_there)).or_else(|| call.cwd.clone().filter(is_there))
}
