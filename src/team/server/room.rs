//! Room for answers: how many bytes of them may be in memory at once, whoever takes them however slowly.
//!
//! Not its job: how many requests are at work (`super::observe`), and bodies that come in, which are small.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::Refused;

/// What is counted at once.
const UNIT: u64 = 1_024;
/// How long an answer waits for others to be taken.
const PATIENCE: Duration = Duration::from_secs(5);

/// The room of a server.
#[derive(Clone, Debug)]
pub(super) struct Room {
    free: Arc<Semaphore>,
    whole: u32,
}

/// Part of it, until the answer that is in it was taken.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    _part: Arc<OwnedSemaphorePermit>,
}

impl Room {
    /// For so many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        let whole = units(bytes).min(u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        Self { free: Arc::new(Semaphore::new(whole as usize)), whole }
    }

    /// Takes room for an answer. One that is larger than all of it goes alone.
    ///
    /// # Errors
    /// 503 when the answers before it are not taken soon.
    pub(super) async fn take(&self, bytes: u64) -> Result<Taken, Refused> {
        let part = Arc::clone(&self.free).acquire_many_owned(units(bytes).min(self.whole));
        match tokio::time::timeout(PATIENCE, part).await {
            Ok(Ok(part)) => Ok(Taken { _part: Arc::new(part) }),
            Ok(Err(_)) | Err(_) => Err(Refused::unavailable("too many answers wait to be taken; try again")),
        }
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}
