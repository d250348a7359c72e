//! The evidence in a memory: what somebody said, as its source lines quote it, and what it says itself.
//!
//! Not its job: which of it is let go (see [`super::record`]).

use chrono::{DateTime, Utc};

use super::{Bar, sentences};
use crate::change::Source;
use crate::memory::Topic;
use crate::memory::likeness::measured::{is_pointer, is_source};

/// The evidence in a content.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// The sentences of its source lines, with their places.
    pub(super) quoted: Vec<Bar>,
    /// Its own sentences.
    pub(super) says: Vec<Bar>,
    /// When it says that it was said.
    pub(super) said_at: Option<DateTime<Utc>>,
}

impl Evidence {
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        let topic = Topic::read(bytes);
        let body = topic.body();
        let written = topic.frontmatter.modified.as_deref();
        let said_at = written.and_then(|at| DateTime::parse_from_rfc3339(at).ok()).map(|at| at.with_timezone(&Utc));
        let (sources, text): (Vec<&str>, Vec<&str>) = body.lines().partition(|line| is_source(line));
        let said = text.iter().filter(|line| !is_pointer(line) && !line.trim_start().starts_with('#'));
        let own = said.flat_map(|line| sentences(without_label(line)));
        Self {
            quoted: sources.into_iter().filter_map(source_of).flat_map(|source| bars(&source)).collect(),
            says: own.map(|(_, folded)| Bar::of(&folded, None, None)).collect(),
            said_at,
        }
    }
}

/// The sentences of a source, with its place.
pub(super) fn bars(source: &Source) -> Vec<Bar> {
    let Source { session, line, quote, .. } = source;
    let quote = quote.as_deref().unwrap_or_default();
    let mut folded: Vec<String> = sentences(quote).into_iter().map(|(_, folded)| folded).collect();
    // The last word of a quote that was cut may be a half one.
    if quote.trim_end().ends_with('…')
        && let Some(last) = folded.pop()
    {
        folded.extend(last.rsplit_once(' ').map(|(whole, _)| whole.to_owned()));
    }
    folded.iter().map(|sentence| Bar::of(sentence, session.as_deref(), *line)).collect()
}

/// What a source line of a body names: `Source: session s-1, line 3, 2026-11-30: "…"`.
fn source_of(line: &str) -> Option<Source> {
    let (place, quote) = line.trim().strip_prefix("Source: ")?.split_once('"')?;
    let quote = quote.rsplit_once('"').map_or(quote, |(quote, _)| quote);
    let (session, rest) = place.split_once(", line ").unwrap_or((place, ""));
    let session = session.trim().strip_prefix("session ").unwrap_or(session).trim_end_matches([',', ':', ' ']);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(Source {
        session: (!session.is_empty()).then(|| session.to_owned()),
        line: digits.parse().ok(),
        quote: Some(quote.to_owned()),
        said: None,
    })
}

/// A line without the mark of a list and the label of a part (`**Why:**`).
fn without_label(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches(['-', '*', '+', '>']).trim_start();
    match line.split_once(":**") {
        Some((label, rest)) if label.len() <= 24 && !label.contains('*') => rest,
        _ => line,
    }
}
