//! What calls are answered with: the store that is meant, looked at anew for each.
//!
//! Not its job: what a tool makes of it.

use crate::change::Door;
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::memory::{ScanOptions, Snapshot, StoreError};
use crate::project::{self, Choice, Request};
use crate::state::StateDir;

/// What calls are answered with.
#[derive(Clone, Debug)]
pub struct World {
    /// What the process was given.
    pub environment: Environment,
    /// The configuration.
    pub config: Config,
    /// Our state.
    pub state: StateDir,
    /// The time.
    pub clock: Clock,
    /// Which store the command line asks for.
    pub request: Request,
}

impl World {
    pub(super) fn door(&self) -> Door {
        Door::new(self.state.clone(), self.clock.clone())
    }

    /// The store that is meant, unless the memory is switched off: then nobody is told anything of it.
    pub(super) fn choose(&self) -> Result<Choice, String> {
        let choice = project::choose(&self.request, &self.environment).map_err(|error| error.to_string())?;
        match choice.memory_off() {
            Some(off) => Err(format!("the memory is {off}")),
            None => Ok(choice),
        }
    }

    pub(super) fn options(&self, choice: &Choice) -> ScanOptions {
        let confirmed = self.door().confirmed(&choice.store);
        ScanOptions { now: self.clock.now(), shelf_life: self.config.shelf_life, confirmed }
    }

    /// The store and what is in it. A store that is not made yet is an empty one.
    pub(super) fn look(&self) -> Result<(Choice, Snapshot), String> {
        let choice = self.choose()?;
        match choice.store.scan(&self.options(&choice)) {
            Ok(snapshot) => Ok((choice, snapshot)),
            Err(StoreError::Missing(_)) => {
                let empty = Snapshot::empty(choice.store.clone(), self.clock.now());
                Ok((choice, empty))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}
