//! What the scan noticed, as findings.

use super::{Finding, fix};
use crate::memory::{INDEX_FILE, Memory, Problem, ProblemCode, Snapshot};

/// The findings that need no body.
pub(super) fn findings(snapshot: &Snapshot) -> Vec<Finding> {
    let of_store = snapshot.problems.iter().map(|(file, problem)| store_finding(snapshot, file, problem));
    let has_types = snapshot.store.kind().has_types();
    let of_memories = snapshot.memories.iter().flat_map(|memory| {
        let own = memory.problems.iter().map(|problem| {
            let mut finding = finding(&memory.file, problem, None);
            finding.fixable = fix::is_fixable(snapshot, &finding);
            finding
        });
        own.chain(type_missing(memory).filter(|_| has_types))
    });
    of_store.chain(of_memories).collect()
}

fn finding(file: &str, problem: &Problem, evidence: Option<String>) -> Finding {
    Finding { evidence, ..Finding::new(problem.code, file, problem.line, problem.message.clone()) }
}

fn store_finding(snapshot: &Snapshot, file: &str, problem: &Problem) -> Finding {
    let is_index = file == INDEX_FILE;
    let line_text = || {
        let at = problem.line?.checked_sub(1).filter(|_| is_index)?;
        snapshot.index.lines.get(at).map(|line| line.text.clone())
    };
    let evidence = match problem.code {
        ProblemCode::IndexDangling | ProblemCode::CaseMismatch => problem.subject.clone(),
        ProblemCode::IndexTwice | ProblemCode::IndexLineLong => line_text(),
        ProblemCode::Orphan => snapshot.memory(file).map(|memory| memory.description.clone()),
        _ => None,
    };
    let mut finding = finding(file, problem, evidence);
    finding.fixable = fix::is_fixable(snapshot, &finding);
    if problem.code == ProblemCode::IndexTwice && is_index && !finding.fixable {
        finding.message.push_str("; the two lines say different things, so join them by hand");
    }
    finding
}

fn type_missing(memory: &Memory) -> Option<Finding> {
    let is_missing = memory.kind.is_none() && memory.type_word.is_none() && memory.bytes > 0;
    let is_read = memory.problems.iter().all(|problem| problem.code != ProblemCode::Unreadable);
    (is_missing && is_read).then(|| {
        let message = "neither the frontmatter nor the file name says what type of memory it is";
        finding(&memory.file, &Problem::new(ProblemCode::TypeMissing, message, None), None)
    })
}
