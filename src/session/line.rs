//! One line of a transcript, understood as far as we need it: a field that nobody asks for is not read.
//!
//! Not its job: whether a person speaks in it (see [`super::speech`]).

use std::borrow::Cow;

use chrono::{DateTime, TimeZone, Utc};
use serde::Serialize;
use serde_json::Value;

use super::fields::{Raw, boolean, fields, items, string};

/// Who a line speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A `user` line: the person, or a tool result, or something the client put in. What a person typed while the assistant
    /// worked is one too: it is an `attachment`, and never becomes a `user` line.
    User,
    /// An `assistant` line.
    Assistant,
    /// Any other line: system, attachment, progress, metadata.
    Other,
}

/// What a response cost, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Read anew.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Read from the prompt cache.
    pub cache_read: u64,
    /// Put into the prompt cache.
    pub cache_created: u64,
}

impl Usage {
    /// All of them.
    #[must_use]
    pub fn all(self) -> u64 {
        [self.input, self.output, self.cache_read, self.cache_created].into_iter().fold(0, u64::saturating_add)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_created: self.cache_created.saturating_add(other.cache_created),
        }
    }
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
    /// What a person said as they refused a tool call: part of a tool's answer that no tool gave.
    Refusal(String),
    /// Anything else: thinking, images, documents.
    Other,
}

/// Behind these words of the client stands what a person said as they refused a call.
const REFUSED: &str = "the user said:\n";

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
    /// `parentUuid`: the line this one answers.
    pub parent: Option<String>,
    /// `sessionId` (or `session_id`).
    pub session: Option<String>,
    /// `timestamp`.
    pub timestamp: Option<DateTime<Utc>>,
    /// `cwd`.
    pub cwd: Option<String>,
    /// `isSidechain`.
    pub is_sidechain: bool,
    /// `isMeta`, `isVisibleInTranscriptOnly` or `isCompactSummary`.
    pub is_meta: bool,
    /// Whether a tool or a plan put it in: `sourceToolUseID`, `toolUseResult` or `planContent` is set.
    pub is_generated: bool,
    /// `forkedFrom.messageUuid`: the line of another session that this one copies.
    pub forked_from: Option<String>,
    /// `entrypoint`.
    pub entrypoint: Option<String>,
    /// `origin.kind`.
    pub origin: Option<String>,
    /// `message.id`: what the lines of one response share.
    pub message: Option<String>,
    /// `message.usage`, repeated on each line of a response.
    pub usage: Option<Usage>,
    /// `message.model`; `<synthetic>` marks client-made messages.
    pub model: Option<String>,
    /// `message.content`.
    pub content: Content,
    /// The text of title lines: `customTitle`, `aiTitle`, `summary`, `lastPrompt`.
    pub title: Option<String>,
}

impl Line {
    /// Understands a line; `None` when it is not a JSON object. Lone surrogate escapes are replaced first.
    ///
    /// Whatever a field holds, it never costs the line: a field of the wrong kind counts as missing.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let repaired = without_lone_surrogates(bytes);
        // Bytes that are not UTF-8 sit inside strings; the replacement character keeps the rest readable.
        let text = String::from_utf8_lossy(&repaired);
        let mut line = Self {
            kind: String::new(),
            role: Role::Other,
            uuid: None,
            parent: None,
            session: None,
            timestamp: None,
            cwd: None,
            is_sidechain: false,
            is_meta: false,
            is_generated: false,
            forked_from: None,
            entrypoint: None,
            origin: None,
            message: None,
            usage: None,
            model: None,
            content: Content::new(),
            title: None,
        };
        let (mut attachment, mut denial) = (None, None);
        for (key, value) in fields(text.trim_start_matches('\u{FEFF}'))? {
            match key.as_ref() {
                "attachment" => attachment = Some(value),
                "toolDenialKind" => denial = string(value),
                _ => line.take(&key, value),
            }
        }
        let attachment = attachment.filter(|_| line.kind == "attachment");
        let is_queued = attachment.is_some_and(|attachment| line.take_queued(attachment));
        line.role = match line.kind.as_str() {
            _ if is_queued => Role::User,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => Role::Other,
        };
        if denial.as_deref() == Some("user-rejected") && line.role == Role::User {
            line.take_refusal();
        }
        Some(line)
    }

    /// Takes what was typed while the assistant worked; whether the attachment is that.
    fn take_queued(&mut self, attachment: Raw<'_>) -> bool {
        let (mut kind, mut mode, mut prompt) = (None, None, None);
        for (key, value) in fields(attachment.get()).unwrap_or_default() {
            match key.as_ref() {
                "type" => kind = string(value),
                "commandMode" => mode = string(value),
                "prompt" => prompt = Some(value),
                "origin" => self.origin = field(value, "kind"),
                "isMeta" => self.is_meta |= boolean(value),
                _ => {}
            }
        }
        let is_typed = kind.as_deref() == Some("queued_command") && mode.as_deref() == Some("prompt");
        if let Some(prompt) = prompt.filter(|_| is_typed) {
            self.content = content(prompt);
        }
        is_typed
    }

    /// Parts what the person said from the answer to a call they refused. Only the line's own `toolDenialKind` tells that
    /// surely: a tool can print the words of a refusal.
    fn take_refusal(&mut self) {
        let mut refusals = Vec::new();
        for block in &mut self.content {
            if let Block::ToolResult { text, is_error: true, .. } = block
                && let Some((ours, said)) = text.split_once(REFUSED)
            {
                refusals.push(Block::Refusal(said.trim().to_owned()));
                *text = format!("{ours}{REFUSED}");
            }
        }
        self.content.append(&mut refusals);
    }

    /// Takes one field of the envelope.
    fn take(&mut self, key: &str, value: Raw<'_>) {
        match key {
            "type" => self.kind = string(value).unwrap_or_default(),
            "uuid" => self.uuid = string(value),
            "parentUuid" => self.parent = string(value),
            "sessionId" => self.session = string(value).or_else(|| self.session.take()),
            "session_id" if self.session.is_none() => self.session = string(value),
            "timestamp" => self.timestamp = instant(value),
            "cwd" => self.cwd = string(value),
            "isSidechain" => self.is_sidechain = boolean(value),
            "isMeta" | "isVisibleInTranscriptOnly" | "isCompactSummary" => self.is_meta |= boolean(value),
            "sourceToolUseID" | "toolUseResult" | "planContent" => self.is_generated |= value.get() != "null",
            "entrypoint" => self.entrypoint = string(value),
            "origin" => self.origin = field(value, "kind"),
            "forkedFrom" => self.forked_from = field(value, "messageUuid"),
            "customTitle" | "aiTitle" | "summary" | "lastPrompt" => {
                self.title = string(value).or_else(|| self.title.take());
            }
            "message" => self.take_message(value),
            _ => {}
        }
    }

    /// Takes the message inside the envelope.
    fn take_message(&mut self, message: Raw<'_>) {
        for (key, value) in fields(message.get()).unwrap_or_default() {
            match key.as_ref() {
                "id" => self.message = string(value),
                "model" => self.model = string(value),
                "usage" => self.usage = usage(value),
                "content" => self.content = content(value),
                _ => {}
            }
        }
    }
}

