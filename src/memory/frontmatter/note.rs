//! Keys that are not Claude Code's, which people and programs put beside its own: set on a line of their own, at top level.
//!
//! Claude Code keeps them, and moves them under `metadata` when it writes the block anew. Not its job: its own fields (see
//! `edit`).

use super::edit::damaged;
use super::read::whole;
use super::{EditError, read, scalar};
use crate::memory::lines::{ending, mark_length, replaced, slice};

/// The file with `key: value` in its block; a key that is there already gets the value.
///
/// # Errors
/// When the block is too damaged for an edit of one line, or the value holds a control character.
pub fn note(bytes: &[u8], key: &str, value: &str) -> Result<Vec<u8>, EditError> {
    if let Some(wrong) = value.chars().find(|c| c.is_control()) {
        return Err(EditError::Unwritable(wrong as u32));
    }
    let line = format!("{key}: {}", scalar::quoted(value));
    let (before, parts) = whole(bytes);
    let after = match parts.as_slice() {
        [] if before.problems.is_empty() => {
            let (mark, newline) = (mark_length(bytes), ending(bytes));
            replaced(
                bytes,
                vec![(mark..mark, format!("---{newline}{line}{newline}---{newline}{newline}").into_bytes())],
            )
        }
        [] => return Err(damaged("it is never closed")),
        [part] => match part.layout.top(key) {
            Some(item) => replaced(bytes, vec![(item.start..item.end, line.into_bytes())]),
            None => {
                let newline = ending(slice(bytes, part.span.start..bytes.len()));
                let at = part.span.inner.end;
                replaced(bytes, vec![(at..at, format!("{line}{newline}").into_bytes())])
            }
        },
        _ => return note(&super::united(bytes)?, key, value),
    };
    let read = read(&after);
    let is_there = read.others.iter().any(|(known, _)| known == key);
    let is_same = (&read.name, &read.description, &read.type_word, &read.modified)
        == (&before.name, &before.description, &before.type_word, &before.modified);
    if is_there && is_same && read.problems.len() <= before.problems.len() {
        Ok(after)
    } else {
        Err(damaged("the change would not read back"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_note_is_one_line_of_the_block_and_nothing_else_changes() {
        let nested = "---\nname: a\ndescription: \"b\"\nmetadata: \n  type: project\n---\n\nText.\n";
        let noted = note(nested.as_bytes(), "owner", "Ann: \"the\" lead").unwrap();
        let text = String::from_utf8(noted.clone()).unwrap();
        assert_eq!(text, nested.replace("---\n\nText", "owner: \"Ann: \\\"the\\\" lead\"\n---\n\nText"));
        let again = String::from_utf8(note(&noted, "owner", "Bo").unwrap()).unwrap();
        assert_eq!(again, nested.replace("---\n\nText", "owner: \"Bo\"\n---\n\nText"));
        let windows = note(b"---\r\nname: a\r\n---\r\nText.\r\n", "owner", "Bo").unwrap();
        assert_eq!(windows, b"---\r\nname: a\r\nowner: \"Bo\"\r\n---\r\nText.\r\n");
    }

    #[test]
    fn a_file_without_a_block_gets_one_and_a_damaged_one_is_refused() {
        assert_eq!(note(b"Text.\n", "owner", "Bo").unwrap(), b"---\nowner: \"Bo\"\n---\n\nText.\n");
        assert!(note(b"---\nname: a\nText.\n", "owner", "Bo").is_err());
        assert!(note(b"Text.\n", "owner", "B\no").is_err());
    }
}
