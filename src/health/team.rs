//! Whether the team's index and the team's entries agree, and which of them somebody was to look at again by now.
//!
//! Not its job: what else the entries say, and repairing (`check --fix` changes nothing that everybody has).

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::{Finding, store};
use crate::memory::names::TEAM_DIRECTORY;
use crate::memory::{ProblemCode, Snapshot, Store, frontmatter};

/// What is said of an entry at which somebody was to look again before this day, or by a day that cannot be read; `None`: it is
/// not due, or says no such day.
#[must_use]
pub fn review_due(bytes: &[u8], today: NaiveDate) -> Option<String> {
    due(bytes, today).map(|(words, _)| words)
}

/// As [`review_due`], with what is to be done.
fn due(bytes: &[u8], today: NaiveDate) -> Option<(String, &'static str)> {
    let front = frontmatter::read(bytes);
    let value = |key: &str| {
        let found = front.others.iter().find(|(name, _)| name.rsplit('.').next() == Some(key));
        found.map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty())
    };
    let owner = || value("owner").map(|owner| format!("; {owner} answers for it")).unwrap_or_default();
    match NaiveDate::parse_from_str(&value("review_by")?, "%Y-%m-%d") {
        Err(_) => Some((
            format!(
                "its `review_by` is no day such as 2027-03-31, so that nobody is asked whether it still holds{}",
                owner()
            ),
            "write such a day",
        )),
        Ok(day) if day < today => Some((
            format!("somebody was to look again by {day} whether it still holds{}", owner()),
            "then write another `review_by`",
        )),
        Ok(_) => None,
    }
}

/// The entries of a team's part of a store at which somebody was to look again by now, each named as a file of the project's
/// store. `hidden`: as in [`of_team`].
#[must_use]
pub fn due_for_review(snapshot: &Snapshot, team: &Store, hidden: &BTreeSet<String>, today: NaiveDate) -> Vec<Finding> {
    let shown = snapshot.memories.iter().filter(|memory| !hidden.contains(&memory.file));
    shown
        .filter_map(|memory| {
            let (words, next) = due(&team.topic(&memory.file).ok()?.bytes, today)?;
            let message = format!("{words}; {next}, or take it from the team");
            Some(Finding::new(ProblemCode::ReviewDue, &format!("{TEAM_DIRECTORY}/{}", memory.file), None, message))
        })
        .collect()
}

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
        .map(|finding| Finding { file: format!("{TEAM_DIRECTORY}/{}", finding.file), fixable: false, ..finding })
        .collect()
}
