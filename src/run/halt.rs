//! A person's word that nothing happens by itself for a while: no extraction, no dream, nothing into prompts.
//!
//! One file for everything, `halted.json`, looked at by each gate and each hook; the times of those that are over lie in
//! `halts.json`, for what was said in them is read never. It lies among the journals of runs, as
//! whoever watches those has to see it. What a person starts by hand goes on. Not its job: an engine that refuses (see [`super::pause`]).

use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Local, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::files;
use crate::state::{StateDir, with_path, write_atomic};

/// So many pauses that are over are remembered, the latest.
const MOST: usize = 500;

/// A halt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    /// Since when.
    pub since: DateTime<Utc>,
    /// Until when; `None`: until a person lifts it.
    pub until: Option<DateTime<Utc>>,
}

impl Halt {
    /// One sentence, and how it ends.
    #[must_use]
    pub fn words(&self) -> String {
        match self.until {
            Some(until) => {
                let until = until.with_timezone(&Local).format("%Y-%m-%d %H:%M");
                format!("you paused everything until {until}; `dreamtop pause --off` ends it now")
            }
            None => "you paused everything; `dreamtop pause --off` ends it".to_owned(),
        }
    }

    /// What is left of it, short.
    pub(super) fn left(&self, now: DateTime<Utc>) -> String {
        match self.until.map(|until| super::gates::minutes_left(until - now)) {
            None => "by you".to_owned(),
            Some(minutes) if minutes < 120 => format!("{minutes}m"),
            Some(minutes) => format!("{}h", minutes / 60),
        }
    }
}

fn file(state: &StateDir) -> PathBuf {
    state.runs().join("halted.json")
}

/// The halt that is in force.
#[must_use]
pub fn of(state: &StateDir, now: DateTime<Utc>) -> Option<Halt> {
    let halt: Halt = files::read_known(&file(state))?;
    halt.until.is_none_or(|until| until > now).then_some(halt)
}

/// The pauses that are over: when each began, and when it ended.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Over {
    pauses: Vec<(DateTime<Utc>, DateTime<Utc>)>,
}

fn over(state: &StateDir) -> PathBuf {
    state.root().join("halts.json")
}

/// Whether bytes are the record of the pauses that are over, or why not.
///
/// # Errors
/// Why they are none.
pub(super) fn understood(bytes: &[u8]) -> Result<(), String> {
    files::understood::<Over>(bytes).map(drop)
}

/// When everything was paused, each time from its begin to before its end; the one in force goes on.
pub(super) fn times(state: &StateDir) -> Vec<(DateTime<Utc>, DateTime<Utc>)> {
    let mut times = files::read::<Over>(&over(state)).pauses;
    let latest: Option<Halt> = files::read_known(&file(state));
    times.extend(latest.map(|halt| (halt.since, halt.until.unwrap_or(DateTime::<Utc>::MAX_UTC))));
    times
}

/// Remembers the pause that is there, before another one or none takes its place: what was said in it stays unsaid.
fn remember(state: &StateDir, now: DateTime<Utc>) -> io::Result<()> {
    let Some(halt) = files::read_known::<Halt>(&file(state)) else { return Ok(()) };
    let mut known: Over = files::read(&over(state));
    known.pauses.push((halt.since, halt.until.map_or(now, |until| until.min(now))));
    let surplus = known.pauses.len().saturating_sub(MOST);
    known.pauses.drain(..surplus);
    files::write(&over(state), "halts", &known)
}

/// Halts everything from now on, for so long or until it is lifted.
///
/// # Errors
/// When it cannot be written: then nothing is halted.
pub fn begin(state: &StateDir, now: DateTime<Utc>, length: Option<TimeDelta>) -> io::Result<Halt> {
    remember(state, now)?;
    let halt = Halt { since: now, until: length.and_then(|length| now.checked_add_signed(length)) };
    write_atomic(&file(state), &serde_json::to_vec(&halt)?)?;
    Ok(halt)
}

/// Ends it; whether there was one.
///
/// # Errors
/// When the file cannot be removed.
pub fn end(state: &StateDir, now: DateTime<Utc>) -> io::Result<bool> {
    let was = of(state, now).is_some();
    remember(state, now)?;
    let path = file(state);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(with_path(error, "cannot remove", &path)),
        _ => Ok(was),
    }
}

/// A length as people write it: `45m`, `2h`, `3d`; at most a year.
///
/// # Errors
/// In words, with how one is written.
pub fn length(text: &str) -> Result<TimeDelta, String> {
    let wrong = || format!("{text:?} is no length of time: write 45m, 2h or 3d, at most 365d");
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let number: u32 = text.strip_suffix(unit).and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        _ => return Err(wrong()),
    };
    let minutes = i64::from(number) * minutes;
    if minutes == 0 || minutes > 365 * 24 * 60 { Err(wrong()) } else { Ok(TimeDelta::minutes(minutes)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lengths_are_written_as_people_do_and_anything_else_is_refused_in_words() {
        for (text, minutes) in [("1m", 1), ("45m", 45), ("2h", 120), ("3d", 3 * 1440), ("365d", 365 * 1440)] {
            assert_eq!(length(text), Ok(TimeDelta::minutes(minutes)));
        }
        for text in ["", "m", "0m", "-1h", "1", "1 h", "2w", "366d", "4294967296m", "1ä", "½h"] {
            assert!(length(text).unwrap_err().contains("45m"), "{text}");
        }
    }
}
