//! Findings: what is wrong with a store, with evidence, and what of it can be fixed safely.
//!
//! `store` turns what the scan noticed into findings; `body` reads each body once for missing parts (`draft`: of a text that is still being written), `dates`, planted orders
//! and hidden text (`crate::memory::hidden`); `pairs` compares memories with each other; `secrets` finds credentials and keeps them out of every
//! finding; `links` finds dead ones; `evidence` holds what bodies cite against the checkout, `paths` is the part of it that listing and recall can
//! afford; `learnt` remembers what follows from a content alone; `documents` holds what they say against CLAUDE.md and rules, `recall_use` tells which memories sessions used;
//! `team` holds the index of a team against its entries; `need` orders memories by how much they want a person; `fix` repairs index lines, stubs and missing descriptions. Not
//! its job: writing the fix
//! (a fix is a change set that lands through [`crate::change`]).

mod body;
mod dates;
mod documents;
pub mod draft;
mod evidence;
mod fix;
mod grounds;
mod learnt;
mod links;
pub mod need;
mod pairs;
pub mod recall_use;
mod secrets;
mod store;
mod team;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;

use crate::memory::{Freshness, Memory, ProblemCode, Snapshot};

pub use evidence::quick as paths;
pub use fix::fix;
pub use grounds::Grounds;
pub use learnt::Learnt;
pub use need::{Need, need};
pub use recall_use::RecallUse;
pub use team::{due_for_review, of_team, review_due};

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
    /// What shows it: what was looked for and not found, else the text of the line.
    pub evidence: Option<String>,
    /// The words of the memory that are contradicted, when `evidence` is something else.
    pub quote: Option<String>,
    /// Whether [`fix`] repairs it.
    pub fixable: bool,
}

impl Finding {
    /// A finding that nothing repairs, as bad as its kind is.
    #[must_use]
    pub fn new(code: ProblemCode, file: &str, line: Option<usize>, message: String) -> Self {
        let (severity, file) = (severity(code), file.to_owned());
        Self { code, severity, file, line, message, evidence: None, quote: None, fixable: false }
    }

    /// Whether it says that the claim of a memory does not hold any more.
    #[must_use]
    pub fn contradicts(&self) -> bool {
        let is_drift = matches!(
            self.code,
            ProblemCode::PathGone
                | ProblemCode::SymbolGone
                | ProblemCode::ScriptGone
                | ProblemCode::BranchGone
                | ProblemCode::DatePassed
        );
        is_drift && self.severity >= Severity::Warning
    }
}

/// The badge of a memory in the light of the findings about it: what evidence contradicts is stale at any age.
#[must_use]
pub fn badge<'a>(memory: &Memory, mut findings: impl Iterator<Item = &'a Finding>) -> Freshness {
    if findings.any(|finding| finding.file == memory.file && finding.contradicts()) {
        return Freshness::Stale;
    }
    memory.freshness
}

/// How many memories of a store are stale, as [`badge`] has it in the light of all findings; without comparing memories with
/// each other, which makes none stale.
#[must_use]
pub fn stale(snapshot: &Snapshot, grounds: &Grounds) -> usize {
    let findings = of_memories(snapshot, &snapshot.memories, grounds, &mut Learnt::default(), None);
    let contradicted: HashSet<&str> =
        findings.iter().filter(|finding| finding.contradicts()).map(|finding| finding.file.as_str()).collect();
    let is_stale =
        |memory: &&Memory| memory.freshness == Freshness::Stale || contradicted.contains(memory.file.as_str());
    snapshot.memories.iter().filter(is_stale).count()
}

/// All findings of a store, worst first, then by file and line.
#[must_use]
pub fn check(snapshot: &Snapshot, grounds: &Grounds) -> Vec<Finding> {
    check_again(snapshot, grounds, &mut Learnt::default())
}

/// The same, reading only memories that are not as they were when `learnt` saw them last.
#[must_use]
pub fn check_again(snapshot: &Snapshot, grounds: &Grounds, learnt: &mut Learnt) -> Vec<Finding> {
    let mut findings = store::findings(snapshot);
    findings.extend(secrets::in_names(snapshot));
    findings.extend(body::of_index(snapshot));
    let mut sayings = pairs::Sayings::default();
    findings.extend(of_memories(snapshot, &snapshot.memories, grounds, learnt, Some(&mut sayings)));
    findings.extend(sayings.findings(snapshot, learnt));
    worst_first(findings)
}

