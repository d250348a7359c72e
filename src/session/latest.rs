//! What a session was like last: where it was held, with which model, and how much the conversation takes.
//!
//! Read from the end of its transcript alone. Not its job: what was said (see [`super::human`]).

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::Line;
use super::line::Usage;

/// So much of the end is looked at.
const TAIL: u64 = 1024 * 1024;

/// The last word of a transcript on each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// `cwd`.
    pub cwd: Option<PathBuf>,
    /// The model of the last answer of the main conversation.
    pub model: Option<String>,
    /// What that answer used: all that was said so far, if it was counted.
    pub usage: Option<Usage>,
    /// When its last line with a time was written.
    pub at: Option<DateTime<Utc>>,
    /// The bytes of the whole transcript.
    pub length: u64,
}

/// Reads the end of a transcript.
///
/// # Errors
/// When it cannot be opened or read.
pub fn latest(path: &Path) -> std::io::Result<Latest> {
    let mut file = crate::state::open_file(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let mut latest = Latest { length, ..Latest::default() };
    for line in bytes.split(|byte| *byte == b'\n').rev().filter_map(Line::parse) {
        latest.at = latest.at.or(line.timestamp);
        latest.cwd = latest.cwd.or_else(|| line.cwd.map(PathBuf::from));
        // What the client made up itself has a model in angle brackets.
        let model = line.model.filter(|model| !line.is_sidechain && !model.starts_with('<'));
        if latest.model.is_none() && model.is_some() {
            (latest.model, latest.usage) = (model, line.usage);
        }
        if latest.cwd.is_some() && latest.model.is_some() {
            break;
        }
    }
    Ok(latest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_last_answer_of_the_main_conversation_counts_and_damage_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let lines = [
            r#"{"type":"user","cwd":"/first"}"#,
            r#"{"type":"assistant","message":{"model":"old","usage":{"input_tokens":1}}}"#,
            r#"{"type":"assistant","cwd":"/last","message":{"model":"m","usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":90}}}"#,
            r#"{"type":"assistant","isSidechain":true,"message":{"model":"side"}}"#,
            r#"{"type":"assistant","message":{"model":"<synthetic>"}}"#,
            r#"{"type":"assi"#,
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let found = latest(&path).unwrap();
        assert_eq!((found.cwd, found.model.as_deref()), (Some(PathBuf::from("/last")), Some("m")));
        assert_eq!((found.usage.unwrap().all(), found.length), (105, lines.join("\n").len() as u64));
        std::fs::write(&path, "").unwrap();
        assert_eq!(latest(&path).unwrap(), Latest::default());
        assert!(latest(&dir.path().join("nowhere")).is_err());
    }
}
