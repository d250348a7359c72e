//! Engines that were waited for in vain at a prompt: for a while that grows, nobody waits for them again.
//!
//! A server that hangs would cost each prompt its seconds. Runs are another matter: nobody waits for them, and so they ask
//! all the same. Over once it answers, or the configuration asks another model or server. Not its job: refusals (see
//! [`super::pause`]).

use std::fs;
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Local, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::files;
use super::pause::{Asked, file_name};
use crate::engine::Word;
use crate::state::StateDir;

/// After a first silence; each further one in a row doubles it.
const FIRST: TimeDelta = TimeDelta::minutes(10);
const LONGEST: TimeDelta = TimeDelta::hours(2);

/// An engine that says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Silence {
    engine: String,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    /// In a row.
    times: u32,
    account: String,
}

impl Silence {
    /// One sentence.
    pub(super) fn words(&self) -> String {
        let at = |time: DateTime<Utc>| time.with_timezone(&Local).format("%H:%M");
        format!("{} did not answer at {} and is not waited for until {}", self.engine, at(self.since), at(self.until))
    }
}

fn file(state: &StateDir, engine: &str) -> PathBuf {
    state.root().join("silent").join(file_name(engine))
}

/// The silence of the engine that is asked, if nobody waits for it now.
pub(super) fn of(state: &StateDir, asked: Asked<'_>, now: DateTime<Utc>) -> Option<Silence> {
    let silence: Silence = files::read_known(&file(state, Word::parse(asked.word).name))?;
    // Of a clock that was set back since it is over.
    let holds = silence.since <= now + super::lock::JITTER && now < silence.until;
    (holds && silence.account == asked.account()).then_some(silence)
}

/// An engine was waited for in vain.
///
/// # Errors
/// When the disk refuses.
pub(super) fn begin(state: &StateDir, asked: Asked<'_>, now: DateTime<Utc>) -> io::Result<()> {
    let (engine, account) = (Word::parse(asked.word).name, asked.account());
    let path = file(state, engine);
    let before = files::read_known::<Silence>(&path).filter(|before| before.account == account);
    let times = before.map_or(1, |before| before.times.saturating_add(1));
    let long = FIRST.checked_mul(1 << (times - 1).min(8)).unwrap_or(LONGEST).min(LONGEST);
    files::write(
        &path,
        "silence",
        &Silence { engine: engine.to_owned(), since: now, until: now + long, times, account },
    )
}

/// An engine answered.
pub(super) fn end(state: &StateDir, engine: &str) {
    let _ = fs::remove_file(file(state, engine));
}
