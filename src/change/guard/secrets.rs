//! The guard against credentials: nothing with one in it lands, whoever asks, and nothing of it is kept.
//!
//! Not its job: telling what is a credential (see [`crate::secret`]).

use super::held;
use crate::change::{HoldReason, Rationale};

use crate::secret::{SecretHit, redacted};

/// The guard's name in reasons.
pub(crate) const GUARD: &str = "secret";

/// A rationale without anything that looks like a credential, whoever spoke it: it is kept in journal and history and shown.
pub(crate) fn clean(mut rationale: Rationale) -> Rationale {
    rationale.reason = redacted(&rationale.reason);
    for source in &mut rationale.sources {
        source.session = source.session.as_deref().map(redacted);
        source.quote = source.quote.as_deref().map(redacted);
    }
    rationale
}

/// Why a file with this in its name is not made.
pub(in crate::change) fn name_reason(rule: &str) -> HoldReason {
    held(GUARD, format!("its name holds what looks like a credential ({rule}); nothing of the change is kept"))
}

/// Why a change with this credential does not land.
pub(in crate::change) fn reason(hit: &SecretHit) -> HoldReason {
    held(
        GUARD,
        format!(
            "line {} holds what looks like a credential ({}); nothing of the change is kept: take the value out",
            hit.line, hit.rule
        ),
    )
}
