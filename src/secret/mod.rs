//! Credentials: found by their vendors' public formats, or by the words beside them. A finding never holds the value.
//!
//! Made for prose: a token counts however it stands in a sentence, also cut by invisible characters, line ends or
//! comments, in full-width letters or encoded. Hashes, commit ids, UUIDs and base64 images are not credentials. Everything
//! that keeps, shows or sends text asks here. Not its job: what happens to a file that holds one (`crate::change::guard`).

mod encoded;
pub(crate) mod place;
mod value;
mod vendors;
mod view;
mod worded;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use view::View;

/// What a credential is replaced by where a text about it is kept or shown.
pub const REDACTED: &str = "[removed: looked like a secret]";

/// Something that looks like a credential.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct SecretHit {
    /// Which rule found it: `github-token`.
    pub rule: &'static str,
    /// The line it begins on, from 1.
    pub line: usize,
}

/// How to know one kind of credential.
struct Rule {
    name: &'static str,
    /// One of these, in lower case, must be in the text.
    keywords: &'static [&'static str],
    /// The credential is group `secret`, or everything.
    pattern: &'static str,
    /// Bits per byte that the credential must have at least.
    entropy: f64,
    /// Further conditions on the credential and on all that the pattern matched.
    check: fn(secret: &[u8], matched: &[u8]) -> bool,
    /// Whether letters and digits right before or behind make it something else.
    is_closed: bool,
}

const fn rule(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, entropy: 2.5, check: |_, _| true, is_closed: true }
}

/// Between letters and digits nothing begins or ends; everything else may stand around a token, the marks of a file's
/// name too.
const BEFORE: &str = r"(?:^|[^A-Za-z0-9])";
const AFTER: &str = r"(?:[^A-Za-z0-9]|$)";

/// A rule and its pattern, which is compiled when the first text holds one of its keywords.
struct Kept {
    rule: &'static Rule,
    regex: OnceLock<Option<Regex>>,
}

impl Kept {
    fn regex(&self) -> Option<&Regex> {
        let build = || {
            let Rule { pattern, is_closed, .. } = self.rule;
            let whole = if *is_closed { format!("{BEFORE}{pattern}{AFTER}") } else { (*pattern).to_owned() };
            RegexBuilder::new(&whole).unicode(false).multi_line(true).build().ok()
        };
        self.regex.get_or_init(build).as_ref()
    }
}

static RULES: LazyLock<Vec<Kept>> = LazyLock::new(|| {
    let rules = vendors::RULES.iter().chain(worded::RULES);
    rules.map(|rule| Kept { rule, regex: OnceLock::new() }).collect()
});

/// The keywords of all rules, and for each the rules it stands for.
static KEYWORDS: LazyLock<Option<(AhoCorasick, Vec<usize>)>> = LazyLock::new(|| {
    let of = |(at, kept): (usize, &Kept)| kept.rule.keywords.iter().map(move |word| (*word, at)).collect::<Vec<_>>();
    let (words, owners): (Vec<&str>, Vec<usize>) = RULES.iter().enumerate().flat_map(of).unzip();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?;
    Some((automaton, owners))
});

/// A credential with its place in the text.
struct Found {
    rule: &'static str,
    place: Range<usize>,
    /// As the rule read it: without what was hidden in it.
    value: Vec<u8>,
}

/// Every credential in a text, in order.
#[must_use]
pub fn scan(bytes: &[u8]) -> Vec<SecretHit> {
    let mut hits = hits(bytes, &find(bytes));
    hits.dedup();
    hits
}

/// Credentials in `after` that are not in `before`: what a file holds already is no reason to hold a change of it.
pub(crate) fn added(before: Option<&[u8]>, after: &[u8]) -> Vec<SecretHit> {
    let mut found = find(after);
    if found.is_empty() {
        return Vec::new();
    }
    let known: HashSet<Vec<u8>> = before.map(find).unwrap_or_default().into_iter().map(|found| found.value).collect();
    found.retain(|found| !known.contains(&found.value));
    hits(after, &found)
}

