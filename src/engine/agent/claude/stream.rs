//! What the command prints, one JSON object a line, as events of a run.
//!
//! Kinds that are not known are skipped: every version adds some. Not its job: believing what it says it changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Said;
use super::settle::declaration;
use crate::config::Money;
use crate::engine::agent::ToolCall;
use crate::engine::agent::phases::Phases;
use crate::engine::{EngineError, EngineEvent, Tokens};

/// So many lines that are no events are taken for a slip.
const MOST_STRAY: usize = 20;
/// More tokens than this no model holds or writes in one answer, whatever is said.
const MOST: u64 = 2_000_000;

/// How it ended, by its own word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// After so many.
    OutOfTurns(u64),
    OutOfMoney,
    /// In its words.
    Failed(String),
}

/// A call that has no answer yet.
struct Pending {
    name: String,
    target: String,
}

/// The stream so far.
pub(super) struct Stream<'a> {
    root: Option<PathBuf>,
    phases: Option<&'a mut Phases>,
    pending: BTreeMap<String, Pending>,
    /// Writes that failed and did not succeed later, by file.
    failed: BTreeMap<String, String>,
    messages: BTreeSet<String>,
    has_spoken: bool,
    tokens: Tokens,
    said: Said,
    end: Option<End>,
    stray: Vec<String>,
}

impl<'a> Stream<'a> {
    pub(super) fn new(root: Option<&Path>, phases: Option<&'a mut Phases>) -> Self {
        Self {
            root: root.map(|root| root.canonicalize().unwrap_or_else(|_| root.to_owned())),
            phases,
            pending: BTreeMap::new(),
            failed: BTreeMap::new(),
            messages: BTreeSet::new(),
            has_spoken: false,
            tokens: Tokens::default(),
            said: Said::default(),
            end: None,
            stray: Vec::new(),
        }
    }

    /// What it has used so far.
    pub(super) fn tokens(&self) -> Tokens {
        self.tokens
    }

    pub(super) fn end(&self) -> Option<End> {
        self.end.clone()
    }

    /// What it says that it cost.
    pub(super) fn cost(&self) -> Option<Money> {
        self.said.cost
    }

    /// Whether it said or did anything.
    pub(super) fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// The first line that was no event.
    pub(super) fn stray(&self) -> Option<&str> {
        self.stray.first().map(String::as_str)
    }

    /// What it all came to.
    pub(super) fn said(self, left_out: Option<String>) -> Said {
        let failed = self.failed.into_iter().map(|(file, why)| format!("{file}: {why}"));
        let left_out = left_out.into_iter().chain(failed).collect();
        Said { tokens: self.tokens, left_out, has_worked: !self.said.tools.is_empty(), ..self.said }
    }

