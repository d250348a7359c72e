//! A statement: something worth remembering, in the person's own words, and the form it is given; with its place in a
//! session it is a fact.
//!
//! Not its job: telling whether a sentence is one (see [`super::classify`]) and of what type (see [`super::types`]).

use chrono::{DateTime, NaiveDate, Utc};

use super::language::Language;
use super::revoke::Revocation;
use crate::memory::Kind;

/// A sentence longer than this is hardly one statement.
pub(super) const LONGEST: usize = 420;
/// A fact has at least this many content words (or characters of a script without spaces).
pub(super) const CONTENT_WORDS: usize = 2;

/// Something worth remembering, in the person's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The type.
    pub(super) kind: Kind,
    /// The rule or fact.
    pub(super) text: String,
    /// Why, if the words say so.
    pub(super) why: Option<String>,
    /// How to apply it, if the words say so.
    pub(super) how: Option<String>,
    /// How many sentences it took, from the one asked about on.
    pub(super) sentences: usize,
    /// Whether it is an approval.
    pub(super) is_approval: bool,
    /// The language.
    pub(super) language: Language,
    /// Whether it announces that it puts something right.
    pub(super) corrects: bool,
    /// What it takes back that an earlier session may have stored.
    pub(super) revokes: Option<Revocation>,
}

impl Statement {
    /// A rule of one sentence, without a reason of its own.
    pub(super) fn rule(text: String, language: Language) -> Self {
        Self {
            kind: Kind::Feedback,
            text,
            why: None,
            how: None,
            sentences: 1,
            is_approval: false,
            language,
            corrects: false,
            revokes: None,
        }
    }
}

/// A statement with where and when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// What was stated.
    pub(super) statement: Statement,
    /// The session, or the daily log.
    pub(super) session: String,
    /// The line of the transcript or log, from 1.
    pub(super) line: u64,
    /// When.
    pub(super) at: DateTime<Utc>,
    /// The person's day then.
    pub(super) day: NaiveDate,
    /// The words, to the letter.
    pub(super) quote: String,
}

/// First letter large, one full stop at the end, nothing else changed.
pub(super) fn finish(text: &str) -> String {
    let trimmed = text.trim().trim_end_matches([',', ';', ':', '—', '-', ' ']);
    let mut characters = trimmed.chars();
    let first: String = match characters.next() {
        Some(first) if starts_plain_word(trimmed) => first.to_uppercase().collect(),
        Some(first) => first.to_string(),
        None => return String::new(),
    };
    let rest = characters.as_str();
    let ends = rest.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    let is_wide = trimmed.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    let stop = if ends {
        ""
    } else if is_wide {
        "。"
    } else {
        "."
    };
    let finished = format!("{first}{rest}{stop}");
    match finished.trim_end_matches('!') {
        calm if calm.len() == finished.len() => finished,
        calm if calm.ends_with(['.', '?', '…', '。', '？']) => calm.to_owned(),
        calm => format!("{calm}."),
    }
}

/// Whether the first word is one whose case may be changed: not an identifier like `pnpm-lock` or `iOS`.
fn starts_plain_word(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    !first.chars().any(|c| c.is_ascii_digit() || matches!(c, '_' | '/' | '`' | '#' | '@' | '.'))
        && !first.chars().skip(1).any(char::is_uppercase)
}
