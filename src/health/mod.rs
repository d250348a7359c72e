//! Findings: what is wrong with a store, with evidence, and what of it can be fixed safely.
//!
//! `store` turns what the scan noticed into findings; `body` reads each body once for missing parts, `dates`, `paths` that
//! are gone, planted orders and `hidden` text; `pairs` compares memories with each other; `secrets` finds credentials and
//! keeps them out of every finding; `fix` repairs index lines, stubs and missing descriptions. Not its job: writing the fix
//! (a fix is a change set that lands through [`crate::change`]).

mod body;
mod dates;
mod fix;
mod hidden;
mod pairs;
pub mod paths;
mod secrets;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde::Serialize;

use crate::memory::{Memory, ProblemCode, Snapshot};

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

impl Severity {
    /// The word: `note`, `warning`, `error`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    pub code: ProblemCode,
    /// How bad.
    pub severity: Severity,
    /// The file it concerns.
    #[serde(serialize_with = "secrets::without")]
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
    findings.extend(secrets::in_names(snapshot));
    let checkout = checkout.map(paths::Checkout::at);
    findings.extend(body::of_index(snapshot));
    let mut sayings = pairs::Sayings::default();
    for memory in &snapshot.memories {
        // A file that cannot be read has its finding from the scan.
        let Some(topic) = body::read(snapshot, memory) else { continue };
        findings.extend(body::findings(snapshot, memory, &topic, checkout.as_ref()));
        sayings.add(memory, &topic);
    }
    findings.extend(sayings.findings(snapshot));
    worst_first(findings)
}

/// The findings about one memory, as [`check`] would give them, without reading the others: no duplicates and no
/// conflicts.
#[must_use]
pub fn check_memory(snapshot: &Snapshot, memory: &Memory, checkout: Option<&Path>) -> Vec<Finding> {
    let mut findings = store::findings(snapshot);
    findings.extend(secrets::in_names(snapshot));
    findings.retain(|finding| finding.file == memory.file);
    if let Some(topic) = body::read(snapshot, memory) {
        findings.extend(body::findings(snapshot, memory, &topic, checkout.map(paths::Checkout::at).as_ref()));
    }
    worst_first(findings)
}

fn worst_first(mut findings: Vec<Finding>) -> Vec<Finding> {
    fn place(finding: &Finding) -> (&str, Option<usize>, &str) {
        (&finding.file, finding.line, finding.code.word())
    }
    secrets::redact(&mut findings);
    findings.sort_by(|one, other| other.severity.cmp(&one.severity).then_with(|| place(one).cmp(&place(other))));
    findings
}

/// How bad a problem of each kind is.
const fn severity(code: ProblemCode) -> Severity {
    match code {
        ProblemCode::FrontmatterUnreadable
        | ProblemCode::FrontmatterStub
        | ProblemCode::IndexOverLines
        | ProblemCode::IndexOverBytes
        | ProblemCode::Secret
        | ProblemCode::Unreadable => Severity::Error,
        ProblemCode::FrontmatterTwoBlocks
        | ProblemCode::FrontmatterCut
        | ProblemCode::IndexLineLong
        | ProblemCode::IndexDangling
        | ProblemCode::IndexTwice
        | ProblemCode::Orphan
        | ProblemCode::CaseMismatch
        | ProblemCode::PathGone
        | ProblemCode::DatePassed
        | ProblemCode::Duplicate
        | ProblemCode::Conflict
        | ProblemCode::HiddenText => Severity::Warning,
        ProblemCode::DescriptionMissing
        | ProblemCode::TypeMissing
        | ProblemCode::WhyMissing
        | ProblemCode::Large
        | ProblemCode::DateRelative
        | ProblemCode::InstructionLike => Severity::Note,
    }
}
