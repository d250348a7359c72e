//! Gates: whether a trigger may start a run, in order of cost, each with its figure.
//!
//! Not its job: taking the lock (see [`super::lock`]) and doing anything about an open gate (see [`super::worker`]).

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::lock::{self, Standing};
use super::pause::{self, Asked};
use super::schedule::{Cursor, Record, Schedule};
use super::{halt, review, spent, trigger, volume};
use crate::clock::{Clock, local_day};
use crate::config::{Budget, Config};
use crate::engine::JobKind;
use crate::environment::Environment;
use crate::project::Choice;
use crate::session::expiry::is_expiring;
use crate::session::human::HumanTurns;
use crate::session::{SessionFile, Speakers, head};
use crate::state::StateDir;

/// Sessions are scanned at most this often.
const SCAN_EVERY: TimeDelta = TimeDelta::minutes(10);

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
    let fresh = review::fresh_sessions(choice, last, None, speakers(config));
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

/// What the dream's gates found.
pub(super) struct DreamLook {
    pub(super) gates: Vec<Gate>,
    /// The sessions to review, newest first; empty when the session gate was not looked at.
    pub(super) sessions: Vec<SessionFile>,
}

pub(super) fn dream(trigger: Trigger<'_>, current_session: Option<&str>, look: Look) -> DreamLook {
    let Trigger { choice, config, state, clock, .. } = trigger;
    let now = clock.now();
    let store = choice.store.root();
    let schedule = Schedule::of(state, store);
    let record = schedule.record(JobKind::Dream);
    let last = lock::last_success(store, schedule.dir(), record.success_by(now), now);
    let mut sessions = Vec::new();
    let mut walk = cheap_dream(trigger, &schedule, &record, last, look);
    walk.ask("sessions", || {
        if look == Look::Trigger {
            // A throttle that cannot be written only costs another scan.
            let _ = schedule.scanned(now);
        }
        sessions = review::fresh_sessions(choice, last, current_session, speakers(config));
        let figure = format!("{}/{} sessions", sessions.len(), config.dream.min_sessions);
        let detail = format!("{figure} with something new from a person since the last success");
        Gate::new("sessions", sessions.len() >= config.dream.min_sessions, detail, figure)
    });
    walk.ask("lock", || {
        let stands = if look == Look::Trigger { lock::meet } else { lock::standing };
        let open = match stands(store, schedule.dir(), now) {
            Standing::Held(why) => return Gate::new("lock", false, why, "held"),
            Standing::Free => Gate::new("lock", true, "free", "free"),
            Standing::Stale(why) => Gate::new("lock", true, format!("free: it can be taken over from {why}"), "free"),
        };
        let closed = unwritable(store).or_else(|| unkept(state.root())).or_else(|| on_network(store, config));
        closed.unwrap_or(open)
    });
    DreamLook { gates: walk.gates, sessions }
}

/// The dream's gates that cost a look at a file or two, in order: what is asked after every turn.
pub(super) fn dream_at_once(trigger: Trigger<'_>) -> Vec<Gate> {
    let Trigger { choice, state, clock, .. } = trigger;
    let schedule = Schedule::of(state, choice.store.root());
    let record = schedule.record(JobKind::Dream);
    let now = clock.now();
    let last = lock::last_success(choice.store.root(), schedule.dir(), record.success_by(now), now);
    cheap_dream(trigger, &schedule, &record, last, Look::Trigger).gates
}

fn cheap_dream(
    trigger: Trigger<'_>,
    schedule: &Schedule,
    record: &Record,
    last: Option<DateTime<Utc>>,
    look: Look,
) -> Walk {
    let Trigger { choice, config, clock, .. } = trigger;
    let now = clock.now();
    let mut walk = Walk::new(look);
    walk.ask("enabled", || dream_enabled(choice, config));
    walk.ask("time", || {
        let back = record.taken_back().filter(|back| *back <= now + lock::JITTER);
        let closed = back.and_then(|back| taken_back(back, now, config.dream.min_hours));
        closed.unwrap_or_else(|| time(last, record.success_to_come(now), now, config.dream.min_hours))
    });
    walk.ask("throttle", || match waiting(trigger, JobKind::Dream, record, config.dream.budget) {
        Some(closed) => Gate { gate: "throttle", ..closed },
        None => throttle(schedule.last_scan(now), now),
    });
    walk
}

