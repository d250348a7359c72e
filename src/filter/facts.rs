//! What a filter may ask of a memory that the memory itself does not say: evidence, use, shelf life.

use crate::health::{self, Finding, RecallUse, Severity};
use crate::memory::{Freshness, Memory, ProblemCode, ShelfLife};

/// A set of codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codes(u64);

impl Codes {
    /// Adds one.
    pub fn insert(&mut self, code: ProblemCode) {
        self.0 |= 1 << code as u32;
    }

    /// Whether it is there.
    #[must_use]
    pub const fn contains(self, code: ProblemCode) -> bool {
        self.0 & 1 << code as u32 != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What is known of a memory beside itself. Small: one is kept for each row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its badge in the light of evidence.
    pub freshness: Freshness,
    /// What was found about it, and what its file says.
    pub codes: Codes,
    /// Whether evidence contradicts it.
    pub is_contradicted: bool,
    /// Whether something of it is lost, cannot be read or is not loaded.
    pub is_damaged: bool,
    /// Whether there were sessions since it was claimed and none used it.
    pub is_unused: bool,
    /// Days until its shelf life ends; 0 on its last day, `None` when it is over or the age is not known.
    pub days_left: Option<u32>,
}

impl Facts {
    /// The facts about a memory. `findings` are those about its file.
    #[must_use]
    pub fn of(memory: &Memory, findings: &[&Finding], used: &RecallUse, shelf_life: &ShelfLife) -> Self {
        let mut codes = Codes::default();
        findings.iter().for_each(|finding| codes.insert(finding.code));
        memory.problems.iter().for_each(|problem| codes.insert(problem.code));
        let of_file = memory.problems.iter().any(|problem| is_damage(problem.code));
        let is_bad = |finding: &&Finding| finding.severity == Severity::Error || is_damage(finding.code);
        let days = shelf_life.days(memory.kind);
        Self {
            freshness: health::badge(memory, findings.iter().copied()),
            codes,
            is_contradicted: findings.iter().any(|finding| finding.contradicts()),
            is_damaged: of_file || memory.indexed && !memory.loaded || findings.iter().any(is_bad),
            is_unused: memory.claim.at.is_some_and(|claimed| {
                let use_of_it = used.used(&memory.file);
                use_of_it.read + use_of_it.injected == 0 && used.sessions_since(claimed) > 0
            }),
            days_left: memory.age_days.and_then(|age| days.checked_sub(age)),
        }
    }
}

/// Whether a problem means that the file is not as it was written.
fn is_damage(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::FrontmatterUnreadable
            | ProblemCode::FrontmatterTwoBlocks
            | ProblemCode::FrontmatterStub
            | ProblemCode::FrontmatterCut
            | ProblemCode::Unreadable
    )
}
