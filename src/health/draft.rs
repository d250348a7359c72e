//! The findings that a memory's own text is enough for: what an editor shows while somebody types.
//!
//! Not its job: the project, other memories, sessions (see [`super::check`]).

use chrono::NaiveDate;

use super::{Finding, body, worst_first};
use crate::memory::store::LARGE_BYTES;
use crate::memory::{ProblemCode, Topic};
use crate::text;

/// The findings about a memory's text as it stands, worst first; nothing of it need be on a disk. `today` is the person's day.
#[must_use]
pub fn of_text(file: &str, topic: &Topic, today: NaiveDate) -> Vec<Finding> {
    let frontmatter = &topic.frontmatter;
    let kind = frontmatter.kind(file);
    let own = frontmatter.problems.iter();
    let mut found: Vec<Finding> =
        own.map(|problem| Finding::new(problem.code, file, problem.line, problem.message.clone())).collect();
    if kind.is_none() && frontmatter.type_word.is_none() && !topic.bytes.is_empty() {
        let message = "neither the frontmatter nor the file name says what type of memory it is".to_owned();
        found.push(Finding::new(ProblemCode::TypeMissing, file, None, message));
    }
    let size = u64::try_from(topic.bytes.len()).unwrap_or(u64::MAX);
    if size >= LARGE_BYTES {
        let message = format!("{} is large for one memory; it is read and kept whole", text::bytes(size));
        found.push(Finding::new(ProblemCode::Large, file, None, message));
    }
    found.extend(body::of_text(file, kind, topic, today, true));
    worst_first(found)
}
