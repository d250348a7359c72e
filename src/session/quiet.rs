//! What was said while a person had memory off: nothing is to be made of it, then or later.
//!
//! Told by the times in which everything was paused, and by the turns that a hook heard meanwhile, which no clock can move.
//! Not its job: noting either (see [`crate::run`]'s record of them).

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::HumanTurn;
use crate::memory::ContentHash;
use crate::text::folded_words;

/// A turn that was heard while memory was off, without its words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct QuietTurn {
    /// The line's uuid, which a resumption copies.
    pub uuid: Option<String>,
    /// When it was said, which a fork copies, too.
    pub at: Option<DateTime<Utc>>,
    /// The hash of its words.
    pub text: String,
}

impl QuietTurn {
    /// The mark of a turn.
    #[must_use]
    pub fn of(turn: &HumanTurn) -> Self {
        let text = ContentHash::of(folded_words(&turn.text).as_bytes()).to_string();
        Self { uuid: turn.uuid.clone(), at: turn.at, text }
    }
}

/// When memory was off, and what was heard then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quiet {
    spans: Vec<(DateTime<Utc>, DateTime<Utc>)>,
    uuids: HashSet<String>,
    said: HashSet<(DateTime<Utc>, String)>,
}

impl Quiet {
    /// Of times, each from its first instant to before its last, and of turns.
    #[must_use]
    pub fn new(spans: Vec<(DateTime<Utc>, DateTime<Utc>)>, turns: Vec<QuietTurn>) -> Self {
        let mut quiet = Self { spans, ..Self::default() };
        for QuietTurn { uuid, at, text } in turns {
            quiet.said.extend(at.map(|at| (at, text)));
            quiet.uuids.extend(uuid);
        }
        quiet
    }

    /// Whether memory was never off.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.uuids.is_empty() && self.said.is_empty()
    }

    /// The turns that count, and how many do not. What answers words that do not count has no answer of the assistant's
    /// before it. A turn without a time was said when the one before it was.
    #[must_use]
    pub fn heard(&self, turns: Vec<HumanTurn>) -> (Vec<HumanTurn>, usize) {
        if self.is_empty() {
            return (turns, 0);
        }
        let (mut heard, mut left, mut latest, mut is_after) = (Vec::with_capacity(turns.len()), 0, None, false);
        for mut turn in turns {
            latest = turn.at.or(latest);
            if self.holds(&turn, latest) {
                left += 1;
                is_after = true;
                continue;
            }
            if std::mem::take(&mut is_after) {
                turn.after = None;
            }
            heard.push(turn);
        }
        (heard, left)
    }

    fn holds(&self, turn: &HumanTurn, at: Option<DateTime<Utc>>) -> bool {
        at.is_some_and(|at| self.spans.iter().any(|(from, to)| *from <= at && at < *to))
            || turn.uuid.as_ref().is_some_and(|uuid| self.uuids.contains(uuid))
            || !self.said.is_empty() && turn.at.is_some_and(|at| self.said.contains(&(at, QuietTurn::of(turn).text)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn turn(line: u64, at: Option<&str>, text: &str) -> HumanTurn {
        HumanTurn {
            session: "s".to_owned(),
            line,
            uuid: Some(format!("u{line}")),
            at: at.map(|at| at.parse().unwrap()),
            text: text.to_owned(),
            after: Some("the answer before it".to_owned()),
        }
    }

    #[test]
    fn what_was_said_while_memory_was_off_is_told_by_its_time_its_line_or_its_copy() {
        let said = |hour: &str| format!("2026-11-30T{hour}:00Z");
        let turns = vec![
            turn(1, Some(&said("09:59")), "before"),
            turn(2, Some(&said("10:00")), "first"),
            turn(3, None, "without a time"),
            turn(4, Some(&said("11:00")), "after"),
            turn(5, Some(&said("11:30")), "more"),
        ];
        let span = (said("10:00").parse().unwrap(), said("11:00").parse().unwrap());
        let left = |quiet: &Quiet, turns: &[HumanTurn]| {
            let (heard, left) = quiet.heard(turns.to_vec());
            assert_eq!(heard.len() + left, turns.len());
            heard.iter().map(|turn| (turn.line, turn.after.is_some())).collect::<Vec<_>>()
        };
        let by_time = Quiet::new(vec![span], Vec::new());
        assert_eq!(left(&by_time, &turns), [(1, true), (4, false), (5, true)]);
        let by_line = Quiet::new(Vec::new(), vec![QuietTurn::of(&turns[3])]);
        assert_eq!(left(&by_line, &turns), [(1, true), (2, true), (3, true), (5, false)]);
        let copied: Vec<HumanTurn> = turns
            .iter()
            .map(|turn| HumanTurn { uuid: turn.uuid.as_ref().map(|id| format!("fork-{id}")), ..turn.clone() })
            .collect();
        assert_eq!(left(&by_line, &copied), [(1, true), (2, true), (3, true), (5, false)]);
        assert_eq!(left(&Quiet::default(), &turns).len(), 5);
    }
}
