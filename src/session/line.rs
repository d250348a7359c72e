//! One line of a transcript, understood as far as we need it.

use std::borrow::Cow;

use chrono::{DateTime, Utc};

/// Who a line speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A `user` line: the person, or a tool result, or something the client put in.
    User,
    /// An `assistant` line.
    Assistant,
    /// Any other line: system, attachment, progress, metadata.
    Other,
}

/// A block of a message. Unknown blocks pass as [`Block::Other`].
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Text.
    Text(String),
    /// A tool call: name and raw input.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// Its input, as it is.
        input: serde_json::Value,
    },
    /// A tool's answer: its text, as far as it is text.
    ToolResult {
        /// The id of the call.
        id: String,
        /// The text.
        text: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// Anything else: thinking, images, documents.
    Other,
}

/// A message's content: a string, or blocks.
pub type Content = Vec<Block>;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The word in `type`.
    pub kind: String,
    /// Who it speaks for.
    pub role: Role,
    /// `uuid`.
    pub uuid: Option<String>,
    /// `parentUuid`.
    pub parent: Option<String>,
    /// `sessionId` (or `session_id`).
    pub session: Option<String>,
    /// `timestamp`.
    pub timestamp: Option<DateTime<Utc>>,
    /// `cwd`.
    pub cwd: Option<String>,
    /// `gitBranch`.
    pub branch: Option<String>,
    /// `isSidechain`.
    pub is_sidechain: bool,
    /// `isMeta`, `isVisibleInTranscriptOnly` or `isCompactSummary`.
    pub is_meta: bool,
    /// `entrypoint`.
    pub entrypoint: Option<String>,
    /// `origin.kind`.
    pub origin: Option<String>,
    /// `message.id` of assistant lines.
    pub message_id: Option<String>,
    /// `message.model`; `<synthetic>` marks client-made messages.
    pub model: Option<String>,
    /// `message.stop_reason`.
    pub stop_reason: Option<String>,
    /// `message.content`.
    pub content: Content,
    /// The text of title lines: `customTitle`, `aiTitle`, `summary`, `lastPrompt`.
    pub title: Option<String>,
}

impl Line {
    /// Understands a line; `None` when it is not a JSON object. Lone surrogate escapes are replaced first.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let _ = bytes;
        todo!()
    }
}

/// The bytes with every lone `\uD800`–`\uDFFF` escape replaced by `\uFFFD`, so that a JSON reader takes them.
#[must_use]
pub fn without_lone_surrogates(bytes: &[u8]) -> Cow<'_, [u8]> {
    let _ = bytes;
    todo!()
}
