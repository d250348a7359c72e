//! What a body shows: missing parts, dates that passed or mean nothing any more, paths that are gone.

use super::paths::Checkout;
use super::{Finding, dates, paths, severity};
use crate::clock::local_day;
use crate::memory::{Kind, Memory, ProblemCode, Snapshot};

/// The findings of one body, which is read here once and not kept.
pub(super) fn findings(snapshot: &Snapshot, memory: &Memory, checkout: Option<&Checkout>) -> Vec<Finding> {
    let is_project = memory.kind == Some(Kind::Project);
    let wants_why = is_project || memory.kind == Some(Kind::Feedback);
    if memory.bytes == 0 || !(wants_why || checkout.is_some()) {
        return Vec::new();
    }
    // A file that cannot be read has its finding from the scan.
    let Ok(topic) = snapshot.store.topic(&memory.file) else { return Vec::new() };
    let body = topic.body();
    let first_line = topic.body_line();
    let mut found = Vec::new();
    let mut note = |code, line: Option<usize>, message: String, evidence| {
        let line = line.map(|line| line + first_line - 1);
        let file = memory.file.clone();
        found.push(Finding { code, severity: severity(code), file, line, message, evidence, fixable: false });
    };
    if wants_why && !body.trim().is_empty() && topic.parts().why.is_none() {
        let message = "it does not say why (a line that begins with **Why:**), so nobody can judge when it ends";
        note(ProblemCode::WhyMissing, None, message.to_owned(), None);
    }
    if is_project {
        let today = local_day(snapshot.scanned_at);
        for passed in dates::passed(&body, today) {
            let message = format!("{} has passed", passed.day);
            note(ProblemCode::DatePassed, Some(passed.line), message, Some(passed.text));
        }
        if let Some(relative) = dates::relative(&body) {
            let message = format!("\"{}\" says when, but no date says to what it relates", relative.word);
            note(ProblemCode::DateRelative, Some(relative.line), message, Some(relative.text));
        }
    }
    for cited in checkout.map(|checkout| paths::gone(&body, checkout)).unwrap_or_default() {
        let message = format!("{} is not in the project any more", cited.path);
        note(ProblemCode::PathGone, Some(cited.line), message, Some(cited.path));
    }
    found
}
