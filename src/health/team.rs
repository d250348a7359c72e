//! Whether the team's index and the team's entries agree.
//!
//! Not its job: what the entries say, and repairing (`check --fix` changes nothing that everybody has).

use std::collections::BTreeSet;

use super::{Finding, store};
use crate::memory::{ProblemCode, Snapshot};

/// What is wrong between index and entries of `memory/team/`, each named as a file of the project's store. `hidden`: entries
/// that are kept away from here, whose lines lead nowhere for that reason. A team without an index has none to agree with.
#[must_use]
pub fn of_team(snapshot: &Snapshot, hidden: &BTreeSet<String>) -> Vec<Finding> {
    if !snapshot.has_index {
        return Vec::new();
    }
    let is_of_the_index = |finding: &Finding| {
        matches!(
            finding.code,
            ProblemCode::Orphan
                | ProblemCode::IndexDangling
                | ProblemCode::IndexTwice
                | ProblemCode::CaseMismatch
                | ProblemCode::IndexOverLines
                | ProblemCode::IndexOverBytes
                | ProblemCode::IndexLineLong
        )
    };
    let leads_to_a_hidden_one = |finding: &Finding| {
        let target = finding.evidence.as_deref().unwrap_or_default();
        finding.code == ProblemCode::IndexDangling && hidden.contains(target)
    };
    let findings = store::findings(snapshot).into_iter().filter(is_of_the_index);
    findings
        .filter(|finding| !leads_to_a_hidden_one(finding))
        .map(|finding| Finding { file: format!("team/{}", finding.file), fixable: false, ..finding })
        .collect()
}
