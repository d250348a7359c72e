//! Findings: what is wrong with a store, with evidence, and what of it can be fixed safely.
//!
//! `store` turns what the scan noticed into findings, `body` reads each body once for missing parts, dates
//! and paths that are gone, `fix` repairs index lines. Not its job: writing the fix (a fix is a change set that
//! lands through [`crate::change`]).

mod body;
mod dates;
mod fix;
mod paths;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde::Serialize;

use crate::memory::{ProblemCode, Snapshot};

pub use fix::fix;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Something is not as it should be.
    Warning,
    /// Something is lost or not loaded because of it.
    Error,
}

/// One thing wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    pub code: ProblemCode,
    /// How bad.
    pub severity: Severity,
    /// The file it concerns.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// One sentence.
    pub message: String,
    /// What shows it: the text of the line, the missing path.
    pub evidence: Option<String>,
    /// Whether [`fix`] repairs it.
    pub fixable: bool,
}

/// All findings of a store, worst first, then by file and line. `checkout` is the project's directory, for drift.
#[must_use]
pub fn check(snapshot: &Snapshot, checkout: Option<&Path>) -> Vec<Finding> {
    let mut findings = store::findings(snapshot);
    let checkout = checkout.map(paths::Checkout::at);
    findings.extend(snapshot.memories.iter().flat_map(|memory| body::findings(snapshot, memory, checkout.as_ref())));
    findings.sort_by(|one, other| {
        let place = |finding: &Finding| (finding.file.clone(), finding.line, finding.code.word());
        other.severity.cmp(&one.severity).then_with(|| place(one).cmp(&place(other)))
    });
    findings
}

/// How bad a problem of each kind is.
const fn severity(code: ProblemCode) -> Severity {
    match code {
        ProblemCode::FrontmatterUnreadable
        | ProblemCode::FrontmatterStub
        | ProblemCode::IndexOverLines
        | ProblemCode::IndexOverBytes
        | ProblemCode::Unreadable
        | ProblemCode::Secret => Severity::Error,
        ProblemCode::FrontmatterTwoBlocks
        | ProblemCode::FrontmatterCut
        | ProblemCode::IndexLineLong
        | ProblemCode::IndexDangling
        | ProblemCode::IndexTwice
        | ProblemCode::Orphan
        | ProblemCode::CaseMismatch
        | ProblemCode::Duplicate
        | ProblemCode::Conflict
        | ProblemCode::PathGone
        | ProblemCode::DatePassed => Severity::Warning,
        ProblemCode::TypeMissing | ProblemCode::WhyMissing | ProblemCode::Large | ProblemCode::DateRelative => {
            Severity::Note
        }
    }
}
