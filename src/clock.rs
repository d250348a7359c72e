//! The time, injected.
//!
//! Every function that needs "now" takes it from a [`Clock`] that `main` made, so that tests can hold time still
//! with `DREAMTOP_NOW`. Not its job: measuring how long something took (that is [`std::time::Instant`]) and
//! deciding how old a claim is (that is [`crate::memory::freshness`]).

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Local, NaiveDate, Utc};

use crate::environment::Environment;

/// Where "now" comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// One instant for ever, set by `DREAMTOP_NOW` or by a test.
    Fixed(DateTime<Utc>),
}

/// `DREAMTOP_NOW` holds something that is not an RFC 3339 instant.
#[derive(Debug, thiserror::Error)]
#[error("DREAMTOP_NOW is {value:?}, which is not an RFC 3339 instant ({source}); write it like 2026-04-09T12:00:00Z")]
pub struct ClockError {
    value: String,
    source: chrono::ParseError,
}

impl Clock {
    /// The clock the environment asks for: fixed when `DREAMTOP_NOW` is set, the machine's otherwise.
    ///
    /// # Errors
    /// When `DREAMTOP_NOW` is set to something other than an RFC 3339 instant.
    pub fn from_environment(environment: &Environment) -> Result<Self, ClockError> {
        match environment.variable("DREAMTOP_NOW") {
            None => Ok(Self::System),
            Some(value) => DateTime::parse_from_rfc3339(value)
                .map(|at| Self::Fixed(at.with_timezone(&Utc)))
                .map_err(|source| ClockError { value: value.to_owned(), source }),
        }
    }

    /// The present instant.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Self::System => Utc::now(),
            Self::Fixed(at) => *at,
        }
    }

    /// Today's date where the person is.
    #[must_use]
    pub fn today(&self) -> NaiveDate {
        local_day(self.now())
    }
}

/// The calendar day of an instant in the person's own time zone (`TZ`, else the machine's).
///
/// A message sent at 23:30 in Berlin belongs to that day there, not to the UTC one; relative dates depend on it.
#[must_use]
pub fn local_day(at: DateTime<Utc>) -> NaiveDate {
    at.with_timezone(&Local).date_naive()
}

/// A file's time as an instant; a time that no calendar holds becomes the nearest one that it does.
///
/// Some file systems keep times of millions of years, and chrono's own conversion panics on them.
#[must_use]
pub fn file_time(time: SystemTime) -> DateTime<Utc> {
    let (seconds, nanoseconds) = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (i64::try_from(after.as_secs()).unwrap_or(i64::MAX), after.subsec_nanos()),
        Err(error) => {
            let before = error.duration();
            let seconds = -i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            // Half a second before 1970 is second -1, plus half a second.
            match before.subsec_nanos() {
                0 => (seconds, 0),
                nanoseconds => (seconds.saturating_sub(1), 1_000_000_000 - nanoseconds),
            }
        }
    };
    let limit = if seconds < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC };
    DateTime::from_timestamp(seconds, nanoseconds).unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;
    use std::time::Duration;

    use super::*;

    fn clock(now: &str) -> Result<Clock, ClockError> {
        Clock::from_environment(&Environment::of(Path::new("/"), &[("DREAMTOP_NOW", now)]))
    }

    #[test]
    fn a_set_clock_stands_still_in_whatever_offset_it_was_written() {
        let set = clock("2026-04-09T14:00:00+02:00").unwrap();
        assert_eq!(set.now().to_rfc3339(), "2026-04-09T12:00:00+00:00");
        assert_eq!(set, clock("2026-04-09T12:00:00Z").unwrap());
        assert_eq!(set.today(), local_day(set.now()));
    }

    #[test]
    fn an_unset_clock_is_the_machines() {
        assert_eq!(clock("").unwrap(), Clock::System);
        let (before, now) = (Utc::now(), Clock::System.now());
        assert!(before <= now && now <= Utc::now());
    }

    #[test]
    fn file_times_are_exact_and_those_no_calendar_holds_become_the_nearest() {
        for (milliseconds, time) in [
            (1_500, UNIX_EPOCH + Duration::from_millis(1_500)),
            (-1_000, UNIX_EPOCH - Duration::from_secs(1)),
            (-1_500, UNIX_EPOCH - Duration::from_millis(1_500)),
        ] {
            assert_eq!(file_time(time).timestamp_millis(), milliseconds);
        }
        let far = Duration::from_secs(u64::MAX / 4);
        assert!(UNIX_EPOCH.checked_add(far).is_none_or(|far| file_time(far) == DateTime::<Utc>::MAX_UTC));
        assert!(UNIX_EPOCH.checked_sub(far).is_none_or(|far| file_time(far) == DateTime::<Utc>::MIN_UTC));
    }

    #[test]
    fn a_clock_that_is_no_instant_says_how_to_write_one() {
        for wrong in ["yesterday", "2026-04-09", "2026-04-09T12:00:00"] {
            let message = clock(wrong).unwrap_err().to_string();
            assert!(message.contains(wrong) && message.contains("2026-04-09T12:00:00Z"), "{message}");
        }
    }
}
