//! Charges, their retries, and the daily settlement.

pub mod backoff;
pub mod settlement;
