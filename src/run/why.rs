//! Why a run would start now, or would not: each gate in one sentence, and all of them in one.
//!
//! Not its job: evaluating the gates (see [`super::gates`]).

use super::gates::Wait;
use super::{Gate, GateReport};

/// What a gate says, as a sentence for people.
#[must_use]
pub fn sentence(gate: &Gate) -> String {
    let detail = gate.detail.as_str();
    let Some(passed) = gate.passed else {
        return "Not looked at, because an earlier gate is closed.".to_owned();
    };
    // The gate that says so is only the first that would have cost something.
    match gate.wait {
        Some(Wait::Paused | Wait::Failures) => return format!("Automatic runs are {detail}."),
        Some(Wait::Halted | Wait::UsedUp) => return format!("Automatic runs wait: {detail}."),
        None => {}
    }
    match (gate.gate, passed) {
        ("enabled", true) => "It is switched on.".to_owned(),
        ("enabled", false) => format!("It is switched off by {}.", detail.trim_start_matches("off: ")),
        ("time", true) if gate.short == "never" => "Nothing was ever consolidated here, so it may start.".to_owned(),
        ("time", true) if gate.short == "clock" => format!("It may start: {detail}."),
        ("time", true) => format!("Enough time has passed: {detail}."),
        ("time", false) if gate.short.starts_with("undone") => format!("It waits: {detail}."),
        ("time", false) => format!("Too little time has passed: {detail}."),
        ("throttle", true) => "Sessions may be looked at again.".to_owned(),
        ("throttle", false) => format!("Sessions were looked at a moment ago: {detail}."),
        ("sessions", true) => format!("There is enough to review: {detail}."),
        ("sessions", false) => format!("There is too little to review: {detail}."),
        ("lock", true) if detail == "free" => "Nobody is consolidating this store.".to_owned(),
        ("lock", true) => format!("Nobody is consolidating this store any more: {detail}."),
        ("lock", false) if gate.short == "network" => format!("It cannot be locked: {detail}."),
        ("lock", false) if matches!(gate.short.as_str(), "read-only" | "full") => {
            format!("Nothing can be written: {detail}.")
        }
        ("lock", false) => format!("Somebody is at it: {detail}."),
        ("main-agent", _) => format!("It is {detail}."),
        ("turns", true) => format!("Enough was said: {detail}."),
        ("turns", false) => format!("Too little was said: {detail}."),
        (_, true) => format!("Open: {detail}."),
        (_, false) => format!("Closed: {detail}."),
    }
}

/// Why no dream starts, or that one would, in one sentence or two.
#[must_use]
pub fn dream(report: &GateReport) -> String {
    verdict(&report.dream, "dream")
}

/// Why no extraction starts, or that one would.
#[must_use]
pub fn extract(report: &GateReport) -> String {
    verdict(&report.extract, "extraction")
}

fn verdict(gates: &[Gate], what: &str) -> String {
    let closed: Vec<&Gate> = gates.iter().filter(|gate| gate.passed == Some(false)).collect();
    let Some(first) = closed.first() else {
        let command = if what == "dream" { "dream" } else { "extract" };
        return format!(
            "All gates are open: the next one to ask starts this {what}, be it a hook of Claude Code, a cron job, or \
             `dreamtop {command}` typed by you."
        );
    };
    let others = match closed.len() - 1 {
        0 => String::new(),
        others => format!(" {} closed besides.", crate::text::count(others, "gate is", "gates are")),
    };
    format!("No {what} starts by itself. {}{others}", sentence(first))
}
