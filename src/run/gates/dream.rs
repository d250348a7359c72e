//! The dream's gates: switched on, time, throttle, sessions, lock.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};

use super::wait::waiting;
use super::{Gate, Look, Trigger, Walk, memory_off, speakers};
use crate::config::Config;
use crate::engine::JobKind;
use crate::project::Choice;
use crate::run::lock::{self, Standing};
use crate::run::schedule::{Record, Schedule};
use crate::run::{quiet, review, volume};
use crate::session::SessionFile;

/// Sessions are scanned at most this often.
const SCAN_EVERY: TimeDelta = TimeDelta::minutes(10);

/// What the dream's gates found.
pub(in crate::run) struct DreamLook {
    pub(in crate::run) gates: Vec<Gate>,
    /// The sessions to review, newest first; empty when the session gate was not looked at.
    pub(in crate::run) sessions: Vec<SessionFile>,
}

pub(in crate::run) fn dream(trigger: Trigger<'_>, current_session: Option<&str>, look: Look) -> DreamLook {
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
        sessions = review::fresh_sessions(choice, last, current_session, speakers(config), &quiet::of(state, store));
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
pub(in crate::run) fn dream_at_once(trigger: Trigger<'_>) -> Vec<Gate> {
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
