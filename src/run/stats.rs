//! What the records add up to: runs by outcome, tokens by day, why runs were skipped. Extraction and dream apart.
//!
//! A pure function of the records and of now. Not its job: reading them (see [`super::records`]) and showing them.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use serde::Serialize;

use super::Outcome;
use super::records::{Happened, RunRecord};
use crate::clock::local_day;
use crate::config::Money;
use crate::engine::{JobKind, Tokens};
use crate::text::{count, figure};

/// So many local days are listed one by one, today included.
const DAYS: u64 = 14;

/// Runs by outcome, and what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Runs that did their work and landed all of it.
    pub done: u64,
    /// Runs of which some landed.
    pub partial: u64,
    /// Runs that wait for a person.
    pub held: u64,
    /// Triggers that met a closed gate.
    pub skipped: u64,
    /// Runs that somebody killed, or whose process died.
    pub killed: u64,
    /// Runs that could not do their work.
    pub failed: u64,
    /// Of those that did their work: how many were taken back.
    pub undone: u64,
    /// Tokens used.
    pub tokens: Tokens,
    /// What they cost, where prices were set.
    #[serde(skip_serializing_if = "Money::is_nothing")]
    pub cost: Money,
    /// Sessions reviewed.
    pub sessions_reviewed: usize,
    /// Milliseconds of all runs together.
    pub ms: u64,
}

impl Tally {
    /// Runs that began: all but the skipped.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.done + self.partial + self.held + self.killed + self.failed
    }

    /// The runs in words, then what they used: `3 began: 2 done, 1 going on; 4 not begun`. `unfinished` are those that began
    /// and of which no end is on record.
    #[must_use]
    pub fn sentences(&self, unfinished: u64) -> [String; 2] {
        let outcomes = [
            (self.done, Outcome::Done),
            (self.partial, Outcome::Partial),
            (self.held, Outcome::Held),
            (self.killed, Outcome::Killed),
            (self.failed, Outcome::Failed),
        ];
        let words = outcomes.map(|(runs, outcome)| (runs, outcome.word()));
        let counted = words.into_iter().chain([(unfinished, "going on")]).filter(|(runs, _)| *runs > 0);
        let parts: Vec<String> = counted.map(|(runs, word)| format!("{} {word}", figure(runs))).collect();
        let colon = if parts.is_empty() { "" } else { ": " };
        let undone = if self.undone > 0 { format!(" ({} taken back)", figure(self.undone)) } else { String::new() };
        let [input, output] = [self.tokens.input, self.tokens.output].map(figure);
        let [cache_read, cache_created] = [self.tokens.cache_read, self.tokens.cache_created].map(figure);
        let (began, skipped) = (figure(self.runs() + unfinished), figure(self.skipped));
        [
            format!("{began} began{colon}{}{undone}; {skipped} not begun", parts.join(", ")),
            format!(
                "{} reviewed; {input} tokens read, {output} written; cache: {cache_read} read, {cache_created} written{}",
                count(self.sessions_reviewed, "session", "sessions"),
                if self.cost.is_nothing() { String::new() } else { format!("; cost {}", self.cost) }
            ),
        ]
    }

    fn add(&mut self, outcome: Outcome, record: &RunRecord, is_undone: bool) {
        self.undone += u64::from(is_undone);
        let runs = match outcome {
            Outcome::Done => &mut self.done,
            Outcome::Partial => &mut self.partial,
            Outcome::Held => &mut self.held,
            Outcome::Skipped => &mut self.skipped,
            Outcome::Killed => &mut self.killed,
            Outcome::Failed => &mut self.failed,
        };
        *runs += 1;
        self.tokens += record.tokens();
        self.cost = self.cost.plus(record.cost);
        self.sessions_reviewed = self.sessions_reviewed.saturating_add(record.sessions_reviewed.unwrap_or(0));
        self.ms = self.ms.saturating_add(record.ms.unwrap_or(0));
    }
}

/// One local day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DayTally {
    /// The day where the person is.
    pub day: NaiveDate,
    /// What happened on it.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The latest run that began and ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRun {
    /// Its id.
    pub run: Option<String>,
    /// When it ended.
    pub at: DateTime<Utc>,
    /// How.
    pub outcome: Outcome,
    /// Why, in one sentence.
    pub reason: String,
}

/// How often one gate kept runs from beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedBy {
    /// The gate's word, `sessions`; `other` for a reason that names none.
    pub gate: String,
    /// How many triggers.
    pub count: u64,
    /// The latest such reason, whole.
    pub latest: String,
}

