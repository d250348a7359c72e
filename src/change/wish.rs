//! What a change wants: by that it is told whether the same waits already.
//!
//! Two sessions that say the same thing, or an extraction and a dream that come to the same, write other days, sessions and
//! quotes beside it, and would be two questions to a person for one answer. Not its job: what is kept of either (see
//! [`super::inbox`]).

use super::Origin;
use crate::memory::likeness::measured::is_source;
use crate::memory::{ContentHash, Kind, Topic};

/// The keys of a block that say where and when something was said.
const PROVENANCE: [&str; 2] = ["modified:", "originSessionId:"];

/// What a change makes of a file, without where and when it was said.
#[derive(PartialEq, Eq)]
pub(super) enum Wish {
    /// A new memory: it may be named otherwise.
    New { directory: String, kind: Option<Kind>, words: Vec<String> },
    /// Another text for a file, made from the same one.
    Text { file: String, base: ContentHash, words: Vec<String> },
}

impl Wish {
    /// The wish of a change; `None`: it says nothing that could be said twice in other bytes.
    pub(super) fn of(file: &str, base: Option<ContentHash>, content: Vec<u8>) -> Option<Self> {
        let Some(base) = base else {
            let topic = Topic::read(content);
            let body = topic.body();
            let words: Vec<String> = said(&body).map(str::to_lowercase).collect();
            let directory = file.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
            return (!words.is_empty()).then(|| Self::New { directory, kind: topic.frontmatter.kind(file), words });
        };
        let text = String::from_utf8_lossy(&content);
        let words = said(&text).map(str::to_owned).collect();
        Some(Self::Text { file: file.to_owned(), base, words })
    }

    /// Whether wishes of this origin are told apart by what they say, not by their bytes: nobody typed the rest.
    pub(super) const fn is_told_by_words(origin: Origin) -> bool {
        matches!(origin, Origin::Extract | Origin::Dream | Origin::Proposal)
    }
}

/// The words of a text but for its sources and dates of origin.
fn said(text: &str) -> impl Iterator<Item = &str> {
    let is_provenance = |line: &str| PROVENANCE.iter().any(|key| line.trim_start().starts_with(key));
    text.lines().filter(move |line| !is_source(line) && !is_provenance(line)).flat_map(str::split_whitespace)
}
