//! The sentences in which runs say how they ended. Every outcome has its own, and they stand here and nowhere else.
//!
//! Not its job: the sentences of closed gates, which hold their figures (see [`super::gates`]).

use crate::engine::JobKind;
use crate::text::count;

/// Who killed a run whose process was gone without a word.
pub const WORKER_DIED: &str = "worker died";

/// Done, partial, held: what became of the changes. `left_out` is what the engine could not do.
pub(super) fn landed(landed: usize, held: usize, left_out: &[String]) -> String {
    let wait = |held| {
        format!("{} {} in the inbox for a person", count(held, "change", "changes"), plural(held, "waits", "wait"))
    };
    let figures = match (landed, held) {
        (0, 0) => "nothing to change".to_owned(),
        (landed, 0) => format!("{} landed", count(landed, "change", "changes")),
        (0, held) => wait(held),
        (landed, held) => format!("{} landed, {}", count(landed, "change", "changes"), wait(held)),
    };
    with_left_out(figures, left_out)
}

/// A dry run's: what would land.
pub(super) fn would_land(changes: usize, left_out: &[String]) -> String {
    let would = match changes {
        0 => "nothing would change".to_owned(),
        changes => format!("{} would land, guards permitting", count(changes, "change", "changes")),
    };
    with_left_out(would, left_out)
}

fn with_left_out(reason: String, left_out: &[String]) -> String {
    if left_out.is_empty() { reason } else { format!("{reason}; left out: {}", left_out.join("; ")) }
}

/// Killed before anything landed.
pub(super) fn killed(by: &str) -> String {
    format!("killed by {}; nothing was changed", said(by))
}

/// Killed after its changes had landed.
pub(super) fn killed_after_landing(by: &str) -> String {
    format!("killed by {} when its changes had landed; undo takes them back", said(by))
}

/// Its process is gone, and it had not landed anything.
pub(super) fn interrupted(kind: JobKind) -> String {
    let again = match kind {
        JobKind::Dream => "`dreamtop dream --force` or D runs it now",
        JobKind::Extract => "the next extraction of its session reads the same again",
    };
    format!("interrupted: its process is gone; nothing was changed; {again}")
}

/// Its process is gone, and what it wanted had landed.
pub(super) fn interrupted_after_landing() -> String {
    "interrupted: its process is gone, but its changes had landed; undo takes them back".to_owned()
}

/// Failed, because the engine only talked.
pub(super) const ONLY_TALKED: &str = "the engine only answered and used no tool; nothing counts as done";

/// Failed, because the engine's thread broke off.
pub(super) const BROKE_OFF: &str = "the engine broke off (a fault in the engine itself)";

/// Failed, because another program took the lock.
pub(super) const LOCK_LOST: &str = "another program took the lock meanwhile; nothing was changed";

/// Failed, because its time is over.
pub(super) fn out_of_time(seconds: u64) -> String {
    format!("the time budget of {seconds} s is used up; nothing was changed")
}

/// Skipped: another extraction of the session is going on.
pub(super) const WILL_LOOK_AGAIN: &str = "an extraction of this session is running and will look once more at its end";

/// By whom, as a part of a sentence.
fn said(by: &str) -> String {
    match by {
        "screen" => "the screen (x)".to_owned(),
        "command" => "`dreamtop kill`".to_owned(),
        other => other.to_owned(),
    }
}

const fn plural<'a>(number: usize, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn every_outcome_has_one_sentence_with_its_figures() {
        let left = ["a.md: not there".to_owned()];
        for (sentence, expected) in [
            (landed(0, 0, &[]), "nothing to change"),
            (landed(1, 0, &[]), "1 change landed"),
            (landed(0, 1, &[]), "1 change waits in the inbox for a person"),
            (
                landed(3, 2, &left),
                "3 changes landed, 2 changes wait in the inbox for a person; left out: a.md: not there",
            ),
            (would_land(0, &[]), "nothing would change"),
            (would_land(2, &[]), "2 changes would land, guards permitting"),
            (killed("screen"), "killed by the screen (x); nothing was changed"),
            (killed("signal TERM"), "killed by signal TERM; nothing was changed"),
            (
                killed_after_landing("command"),
                "killed by `dreamtop kill` when its changes had landed; undo takes them back",
            ),
        ] {
            assert_eq!(sentence, expected);
        }
        assert!(interrupted(JobKind::Dream).contains("dreamtop dream --force"));
    }
}
