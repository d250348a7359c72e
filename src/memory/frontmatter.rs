//! The block between `---` lines: reading both shapes, and editing one field without touching another byte.
//!
//! Not its job: the body (see [`super::topic`]).

use std::ops::Range;

use super::{Kind, Problem};

/// How a file's frontmatter is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No block at all.
    Bare,
    /// `type` and the rest at top level.
    Flat,
    /// `type` and the rest under `metadata:`.
    Nested,
}

/// A field we know how to read and set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `name`, always at top level.
    Name,
    /// `description`, always at top level.
    Description,
    /// `type`, where the file has it.
    Type,
    /// `originSessionId`, where the file has it.
    OriginSession,
    /// `modified`, under `metadata`.
    Modified,
}

/// What a file's frontmatter says. Every scalar is text, whatever YAML would make of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// How it is laid out.
    pub shape: Shape,
    /// `name`.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// The word written for the type, at top level or under `metadata`.
    pub type_word: Option<String>,
    /// `originSessionId`, at top level or under `metadata`.
    pub origin_session: Option<String>,
    /// `modified`, as written.
    pub modified: Option<String>,
    /// Keys of ours or anyone's that we do not know, with their values as written, in file order.
    pub others: Vec<(String, String)>,
    /// The bytes of the block, from the first `-` (after a BOM) to the end of the closing line. Empty: no block.
    pub block: Range<usize>,
    /// Where the body begins: right after the closing line.
    pub body: usize,
    /// What is wrong with the block.
    pub problems: Vec<Problem>,
}

/// Why a field could not be set.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EditError {
    /// The block is damaged in a way that an edit of one line would make worse.
    #[error("the frontmatter is damaged ({0}); open the file in an editor and repair it first")]
    Damaged(String),
    /// The value holds a character that cannot stand in frontmatter.
    #[error("the value holds the control character U+{0:04X}; leave it out")]
    Unwritable(u32),
}

impl Frontmatter {
    /// The type: the word if it is one of the four, else the file name's prefix.
    #[must_use]
    pub fn kind(&self, file: &str) -> Option<Kind> {
        match &self.type_word {
            Some(word) => Kind::from_word(word),
            None => Kind::from_file_name(file),
        }
    }
}

/// Reads the frontmatter of a file. Strict YAML first, then a rescue line by line, flagged.
#[must_use]
pub fn read(bytes: &[u8]) -> Frontmatter {
    let _ = bytes;
    todo!()
}

/// The bytes of the file with one field set. Only the lines of that field change; a missing field is added where
/// the shape wants it. A file without a block gets none of it changed but the block put before its first byte.
///
/// # Errors
/// When the block is too damaged for a one-line edit, or the value cannot be written.
pub fn set(bytes: &[u8], field: Field, value: &str) -> Result<Vec<u8>, EditError> {
    let _ = (bytes, field, value);
    todo!()
}

/// A value as a double-quoted YAML scalar on one line, which any YAML reader and Claude Code's normaliser keep.
#[must_use]
pub fn quoted(value: &str) -> String {
    let _ = value;
    todo!()
}