/// A text without its credentials.
#[must_use]
pub fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Found { place, .. } in find(text.as_bytes()) {
        // A value is bytes and may end inside a character: the whole of it goes.
        let start = (at..=place.start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(at);
        let end = (place.end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str(REDACTED);
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The rule a file name breaks.
pub(crate) fn in_name(file: &str) -> Option<&'static str> {
    find(file.as_bytes()).first().map(|found| found.rule)
}

/// A file name for a record or a screen, without its credential.
pub(crate) fn redacted_name(file: &str) -> String {
    if in_name(file).is_some() { REDACTED.to_owned() } else { file.to_owned() }
}

/// With their lines, which are counted on from one to the next.
fn hits(bytes: &[u8], found: &[Found]) -> Vec<SecretHit> {
    let (mut line, mut at) = (1, 0);
    let with_line = |found: &Found| {
        line += memchr::memchr_iter(b'\n', bytes.get(at..found.place.start).unwrap_or_default()).count();
        at = found.place.start;
        SecretHit { rule: found.rule, line }
    };
    found.iter().map(with_line).collect()
}

/// The credentials of a text, by place; of two that overlap the first.
fn find(bytes: &[u8]) -> Vec<Found> {
    let plain = View::plain(bytes);
    let mut found = by_rules(&plain, true);
    found.extend(blocks(&plain));
    if let Some(joined) = View::joined(&plain) {
        // What words beside a value say is lost where lines are put together; a format is not.
        found.extend(by_rules(&joined, false).into_iter().filter(|found| joined.is_mended(&found.place)));
    }
    for (place, text) in encoded::runs(&plain) {
        let inner = View::plain(&text);
        let hidden = by_rules(&inner, true).into_iter().chain(blocks(&inner)).next();
        found.extend(hidden.map(|one| Found { rule: one.rule, place: plain.place(&place), value: one.value }));
    }
    found.sort_by_key(|one| (one.place.start, std::cmp::Reverse(one.place.end)));
    let mut end = 0;
    found.retain(|one| {
        let is_first = one.place.start >= end;
        end = end.max(one.place.end);
        is_first
    });
    found
}

/// What the rules find; the ones about words only `with_words`.
fn by_rules(view: &View<'_>, with_words: bool) -> Vec<Found> {
    let Some((automaton, owners)) = KEYWORDS.as_ref() else { return Vec::new() };
    let text = view.bytes();
    let mut wanted = vec![false; RULES.len()];
    for hit in automaton.find_overlapping_iter(text) {
        if let Some(wanted) = owners.get(hit.pattern().as_usize()).and_then(|at| wanted.get_mut(*at)) {
            *wanted = true;
        }
    }
    let mut found = Vec::new();
    for (kept, _) in RULES.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        let rule = kept.rule;
        let Some(regex) = kept.regex().filter(|_| with_words || rule.is_closed) else { continue };
        let mut from = 0;
        while let Some(captures) = regex.captures_at(text, from) {
            let Some((secret, all)) = captures.name("secret").or(captures.get(0)).zip(captures.get(0)) else { break };
            if value::entropy(secret.as_bytes()) >= rule.entropy && (rule.check)(secret.as_bytes(), all.as_bytes()) {
                let value = secret.as_bytes().to_vec();
                found.push(Found { rule: rule.name, place: view.place(&secret.range()), value });
            }
            // The character after a token may be the one before the next.
            from = secret.end().max(from + 1);
            if from >= text.len() {
                break;
            }
        }
    }
    found
}

/// The head of a private key, as PEM, OpenSSH and PGP write it.
static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    RegexBuilder::new(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?s:.{0,300}?)[A-Za-z0-9+/]{24,}")
        .unicode(false)
        .build()
        .ok()
});

/// Private keys: a head with key material behind it, to the end mark or as far as the material goes. A head alone, or
/// dots in place of a key, is talk about keys.
fn blocks(view: &View<'_>) -> Vec<Found> {
    let text = view.bytes();
    if memchr::memmem::find(text, b"PRIVATE KEY").is_none() {
        return Vec::new();
    }
    let heads = HEAD.iter().flat_map(|head| head.find_iter(text));
    let mut end_of_last = 0;
    let mut found = Vec::new();
    for head in heads {
        if head.start() < end_of_last {
            continue;
        }
        let rest = text.get(head.end()..).unwrap_or_default();
        let is_material = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/= \t\r\n\\>\"',".contains(byte);
        let material = rest.iter().take_while(|byte| is_material(byte)).count();
        let end_mark = rest.get(material..).unwrap_or_default();
        let has_end = end_mark.starts_with(b"-----END ");
        let tail = end_mark.iter().take(80).skip(9).position(|byte| *byte == b'-').map_or(0, |at| at + 9 + 5);
        let end = head.end() + material + if has_end { tail } else { 0 };
        end_of_last = end.min(text.len());
        let range = head.start()..end_of_last;
        let value = text.get(range.clone()).unwrap_or_default().to_vec();
        found.push(Found { rule: "private-key", place: view.place(&range), value });
    }
    found
}

#[cfg(test)]
mod tests;
