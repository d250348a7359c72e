//! Signs: one character each that says without colour what a colour says too.

use crate::health::Severity;
use crate::memory::{Freshness, Kind};
use crate::run::Outcome;

/// The sign of a type.
#[must_use]
pub const fn kind(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::User) => "■",
        Some(Kind::Feedback) => "◆",
        Some(Kind::Project) => "●",
        Some(Kind::Reference) => "▲",
        None => "○",
    }
}

/// The sign of a badge, where there is no room for its word.
#[must_use]
pub const fn badge(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Fresh => " ",
        Freshness::Aging => "~",
        Freshness::Stale => "!",
    }
}

/// The sign of a severity.
#[must_use]
pub const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "·",
        Severity::Warning => "⚠",
        Severity::Error => "✗",
    }
}

/// The sign of a run that was taken back.
pub const UNDONE: &str = "↶";

/// The sign of a run's end; `None`: its process is gone without a word.
#[must_use]
pub const fn outcome(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Done) => "✓",
        Some(Outcome::Partial) => "◐",
        Some(Outcome::Held) => "?",
        Some(Outcome::Skipped) => "–",
        Some(Outcome::Killed | Outcome::Failed) | None => "✗",
    }
}
