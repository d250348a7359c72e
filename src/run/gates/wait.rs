//! What makes automatic runs wait, whichever gate says so: a pause, an engine that refuses, a day used up, failures.
//!
//! Not its job: writing any of that down (see [`crate::run::halt`], [`crate::run::pause`], [`crate::run::schedule`]).

use chrono::{DateTime, TimeDelta, Utc};

use super::{Gate, Trigger, Wait};
use crate::clock::local_day;
use crate::config::Budget;
use crate::engine::JobKind;
use crate::run::pause::{self, Asked};
use crate::run::schedule::Record;
use crate::run::{halt, spent};

/// How many minutes are left of a time, the last one counted whole.
pub(in crate::run) fn minutes_left(time: TimeDelta) -> i64 {
    (time.num_seconds() + 59) / 60
}

/// Whether automatic runs wait: the engine refuses, the day is used up, or runs failed just now. A closed gate that says so.
pub(super) fn waiting(trigger: Trigger<'_>, kind: JobKind, record: &Record, budget: Budget) -> Option<Gate> {
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
pub(super) fn after_deaths(record: &Record, now: DateTime<Utc>) -> Option<Gate> {
    let minutes = minutes_left(record.waits_until(now)? - now);
    let times = crate::text::count(record.failures as usize, "time", "times");
    let detail =
        format!("waiting {minutes} min more: the worker died over this session {times}; start one by hand to try now");
    Some(Gate::waiting(Wait::Failures, detail, "waiting"))
}
