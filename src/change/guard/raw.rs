//! What a pipeline leaves rather than what somebody would remember: headings without text, scores, lines of a transcript,
//! bare shell commands.
//!
//! Only what is new counts. Not its job: orders to whoever reads it (see [`super::instruction`]).

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::sentences;
use super::{Subject, held};
use crate::change::{HoldReason, IndexChange};
use crate::memory::frontmatter;

/// `[score=0.85]`, a JSON line of a transcript, a command after a shell's prompt.
static RAW: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\[\s*(?:score|confidence|weight)\s*[=:]\s*[\d.]+\s*\]",
        r#"|^\s*\{"(?:type|parentUuid|uuid|sessionId)":"#,
        r"|^\s*(?:[-*+]\s+)?[$❯]\s+\S",
    ))
    .ok()
});

pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let after = subject.after?;
    let text = body(after);
    let before = subject.before.map(body).unwrap_or_default();
    let said_something = subject.before.is_none() || !sentences::of_text(&before).is_empty();
    if said_something && sentences::of_text(&text).is_empty() {
        return Some(held("raw", "it would hold a heading or nothing at all, and no sentence"));
    }
    let line = first_raw(&text, &before)?;
    Some(held("raw", format!("it holds a raw line of a tool or transcript: {}", shown(&line))))
}

/// New index lines that are such leavings.
pub(in crate::change) fn check_index(change: &IndexChange) -> Option<HoldReason> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let line = first_raw(&text(&change.content), &text(&change.base))?;
    Some(held("raw", format!("the index would hold a raw line of a tool or transcript: {}", shown(&line))))
}

fn body(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(frontmatter::read(bytes).body..).unwrap_or_default()).into_owned()
}

/// The first raw line outside of code fences that was not there before.
fn first_raw(text: &str, before: &str) -> Option<String> {
    let pattern = RAW.as_ref()?;
    let known: HashSet<&str> = before.lines().collect();
    let mut in_fence = false;
    text.lines()
        .find(|line| {
            let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            in_fence ^= is_fence;
            !is_fence && !in_fence && !known.contains(line) && pattern.is_match(line)
        })
        .map(str::to_owned)
}

fn shown(line: &str) -> String {
    crate::text::visible(&crate::secret::redacted(line)).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leavings_are_told_from_sentences_and_from_code() {
        for raw in ["- Deploys [score=0.85]", "{\"type\":\"user\",\"uuid\":1}", "$ cargo test", "- $ rm -rf target"] {
            assert!(first_raw(raw, "").is_some(), "{raw}");
            assert!(first_raw(raw, raw).is_none(), "what was there stays: {raw}");
        }
        for fine in ["The score is 0.85.", "It costs 5 $ a day.", "```sh\n$ cargo test\n```", "Run `cargo test`."] {
            assert!(first_raw(fine, "").is_none(), "{fine}");
        }
    }
}
