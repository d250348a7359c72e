//! What starts runs, in the words that journals and records have for it.
//!
//! Not its job: deciding whether a run may begin (see [`super::gates`]).

/// A turn of a session ended.
pub const HOOK: &str = "hook";
/// A session ended.
pub const SESSION_END: &str = "session-end";
/// A session begins, and an earlier one left something unread.
pub const CATCH_UP: &str = "catch-up";
/// A trigger came while an extraction of the same session was going on.
pub const TRAILING: &str = "trailing";

/// Whether nobody asked for it: then pauses, daily caps and waits after failures hold.
#[must_use]
pub fn is_automatic(trigger: &str) -> bool {
    [HOOK, SESSION_END, CATCH_UP, TRAILING].contains(&trigger)
}

/// How many new turns of a person an extraction needs that is started so; `every` is `extract.every_turns`.
#[must_use]
pub(super) fn turns_needed(trigger: &str, every: usize) -> usize {
    if trigger == HOOK { every } else { 1 }
}
