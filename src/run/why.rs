//! Why a run would start now, or would not: each gate in one sentence, and all of them in one.
//!
//! Not its job: evaluating the gates (see [`super::gates`]).

use super::{Gate, GateReport};

/// What a gate says, as a sentence for people.
#[must_use]
pub fn sentence(gate: &Gate) -> String {
    let detail = gate.detail.as_str();
    let Some(passed) = gate.passed else {
        return "Not looked at, because an earlier gate is closed.".to_owned();
    };
    if gate.is_wait() {
        // The gate that says so is only the first that would have cost something.
        let is_state = ["paused ", "waiting "].iter().any(|state| detail.starts_with(state));
        return format!("Automatic runs {} {detail}.", if is_state { "are" } else { "wait:" });
    }
    match (gate.gate, passed) {
        ("enabled", true) => "It is switched on.".to_owned(),
        ("enabled", false) => format!("It is switched off by {}.", detail.trim_start_matches("off: ")),
        ("time", true) if gate.short == "never" => "Nothing was ever consolidated here, so it may start.".to_owned(),
        ("time", true) => format!("Enough time has passed: {detail}."),
        ("time", false) if gate.short.starts_with("undone") => format!("It waits: {detail}."),
        ("time", false) => format!("Too little time has passed: {detail}."),
        ("throttle", true) => "Sessions may be looked at again.".to_owned(),
        ("throttle", false) => format!("Sessions were looked at a moment ago: {detail}."),
        ("sessions", true) => format!("There is enough to review: {detail}."),
        ("sessions", false) => format!("There is too little to review: {detail}."),
        ("lock", true) if detail == "free" => "Nobody is consolidating this store.".to_owned(),
        ("lock", true) => format!("Nobody is consolidating this store any more: {detail}."),
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn what_makes_automatic_runs_wait_is_said_as_itself_whichever_gate_is_closed_by_it() {
        let closed = |gate, short: &str, detail: &str| {
            sentence(&Gate { gate, passed: Some(false), detail: detail.to_owned(), short: short.to_owned() })
        };
        for gate in ["throttle", "turns"] {
            for (short, detail, said) in [
                ("paused 6h", "paused until 06:20", "Automatic runs are paused until 06:20."),
                ("used up", "today's runs are used up", "Automatic runs wait: today's runs are used up."),
                ("waiting", "waiting 5 min", "Automatic runs are waiting 5 min."),
            ] {
                assert_eq!(closed(gate, short, detail), said);
            }
        }
        // Their own reasons stay theirs.
        assert_eq!(closed("throttle", "3m", "3 min"), "Sessions were looked at a moment ago: 3 min.");
        assert_eq!(closed("turns", "0/1 turns", "0/1"), "Too little was said: 0/1.");
    }
}
