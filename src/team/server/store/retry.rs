//! Which failures of a database pass by themselves, and how often one tries again.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use super::StoreError;

/// How often one transaction is tried at most.
const TRIES: u32 = 10;
/// The longest first wait; it doubles.
const FIRST: Duration = Duration::from_millis(4);

/// The tries of one transaction.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    done: u32,
}

impl Attempts {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Waits for a random part of the time that is due; `false`: there are no more tries.
    pub(super) async fn wait(&mut self) -> bool {
        self.done += 1;
        if self.done >= TRIES {
            return false;
        }
        let longest = FIRST.saturating_mul(1 << self.done.min(8)).as_micros();
        // A hasher's keys are random, which is all that is asked for here.
        let random = u128::from(RandomState::new().build_hasher().finish());
        let wait = u64::try_from(random % longest.max(1)).unwrap_or(1_000);
        tokio::time::sleep(Duration::from_micros(wait)).await;
        true
    }
}

/// Does one transaction, again where a failure passes by itself.
pub(super) async fn again<T, F: Future<Output = Result<T, StoreError>>>(
    mut once: impl FnMut() -> F,
) -> Result<T, StoreError> {
    let mut attempts = Attempts::new();
    loop {
        match once().await {
            Err(StoreError::Database(error)) if is_passing(&error) && attempts.wait().await => {}
            other => return other,
        }
    }
}

/// Whether the same transaction may well succeed next time: it was not serialisable (40001) or a deadlock (40P01), or
/// SQLite was busy (5) or had read what another one changed (517).
pub(super) fn is_passing(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| ["40001", "40P01", "5", "6", "261", "517"].contains(&code.as_ref()))
}
