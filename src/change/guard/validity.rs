//! A changed file must still read: text, and no frontmatter problem that was not there before.

use super::{Subject, held};
use crate::change::HoldReason;
use crate::memory::{ProblemCode, frontmatter};

pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let after = subject.after?;
    let before = subject.before;
    if after.iter().all(u8::is_ascii_whitespace) && before.is_none_or(|before| !before.is_empty()) {
        return Some(held("validity", "the file would be empty; remove it instead"));
    }
    if after.contains(&0) && before.is_none_or(|before| !before.contains(&0)) {
        return Some(held("validity", "it would hold NUL bytes, which no text has"));
    }
    if std::str::from_utf8(after).is_err() && before.is_none_or(|before| std::str::from_utf8(before).is_ok()) {
        return Some(held("validity", "it would no longer be UTF-8 text"));
    }
    let known: Vec<ProblemCode> = before
        .map(|before| frontmatter::read(before).problems.iter().map(|one| one.code).collect())
        .unwrap_or_default();
    let problem = frontmatter::read(after).problems.into_iter().find(|problem| {
        matches!(
            problem.code,
            ProblemCode::FrontmatterUnreadable
                | ProblemCode::FrontmatterTwoBlocks
                | ProblemCode::FrontmatterStub
                | ProblemCode::FrontmatterCut
        ) && !known.contains(&problem.code)
    })?;
    Some(held("validity", format!("its frontmatter would no longer read well: {}", problem.message)))
}
