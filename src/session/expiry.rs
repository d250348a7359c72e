//! When Claude Code sweeps a transcript away. Memories are never swept.

use chrono::{DateTime, TimeDelta, Utc};

use super::SessionFile;

/// How many days transcripts are kept when no setting says otherwise (`cleanupPeriodDays`).
pub const KEPT_DAYS: u32 = 30;

/// How many days ahead are told.
pub const WARNED_DAYS: i64 = 3;

/// Whether a session goes within three days from now, or at the next start of Claude Code.
#[must_use]
pub fn is_expiring(file: &SessionFile, kept_days: u32, now: DateTime<Utc>) -> bool {
    let kept = TimeDelta::days(i64::from(kept_days));
    let age = now.signed_duration_since(file.mtime);
    age >= kept - TimeDelta::days(WARNED_DAYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fc_140_a_session_is_told_three_days_before_it_goes_and_not_before() {
        let now = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(1_000);
        let aged = |hours: i64| SessionFile {
            id: "s".to_owned(),
            path: "s.jsonl".into(),
            mtime: now - TimeDelta::hours(hours),
            bytes: 1,
        };
        for (hours, kept, expires) in [
            (27 * 24, 30, true),
            (27 * 24 - 1, 30, false),
            (40 * 24, 30, true),
            (0, 30, false),
            (0, 2, true),
            (-5, 9, false),
        ] {
            assert_eq!(is_expiring(&aged(hours), kept, now), expires, "{hours} hours old, {kept} days kept");
        }
    }
}
