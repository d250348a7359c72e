//! Whether a transcript has the answer that a turn ended with: it may lag behind what a hook is told.
//!
//! An answer is told by a mark, the hash of its last line, so that nobody has to carry it around. Not its job: waiting.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::speech::{Speakers, human_text};
use super::{Block, Line, Role};

/// An answer stands within so many bytes of the end.
const TAIL: u64 = 256 * 1024;

/// The mark of an answer; `None`: it says nothing.
#[must_use]
pub fn mark(answer: &str) -> Option<String> {
    let last = answer.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(Sha256::digest(last.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// Whether the answer with that mark is the last thing said in a transcript.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn is_written(transcript: &Path, mark: &str) -> io::Result<bool> {
    let tail = super::tail::bytes(transcript, TAIL)?;
    for bytes in tail.rsplit(|byte| *byte == b'\n') {
        let Some(line) = Line::parse(bytes).filter(|line| !line.is_sidechain) else { continue };
        // What comes after an answer is a new turn, whoever asked.
        if human_text(&line, Speakers::ProgramsToo).is_some() {
            return Ok(false);
        }
        if line.role != Role::Assistant {
            continue;
        }
        let last = line.content.iter().rev().find_map(|block| match block {
            Block::Text(text) => self::mark(text),
            _ => None,
        });
        if let Some(last) = last {
            return Ok(last == mark);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_there_when_it_is_the_last_thing_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let user = |text: &str| json!({"type": "user", "message": {"role": "user", "content": text}});
        let assistant = |text: &str| json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}});
        let sidechain = json!({"type": "assistant", "isSidechain": true,
            "message": {"role": "assistant", "content": [{"type": "text", "text": "mine"}]}});
        let call = json!({"type": "assistant", "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]}});
        let done = mark("I looked.\n\n  Done.  \n").unwrap();
        assert_eq!((Some(done.clone()), mark(" \n")), (mark("Done."), None));
        for (lines, is_there) in [
            (vec![user("go"), assistant("I looked.\n\nDone."), sidechain], true),
            (vec![user("go"), assistant("Done."), user("again")], false),
            (vec![user("go"), assistant("Done."), call, assistant("Not yet.")], false),
            (vec![user("go")], false),
            (vec![], false),
        ] {
            std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
            assert_eq!(is_written(&path, &done).unwrap(), is_there, "{lines:?}");
        }
        assert!(is_written(&dir.path().join("none"), &done).is_err());
    }
}
