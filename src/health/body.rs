//! What a memory shows by itself: missing parts, dates that passed or mean nothing any more, planted orders, hidden text and
//! credentials.

use chrono::NaiveDate;

use super::{Finding, dates, fix, secrets};
use crate::change::guard::orders;
use crate::clock::local_day;
use crate::memory::{INDEX_FILE, Kind, Memory, ProblemCode, Shape, Snapshot, Topic, hidden};

/// A memory's file; `None` when it is empty or cannot be read.
pub(super) fn read(snapshot: &Snapshot, memory: &Memory) -> Option<Topic> {
    if memory.bytes == 0 { None } else { snapshot.store.topic(&memory.file).ok() }
}

/// The findings of one body.
pub(super) fn findings(snapshot: &Snapshot, memory: &Memory, topic: &Topic) -> Vec<Finding> {
    let has_types = snapshot.store.kind().has_types();
    let mut found = of_text(&memory.file, memory.kind, topic, local_day(snapshot.scanned_at), has_types);
    for finding in &mut found {
        finding.fixable = fix::is_fixable(snapshot, finding);
    }
    found
}

/// The same of a text that need not be on a disk.
pub(super) fn of_text(
    file: &str,
    kind: Option<Kind>,
    topic: &Topic,
    today: NaiveDate,
    has_types: bool,
) -> Vec<Finding> {
    let is_project = kind == Some(Kind::Project);
    let wants_why = is_project || kind == Some(Kind::Feedback);
    let body = topic.body();
    let first_line = topic.body_line();
    let mut found = Vec::new();
    let mut note = |code, line: Option<usize>, message: String, evidence| {
        let line = line.map(|line| line + first_line - 1);
        found.push(Finding { evidence, ..Finding::new(code, file, line, message) });
    };
    if has_types && is_without_description(topic) {
        let message = "the frontmatter has no description, so the first words of the body stand for it; give it one with \
            `dreamtop edit FILE --description TEXT`";
        note(ProblemCode::DescriptionMissing, None, message.to_owned(), None);
    }
    if wants_why && !body.trim().is_empty() && topic.parts().why.is_none() {
        let message = "it does not say why (a line that begins with **Why:**), so nobody can judge when it ends";
        note(ProblemCode::WhyMissing, None, message.to_owned(), None);
    }
    if kind != Some(Kind::User) {
        for passed in dates::passed(&body, today) {
            let message = format!("{} has passed", passed.day);
            note(ProblemCode::DatePassed, Some(passed.line), message, Some(passed.text));
        }
    }
    if is_project && let Some(relative) = dates::relative(&body) {
        let message = format!("\"{}\" says when, but no date says to what it relates", relative.word);
        note(ProblemCode::DateRelative, Some(relative.line), message, Some(relative.text));
    }
    for comment in hidden::comments(&body) {
        note(ProblemCode::HiddenText, Some(comment.line), comment.message, Some(comment.text));
    }
    found.extend(planted(file, &String::from_utf8_lossy(&topic.bytes)));
    found.extend(secrets::in_file(file, &topic.bytes));
    found
}

/// Whether a block that can be read says everything but what the memory is about. A stub has its own finding.
fn is_without_description(topic: &Topic) -> bool {
    let frontmatter = &topic.frontmatter;
    let is_readable = frontmatter
        .problems
        .iter()
        .all(|problem| !matches!(problem.code, ProblemCode::FrontmatterStub | ProblemCode::FrontmatterUnreadable));
    let is_blank = frontmatter.description.as_deref().is_none_or(|description| description.trim().is_empty());
    frontmatter.shape != Shape::Bare && is_readable && is_blank
}

/// The findings of the index's own words, which every session loads. Its comments are stripped before that.
pub(super) fn of_index(snapshot: &Snapshot) -> Vec<Finding> {
    let mut found = planted(INDEX_FILE, &String::from_utf8_lossy(&snapshot.index.bytes));
    found.extend(secrets::in_file(INDEX_FILE, &snapshot.index.bytes));
    found
}

/// Orders and hidden characters anywhere in a file, its frontmatter included.
fn planted(file: &str, whole: &str) -> Vec<Finding> {
    let orders = orders::found(whole).into_iter().map(|order| {
        let message = format!("it reads like an order to whoever loads it: {}", order.what);
        (ProblemCode::InstructionLike, order.line, message, order.text)
    });
    let characters = hidden::characters(whole).map(|one| (ProblemCode::HiddenText, one.line, one.message, one.text));
    orders
        .chain(characters)
        .map(|(code, line, message, text)| Finding {
            evidence: Some(text),
            ..Finding::new(code, file, Some(line), message)
        })
        .collect()
}