/// The tokens of a response; a figure that is missing or odd is 0.
fn usage(value: Raw<'_>) -> Option<Usage> {
    let all = fields(value.get())?;
    let figure = |name: &str| {
        let found = all.iter().rev().find(|(key, _)| key == name);
        found.and_then(|(_, value)| value.get().parse().ok()).unwrap_or(0)
    };
    Some(Usage {
        input: figure("input_tokens"),
        output: figure("output_tokens"),
        cache_read: figure("cache_read_input_tokens"),
        cache_created: figure("cache_creation_input_tokens"),
    })
}

/// A string field of an object.
fn field(object: Raw<'_>, name: &str) -> Option<String> {
    fields(object.get())?.into_iter().rev().find(|(key, _)| key == name).and_then(|(_, value)| string(value))
}

/// An RFC 3339 instant, or milliseconds since 1970.
fn instant(value: Raw<'_>) -> Option<DateTime<Utc>> {
    match string(value) {
        Some(text) => DateTime::parse_from_rfc3339(text.trim()).ok().map(|at| at.with_timezone(&Utc)),
        None => Utc.timestamp_millis_opt(value.get().parse().ok()?).single(),
    }
}

/// A message's content: a string, or an array of blocks and bare strings.
fn content(value: Raw<'_>) -> Content {
    match string(value) {
        Some(text) => vec![Block::Text(text)],
        None => items(value).unwrap_or_default().into_iter().map(block).collect(),
    }
}

fn block(value: Raw<'_>) -> Block {
    if let Some(text) = string(value) {
        return Block::Text(text);
    }
    let Some(all) = fields(value.get()) else { return Block::Other };
    let named = |name: &str| all.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value);
    let text_of = |name: &str| named(name).and_then(string);
    match text_of("type").as_deref() {
        Some("text") => text_of("text").map_or(Block::Other, Block::Text),
        Some("tool_use") => Block::ToolUse {
            id: text_of("id").unwrap_or_default(),
            name: text_of("name").unwrap_or_default(),
            input: named("input").and_then(|input| serde_json::from_str(input.get()).ok()).unwrap_or(Value::Null),
        },
        Some("tool_result") => Block::ToolResult {
            id: text_of("tool_use_id").unwrap_or_default(),
            text: named("content").map(|inner| texts(content(inner))).unwrap_or_default(),
            is_error: named("is_error").is_some_and(boolean),
        },
        _ => Block::Other,
    }
}

/// The texts among blocks, a line break between them.
fn texts(blocks: Content) -> String {
    let texts = blocks.into_iter().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The bytes with every lone `\uD800`–`\uDFFF` escape replaced by `\uFFFD`, so that a JSON reader takes them.
#[must_use]
pub fn without_lone_surrogates(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut repaired: Option<Vec<u8>> = None;
    let mut place = 0;
    while let Some(ahead) = bytes.get(place..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        place += ahead;
        let (length, lone) = match (escape_unit(bytes, place), escape_unit(bytes, place + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, false),
            (Some(0xD800..=0xDFFF), _) => (6, true),
            (Some(_), _) => (6, false),
            (None, _) => (2, false),
        };
        if lone {
            let copy = repaired.get_or_insert_with(|| bytes.to_vec());
            if let Some(escape) = copy.get_mut(place..place + 6) {
                escape.copy_from_slice(br"\uFFFD");
            }
        }
        place += length;
    }
    repaired.map_or(Cow::Borrowed(bytes), Cow::Owned)
}

/// The code unit a `\uXXXX` escape at this place stands for.
fn escape_unit(bytes: &[u8], place: usize) -> Option<u16> {
    let digits = bytes.get(place..place + 6)?.strip_prefix(br"\u")?;
    digits.iter().try_fold(0_u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some((unit << 4) | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
