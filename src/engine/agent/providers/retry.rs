//! How long to wait before a request is made again, and when not to.
//!
//! Not its job: what a failure means (see [`super::failure`]), and failed runs, which the schedule waits out.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// Waits. Injected, so that tests need not.
pub(super) type Sleep = fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// The first wait of our own; each further one doubles it.
const FIRST: Duration = Duration::from_millis(500);
/// No wait of our own is longer.
const LONGEST: Duration = Duration::from_secs(8);

/// How often and how long a request may be made again.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Patience {
    /// How many times, after the first.
    pub(super) retries: u32,
    /// All waits of one request together.
    pub(super) total: Duration,
    /// How waiting is done.
    pub(super) sleep: Sleep,
}

impl Patience {
    /// For work in the background.
    pub(in crate::engine) const fn for_runs(retries: u32, seconds: u64) -> Self {
        Self { retries, total: Duration::from_secs(seconds), sleep: |time| Box::pin(tokio::time::sleep(time)) }
    }

    /// Whoever waits for an answer has no time for a second try.
    pub(in crate::engine) const fn none() -> Self {
        Self::for_runs(0, 0)
    }
}

/// How long to wait before try number `attempt` (1 is the first repetition) when `waited` went by already; `None`: it is
/// no use. `chance` is between 0 and 1.
pub(super) fn delay(
    patience: &Patience,
    attempt: u32,
    waited: Duration,
    advised: Option<Duration>,
    chance: f64,
) -> Option<Duration> {
    if attempt > patience.retries {
        return None;
    }
    let own = |attempt: u32| {
        FIRST.saturating_mul(1 << (attempt - 1).min(10)).min(LONGEST).mul_f64(1.0 - 0.25 * chance.clamp(0.0, 1.0))
    };
    let wait = match advised {
        None => own(attempt),
        // A server that says "at once" is believed once.
        Some(advised) if attempt == 1 => advised,
        Some(advised) => advised.max(own(attempt - 1)),
    };
    (waited.saturating_add(wait) <= patience.total).then_some(wait)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn our_own_waits_double_up_to_eight_seconds_and_vary_by_a_quarter() {
        let patience = Patience::for_runs(20, 1_000);
        let waits = |chance| {
            (1..=7)
                .map(|attempt| delay(&patience, attempt, Duration::ZERO, None, chance).unwrap().as_millis())
                .collect::<Vec<_>>()
        };
        assert_eq!(waits(0.0), [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
        assert_eq!(waits(1.0), [375, 750, 1_500, 3_000, 6_000, 6_000, 6_000]);
    }

    #[test]
    fn a_wait_that_is_asked_for_is_kept_to_or_the_request_is_given_up() {
        let patience = Patience::for_runs(2, 60);
        let advised = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(delay(&patience, 1, Duration::ZERO, advised(60), 0.5), advised(60));
        assert_eq!(delay(&patience, 1, Duration::ZERO, advised(61), 0.5), None);
        assert_eq!(delay(&patience, 2, Duration::from_secs(50), advised(20), 0.5), None);
        assert_eq!(delay(&patience, 3, Duration::ZERO, None, 0.5), None);
        assert_eq!(delay(&Patience::none(), 1, Duration::ZERO, None, 0.5), None);
    }

    #[test]
    fn a_server_that_says_at_once_is_believed_once() {
        let patience = Patience::for_runs(9, 60);
        let waits = (1..=4).map(|attempt| delay(&patience, attempt, Duration::ZERO, Some(Duration::ZERO), 0.0));
        let waits: Vec<u128> = waits.map(|wait| wait.unwrap().as_millis()).collect();
        assert_eq!(waits, [0, 500, 1_000, 2_000]);
    }

    proptest! {
        #[test]
        fn all_waits_together_stay_within_the_bound(advised in prop::option::of(0_u64..100_000), drawn in 0.0..1.0_f64) {
            let patience = Patience::for_runs(8, 30);
            let (mut waited, mut attempt) = (Duration::ZERO, 1);
            while let Some(wait) = delay(&patience, attempt, waited, advised.map(Duration::from_millis), drawn) {
                waited += wait;
                attempt += 1;
            }
            prop_assert!(waited <= patience.total && attempt <= 9);
        }
    }
}
