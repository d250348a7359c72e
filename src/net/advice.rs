//! What a server says about asking again, and a number to spread those who do.
//!
//! Not its job: whether to ask again.

use std::time::Duration;

use chrono::{DateTime, Utc};

/// What a server says about trying again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// How long to wait.
    pub wait: Option<Duration>,
    /// Whether to try again at all.
    pub should_retry: Option<bool>,
}

impl Advice {
    /// Reads `retry-after-ms`, `retry-after` (seconds or a date) and `x-should-retry`.
    #[must_use]
    pub fn of(header: &dyn Fn(&str) -> Option<String>, now: DateTime<Utc>) -> Self {
        let milliseconds = header("retry-after-ms").and_then(|value| value.trim().parse::<f64>().ok());
        let wait = milliseconds.map(|value| value / 1_000.0).or_else(|| {
            let value = header("retry-after")?;
            let value = value.trim();
            value.parse::<f64>().ok().or_else(|| {
                let at = DateTime::parse_from_rfc2822(value).ok()?;
                Some((at.with_timezone(&Utc) - now).num_milliseconds().max(0) as f64 / 1_000.0)
            })
        });
        let wait = wait.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let should_retry = match header("x-should-retry").as_deref() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        Self { wait, should_retry }
    }
}

/// A number between 0 and 1 that differs from process to process and from call to call.
#[must_use]
pub fn chance() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    let drawn = RandomState::new().hash_one(0_u8);
    (drawn >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    fn advice(headers: &[(&str, &str)]) -> Advice {
        let header =
            |name: &str| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Advice::of(&header, now())
    }

    #[test]
    fn a_server_says_how_long_to_wait_in_milliseconds_seconds_or_as_a_date() {
        for (headers, milliseconds) in [
            (&[("retry-after-ms", "250"), ("retry-after", "9")][..], Some(250)),
            (&[("retry-after", "2")], Some(2_000)),
            (&[("retry-after", "1.5")], Some(1_500)),
            (&[("retry-after", "Mon, 30 Nov 2026 12:00:30 GMT")], Some(30_000)),
            (&[("retry-after", "Mon, 30 Nov 2026 11:00:00 GMT")], Some(0)),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "soon")], None),
            (&[("retry-after", "1e999")], None),
            (&[], None),
        ] {
            assert_eq!(advice(headers).wait, milliseconds.map(Duration::from_millis), "{headers:?}");
        }
        assert_eq!(advice(&[("x-should-retry", "false")]).should_retry, Some(false));
        assert_eq!(advice(&[("x-should-retry", "true")]).should_retry, Some(true));
    }

    #[test]
    fn chance_is_between_nought_and_one() {
        assert!((0..100).map(|_| chance()).all(|drawn| (0.0..1.0).contains(&drawn)));
    }
}
