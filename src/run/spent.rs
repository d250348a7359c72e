//! What runs of all stores used up on a local day: how many began, how many tokens. It caps automatic runs.
//!
//! One file a kind and day, `spent/dream-2026-11-30.jsonl`, appended to as runs begin and use tokens: a killed run has
//! counted, two workers never overwrite each other, and a clock that jumps to another day and back finds what that day had
//! used. Not its job: deciding (see [`super::gates`]), and statistics (see [`super::stats`]).

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::config::{Budget, Config, Money};
use crate::engine::{JobKind, Tokens};
use crate::state::{StateDir, append_line};

/// Files of days longer ago, or further ahead, than this are removed.
const KEPT_DAYS: u64 = 40;

/// What a day has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Runs that began.
    pub runs: u64,
    /// Tokens, as they count against a budget.
    pub tokens: u64,
    /// What they cost, where prices were set.
    #[serde(skip_serializing_if = "Money::is_nothing")]
    pub cost: Money,
}

/// One line of a day's file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    run: String,
    #[serde(default, skip_serializing_if = "is_false")]
    begun: bool,
    #[serde(default)]
    tokens: u64,
    #[serde(default, skip_serializing_if = "Money::is_nothing")]
    cost: Money,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Where the days' files lie.
pub(super) fn dir(state: &StateDir) -> PathBuf {
    state.root().join("spent")
}

fn file(state: &StateDir, kind: JobKind, day: NaiveDate) -> PathBuf {
    dir(state).join(format!("{}-{day}.jsonl", kind.word()))
}

/// What runs of a kind have used on a day, in all stores. What cannot be read counts as nothing.
#[must_use]
pub fn on(state: &StateDir, kind: JobKind, day: NaiveDate) -> Spent {
    let bytes = crate::state::read_file(&file(state, kind, day)).unwrap_or_default();
    let entries = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Entry>(line).ok());
    entries.fold(Spent::default(), |spent, entry| Spent {
        runs: spent.runs + u64::from(entry.begun),
        tokens: spent.tokens.saturating_add(entry.tokens),
        cost: spent.cost.plus(entry.cost),
    })
}

/// A run begins. Days long past are forgotten on this occasion.
///
/// # Errors
/// When the disk refuses: then the run must not begin, because nothing would count it.
pub(super) fn begin(state: &StateDir, kind: JobKind, day: NaiveDate, run: &str) -> io::Result<()> {
    forget(state, day);
    append(state, kind, day, &Entry { run: run.to_owned(), begun: true, tokens: 0, cost: Money(0) })
}

/// A run used tokens.
///
/// # Errors
/// When the disk refuses.
pub(super) fn tokens(
    state: &StateDir,
    kind: JobKind,
    day: NaiveDate,
    run: &str,
    tokens: u64,
    cost: Money,
) -> io::Result<()> {
    append(state, kind, day, &Entry { run: run.to_owned(), begun: false, tokens, cost })
}

/// A selection of memories by a model used something: it counts among the day's extractions, which come as often.
///
/// # Errors
/// When the disk refuses.
pub fn selection(state: &StateDir, day: NaiveDate, used: Tokens, cost: Money) -> io::Result<()> {
    if used == Tokens::default() && cost.is_nothing() {
        return Ok(());
    }
    tokens(state, JobKind::Extract, day, "recall", used.counted(), cost)
}

fn append(state: &StateDir, kind: JobKind, day: NaiveDate, entry: &Entry) -> io::Result<()> {
    append_line(&file(state, kind, day), &serde_json::to_string(entry)?, false)
}

