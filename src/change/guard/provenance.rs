//! What claims to be the person's own word needs their words: a new user or feedback memory without a quote is held.

use super::{Subject, held};
use crate::change::HoldReason;
use crate::memory::{Kind, frontmatter};

pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let kind = kind_of(subject.file, subject.after?)?;
    if !matches!(kind, Kind::User | Kind::Feedback) {
        return None;
    }
    let was = subject.before.and_then(|before| kind_of(subject.file, before));
    let is_quoted = subject
        .rationale
        .sources
        .iter()
        .any(|source| source.quote.as_deref().is_some_and(|quote| !quote.trim().is_empty()));
    if is_quoted || was.is_some_and(|was| matches!(was, Kind::User | Kind::Feedback)) {
        return None;
    }
    Some(held("provenance", format!("a {kind} memory needs the person's own words, and no quote comes with it")))
}

fn kind_of(file: &str, bytes: &[u8]) -> Option<Kind> {
    frontmatter::read(bytes).kind(file)
}
