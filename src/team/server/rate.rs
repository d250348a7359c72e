//! How often one may ask: a minute's worth at once, and then at that pace.
//!
//! Each server counts for itself; behind a balancer N servers allow N times as much.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::failure::Refused;
use super::options::Limits;

/// The counts.
#[derive(Debug)]
pub(super) struct Rates {
    tokens: Option<DefaultKeyedRateLimiter<String>>,
    addresses: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

impl Rates {
    pub(super) fn new(limits: &Limits) -> Self {
        let quota = |rate: u32| NonZeroU32::new(rate).map(Quota::per_minute);
        Self {
            tokens: quota(limits.token_rate).map(RateLimiter::keyed),
            addresses: quota(limits.address_rate).map(RateLimiter::keyed),
        }
    }

    /// Counts a request with a token.
    ///
    /// # Errors
    /// 429, with the seconds until the next one passes.
    pub(super) fn token(&self, id: &str) -> Result<(), Refused> {
        self.tokens.as_ref().map_or(Ok(()), |counts| check(counts, &id.to_owned()))
    }

    /// Counts a request from an address. Whoever has a network of version 6 has 2^64 addresses: they count as one.
    ///
    /// # Errors
    /// 429, with the seconds until the next one passes.
    pub(super) fn address(&self, address: IpAddr) -> Result<(), Refused> {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((u128::from(address) & (u128::MAX << 64)).into()),
            address @ IpAddr::V4(_) => address,
        };
        self.addresses.as_ref().map_or(Ok(()), |counts| check(counts, &address))
    }

    /// Forgets who has not asked for long.
    pub(super) fn tidy(&self) {
        if let Some(counts) = &self.tokens {
            counts.retain_recent();
        }
        if let Some(counts) = &self.addresses {
            counts.retain_recent();
        }
    }
}

fn check<K: Clone + Eq + std::hash::Hash>(counts: &DefaultKeyedRateLimiter<K>, key: &K) -> Result<(), Refused> {
    counts.check_key(key).map_err(|until| {
        let wait = until.wait_time_from(DefaultClock::default().now());
        Refused::too_many_requests(wait.as_secs() + 1)
    })
}