fn forget(state: &StateDir, today: NaiveDate) {
    let kept = Days::new(KEPT_DAYS);
    let (first, last) = (today.checked_sub_days(kept), today.checked_add_days(kept));
    for entry in fs::read_dir(dir(state)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let day =
            name.strip_suffix(".jsonl").and_then(|name| name.split_once('-')).and_then(|(_, day)| day.parse().ok());
        if day
            .is_some_and(|day: NaiveDate| first.is_some_and(|first| day < first) || last.is_some_and(|last| day > last))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What a day has used of its budget, for a status view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OfBudget {
    /// Used.
    #[serde(flatten)]
    pub spent: Spent,
    /// Automatic runs stop after so many.
    pub runs_a_day: u64,
    /// Automatic runs stop after so many tokens.
    pub tokens_a_day: u64,
    /// Automatic runs stop after so much money, where there is a cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd_a_day: Option<Money>,
}

/// What runs of all stores used today, extraction and dream apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Today {
    /// Today, where the person is.
    pub day: NaiveDate,
    /// By dreams.
    pub dream: OfBudget,
    /// By extractions.
    pub extract: OfBudget,
}

/// Today's figures.
#[must_use]
pub fn today(state: &StateDir, config: &Config, day: NaiveDate) -> Today {
    let of = |kind, budget: Budget| OfBudget {
        spent: on(state, kind, day),
        runs_a_day: budget.runs_a_day,
        tokens_a_day: budget.tokens_a_day,
        usd_a_day: budget.usd_a_day,
    };
    Today { day, dream: of(JobKind::Dream, config.dream.budget), extract: of(JobKind::Extract, config.extract.budget) }
}

impl std::fmt::Display for OfBudget {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { spent, runs_a_day, tokens_a_day, usd_a_day } = self;
        let [runs, most_runs, tokens, most_tokens] =
            [spent.runs, *runs_a_day, spent.tokens, *tokens_a_day].map(crate::text::figure);
        write!(to, "{runs} of {most_runs} runs, {tokens} of {most_tokens} tokens")?;
        match usd_a_day {
            Some(most) => write!(to, ", cost {} of {most} USD", spent.cost),
            None if spent.cost.is_nothing() => Ok(()),
            None => write!(to, ", cost {}", spent.cost),
        }
    }
}

/// Why automatic runs are over for the day, if they are.
pub(super) fn over(spent: Spent, budget: Budget) -> Option<String> {
    let by_hand = "automatic runs go on tomorrow, by hand it can be started now";
    if spent.runs >= budget.runs_a_day {
        let [used, most] = [spent.runs, budget.runs_a_day].map(crate::text::figure);
        return Some(format!("today's runs are used up: {used} of {most}; {by_hand}"));
    }
    if let Some(most) = budget.usd_a_day.filter(|most| spent.cost >= *most) {
        return Some(format!("today's money is used up: {} of {most} USD; {by_hand}", spent.cost));
    }
    let [used, most] = [spent.tokens, budget.tokens_a_day].map(crate::text::figure);
    (spent.tokens >= budget.tokens_a_day).then(|| format!("today's tokens are used up: {used} of {most}; {by_hand}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_keeps_its_count_when_the_clock_leaves_it_and_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().to_owned());
        let (today, other) = (day("2026-11-30"), day("2026-12-02"));
        begin(&state, JobKind::Dream, today, "a").unwrap();
        tokens(&state, JobKind::Dream, today, "a", 70, Money(3)).unwrap();
        begin(&state, JobKind::Dream, other, "b").unwrap();
        tokens(&state, JobKind::Dream, today, "c", 5, Money(0)).unwrap();
        assert_eq!(on(&state, JobKind::Dream, today), Spent { runs: 1, tokens: 75, cost: Money(3) });
        assert_eq!(on(&state, JobKind::Dream, other), Spent { runs: 1, ..Spent::default() });
        assert_eq!(on(&state, JobKind::Extract, today), Spent::default());
    }

    #[test]
    fn a_torn_line_costs_only_itself_and_old_days_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().to_owned());
        let old = day("2026-01-01");
        begin(&state, JobKind::Extract, old, "a").unwrap();
        fs::write(file(&state, JobKind::Extract, old), "{\"run\":\"x\",\"tokens\":3}\n{\"run\":\"y\",\"tok").unwrap();
        tokens(&state, JobKind::Extract, old, "z", 4, Money(0)).unwrap();
        assert_eq!(on(&state, JobKind::Extract, old), Spent { tokens: 7, ..Spent::default() });
        begin(&state, JobKind::Dream, day("2026-11-30"), "b").unwrap();
        assert!(!file(&state, JobKind::Extract, old).exists());
    }
}
