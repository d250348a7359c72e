//! The memory section a session starts with: what the memory is for, the index as far as it is loaded, and what was cut.
//!
//! The words are ours. Not its job: handing it to anyone (see the commands and hooks above).

use serde::Serialize;

use super::frame;
use crate::memory::index::{MAX_BYTES, MAX_LINES};
use crate::memory::{INDEX_FILE, Snapshot};
use crate::text;

/// The section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The whole text.
    pub text: String,
    /// Whether the index was cut.
    pub truncated: bool,
    /// The files of the entries that were cut, in order.
    pub cut: Vec<String>,
}

/// What the memory is and how it is kept; `{directory}` stands for the path.
const ABOUT: &str = include_str!("../../assets/recall/about.md");

/// The section for a store.
#[must_use]
pub fn section(snapshot: &Snapshot) -> Section {
    let index = &snapshot.index;
    let directory = text::visible(&snapshot.store.root().display().to_string()).into_owned();
    let mut out = ABOUT.replace("{directory}", &directory);
    out.push_str(&format!("\n## {INDEX_FILE}\n\n"));
    let loaded: Vec<&str> =
        index.lines.iter().filter(|line| line.loaded == Some(true)).map(|line| line.text.as_str()).collect();
    if loaded.iter().all(|line| line.trim().is_empty()) {
        out.push_str("The index is empty: nothing has been remembered yet.\n");
    } else {
        for line in loaded {
            out.push_str(&frame::quoted(line.trim_end_matches('\r')));
            out.push('\n');
        }
    }
    let measure = &index.measure;
    let is_cut = measure.loaded_lines < measure.lines || measure.loaded_bytes < measure.bytes;
    if is_cut {
        out.push_str(&warning(snapshot));
    }
    Section { text: out, truncated: is_cut, cut: measure.cut.clone() }
}

/// Says what is missing, and what to do about it.
fn warning(snapshot: &Snapshot) -> String {
    let measure = &snapshot.index.measure;
    let size = |bytes: usize| text::bytes(u64::try_from(bytes).unwrap_or(u64::MAX));
    let named: Vec<String> = measure.cut.iter().take(20).map(|file| frame::quoted(file)).collect();
    let more = measure.cut.len().saturating_sub(named.len());
    let files = match (named.is_empty(), more) {
        (true, _) => "No entry is lost by it.".to_owned(),
        (false, 0) => format!("Not listed above: {}.", named.join(", ")),
        (false, more) => format!("Not listed above: {} and {more} more.", named.join(", ")),
    };
    format!(
        "\n> The index is too long: {} of {} lines ({} of {}) stand above; the limit is {MAX_LINES} lines and {}. {files} Move \
detail from index lines into the topic files.\n",
        measure.loaded_lines,
        measure.lines,
        size(measure.loaded_bytes),
        size(measure.bytes),
        size(MAX_BYTES),
    )
}
