//! Findings: what is wrong with a store, with evidence, and what of it can be fixed safely.
//!
//! Not its job: writing the fix (a fix is a change set that lands through [`crate::change`]).

use serde::Serialize;

use crate::change::ChangeSet;
use crate::memory::{ProblemCode, Snapshot};

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
pub fn check(snapshot: &Snapshot, checkout: Option<&std::path::Path>) -> Vec<Finding> {
    let _ = (snapshot, checkout);
    todo!()
}

/// A change set that repairs what is safe to repair, with the findings it repairs; nothing else is touched.
#[must_use]
pub fn fix(snapshot: &Snapshot, findings: &[Finding]) -> (ChangeSet, Vec<Finding>) {
    let _ = (snapshot, findings);
    todo!()
}
