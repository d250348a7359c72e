//! Pauses: an engine that refused is not asked again automatically before the time it named, or one that grows.
//!
//! One small file an engine, for all stores, because the account is one: `paused/<engine>.json`. By hand an engine can be
//! asked at any time; when it answers, its pause is over. Not its job: telling a refusal (see [`super::refusal`]).

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Local, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::files;
use super::refusal::{self, Refusal};
use crate::state::StateDir;

/// The pause after a first refusal that names no time; each further one in a row doubles it.
const FIRST: TimeDelta = TimeDelta::hours(1);
/// What a person has to put right is not put right within the hour.
const FIRST_FOR_A_PERSON: TimeDelta = TimeDelta::hours(6);
/// No pause of our own is longer.
const LONGEST: TimeDelta = TimeDelta::hours(24);

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The engine's name.
    pub engine: String,
    /// Why.
    pub refusal: Refusal,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Automatic runs go on then.
    pub until: DateTime<Utc>,
    /// Refusals in a row.
    pub refusals: u32,
    /// The engine's own words, cut, without credentials.
    pub said: String,
}

impl Pause {
    /// One sentence: why, and when it goes on.
    #[must_use]
    pub fn words(&self) -> String {
        let until = self.until.with_timezone(&Local).format("%Y-%m-%d %H:%M");
        format!("paused until {until}: {} ({}: {:?})", self.refusal.words(), self.engine, self.said)
    }
}

/// Where the pauses lie.
pub(super) fn dir(state: &StateDir) -> PathBuf {
    state.root().join("paused")
}

fn file(state: &StateDir, engine: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    dir(state).join(format!("{}.json", engine.chars().map(plain).take(40).collect::<String>()))
}

/// The pause of an engine, if it has one now. One that would last longer than any we make is of a clock that was set back
/// since, and over.
#[must_use]
pub fn of(state: &StateDir, engine: &str, now: DateTime<Utc>) -> Option<Pause> {
    let pause: Pause = files::read_known(&file(state, engine))?;
    let is_sane = pause.since <= now + super::lock::JITTER;
    (is_sane && pause.until > now).then_some(pause)
}

/// Every pause that is in force, by the engine's name.
#[must_use]
pub fn all(state: &StateDir, now: DateTime<Utc>) -> Vec<Pause> {
    let entries = fs::read_dir(dir(state)).into_iter().flatten().flatten();
    let known = entries.filter_map(|entry| files::read_known::<Pause>(&entry.path()));
    let mut pauses: Vec<Pause> = known.filter_map(|pause| of(state, &pause.engine, now)).collect();
    pauses.sort_by(|a, b| a.engine.cmp(&b.engine));
    pauses
}

/// An engine refused: it is paused, until the time it names, else for a while that grows with each refusal in a row.
///
/// # Errors
/// When the disk refuses.
pub(super) fn begin(
    state: &StateDir,
    engine: &str,
    refusal: Refusal,
    said: &str,
    now: DateTime<Utc>,
) -> io::Result<Pause> {
    let path = file(state, engine);
    let before: Option<Pause> = files::read_known(&path);
    let refusals = before.map_or(0, |before| before.refusals).saturating_add(1);
    let first = if refusal == Refusal::Limit { FIRST } else { FIRST_FOR_A_PERSON };
    let grown = first.checked_mul(1 << (refusals - 1).min(8)).unwrap_or(LONGEST).min(LONGEST);
    let until = refusal::resumes(said, now).unwrap_or(now + grown);
    let said = said.trim().chars().take(160).collect();
    let pause = Pause { engine: engine.to_owned(), refusal, since: now, until, refusals, said };
    files::write(&path, "pause", &pause)?;
    Ok(pause)
}

/// An engine answered: its pause is over, and refusals count from one again.
pub(super) fn end(state: &StateDir, engine: &str) {
    let _ = fs::remove_file(file(state, engine));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn pauses_grow_with_each_refusal_end_with_an_answer_and_follow_the_time_that_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().to_owned());
        let mut hours = Vec::new();
        for _ in 0..6 {
            let pause = begin(&state, "claude", Refusal::Limit, "limit reached", now()).unwrap();
            hours.push((pause.until - now()).num_hours());
        }
        assert_eq!(hours, [1, 2, 4, 8, 16, 24]);
        assert_eq!(of(&state, "openai", now()), None, "another engine is not paused");
        assert_eq!(all(&state, now()).len(), 1);
        end(&state, "claude");
        assert_eq!(of(&state, "claude", now()), None);
        let named = begin(&state, "claude", Refusal::Limit, "try again in 20 minutes", now()).unwrap();
        assert_eq!(named.until, now() + TimeDelta::minutes(20));
        assert_eq!(of(&state, "claude", now() + TimeDelta::minutes(21)), None);
        assert_eq!(
            begin(&state, "a", Refusal::Billing, "no credit", now()).unwrap().until,
            now() + TimeDelta::hours(6)
        );
    }

    #[test]
    fn a_clock_that_was_set_back_ends_a_pause_instead_of_stretching_it() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().to_owned());
        begin(&state, "claude", Refusal::Limit, "limit reached", now()).unwrap();
        assert_eq!(of(&state, "claude", now() - TimeDelta::days(3)), None);
        assert!(of(&state, "claude", now() + TimeDelta::minutes(59)).is_some());
    }
}
