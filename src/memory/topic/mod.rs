//! One memory: frontmatter and body.
//!
//! `body` holds what is done to the text under the block. Not its job: where it lies and whether the index knows it (see
//! [`super::store`]).

mod body;

use chrono::{DateTime, SecondsFormat, Utc};

use super::frontmatter::{EditError, Field, plain_or_quoted, quoted, skip_blank};
use super::lines::slice;
use super::{ContentHash, Frontmatter, Kind, names};

pub use body::parts;

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

    /// The body as text (damaged UTF-8 replaced, lines ended by `\n`), after the frontmatter and the blank lines that
    /// follow it.
    #[must_use]
    pub fn body(&self) -> String {
        let text = String::from_utf8_lossy(slice(&self.bytes, self.body_start()..self.bytes.len()));
        if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text.into_owned() }
    }

    /// The number of the line in the file, from 1, that the body's first line is.
    #[must_use]
    pub fn body_line(&self) -> usize {
        memchr::memchr_iter(b'\n', slice(&self.bytes, 0..self.body_start())).count() + 1
    }

    /// Where the body's first line begins.
    fn body_start(&self) -> usize {
        let after = self.frontmatter.body;
        if self.frontmatter.block.is_empty() { after } else { skip_blank(&self.bytes, after) }
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

    /// The file with another body: line endings, the final newline (there or not) and the blank line after the block
    /// stay as the file has them, lines that are equal keep their bytes. Of two blocks it makes one where that loses
    /// nothing, as any edit does.
    #[must_use]
    pub fn with_body(&self, body: &str) -> Self {
        let has_block = !self.frontmatter.block.is_empty();
        let bytes = body::replaced(&self.bytes, has_block, self.frontmatter.body..self.body_start(), body);
        let is_edited = bytes != self.bytes;
        Self::read(if is_edited { super::frontmatter::united(&bytes).unwrap_or(bytes) } else { bytes })
    }
}

impl Topic {
    /// The file with a paragraph more, at the end of the rule or fact: before the first marked part, else at the end.
    #[must_use]
    pub fn with_paragraph(&self, text: &str) -> Self {
        self.with_body(&body::with_paragraph(&self.body(), text))
    }
}

impl Draft {
    /// The bytes of a new file, in the nested shape as Claude Code's normaliser writes it: the description quoted,
    /// slugs, ids and instants plain.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let description = one_line(&self.description);
        let mut text = format!(
            "---\nname: {}\ndescription: {}\nmetadata: \n  node_type: memory\n  type: {}\n",
            plain_or_quoted(&names::slug(&self.name)),
            quoted(&description),
            self.kind.word(),
        );
        let session = self.origin_session.as_deref().map(one_line).filter(|session| !session.is_empty());
        if let Some(session) = session {
            text.push_str(&format!("  originSessionId: {}\n", plain_or_quoted(&session)));
        }
        let modified = self.modified.to_rfc3339_opts(SecondsFormat::Millis, true);
        text.push_str(&format!("  modified: {}\n---\n\n", plain_or_quoted(&modified)));
        text.push_str(self.body.trim_matches(['\n', '\r']).trim_end());
        text.push('\n');
        text.into_bytes()
    }

    /// A file name for it: `feedback_testing_policy.md`; see [`names::file_name`].
    #[must_use]
    pub fn file_name(&self, taken: &dyn Fn(&str) -> bool) -> String {
        names::file_name(self.kind, &self.name, taken)
    }
}

/// A text on one line: line breaks and control characters become blanks.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
