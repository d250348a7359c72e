//! One memory: frontmatter and body.
//!
//! Not its job: where it lies and whether the index knows it (see [`super::store`]).

use chrono::{DateTime, Utc};

use super::frontmatter::{EditError, Field};
use super::{ContentHash, Frontmatter, Kind};

/// A topic file's bytes, understood.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The bytes as read.
    pub bytes: Vec<u8>,
    /// What the frontmatter says.
    pub frontmatter: Frontmatter,
}

/// The parts of a body that follows the form of feedback and project memories. Texts are trimmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyParts {
    /// The rule or fact: what stands before the first marked part, without a leading `**Rule:**` or heading.
    pub fact: String,
    /// The text after `**Why:**`.
    pub why: Option<String>,
    /// The text after `**How to apply:**`.
    pub how_to_apply: Option<String>,
}

/// A memory that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// A short name; written as a kebab-case slug.
    pub name: String,
    /// One line: what it says.
    pub description: String,
    /// The type.
    pub kind: Kind,
    /// The Markdown body, without frontmatter.
    pub body: String,
    /// The session it comes from.
    pub origin_session: Option<String>,
    /// When it was claimed.
    pub modified: DateTime<Utc>,
}

impl Topic {
    /// Understands the bytes of a topic file. Never fails: what is odd is in `frontmatter.problems`.
    #[must_use]
    pub fn read(bytes: Vec<u8>) -> Self {
        let frontmatter = super::frontmatter::read(&bytes);
        Self { bytes, frontmatter }
    }

    /// The hash of the bytes.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }

    /// The body as text (damaged UTF-8 replaced), after the frontmatter and the blank lines that follow it.
    #[must_use]
    pub fn body(&self) -> String {
        todo!()
    }

    /// The parts of the body.
    #[must_use]
    pub fn parts(&self) -> BodyParts {
        parts(&self.body())
    }

    /// The file with one field set; see [`super::frontmatter::set`].
    ///
    /// # Errors
    /// As [`super::frontmatter::set`].
    pub fn with(&self, field: Field, value: &str) -> Result<Self, EditError> {
        super::frontmatter::set(&self.bytes, field, value).map(Self::read)
    }

    /// The file with another body: line endings and the blank line after the block stay as the file has them,
    /// lines that are equal keep their bytes.
    #[must_use]
    pub fn with_body(&self, body: &str) -> Self {
        let _ = body;
        todo!()
    }
}

/// The parts of a body, see [`BodyParts`].
#[must_use]
pub fn parts(body: &str) -> BodyParts {
    let _ = body;
    todo!()
}

impl Draft {
    /// The bytes of a new file, in the nested shape, every value quoted.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// A file name for it: `feedback_testing_policy.md`; lowercase, legal everywhere, at most 100 bytes, and not one
    /// of `taken` (compared without case and Unicode form), with `_2`, `_3`… added when needed.
    #[must_use]
    pub fn file_name(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let _ = taken;
        todo!()
    }
}
