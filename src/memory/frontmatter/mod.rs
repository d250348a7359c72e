//! The block between `---` lines: reading both shapes, and editing one field without touching another byte.
//!
//! `block` finds the block, `layout` says which bytes belong to which key, `yaml` what strict YAML makes of them, `read`
//! puts that together and rescues what YAML refuses, `edit` changes single values, `unite` makes one block of two. Not its
//! job: the body (see [`super::topic`]).

mod block;
mod edit;
mod flow;
mod layout;
mod note;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod unite;
mod yaml;

use std::ops::Range;

use super::{Kind, Problem};

pub(crate) use block::skip_blank;
pub use edit::{set, without};
pub use note::note;
pub use read::read;
pub(crate) use scalar::plain_or_quoted;
pub use scalar::quoted;
pub use unite::united;

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
    /// `modified`, under `metadata`; at top level in a file that has no `metadata`.
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
    /// Keys that we do not know, with their values as written, in file order; those under `metadata` as `metadata.key`.
    pub others: Vec<(String, String)>,
    /// The bytes of the block, from the first `-` (after a BOM) to the end of the closing line. Empty: no block. Two
    /// blocks that follow one another count as one here.
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