fn dream_enabled(choice: &Choice, config: &Config) -> Gate {
    let settings = &choice.settings;
    let gate = |passed, detail: String| Gate::new("enabled", passed, detail, if passed { "on" } else { "off" });
    if let Some(off) = memory_off(choice) {
        return gate(false, off);
    }
    if settings.remote {
        return gate(false, "off: CLAUDE_CODE_REMOTE".to_owned());
    }
    match &settings.auto_dream {
        Some(decided) => gate(decided.value, format!("{}: {}", if decided.value { "on" } else { "off" }, decided.by)),
        None if config.dream.enabled => gate(true, "on".to_owned()),
        None => gate(false, "off: config.yaml, dream.enabled".to_owned()),
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

/// Whether a person took the last dream back just now: what it read counts as new again, but nothing does the same at once.
fn taken_back(back: DateTime<Utc>, now: DateTime<Utc>, needed: u64) -> Option<Gate> {
    let since = (now - back).max(TimeDelta::zero());
    let hours = since.num_hours();
    let is_over = TimeDelta::try_hours(i64::try_from(needed).unwrap_or(i64::MAX)).is_some_and(|needed| since >= needed);
    let detail = format!(
        "the last dream was taken back {hours}h ago ({needed}h needed); what it read counts as new again, and one started \
         by hand reads it now"
    );
    (!is_over).then(|| Gate::new("time", false, detail, format!("undone {hours}h")))
}

fn time(last: Option<DateTime<Utc>>, to_come: Option<DateTime<Utc>>, now: DateTime<Utc>, needed: u64) -> Gate {
    let Some(last) = last else {
        let Some(dated) = to_come else { return Gate::new("time", true, "never consolidated yet", "never") };
        let dated = dated.format("%Y-%m-%d");
        let detail = format!(
            "the last success is dated {dated}, which is still to come (the clock was set back), so it does not count"
        );
        return Gate::new("time", true, detail, "clock");
    };
    let since = (now - last).max(TimeDelta::zero());
    let hours = since.num_hours();
    let passed = since >= TimeDelta::try_hours(i64::try_from(needed).unwrap_or(i64::MAX)).unwrap_or(TimeDelta::MAX);
    Gate::new("time", passed, format!("{hours}h since the last success ({needed}h needed)"), format!("{hours}h"))
}

fn throttle(last_scan: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Gate {
    let Some(last) = last_scan else {
        return Gate::new("throttle", true, "no automatic dream has looked through the sessions yet", "open");
    };
    let since = (now - last).max(TimeDelta::zero());
    let (minutes, needed) = (since.num_minutes(), SCAN_EVERY.num_minutes());
    let detail = format!("{minutes} min since the last scan of sessions ({needed} needed)");
    Gate::new("throttle", since >= SCAN_EVERY, detail, format!("{minutes}m"))
}

/// How many minutes are left of a time, the last one counted whole.
pub(super) fn minutes_left(time: TimeDelta) -> i64 {
    (time.num_seconds() + 59) / 60
}

/// Whether automatic runs wait: the engine refuses, the day is used up, or runs failed just now. A closed gate that says so.
fn waiting(trigger: Trigger<'_>, kind: JobKind, record: &Record, budget: Budget) -> Option<Gate> {
    let now = trigger.clock.now();
    if let Some(halt) = halt::of(trigger.state, now) {
        return Some(Gate::waiting(Wait::Halted, halt.words(), format!("paused {}", halt.left(now))));
    }
    let asked = Asked { word: trigger.engine, config: trigger.config, environment: trigger.environment };
    if let Some(pause) = pause::of(trigger.state, asked, now) {
        let minutes = minutes_left(pause.until - now);
        let left = if minutes < 120 { format!("{minutes}m") } else { format!("{}h", minutes / 60) };
        let detail = format!("{}; start one by hand to try now", pause.words());
        return Some(Gate::waiting(Wait::Paused, detail, format!("paused {left}")));
    }
    if let Some(over) = spent::over(spent::on(trigger.state, kind, local_day(now)), budget) {
        return Some(Gate::waiting(Wait::UsedUp, over, "used up"));
    }
    let minutes = minutes_left(record.waits_until(now)? - now);
    let failures = crate::text::count(record.failures as usize, "failure", "failures");
    let detail = format!("waiting {minutes} min more after {failures}; start one by hand to try now");
    Some(Gate::waiting(Wait::Failures, detail, "waiting"))
}

/// Whether a session waits because workers died over it.
fn after_deaths(record: &Record, now: DateTime<Utc>) -> Option<Gate> {
    let minutes = minutes_left(record.waits_until(now)? - now);
    let times = crate::text::count(record.failures as usize, "time", "times");
    let detail =
        format!("waiting {minutes} min more: the worker died over this session {times}; start one by hand to try now");
    Some(Gate::waiting(Wait::Failures, detail, "waiting"))
}

/// Where nothing can be written no lock can be taken, nor anything landed. One that does not exist yet is made.
fn unwritable(store: &Path) -> Option<Gate> {
    let (short, why) = volume::refusal(store)?;
    let what = if short == "full" { "so nothing can land there; make room" } else { "so no dream can take its lock" };
    Some(Gate::new("lock", false, format!("{} {why}, {what}", store.display()), short))
}

/// Where our own state cannot be kept no run can begin.
fn unkept(state: &Path) -> Option<Gate> {
    let (short, why) = volume::refusal(state)?;
    let next = if short == "full" {
        "make room"
    } else {
        "make it yours and writable, or name another place with XDG_STATE_HOME"
    };
    let state = state.display();
    Some(Gate::new("lock", false, format!("{state}, where runs are kept, {why}; {next}"), short))
}

/// Where another machine may write to the store too, no lock of ours keeps it out for certain.
fn on_network(store: &Path, config: &Config) -> Option<Gate> {
    let kind = volume::network(store).filter(|_| !config.dream.on_network)?;
    let detail = format!(
        "{} is on a network file system ({kind}), where no lock keeps two machines apart for certain; \
         dream.on_network: true in config.yaml lets automatic dreams run there",
        store.display()
    );
    Some(Gate::new("lock", false, detail, "network"))
}

/// What the extraction's gates found.
pub(super) struct ExtractLook {
    pub(super) gates: Vec<Gate>,
    /// Where to go on.
    pub(super) cursor: Cursor,
    /// What is new after the cursor, when it was looked at.
    pub(super) new: Option<HumanTurns>,
}

/// Looks at a transcript for what started it (`by`, see [`super::trigger`]). By hand anything new is enough, and failures
/// before do not count.
pub(super) fn extract(trigger: Trigger<'_>, transcript: Option<&Path>, by: &str, look: Look) -> ExtractLook {
    let Trigger { choice, config, state, .. } = trigger;
    let schedule = Schedule::of(state, choice.store.root());
    let mut walk = Walk::new(look);
    let cursor = transcript.map(|path| review::cursor(&schedule, path)).unwrap_or_default();
    let mut new: Option<Result<HumanTurns, String>> = None;
    walk.ask("main-agent", || main_agent(transcript, speakers(config)));
    walk.ask("enabled", || match memory_off(choice) {
        None => Gate::new("enabled", true, "on", "on"),
        Some(off) => Gate::new("enabled", false, off, "off"),
    });
    walk.ask("turns", || {
        let Some(path) = transcript else { return Gate::new("turns", false, "no session yet", "none") };
        if trigger::is_automatic(by) {
            let record = schedule.record(JobKind::Extract);
            let closed = waiting(trigger, JobKind::Extract, &record, config.extract.budget);
            let died = || after_deaths(&schedule.session_record(&review::session_id(path)), trigger.clock.now());
            if let Some(closed) = closed.or_else(died) {
                return Gate { gate: "turns", ..closed };
            }
        }
        let read = review::new_turns(path, &cursor, choice.store.root(), speakers(config));
        let gate = match &read {
            Ok(new) => turns(new.turns.len(), trigger::turns_needed(by, config.extract.every_turns)),
            Err(error) if trigger::is_automatic(by) && error.kind() == std::io::ErrorKind::NotFound => Gate::new(
                "turns",
                false,
                "this session has no transcript yet; what is said in it is read once there is one",
                "none",
            ),
            Err(error) => Gate::new("turns", false, format!("cannot read {}: {error}", path.display()), "unreadable"),
        };
        new = Some(read.map_err(|error| error.to_string()));
        gate
    });
    walk.ask("already-saved", || match &new {
        Some(Ok(HumanTurns { memory_written_at: Some(line), .. })) => {
            let detail = format!("the session itself wrote a memory since the last extraction (line {line})");
            Gate::new("already-saved", false, detail, "saved")
        }
        _ => Gate::new("already-saved", true, "the session itself wrote no memory since the last extraction", "none"),
    });
    ExtractLook { gates: walk.gates, cursor, new: new.and_then(Result::ok) }
}

/// Whose turns count.
#[must_use]
pub fn speakers(config: &Config) -> Speakers {
    Speakers::with_programs(config.extract.programs)
}

fn main_agent(transcript: Option<&Path>, speakers: Speakers) -> Gate {
    let gate = |passed, detail: &str, short: &str| Gate::new("main-agent", passed, detail, short);
    match transcript.map(head::read_beginning) {
        Some(Ok(head)) if head.is_sidechain => gate(false, "a sub-agent's session", "sub-agent"),
        Some(Ok(head)) if speakers.leave_out(head.entrypoint.as_deref()) => {
            gate(false, "a program talks in this session, not a person", "headless")
        }
        // An unreadable transcript is named by the next gate that reads it.
        _ => gate(true, "the main agent's session", "main"),
    }
}

fn turns(new: usize, needed: usize) -> Gate {
    let needed = needed.max(1);
    let short = format!("{new}/{needed} turns");
    let detail = if new == 0 {
        format!("{short}: nothing new since the last extraction")
    } else {
        format!("{short} since the last extraction")
    };
    Gate::new("turns", new >= needed, detail, short)
}

#[cfg(test)]
#[path = "gates_tests.rs"]
mod tests;
