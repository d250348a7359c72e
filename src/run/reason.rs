//! The sentences in which runs say how they ended. Every outcome has its own, and they stand here and nowhere else.
//!
//! Not its job: the sentences of closed gates, which hold their figures (see [`super::gates`]).

use crate::change::Op;
use crate::engine::JobKind;
use crate::memory::INDEX_FILE;
use crate::text::count;

/// Who killed a run whose process was gone without a word.
pub const WORKER_DIED: &str = "worker died";

/// What became of memories, counted on the disk. The index is none: it follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    /// Memories that were there before and say something else now.
    pub(super) improved: usize,
    /// Memories that were not there before.
    pub(super) saved: usize,
    /// Memories that are not there any more.
    pub(super) removed: usize,
    /// Whether the index changed.
    pub(super) index: bool,
}

impl Made {
    /// Counts one change.
    pub(super) fn add(&mut self, file: &str, op: Op) {
        match op {
            _ if file == INDEX_FILE => self.index = true,
            Op::Create => self.saved += 1,
            Op::Replace => self.improved += 1,
            Op::Remove => self.removed += 1,
        }
    }

    /// `Improved 3 memories, saved 1, removed 2`; `None`: nothing changed. These words and no others are said of it anywhere.
    pub(super) fn notice(self) -> Option<String> {
        let words = self.words(["Improved", "Saved", "Removed"], ["improved", "saved", "removed"]);
        words.or_else(|| self.index.then(|| "Improved the index".to_owned()))
    }

    /// The same of what has not landed: `would improve 3 memories, save 1, remove 2`.
    fn would(self) -> Option<String> {
        let words = self.words(["would improve", "would save", "would remove"], ["improve", "save", "remove"]);
        words.or_else(|| self.index.then(|| "would improve the index".to_owned()))
    }

    /// The figures that are not zero; the first of them with its noun.
    fn words(self, first: [&str; 3], others: [&str; 3]) -> Option<String> {
        let figures = [self.improved, self.saved, self.removed].into_iter().zip(first.into_iter().zip(others));
        let mut words = String::new();
        for (figure, (first, other)) in figures.filter(|(figure, _)| *figure > 0) {
            if words.is_empty() {
                words = format!("{first} {}", count(figure, "memory", "memories"));
            } else {
                words.push_str(&format!(", {other} {}", crate::text::figure(figure as u64)));
            }
        }
        (!words.is_empty()).then_some(words)
    }
}

/// Changes that did not land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Waits {
    /// Those that wait from now on.
    pub(super) now: usize,
    /// Those that an earlier run wanted as well, and that wait since then.
    pub(super) earlier: usize,
    /// Those that wait nowhere, because they hold what looks like a credential.
    pub(super) refused: usize,
}

/// Done, partial, held: what became of the changes. `left_out` is what the engine could not do.
pub(super) fn landed(made: Made, waits: Waits, left_out: &[String]) -> String {
    let Waits { now, earlier, refused } = waits;
    let verb = |many| plural(many, "waits", "wait");
    let first =
        (now > 0).then(|| format!("{} {} in the inbox for a person", count(now, "change", "changes"), verb(now)));
    let again = (earlier > 0).then(|| match now {
        0 => format!("{} {} in the inbox already", count(earlier, "change", "changes"), verb(earlier)),
        _ => format!("{} more {} there already", crate::text::figure(earlier as u64), verb(earlier)),
    });
    let refused = (refused > 0).then(|| {
        let changes = count(refused, "change", "changes");
        format!("{changes} {} what looks like a credential and went nowhere", plural(refused, "holds", "hold"))
    });
    let said: Vec<String> = [made.notice(), first, again, refused].into_iter().flatten().collect();
    with_left_out(if said.is_empty() { "nothing to change".to_owned() } else { said.join("; ") }, left_out)
}

/// A dry run's: what would land.
pub(super) fn would_land(made: Made, left_out: &[String]) -> String {
    let would = made.would().map(|would| format!("{would}, guards permitting"));
    with_left_out(would.unwrap_or_else(|| "nothing would change".to_owned()), left_out)
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

/// Failed, because the engine said so and nothing more.
pub(super) const WITHOUT_A_WORD: &str = "the engine failed and gave no reason";

/// Failed, because the engine's thread broke off.
pub(super) const BROKE_OFF: &str = "the engine broke off (a fault in the engine itself)";

/// Failed: why, and where the disk was full what to do next.
pub(super) fn failed(why: &str) -> String {
    let is_full =
        ["No space left on device", "no storage space", "Disk quota exceeded"].iter().any(|words| why.contains(words));
    if is_full { format!("{why}; make room there, then start it again") } else { why.to_owned() }
}

/// Failed, because its time is over.
pub(super) fn out_of_time(seconds: u64) -> String {
    format!("the time budget of {seconds} s is used up; nothing was changed")
}

/// Failed, because the worker never came to its first word.
pub(super) const NEVER_BEGAN: &str =
    "its worker never began; nothing was changed; the same is read again when the wait after it is over";

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
        let made = |improved, saved, removed| Made { improved, saved, removed, index: true };
        let nothing = Made::default();
        let waits = |now, earlier, refused| Waits { now, earlier, refused };
        for (sentence, expected) in [
            (landed(nothing, waits(0, 0, 0), &[]), "nothing to change"),
            (landed(made(1, 0, 0), waits(0, 0, 0), &[]), "Improved 1 memory"),
            (landed(made(0, 0, 0), waits(0, 0, 0), &[]), "Improved the index"),
            (landed(nothing, waits(1, 0, 0), &[]), "1 change waits in the inbox for a person"),
            (landed(nothing, waits(0, 3, 0), &[]), "3 changes wait in the inbox already"),
            (
                landed(nothing, waits(2, 1, 0), &[]),
                "2 changes wait in the inbox for a person; 1 more waits there already",
            ),
            (
                landed(made(3, 1, 0), waits(2, 0, 0), &left),
                "Improved 3 memories, saved 1; 2 changes wait in the inbox for a person; left out: a.md: not there",
            ),
            (
                landed(made(0, 1_200, 2), waits(0, 0, 1), &[]),
                "Saved 1,200 memories, removed 2; 1 change holds what looks like a credential and went nowhere",
            ),
            (landed(made(0, 0, 2), waits(0, 0, 0), &[]), "Removed 2 memories"),
            (would_land(nothing, &[]), "nothing would change"),
            (would_land(made(2, 0, 1), &[]), "would improve 2 memories, remove 1, guards permitting"),
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