/// What is known about runs of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindStats {
    /// Everything on record.
    pub all: Tally,
    /// The last seven days, to the hour.
    pub week: Tally,
    /// Today, where the person is.
    pub today: Tally,
    /// The last 14 local days on which anything happened, newest first.
    pub days: Vec<DayTally>,
    /// The latest run that began and ended.
    pub last: Option<LastRun>,
    /// When one last did its work (done, partial, held) that was not taken back.
    pub last_success: Option<DateTime<Utc>>,
    /// Why runs of the last seven days were skipped, the most frequent first.
    pub skipped_by: Vec<SkippedBy>,
    /// Runs that began and of which no end is on record: going on, or died just now.
    pub unfinished: u64,
}

/// What the records add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Dreams.
    pub dream: KindStats,
    /// Extractions.
    pub extract: KindStats,
}

/// Counts. Records dated after now, which a clock that was set back leaves, count in [`KindStats::all`] only, and never as
/// the last success.
#[must_use]
pub fn stats(records: &[RunRecord], now: DateTime<Utc>) -> Stats {
    Stats { dream: of_kind(records, JobKind::Dream, now), extract: of_kind(records, JobKind::Extract, now) }
}

/// How an event counts. A skipped trigger has its own event; an end without an outcome is of a version that had none.
fn outcome_of(record: &RunRecord) -> Option<Outcome> {
    match record.happened()? {
        Happened::Fired | Happened::Undone | Happened::Redone => None,
        Happened::Skipped | Happened::Coalesced => Some(Outcome::Skipped),
        Happened::Completed => Some(record.outcome.unwrap_or(Outcome::Done)),
        Happened::Failed => Some(record.outcome.unwrap_or(Outcome::Failed)),
    }
}

/// The runs that were taken back and are not in force again.
fn undone(records: &[RunRecord]) -> HashSet<&str> {
    let mut undone = HashSet::new();
    for record in records {
        match (record.happened(), record.run.as_deref()) {
            (Some(Happened::Undone), Some(run)) => drop(undone.insert(run)),
            (Some(Happened::Redone), Some(run)) => drop(undone.remove(run)),
            _ => {}
        }
    }
    undone
}

fn of_kind(records: &[RunRecord], kind: JobKind, now: DateTime<Utc>) -> KindStats {
    let (today, week) = (local_day(now), TimeDelta::days(7));
    let first_day = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(NaiveDate::MIN);
    let mut stats = KindStats::default();
    let mut days: BTreeMap<NaiveDate, Tally> = BTreeMap::new();
    let mut skipped: BTreeMap<String, SkippedBy> = BTreeMap::new();
    let mut begun: HashSet<&str> = HashSet::new();
    let undone = undone(records);
    for record in records.iter().filter(|record| record.kind() == Some(kind)) {
        let Some(outcome) = outcome_of(record) else {
            begun.extend(record.run.as_deref().filter(|_| record.happened() == Some(Happened::Fired)));
            continue;
        };
        let is_success = matches!(outcome, Outcome::Done | Outcome::Partial | Outcome::Held);
        let is_undone = is_success && record.run.as_deref().is_some_and(|run| undone.contains(run));
        if let Some(run) = &record.run {
            begun.remove(run.as_str());
        }
        stats.all.add(outcome, record, is_undone);
        if record.at > now {
            continue;
        }
        let day = local_day(record.at);
        if day >= first_day {
            days.entry(day).or_default().add(outcome, record, is_undone);
        }
        if now - record.at < week {
            stats.week.add(outcome, record, is_undone);
            if outcome == Outcome::Skipped {
                note_skip(&mut skipped, &record.reason);
            }
        }
        if outcome != Outcome::Skipped && stats.last.as_ref().is_none_or(|last| last.at <= record.at) {
            let (run, reason) = (record.run.clone(), record.reason.clone());
            stats.last = Some(LastRun { run, at: record.at, outcome, reason });
        }
        if is_success && !is_undone {
            stats.last_success = stats.last_success.max(Some(record.at));
        }
    }
    stats.today = days.get(&today).copied().unwrap_or_default();
    stats.days = days.into_iter().rev().map(|(day, tally)| DayTally { day, tally }).collect();
    stats.skipped_by = skipped.into_values().collect();
    stats.skipped_by.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.gate.cmp(&b.gate)));
    stats.unfinished = begun.len() as u64;
    stats
}

