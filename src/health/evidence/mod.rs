//! Drift: what memories cite of their project, held against the checkout.
//!
//! `cite` (with `prose`, `tone` and `command`) tells what a body cites, `look` (with `tree`, `symbols`, `scripts` and `git`)
//! whether it is there, `quick` the same of paths where there is no time, `memo` remembers what was found out. Nothing of the project is run. Not its job: dates and what is
//! wrong with a body by itself (see the other modules of [`crate::health`]).

mod cite;
mod command;
pub(crate) mod git;
mod look;
mod memo;
mod place;
mod prose;
pub mod quick;
mod scripts;
mod symbols;
#[cfg(test)]
mod tests;
mod tone;
mod tree;

use std::collections::HashSet;

use super::{Finding, Grounds};
use crate::memory::{Kind, Memory, Snapshot, Topic};

pub(super) use cite::Citation;

/// What one memory cites, by the lines of its file. A person's own memories cite no code of the project, only paths.
pub(super) fn citations(memory: &Memory, topic: &Topic) -> Vec<Citation> {
    let mut found = cite::citations(&topic.body());
    let is_of_person = memory.kind == Some(Kind::User);
    found.retain(|citation| !is_of_person || matches!(citation.what, cite::Cited::Path { .. }));
    for citation in &mut found {
        citation.line += topic.body_line() - 1;
    }
    found
}

/// The paths a body claims to be there.
pub(super) fn cited_paths(body: &str) -> HashSet<String> {
    let path = |citation: Citation| match citation.what {
        cite::Cited::Path { path, .. } => Some(path),
        _ => None,
    };
    cite::citations(body).into_iter().filter_map(path).collect()
}

/// The findings of what memories cite; none without a checkout.
pub(super) fn findings(snapshot: &Snapshot, cited: &[(&str, &[Citation])], grounds: &Grounds) -> Vec<Finding> {
    let Some(checkout) = grounds.checkout.as_deref().filter(|path| path.is_dir()) else { return Vec::new() };
    let all: Vec<look::Of<'_>> =
        cited.iter().flat_map(|(file, citations)| citations.iter().map(move |citation| (*file, citation))).collect();
    if all.is_empty() {
        return Vec::new();
    }
    look::findings(&all, grounds, checkout, snapshot.store.root())
}
