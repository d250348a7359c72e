//! How old a claim is, and what that means.
//!
//! The age of a memory is the age of its *claim*, in whole days, not of the file's last touch. Not its job:
//! evidence against a claim (that is `crate::health`).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Kind;

/// Where the date of a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgeSource {
    /// `metadata.modified` in the file.
    Modified,
    /// The person said "still true" about exactly this content.
    Confirmed,
    /// The file's modification time.
    Mtime,
    /// Nothing says: no date inside, and the mtime is one of many set at once by a copy.
    Unknown,
}

/// The date of a claim and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// When it was last true for sure. `None`: unknown.
    pub at: Option<DateTime<Utc>>,
    /// Where the date comes from.
    pub source: AgeSource,
}

impl Claim {
    /// Whole days since the claim, never negative: a date in the future counts as today. `None`: unknown.
    #[must_use]
    pub fn age_days(&self, now: DateTime<Utc>) -> Option<u32> {
        self.at.map(|at| u32::try_from((now - at).num_days().max(0)).unwrap_or(u32::MAX))
    }
}

/// The badge of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// Within half its shelf life.
    Fresh,
    /// Past half its shelf life, or of unknown age.
    Aging,
    /// Past its shelf life, or contradicted by evidence.
    Stale,
}

impl Freshness {
    /// The word: `fresh`, `aging`, `stale`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Aging => "aging",
            Self::Stale => "stale",
        }
    }
}

/// How many days a claim of each type is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShelfLife {
    /// Days for user memories (365).
    pub user: u32,
    /// Days for feedback (180).
    pub feedback: u32,
    /// Days for references (90).
    pub reference: u32,
    /// Days for project memories, and for those without a type (21).
    pub project: u32,
}

impl Default for ShelfLife {
    fn default() -> Self {
        Self { user: 365, feedback: 180, reference: 90, project: 21 }
    }
}

impl ShelfLife {
    /// Days a claim of this type is good for.
    #[must_use]
    pub const fn days(&self, kind: Option<Kind>) -> u32 {
        match kind {
            Some(Kind::User) => self.user,
            Some(Kind::Feedback) => self.feedback,
            Some(Kind::Reference) => self.reference,
            Some(Kind::Project) | None => self.project,
        }
    }

    /// The badge for an age.
    #[must_use]
    pub fn badge(&self, kind: Option<Kind>, age_days: Option<u32>) -> Freshness {
        let shelf = self.days(kind);
        match age_days {
            None => Freshness::Aging,
            Some(age) if age > shelf => Freshness::Stale,
            Some(age) if age > shelf / 2 => Freshness::Aging,
            Some(_) => Freshness::Fresh,
        }
    }
}

/// The note that goes with a memory when it is shown to a model or a person: empty up to one day.
#[must_use]
pub fn note(age_days: Option<u32>) -> String {
    match age_days {
        Some(0 | 1) => String::new(),
        Some(days) => format!(
            "Noted {days} days ago. It was true then and may have changed since: check it against the code before relying on it."
        ),
        None => "Noted at an unknown time. It may have changed since: check it against the code before relying on it."
            .to_owned(),
    }
}

/// An age in a narrow column: `today`, `1d`, `47d`, `?`.
#[must_use]
pub fn short_age(age_days: Option<u32>) -> String {
    match age_days {
        None => "?".to_owned(),
        Some(0) => "today".to_owned(),
        Some(days) => format!("{days}d"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

    use chrono::{TimeDelta, TimeZone};

    use super::*;

    fn age(before_now: TimeDelta) -> Option<u32> {
        let now = Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap();
        Claim { at: Some(now - before_now), source: AgeSource::Modified }.age_days(now)
    }

    #[test]
    fn ages_are_whole_days_and_never_negative() {
        assert_eq!(age(TimeDelta::hours(0)), Some(0));
        assert_eq!(age(TimeDelta::hours(23)), Some(0));
        assert_eq!(age(TimeDelta::days(1)), Some(1));
        assert_eq!(age(TimeDelta::hours(47)), Some(1));
        assert_eq!(age(TimeDelta::days(2)), Some(2));
        assert_eq!(age(-TimeDelta::days(400)), Some(0), "a date in the future is today");
        assert_eq!(Claim { at: None, source: AgeSource::Unknown }.age_days(Utc::now()), None);
    }

    #[test]
    fn the_note_begins_with_the_second_day() {
        assert_eq!(note(age(TimeDelta::hours(0))), "");
        assert_eq!(note(age(TimeDelta::days(1))), "");
        assert!(note(age(TimeDelta::days(2))).starts_with("Noted 2 days ago."));
        assert_eq!(note(age(-TimeDelta::days(3))), "");
        assert!(note(None).contains("unknown"));
        assert_eq!(
            ["today", "1d", "47d", "?"],
            [Some(0), Some(1), Some(47), None].map(short_age).map(|age| age.leak() as &str)
        );
    }

    #[test]
    fn the_badge_follows_the_shelf_life_of_the_type() {
        let shelf = ShelfLife::default();
        for (days, badge) in [
            (0, Freshness::Fresh),
            (10, Freshness::Fresh),
            (11, Freshness::Aging),
            (21, Freshness::Aging),
            (22, Freshness::Stale),
        ] {
            assert_eq!(shelf.badge(Some(Kind::Project), Some(days)), badge, "{days}");
        }
        assert_eq!(shelf.badge(None, Some(22)), Freshness::Stale);
        assert_eq!(shelf.badge(Some(Kind::User), Some(180)), Freshness::Fresh);
        assert_eq!(shelf.badge(Some(Kind::User), None), Freshness::Aging);
    }
}
