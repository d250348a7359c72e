//! The memory for agents that speak the Model Context Protocol: over stdin and stdout, in four tools.
//!
//! They search, read, ask how healthy the memory is, and propose; a proposal waits in the inbox and never lands by itself.
//! Each call looks at the store anew. Not its job: the protocol (the crate `rmcp`), ranking (`crate::recall`), and what may
//! land (`crate::change`).

mod health;
mod propose;
mod read;
mod search;
mod server;
mod tools;

use crate::change::Door;
use crate::clock::Clock;
use crate::config::Config;
use crate::environment::Environment;
use crate::memory::{ScanOptions, Snapshot, StoreError};
use crate::project::{self, Choice, Request};
use crate::state::StateDir;

pub use server::serve;

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
    fn door(&self) -> Door {
        Door::new(self.state.clone(), self.clock.clone())
    }

    /// The store that is meant, unless the memory is switched off: then nobody is told anything of it.
    fn choose(&self) -> Result<Choice, String> {
        let choice = project::choose(&self.request, &self.environment).map_err(|error| error.to_string())?;
        match choice.memory_off() {
            Some(off) => Err(format!("the memory is {off}")),
            None => Ok(choice),
        }
    }

    fn options(&self, choice: &Choice) -> ScanOptions {
        let confirmed = self.door().confirmed(&choice.store);
        ScanOptions { now: self.clock.now(), shelf_life: self.config.shelf_life, confirmed }
    }

    /// The store and what is in it. A store that is not made yet is an empty one.
    fn look(&self) -> Result<(Choice, Snapshot), String> {
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
