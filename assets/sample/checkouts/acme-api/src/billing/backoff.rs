//! How long to wait before the next try of a charge.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(250);
const CAP: Duration = Duration::from_secs(30);

/// Doubles from `FIRST` to `CAP`, then takes a random part of it (`jitter` is 0.0 to 1.0).
pub fn next_delay(attempt: u32, jitter: f64) -> Duration {
    let doubled = FIRST.saturating_mul(1_u32 << attempt.min(7));
    doubled.min(CAP).mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}
