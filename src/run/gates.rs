//! Gates: whether a trigger may start a run, in order of cost, each with its figure.

use serde::Serialize;

use crate::clock::Clock;
use crate::config::Config;
use crate::project::Choice;
use crate::state::StateDir;

/// One gate and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gate {
    /// `enabled`, `time`, `throttle`, `sessions`, `lock`; for extraction `main-agent`, `enabled`, `turns`, `already-saved`.
    pub gate: &'static str,
    /// Whether it is open. `None`: not looked at, because an earlier one is closed.
    pub passed: Option<bool>,
    /// Its figure: `31h since the last success`, `3/5 sessions`.
    pub detail: String,
    /// The figure in a status bar: `31h`, `3/5 sessions`.
    pub short: String,
}

/// All gates of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GateReport {
    /// The dream's gates, in order.
    pub dream: Vec<Gate>,
    /// The extraction's gates, in order.
    pub extract: Vec<Gate>,
}

/// How thorough to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Stop at the first closed gate, as a trigger does.
    Trigger,
    /// Look at every gate, as `gates` and the status bar do; changes nothing, not even the throttle.
    Report,
}

/// Evaluates the gates of a store. `current_session` does not count as a session to review.
#[must_use]
pub fn evaluate(
    choice: &Choice,
    config: &Config,
    state: &StateDir,
    clock: &Clock,
    current_session: Option<&str>,
    look: Look,
) -> GateReport {
    let _ = (choice, config, state, clock, current_session, look);
    todo!()
}
