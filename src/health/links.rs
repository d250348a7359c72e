//! Links of memories that lead to no memory.
//!
//! Only Markdown links: a `[[word]]` may name what is yet to be written. Not its job: the lines of an index (see
//! `crate::memory::store`).

use std::collections::HashSet;

use super::{Finding, Grounds};
use crate::memory::links::markdown_links;
use crate::memory::names::folded;
use crate::memory::{INDEX_FILE, Memory, ProblemCode, Snapshot};

/// The files that links of a store may lead to.
pub(super) struct Places {
    known: HashSet<String>,
}

impl Places {
    /// What lies in a store.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let memories = snapshot.memories.iter().map(|memory| memory.file.as_str());
        let others = snapshot.others.iter().map(|other| other.file.as_str());
        Self { known: memories.chain(others).chain([INDEX_FILE]).map(folded).collect() }
    }

    /// The dead links of one memory. What lies in the project's checkout may be meant to lie there.
    pub(super) fn findings(&self, snapshot: &Snapshot, memory: &Memory, grounds: &Grounds) -> Vec<Finding> {
        let is_dead = |target: &str| {
            !self.known.contains(&folded(target))
                && snapshot.store.path(target).symlink_metadata().is_err()
                && grounds.checkout.as_ref().is_none_or(|checkout| {
                    let written = std::path::Path::new(&memory.file)
                        .parent()
                        .and_then(|at| std::path::Path::new(target).strip_prefix(at).ok());
                    !checkout.join(target).exists() && written.is_none_or(|written| !checkout.join(written).exists())
                })
        };
        let may_be_dead = memory.trace.links.iter().any(|link| !link.starts_with("[[") && is_dead(link));
        let Some(topic) = may_be_dead.then(|| super::body::read(snapshot, memory)).flatten() else { return Vec::new() };
        let (body, before) = (topic.body(), topic.body_line() - 1);
        let links = markdown_links(&body, &memory.file);
        let dead = links.into_iter().filter(|(_, target)| is_dead(target));
        dead.map(|(line, target)| {
            let message = format!("it links to {target}, which is not there");
            let finding = Finding::new(ProblemCode::LinkDangling, &memory.file, Some(line + before), message);
            Finding { evidence: Some(target), ..finding }
        })
        .collect()
    }
}
