//! Triage: the memories that still wait, the card on top of them, and what was judged so far.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};

use crate::change::SnoozedBefore;
use crate::change::verdicts::Seen;
use crate::memory::Kind;
use crate::tui::state::{ListState, Sheet};
use crate::tui::theme::Meaning;

/// What became of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It is still true.
    Confirmed,
    /// Its text was changed.
    Edited,
    /// It became one with its partner.
    Merged,
    /// It went to the trash.
    Deleted,
    /// It waits until an instant.
    Snoozed(DateTime<Utc>),
    /// It has another type.
    Retyped(Kind),
    /// Nothing: it was left for another time.
    Skipped,
}

impl What {
    /// The words of the summary, in its order.
    pub const WORDS: [&str; 7] = ["confirmed", "edited", "merged", "deleted", "snoozed", "retyped", "skipped"];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Edited => "edited",
            Self::Merged => "merged",
            Self::Deleted => "deleted",
            Self::Snoozed(_) => "snoozed",
            Self::Retyped(_) => "retyped",
            Self::Skipped => "skipped",
        }
    }
}

/// How a verdict is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Back {
    /// It changed nothing.
    Nothing,
    /// By the history entry it landed as.
    Entry(String),
    /// By letting the memory wait as it did before.
    Snooze(SnoozedBefore),
}

/// One verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// About which file.
    pub file: String,
    /// What became of it.
    pub what: What,
    /// How long the card was looked at; a skip has no pace.
    pub took: TimeDelta,
    /// How it is taken back.
    pub back: Back,
    /// The cards that it took off the queue, the first one first.
    pub cards: Vec<String>,
}

/// What was asked of the door and has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pending {
    /// A verdict on the card; `cards` leave the queue with it.
    Verdict {
        /// What becomes of the memory.
        what: What,
        /// How long the card was looked at.
        took: TimeDelta,
        /// The files it settles, the card first.
        cards: Vec<String>,
    },
    /// A verdict taken back: which one of the list.
    Back(usize),
}

/// Triage.
#[derive(Clone, Debug, Default)]
pub struct Triage {
    /// The files that wait, most in need first; the first one is the card.
    pub queue: VecDeque<String>,
    /// Which memories it is over, when not all: `marked`, `filtered`.
    pub scope: Option<&'static str>,
    /// What was judged, oldest first.
    pub judged: Vec<Verdict>,
    /// The page on the card.
    pub sheet: Sheet,
    /// The memory on the card as it is shown.
    pub shown: Option<Seen>,
    /// Whether the next change of it on the disk is our own.
    pub awaits: bool,
    /// Since when the card is shown.
    pub since: DateTime<Utc>,
    /// Since when triage goes on.
    pub begun: DateTime<Utc>,
    /// A number typed before a verdict: days of a snooze.
    pub count: Option<u16>,
    /// What has no answer yet.
    pub pending: Option<Pending>,
    /// What is said on the card.
    pub note: Option<(String, Meaning)>,
    /// The summary, when it is shown: which verdict is selected.
    pub summary: Option<ListState>,
    /// Whether the order is by evidence already.
    pub knows_findings: bool,
}

impl Triage {
    /// The file on the card.
    #[must_use]
    pub fn card(&self) -> Option<&str> {
        self.queue.front().map(String::as_str).filter(|_| self.summary.is_none())
    }

    /// How many memories there are in all: those that wait and those that were judged.
    #[must_use]
    pub fn total(&self) -> usize {
        self.queue.len() + self.judged.iter().map(|verdict| verdict.cards.len()).sum::<usize>()
    }

    /// The median time of a verdict in tenths of a second; `None` before the first.
    #[must_use]
    pub fn pace(&self) -> Option<i64> {
        let judged = self.judged.iter().filter(|verdict| verdict.what != What::Skipped);
        let mut times: Vec<i64> = judged.map(|verdict| verdict.took.num_milliseconds() / 100).collect();
        times.sort_unstable();
        let (low, high) = (times.get(times.len().checked_sub(1)? / 2)?, times.get(times.len() / 2)?);
        Some(low.midpoint(*high))
    }

    /// How often each verdict was given, in the order of [`What::WORDS`]; those never given are left out.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let count = |word: &&str| self.judged.iter().filter(|verdict| verdict.what.word() == *word).count();
        What::WORDS.iter().map(|word| (*word, count(word))).filter(|(_, count)| *count > 0).collect()
    }
}