/// The findings about one memory, as [`check`] would give them, without reading the others: no duplicates and no
/// conflicts.
#[must_use]
pub fn check_memory(snapshot: &Snapshot, memory: &Memory, grounds: &Grounds) -> Vec<Finding> {
    let mut findings = store::findings(snapshot);
    findings.extend(secrets::in_names(snapshot));
    findings.retain(|finding| finding.file == memory.file);
    findings.extend(of_memories(snapshot, std::slice::from_ref(memory), grounds, &mut Learnt::default(), None));
    worst_first(findings)
}

/// The findings that need the bodies of memories. What a body says is gathered in `sayings`.
fn of_memories(
    snapshot: &Snapshot,
    memories: &[Memory],
    grounds: &Grounds,
    learnt: &mut Learnt,
    mut sayings: Option<&mut pairs::Sayings>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let documents = documents::Documents::of(grounds);
    learnt.begin(snapshot, &documents);
    let places = links::Places::of(snapshot);
    for memory in memories {
        findings.extend(never_recalled(memory, grounds));
        findings.extend(corrected(memory, grounds));
        findings.extend(places.findings(snapshot, memory, grounds));
        let Some(known) = learnt.of(snapshot, memory, &documents) else { continue };
        if let (Some(sayings), Some(says)) = (sayings.as_deref_mut(), &known.says) {
            sayings.add(&memory.file, says);
        }
        findings.extend(learnt.findings(snapshot, &memory.file));
    }
    if grounds.checkout.is_some() {
        let cited: Vec<(&str, &[evidence::Citation])> =
            memories.iter().map(|memory| (memory.file.as_str(), learnt.cited(&memory.file))).collect();
        findings.extend(evidence::findings(snapshot, &cited, grounds));
    }
    findings
}

fn never_recalled(memory: &Memory, grounds: &Grounds) -> Option<Finding> {
    let claimed = memory.claim.at?;
    let sessions = grounds.recall.as_ref()?.never_used_in(&memory.file, claimed)?;
    let since = crate::clock::local_day(claimed);
    let message = format!("none of the {sessions} sessions since {since} read it or was given it");
    let mut finding = Finding::new(ProblemCode::NeverRecalled, &memory.file, None, message);
    finding.evidence = Some(format!("{sessions} sessions since {since}"));
    Some(finding)
}

/// A memory that a session had and corrected, until a person changes it or says that it is true.
fn corrected(memory: &Memory, grounds: &Grounds) -> Option<Finding> {
    let correction = grounds.recall.as_ref()?.correction(&memory.file)?;
    // A correction makes the claim as young as itself; a younger one was confirmed since.
    let moment = chrono::TimeDelta::minutes(1);
    if memory.claim.at.is_some_and(|claimed| claimed > correction.at + moment) {
        return None;
    }
    let (session, day) = (crate::text::brief(&correction.session), crate::clock::local_day(correction.at));
    let message = format!("session {session} was given it and corrected it on {day}; see whether the rest still holds");
    let mut finding = Finding::new(ProblemCode::Corrected, &memory.file, None, message);
    finding.evidence.clone_from(&correction.quote);
    Some(finding)
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
        | ProblemCode::SymbolGone
        | ProblemCode::ScriptGone
        | ProblemCode::BranchGone
        | ProblemCode::DatePassed
        | ProblemCode::ReviewDue
        | ProblemCode::Corrected
        | ProblemCode::Duplicate
        | ProblemCode::Conflict
        | ProblemCode::HiddenText => Severity::Warning,
        ProblemCode::DescriptionMissing
        | ProblemCode::TypeMissing
        | ProblemCode::WhyMissing
        | ProblemCode::LinkDangling
        | ProblemCode::Large
        | ProblemCode::DateRelative
        | ProblemCode::NeverRecalled
        | ProblemCode::InClaudeMd
        | ProblemCode::InstructionLike => Severity::Note,
    }
}
