//! What a run is asked to do, and on what terms. Not its job: doing it.

use std::path::PathBuf;

use crate::clock::Clock;
use crate::config::{Apply, Budget, Config};
use crate::engine::JobKind;
use crate::engine::agent::Reach;
use crate::environment::Environment;
use crate::project::Choice;
use crate::run::gates::Trigger;
use crate::run::trigger;
use crate::state::StateDir;

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// A dream. `force`: only the lock gate counts.
    Dream {
        /// Skip every gate but the lock.
        force: bool,
    },
    /// An extraction of one transcript from its cursor on.
    Extract {
        /// The transcript.
        transcript: PathBuf,
        /// From its start, whatever was read before.
        again: bool,
    },
}

impl Task {
    pub(super) fn kind(&self) -> JobKind {
        match self {
            Self::Dream { .. } => JobKind::Dream,
            Self::Extract { .. } => JobKind::Extract,
        }
    }
}

/// A run to be done in this process.
#[derive(Clone, Debug)]
pub struct Order {
    /// The run's id; `None`: a new one.
    pub run: Option<String>,
    /// What to do.
    pub task: Task,
    /// Show what would land, land nothing, leave schedule and cursor as they are.
    pub dry_run: bool,
    /// The engine's word.
    pub engine: String,
    /// What started it: `hand`, `screen`, or a word of [`super::trigger`].
    pub trigger: String,
    /// The session that is going on and asked for it: not one to review.
    pub current_session: Option<String>,
    /// The mark of an answer (see [`crate::session::answer`]) that an extraction gives its transcript a moment to get.
    pub awaits: Option<String>,
    /// The store and its project.
    pub choice: Choice,
    /// The configuration.
    pub config: Config,
    /// Told of each notice at once, for whoever waits for the end.
    pub on_notice: Option<fn(&str)>,
}

impl Order {
    pub(super) fn as_trigger<'a>(
        &'a self,
        state: &'a StateDir,
        clock: &'a Clock,
        environment: &'a Environment,
    ) -> Trigger<'a> {
        Trigger { choice: &self.choice, config: &self.config, engine: &self.engine, state, clock, environment }
    }

    pub(super) fn is_automatic(&self) -> bool {
        trigger::is_automatic(&self.trigger)
    }

    /// Whether a closed gate keeps it from starting: then its failures make the next such run wait, whoever or whatever typed
    /// it. What a person forces says nothing about when the next automatic run is due.
    pub(super) fn is_gated(&self) -> bool {
        self.is_automatic() || matches!(self.task, Task::Dream { force: false })
    }

    pub(super) fn budget(&self) -> Budget {
        match self.task.kind() {
            JobKind::Dream => self.config.dream.budget,
            JobKind::Extract => self.config.extract.budget,
        }
    }

    /// What the engine's tools may read beyond its working copy: the project and its sessions.
    pub(super) fn reach(&self, environment: &Environment) -> Reach {
        let roots = self.choice.checkout.iter().chain(&self.choice.sessions).cloned().collect();
        Reach::of(roots, &self.config, environment)
    }

    pub(super) fn apply(&self) -> Apply {
        match self.task.kind() {
            JobKind::Dream => self.config.dream.apply,
            JobKind::Extract => self.config.extract.apply,
        }
    }
}
