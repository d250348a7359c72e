//! Waiting until nobody writes in `memory/team/` any more, before a sync that starts by itself.
//!
//! Two seconds without a change, ten at most. Not its job: noticing the first change, and the sync.

use std::path::Path;
use std::time::Duration;

use super::local::Local;
use crate::team::sum::Sum;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(250);
/// So long nothing may have changed.
const QUIET: Duration = Duration::from_secs(2);
/// Waiting ends then in any case.
const LONGEST: Duration = Duration::from_secs(10);

/// Waits, counting the time by the waits themselves. Contents are compared, not times: what a sync of ours wrote is no change
/// once it is over. Returns how long it was.
pub fn settle(store: &Path, sleep: &dyn Fn(Duration)) -> Duration {
    let (mut waited, mut quiet) = (Duration::ZERO, Duration::ZERO);
    let mut last = picture(store);
    while quiet < QUIET && waited < LONGEST {
        sleep(LOOK);
        waited += LOOK;
        let now = picture(store);
        quiet = if now == last { quiet + LOOK } else { Duration::ZERO };
        last = now;
    }
    waited
}

/// The sum of all that lies there; one that cannot be read looks the same until it can.
fn picture(store: &Path) -> Option<Sum> {
    Some(Local::read(store).ok()?.picture())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_sync_waits_for_two_quiet_seconds_and_never_longer_than_ten() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("team/a.md");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        assert_eq!(settle(dir.path(), &|_| ()), QUIET);
        let looks = Cell::new(0);
        let write_until = |last: u32| {
            looks.set(0);
            let file = &file;
            let looks = &looks;
            move |_| {
                looks.set(looks.get() + 1);
                if looks.get() <= last {
                    std::fs::write(file, format!("text {}", looks.get())).unwrap();
                }
            }
        };
        assert_eq!(settle(dir.path(), &write_until(4)), LOOK * 4 + QUIET);
        assert_eq!(settle(dir.path(), &write_until(u32::MAX)), LONGEST);
    }
}
