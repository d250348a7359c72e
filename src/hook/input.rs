//! What a hook is told: one JSON object, of which every field may be missing or odd.
//!
//! Not its job: doing anything about it.

use std::cell::OnceCell;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::environment::Environment;
use crate::session::SessionHead;
use crate::session::head::read_beginning;
use crate::session::line::without_lone_surrogates;

/// No more is read of an input; what is longer is not understood.
pub const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// A call of a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// `hook_event_name`.
    pub event: String,
    /// `session_id`.
    pub session: Option<String>,
    /// `transcript_path`.
    pub transcript: Option<PathBuf>,
    /// `cwd`.
    pub cwd: Option<PathBuf>,
    /// `agent_id`: a sub-agent is speaking.
    pub agent: Option<String>,
    /// `source` of a start: `startup`, `resume`, `clear`, `compact`, `fork`.
    pub source: Option<String>,
    /// `prompt`.
    pub prompt: Option<String>,
    /// `prompt_id`.
    pub prompt_id: Option<String>,
    /// `last_assistant_message`.
    pub answer: Option<String>,
    /// `tool_name`.
    pub tool: Option<String>,
    /// `tool_input.file_path`; relative to `cwd` where it is relative.
    pub file: Option<PathBuf>,
    head: OnceCell<Option<SessionHead>>,
}

impl Call {
    /// Where the session began and who talks in it, as far as its transcript says; read once.
    #[must_use]
    pub fn head(&self) -> Option<&SessionHead> {
        let read = || read_beginning(self.transcript.as_deref()?).ok();
        self.head.get_or_init(read).as_ref()
    }

    /// Understands an input; `None`: it is no JSON object with an event's name.
    #[must_use]
    pub fn read(bytes: &[u8], environment: &Environment) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let fields: Map<String, Value> = serde_json::from_slice(&without_lone_surrogates(bytes)).ok()?;
        let path = |value: String| environment.expand(&value);
        Some(Self {
            event: text(&fields, "hook_event_name")?,
            session: text(&fields, "session_id"),
            transcript: text(&fields, "transcript_path").map(path),
            cwd: text(&fields, "cwd").map(path),
            agent: text(&fields, "agent_id"),
            source: text(&fields, "source"),
            prompt: text(&fields, "prompt"),
            prompt_id: text(&fields, "prompt_id"),
            answer: text(&fields, "last_assistant_message"),
            tool: text(&fields, "tool_name"),
            file: fields
                .get("tool_input")
                .and_then(Value::as_object)
                .and_then(|input| text(input, "file_path"))
                .map(|file| if file.starts_with('~') { path(file) } else { PathBuf::from(file) }),
            head: OnceCell::new(),
        })
    }
}

/// A text that says something.
fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    fields.get(name)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;

    use super::*;

    #[test]
    fn odd_fields_are_missing_ones_and_what_is_no_event_is_nothing() {
        let environment = Environment::of(Path::new("/work"), &[("HOME", "/home/me"), ("USERPROFILE", "/home/me")]);
        let read = |text: &str| Call::read(text.as_bytes(), &environment);
        for nothing in ["", "{", "[]", "null", "{}", r#"{"hook_event_name":7}"#, r#"{"hook_event_name":" "}"#] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
        let odd = r#"{"hook_event_name":"Stop","session_id":[1],"cwd":null,"transcript_path":"","tool_input":"x","new":{"a":1}}"#;
        assert_eq!(read(odd), Some(Call { event: "Stop".to_owned(), ..Call::default() }));
        let call = read(
            "\u{feff}{\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"cut \\ud83c\",\"transcript_path\":\"~/t.jsonl\",\"tool_input\":{\"file_path\":\"/a b\"}}",
        );
        let call = call.unwrap();
        assert_eq!(call.answer.as_deref(), Some("cut \u{fffd}"));
        assert_eq!((call.transcript, call.file), (Some("/home/me/t.jsonl".into()), Some("/a b".into())));
    }
}
