//! The time, injected.
//!
//! Every function that needs "now" takes it from a [`Clock`] that `main` made, so that tests can hold time still
//! with `DREAMTOP_NOW`. Not its job: measuring how long something took (that is [`std::time::Instant`]) and
//! deciding how old a claim is (that is [`crate::memory::freshness`]).

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