fn note_skip(skipped: &mut BTreeMap<String, SkippedBy>, reason: &str) {
    let is_word = |gate: &&str| !gate.is_empty() && gate.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let gate = reason.split_once(':').map(|(gate, _)| gate).filter(is_word).unwrap_or("other");
    let entry = skipped.entry(gate.to_owned()).or_insert_with(|| SkippedBy {
        gate: gate.to_owned(),
        count: 0,
        latest: String::new(),
    });
    entry.count += 1;
    reason.clone_into(&mut entry.latest);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    fn record(kind: JobKind, what: Happened, hours_ago: i64) -> RunRecord {
        RunRecord::new(kind, what, now() - TimeDelta::hours(hours_ago))
    }

    fn ended(kind: JobKind, outcome: Outcome, hours_ago: i64, output: u64) -> RunRecord {
        let what = match outcome {
            Outcome::Failed | Outcome::Killed => Happened::Failed,
            _ => Happened::Completed,
        };
        RunRecord { outcome: Some(outcome), output, ms: Some(10), ..record(kind, what, hours_ago) }
    }

    #[test]
    fn tokens_are_counted_by_day_for_extraction_and_dream_apart() {
        let records = [
            ended(JobKind::Dream, Outcome::Done, 1, 100),
            ended(JobKind::Extract, Outcome::Done, 2, 7),
            ended(JobKind::Extract, Outcome::Failed, 3, 5),
            ended(JobKind::Extract, Outcome::Done, 50, 1_000),
            ended(JobKind::Extract, Outcome::Done, 24 * 20, 1_000_000),
        ];
        let stats = stats(&records, now());
        assert_eq!((stats.dream.today.tokens.output, stats.extract.today.tokens.output), (100, 12));
        assert_eq!((stats.extract.week.tokens.output, stats.extract.all.tokens.output), (1_012, 1_001_012));
        assert_eq!(stats.extract.days.iter().map(|day| day.tally.tokens.output).collect::<Vec<_>>(), [12, 1_000]);
        assert_eq!((stats.extract.all.runs(), stats.extract.all.failed, stats.extract.all.ms), (4, 1, 40));
        assert_eq!(stats.extract.all.sentences(0)[0], "4 began: 3 done, 1 failed; 0 not begun");
    }

    #[test]
    fn skips_are_counted_by_the_gate_that_closed() {
        let skip = |reason: &str| RunRecord { reason: reason.into(), ..record(JobKind::Dream, Happened::Skipped, 1) };
        let records = [
            skip("time: 3h since the last success (24h needed)"),
            skip("sessions: 3/5 sessions"),
            skip("time: 4h since the last success (24h needed)"),
            skip("nothing new: no memory"),
        ];
        let stats = stats(&records, now()).dream;
        let gates: Vec<_> = stats.skipped_by.iter().map(|by| (by.gate.as_str(), by.count)).collect();
        assert_eq!(gates, [("time", 2), ("other", 1), ("sessions", 1)]);
        assert!(stats.skipped_by[0].latest.contains("4h"));
        assert_eq!((stats.all.skipped, stats.all.runs(), stats.last, stats.last_success), (4, 0, None, None));
    }

    #[test]
    fn the_last_run_and_the_last_success_differ_and_a_run_without_an_end_is_unfinished() {
        let named = |record: RunRecord, run: &str| RunRecord { run: Some(run.into()), ..record };
        let records = [
            named(record(JobKind::Dream, Happened::Fired, 31), "a"),
            named(ended(JobKind::Dream, Outcome::Held, 30, 0), "a"),
            named(record(JobKind::Dream, Happened::Fired, 5), "b"),
            named(ended(JobKind::Dream, Outcome::Killed, 4, 0), "b"),
            named(record(JobKind::Dream, Happened::Fired, 1), "c"),
        ];
        let stats = stats(&records, now()).dream;
        let last = stats.last.unwrap();
        assert_eq!((last.run.as_deref(), last.outcome), (Some("b"), Outcome::Killed));
        assert_eq!(stats.last_success, Some(now() - TimeDelta::hours(30)));
        assert_eq!(stats.unfinished, 1);
    }

    #[test]
    fn records_from_the_future_are_neither_today_nor_the_last_success() {
        let stats = stats(&[ended(JobKind::Dream, Outcome::Done, -48, 9)], now()).dream;
        assert_eq!((stats.all.done, stats.today.done, stats.week.done), (1, 0, 0));
        assert_eq!((stats.last_success, stats.last, stats.days.len()), (None, None, 0));
    }

    #[test]
    fn names_of_another_version_are_left_out() {
        let strange = RunRecord { event: "auto_nap_fired".into(), ..record(JobKind::Dream, Happened::Fired, 1) };
        assert_eq!(stats(&[strange], now()), Stats::default());
    }
}
