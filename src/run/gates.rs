//! Gates: whether a trigger may start a run, in order of cost, each with its figure.
//!
//! Each kind of run has a list of its own. Not its job: taking the lock (see [`super::lock`]) and doing anything about an
//! open gate (see [`super::worker`]).

mod dream;
mod extract;
mod wait;

use serde::Serialize;

pub(super) use dream::{dream, dream_at_once};
pub(super) use extract::extract;
pub(super) use wait::minutes_left;

use super::schedule::Schedule;
use super::{lock, quiet, review, trigger};
use crate::clock::Clock;
use crate::config::Config;
use crate::engine::JobKind;
use crate::environment::Environment;
use crate::project::Choice;
use crate::session::Speakers;
use crate::session::expiry::is_expiring;
use crate::state::StateDir;

/// What makes automatic runs wait, whichever gate says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A person paused everything.
    Halted,
    /// The engine refuses for now.
    Paused,
    /// What a day may use is used up.
    UsedUp,
    /// Runs failed just now.
    Failures,
}

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
    /// Why it is closed for automatic runs only.
    #[serde(skip)]
    pub wait: Option<Wait>,
}

impl Gate {
    fn new(gate: &'static str, passed: bool, detail: impl Into<String>, short: impl Into<String>) -> Self {
        Self { gate, passed: Some(passed), detail: detail.into(), short: short.into(), wait: None }
    }

    /// Closed for automatic runs only; which gate says so is for whoever asks.
    fn waiting(wait: Wait, detail: impl Into<String>, short: impl Into<String>) -> Self {
        Self { wait: Some(wait), ..Self::new("", false, detail, short) }
    }

    fn unseen(gate: &'static str) -> Self {
        Self {
            gate,
            passed: None,
            detail: "not looked at: an earlier gate is closed".to_owned(),
            short: "–".to_owned(),
            wait: None,
        }
    }
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
    environment: &Environment,
    current_session: Option<&str>,
    look: Look,
) -> GateReport {
    let trigger = Trigger { choice, config, engine: &config.engine, state, clock, environment };
    let dream = dream(trigger, current_session, look).gates;
    let transcript = review::newest_transcript(choice, current_session);
    let extract = extract(trigger, transcript.as_deref(), trigger::HOOK, look).gates;
    GateReport { dream, extract }
}

/// What gates are asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trigger<'a> {
    pub(super) choice: &'a Choice,
    pub(super) config: &'a Config,
    /// The engine's word.
    pub(super) engine: &'a str,
    pub(super) state: &'a StateDir,
    pub(super) clock: &'a Clock,
    pub(super) environment: &'a Environment,
}

/// How many sessions with something new from a person go from the disk within three days and no dream has read them.
#[must_use]
pub fn expiring(choice: &Choice, config: &Config, state: &StateDir, clock: &Clock, kept_days: u32) -> usize {
    let (now, store) = (clock.now(), choice.store.root());
    let schedule = Schedule::of(state, store);
    let last = lock::last_success(store, schedule.dir(), schedule.record(JobKind::Dream).success_by(now), now);
    let fresh = review::fresh_sessions(choice, last, None, speakers(config), &quiet::of(state, store));
    fresh.iter().filter(|file| is_expiring(file, kept_days, now)).count()
}

/// The first closed gate, as the reason for not running.
pub(super) fn closed(gates: &[Gate]) -> Option<String> {
    gates.iter().find(|gate| gate.passed == Some(false)).map(|gate| format!("{}: {}", gate.gate, gate.detail))
}

/// The gates of a list, one after the other, stopping as the look says.
struct Walk {
    gates: Vec<Gate>,
    look: Look,
}

impl Walk {
    fn new(look: Look) -> Self {
        Self { gates: Vec::new(), look }
    }

    fn ask(&mut self, name: &'static str, gate: impl FnOnce() -> Gate) {
        let stop = self.look == Look::Trigger && self.gates.iter().any(|gate| gate.passed != Some(true));
        self.gates.push(if stop { Gate::unseen(name) } else { gate() });
    }
}

/// Why no run may change a store that is another program's.
pub(super) fn read_only(choice: &Choice) -> Option<String> {
    let kind = choice.store.kind();
    kind.is_read_only().then(|| format!("{} is {}'s and opens read-only", choice.store.root().display(), kind.writer()))
}

fn memory_off(choice: &Choice) -> Option<String> {
    if let Some(why) = read_only(choice) {
        return Some(format!("off: {why}"));
    }
    choice.memory_off().or_else(|| choice.settings.bare.map(|name| format!("off: {name}")))
}

/// Whose turns count.
#[must_use]
pub fn speakers(config: &Config) -> Speakers {
    Speakers::with_programs(config.extract.programs)
}

#[cfg(test)]
#[path = "gates_tests.rs"]
mod tests;