    /// Takes a line.
    ///
    /// # Errors
    /// When what is printed is plainly something else.
    pub(super) fn take(&mut self, line: &str) -> Result<Vec<EngineEvent>, EngineError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Vec::new());
        }
        let Ok(event @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            self.stray.push(line.chars().take(300).collect());
            if self.stray.len() > MOST_STRAY {
                return Err(EngineError::Failed(format!(
                    "the command claude prints what is no event of its own, {:?} first; is claude_command in config.yaml \
                     really Claude Code?",
                    self.stray().map(crate::text::visible).unwrap_or_default()
                )));
            }
            return Ok(Vec::new());
        };
        let message = event.get("message").unwrap_or(&Value::Null);
        Ok(match (text(&event, "type"), text(&event, "subtype")) {
            ("system", "init") => {
                let version = Some(text(&event, "claude_code_version")).filter(|version| !version.is_empty());
                let model = Some(text(&event, "model")).filter(|model| !model.is_empty());
                let version = version
                    .map_or_else(|| " of a version it does not name".to_owned(), |version| format!(" {version}"));
                let model = model.map(|model| format!(" with {model}")).unwrap_or_default();
                vec![EngineEvent::Notice(format!("claude{version}{model}"))]
            }
            ("stream_event", _) => self.partial(event.get("event").unwrap_or(&Value::Null)),
            ("assistant", _) => self.assistant(message),
            ("user", _) => self.answers(message),
            ("result", kind) => self.result(&event, kind),
            _ => Vec::new(),
        })
    }

    /// Events that are still owed at the end: calls nobody answered.
    pub(super) fn ended(&mut self) -> Vec<EngineEvent> {
        std::mem::take(&mut self.pending).into_values().map(|pending| tool(pending, false)).collect()
    }

    /// The usage of an answer: what was read at its beginning, so that it counts whatever comes after, what was written at its
    /// end. The rest of such events is said again as a whole.
    fn partial(&mut self, event: &Value) -> Vec<EngineEvent> {
        match text(event, "type") {
            "message_start" => event.get("message").map(|message| self.begin(message)).unwrap_or_default(),
            "message_delta" => {
                let usage = event.get("usage").map(|value| usage(value, MOST)).unwrap_or_default();
                self.use_more(Tokens { output: usage.output, ..Tokens::default() })
            }
            _ => Vec::new(),
        }
    }

    /// What an answer has read counts once, by its id.
    fn begin(&mut self, message: &Value) -> Vec<EngineEvent> {
        if !self.messages.insert(text(message, "id").to_owned()) {
            return Vec::new();
        }
        let usage = message.get("usage").map(|value| usage(value, MOST)).unwrap_or_default();
        self.use_more(Tokens { output: 0, ..usage })
    }

    fn assistant(&mut self, message: &Value) -> Vec<EngineEvent> {
        let mut events = self.begin(message);
        self.has_spoken = true;
        for block in message.get("content").and_then(Value::as_array).into_iter().flatten() {
            match text(block, "type") {
                "text" => events.extend(self.speak(text(block, "text"))),
                "tool_use" => {
                    let (name, input) = (text(block, "name"), block.get("input").cloned().unwrap_or_default());
                    let target = self.target(&input);
                    let inside = serde_json::json!({ "file_path": target });
                    let call = ToolCall::new(text(block, "id"), name, inside);
                    let begun = self.phases.as_mut().map(|phases| phases.did(&call)).unwrap_or_default();
                    events.extend(begun.into_iter().map(EngineEvent::Phase));
                    self.pending.insert(call.id, Pending { name: name.to_owned(), target });
                }
                _ => {}
            }
        }
        events
    }

    fn speak(&mut self, words: &str) -> Vec<EngineEvent> {
        let found = declaration(words);
        let shown = found.as_ref().map_or(words, |(_, rest)| rest.as_str()).trim().to_owned();
        if let Some((declared, _)) = found {
            self.said.declared.extend(declared);
        }
        self.said.text.clone_from(&shown);
        let begun = self.phases.as_mut().map(|phases| phases.heard(&shown)).unwrap_or_default();
        let mut events: Vec<EngineEvent> = begun.into_iter().map(EngineEvent::Phase).collect();
        if !shown.is_empty() {
            events.push(EngineEvent::Text(shown));
        }
        events
    }

    /// What the tools answered: only now it is known whether a call was allowed.
    fn answers(&mut self, message: &Value) -> Vec<EngineEvent> {
        let mut events = Vec::new();
        for block in message.get("content").and_then(Value::as_array).into_iter().flatten() {
            let Some(pending) = self.pending.remove(text(block, "tool_use_id")) else { continue };
            let is_error = block.get("is_error").and_then(Value::as_bool) == Some(true);
            let words = if is_error { answered(block) } else { String::new() };
            let is_denied =
                ["ermission", "hook error", "not allowed", "No such tool"].iter().any(|sign| words.contains(sign));
            if matches!(pending.name.as_str(), "Edit" | "Write") {
                self.failed.remove(&pending.target);
                if is_error {
                    let why: String = words.trim().lines().next().unwrap_or_default().chars().take(200).collect();
                    self.failed.insert(pending.target.clone(), format!("{} {why}", pending.name));
                }
            }
            if !is_denied {
                self.said.tools.push(pending.name.clone());
            }
            events.push(tool(pending, !is_denied));
        }
        events
    }

    fn result(&mut self, event: &Value, kind: &str) -> Vec<EngineEvent> {
        let most = MOST.saturating_mul(self.messages.len().max(1) as u64);
        let all = event.get("usage").map(|value| usage(value, most)).unwrap_or_default();
        let known = self.tokens;
        let mut events = self.use_more(Tokens {
            input: all.input.saturating_sub(known.input),
            output: all.output.saturating_sub(known.output),
            cache_read: all.cache_read.saturating_sub(known.cache_read),
            cache_created: all.cache_created.saturating_sub(known.cache_created),
        });
        if let Some(cost) = event.get("total_cost_usd").and_then(Value::as_f64).filter(|cost| *cost > 0.0) {
            let cost = Money::at_least(cost);
            self.said.cost = Some(cost);
            events.push(EngineEvent::Cost(cost));
        }
        let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
        let said = text(event, "result");
        self.end = Some(match kind {
            "error_max_turns" => {
                let turns = event.get("num_turns").and_then(Value::as_u64);
                End::OutOfTurns(turns.unwrap_or(self.messages.len() as u64))
            }
            "error_max_budget_usd" => End::OutOfMoney,
            "success" if !is_error => End::Done,
            _ => {
                let errors = event.get("errors").and_then(Value::as_array).into_iter().flatten();
                let errors: Vec<&str> = errors.filter_map(Value::as_str).collect();
                let words = [said, errors.join("; ").as_str(), kind]
                    .into_iter()
                    .find(|words| !words.is_empty())
                    .unwrap_or("it failed and does not say why")
                    .to_owned();
                End::Failed(words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(400).collect())
            }
        });
        events
    }

    fn use_more(&mut self, more: Tokens) -> Vec<EngineEvent> {
        if more == Tokens::default() {
            return Vec::new();
        }
        self.tokens += more;
        vec![EngineEvent::Usage(more)]
    }

    /// What a call is about, as it stands in the working copy where it is there.
    fn target(&self, input: &Value) -> String {
        let found = ["file_path", "pattern", "path", "command", "description"]
            .iter()
            .find_map(|key| input.get(key)?.as_str())
            .unwrap_or_default();
        let inside = self.root.as_ref().and_then(|root| Path::new(found).strip_prefix(root).ok()?.to_str());
        inside.unwrap_or(found).chars().take(500).collect()
    }
}

fn tool(pending: Pending, allowed: bool) -> EngineEvent {
    EngineEvent::Tool { name: pending.name, target: pending.target, allowed }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What a tool answered: its text, or that of its blocks.
fn answered(block: &Value) -> String {
    let content = block.get("content").unwrap_or(&Value::Null);
    let blocks = content.as_array().into_iter().flatten().map(|block| text(block, "text"));
    content.as_str().map_or_else(|| blocks.collect::<Vec<_>>().join("\n"), str::to_owned)
}

/// Figures of usage, each no more than can be.
fn usage(value: &Value, most: u64) -> Tokens {
    let of = |key: &str| value.get(key).and_then(Value::as_u64).unwrap_or_default().min(most);
    Tokens {
        input: of("input_tokens"),
        output: of("output_tokens"),
        cache_read: of("cache_read_input_tokens"),
        cache_created: of("cache_creation_input_tokens"),
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
