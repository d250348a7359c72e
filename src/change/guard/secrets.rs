//! Credentials: found by their vendors' public formats, or by the words beside them. A finding never holds the value.
//!
//! Made for prose: a token counts however it stands in a sentence. Hashes, commit ids, UUIDs and base64 images are not
//! credentials. Not its job: what happens to a file that holds one.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use super::held;
use super::secret_rules::{AFTER, BEFORE, OPEN_RULES, RULES, Rule};
use crate::change::HoldReason;

/// The guard's name in reasons.
pub(in crate::change) const GUARD: &str = "secret";

/// What a credential is replaced by where a text about it is kept.
const REDACTED: &str = "[removed: looked like a secret]";

/// Something that looks like a credential.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct SecretHit {
    /// Which rule found it: `github-token`.
    pub rule: &'static str,
    /// The line it begins on, from 1.
    pub line: usize,
}

struct Compiled {
    rule: &'static Rule,
    regex: Regex,
}

static COMPILED: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
    let build = |pattern: &str| RegexBuilder::new(pattern).unicode(false).multi_line(true).build().ok();
    let closed = RULES
        .iter()
        .filter_map(|rule| Some(Compiled { rule, regex: build(&format!("{BEFORE}{}{AFTER}", rule.pattern))? }));
    let open = OPEN_RULES.iter().filter_map(|rule| Some(Compiled { rule, regex: build(rule.pattern)? }));
    closed.chain(open).collect()
});

/// The keywords of all rules, and for each the rules it stands for.
static KEYWORDS: LazyLock<Option<(AhoCorasick, Vec<usize>)>> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut owners = Vec::new();
    for (at, compiled) in COMPILED.iter().enumerate() {
        for word in compiled.rule.keywords {
            words.push(*word);
            owners.push(at);
        }
    }
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?;
    Some((automaton, owners))
});

/// A credential with its place.
struct Found {
    rule: &'static str,
    start: usize,
    end: usize,
}

/// Every credential in a text, in order.
#[must_use]
pub fn scan(bytes: &[u8]) -> Vec<SecretHit> {
    let text = without_invisible(bytes);
    let mut hits: Vec<SecretHit> =
        find(&text).iter().map(|found| SecretHit { rule: found.rule, line: line_of(&text, found.start) }).collect();
    hits.dedup();
    hits
}

/// Credentials in `after` that are not in `before`: what a file holds already is no reason to hold a change of it.
pub(in crate::change) fn added(before: Option<&[u8]>, after: &[u8]) -> Vec<SecretHit> {
    let text = without_invisible(after);
    let found = find(&text);
    if found.is_empty() {
        return Vec::new();
    }
    let old = before.map(without_invisible).unwrap_or_default();
    let known: HashSet<&[u8]> = find(&old).iter().filter_map(|found| old.get(found.start..found.end)).collect();
    found
        .iter()
        .filter(|found| text.get(found.start..found.end).is_some_and(|value| !known.contains(value)))
        .map(|found| SecretHit { rule: found.rule, line: line_of(&text, found.start) })
        .collect()
}

/// A text without its credentials.
pub(crate) fn redacted(text: &str) -> String {
    let bytes = without_invisible(text.as_bytes());
    let found = find(&bytes);
    if found.is_empty() {
        return text.to_owned();
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for one in found {
        if one.start >= at {
            out.extend_from_slice(bytes.get(at..one.start).unwrap_or_default());
            out.extend_from_slice(REDACTED.as_bytes());
        }
        at = at.max(one.end);
    }
    out.extend_from_slice(bytes.get(at..).unwrap_or_default());
    String::from_utf8_lossy(&out).into_owned()
}

/// The rule a file name breaks: a token may stand right behind one of a name's marks.
pub(in crate::change) fn in_name(file: &str) -> Option<&'static str> {
    let behind_marks = file.match_indices(['_', '-', '.', '/']).filter_map(|(at, mark)| file.get(at + mark.len()..));
    std::iter::once(file).chain(behind_marks).find_map(|part| scan(part.as_bytes()).first().map(|hit| hit.rule))
}

/// A file name for a record, without its credential.
pub(crate) fn redacted_name(file: &str) -> String {
    if in_name(file).is_some() { REDACTED.to_owned() } else { file.to_owned() }
}

/// Why a file with this in its name is not made.
pub(in crate::change) fn name_reason(rule: &str) -> HoldReason {
    held(GUARD, format!("its name holds what looks like a credential ({rule}); nothing of the change is kept"))
}

/// Why a change with this credential does not land.
pub(in crate::change) fn reason(hit: &SecretHit) -> HoldReason {
    held(
        GUARD,
        format!(
            "line {} holds what looks like a credential ({}); nothing of the change is kept: take the value out",
            hit.line, hit.rule
        ),
    )
}

/// The credentials of a text, by place; of two that overlap the first.
fn find(text: &[u8]) -> Vec<Found> {
    let Some((automaton, owners)) = KEYWORDS.as_ref() else { return Vec::new() };
    let wanted: HashSet<usize> =
        automaton.find_overlapping_iter(text).filter_map(|hit| owners.get(hit.pattern().as_usize()).copied()).collect();
    let mut found = Vec::new();
    for (_, compiled) in COMPILED.iter().enumerate().filter(|(at, _)| wanted.contains(at)) {
        let mut from = 0;
        while let Some(captures) = compiled.regex.captures_at(text, from) {
            let Some(secret) = captures.name("secret").or_else(|| captures.get(0)) else { break };
            let rule = compiled.rule;
            if entropy(secret.as_bytes()) >= rule.entropy && (rule.check)(secret.as_bytes()) {
                found.push(Found { rule: rule.name, start: secret.start(), end: secret.end() });
            }
            // The character after a token may be the one before the next.
            from = secret.end().max(from + 1);
            if from >= text.len() {
                break;
            }
        }
    }
    found.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
    let mut end = 0;
    found.retain(|one| {
        let is_first = one.start >= end;
        end = end.max(one.end);
        is_first
    });
    found
}

fn line_of(text: &[u8], at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', text.get(..at).unwrap_or_default()).count()
}

/// The text without zero-width characters, in which a token could hide. Lines stay lines.
fn without_invisible(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        if let [0xE2, 0x80, 0x8B..=0x8F, after @ ..] | [0xE2, 0x81, 0xA0, after @ ..] | [0xEF, 0xBB, 0xBF, after @ ..] =
            rest
        {
            rest = after;
        } else {
            out.push(*first);
            rest = others;
        }
    }
    out
}

/// Shannon entropy in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
