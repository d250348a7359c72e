//! The guard against text that a person does not see: invisible characters and HTML comments that a model brings in.
//!
//! Not its job: telling what hides something (see [`crate::memory::hidden`]), and what lies in a store already (a finding of
//! `crate::health`).

use std::collections::HashSet;

use super::{Subject, held};
use crate::change::HoldReason;
use crate::memory::{frontmatter, hidden};

/// Why a change waits that brings hidden text into a memory.
pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let after = String::from_utf8_lossy(subject.after?);
    let before = String::from_utf8_lossy(subject.before.unwrap_or_default());
    let known: HashSet<&str> = before.lines().collect();
    let whole = after.strip_prefix('\u{FEFF}').unwrap_or(&after);
    let fresh = (1..).zip(whole.lines()).find(|(_, line)| !known.contains(line) && !hidden::in_line(line).is_empty());
    if let Some((number, line)) = fresh {
        return Some(held("hidden", format!("line {number} would hold {}", characters(line))));
    }
    let comments = |text: &str| {
        let body = text.get(frontmatter::read(text.as_bytes()).body..).unwrap_or_default().to_owned();
        hidden::comments(&body).into_iter().map(|comment| comment.text).collect::<Vec<_>>()
    };
    let old = comments(&before);
    let new = comments(&after).into_iter().find(|comment| !old.contains(comment))?;
    Some(held("hidden", format!("it would hold an HTML comment, which only a model reads: {}", shown(&new))))
}

/// The hidden characters of a line, by their numbers.
pub(super) fn characters(line: &str) -> String {
    let mut codes: Vec<String> = hidden::in_line(line).iter().map(|code| format!("U+{:04X}", *code as u32)).collect();
    codes.dedup();
    codes.truncate(4);
    format!("characters that nobody sees ({})", codes.join(", "))
}

fn shown(text: &str) -> String {
    crate::text::visible(&crate::secret::redacted(text)).chars().take(80).collect()
}
