//! The script engine: plays a JSON Lines file of assistant turns through the agent loop.
//!
//! For tests, demonstrations and bug reports. The format is described in `docs/script-engine.md`. The whole file is
//! understood before the first turn is played, so that a mistake in its last line cannot leave a run half-done.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::agent_loop::{Manners, converse};
use super::{Message, Provider, ToolCall, Turn, TurnFuture};
use crate::change::{Rationale, Source};
use crate::engine::{Engine, EngineError, EngineEvent, EngineFuture, EventSender, Job, Phase, RunContext, Tokens};

/// No script is longer, in bytes.
const LONGEST: u64 = 64_000_000;

const ACCEPTED: &str = "text, tool with input, delay_ms, phase, usage, rationale, error, turn";

/// One thing a script says.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Text(String),
    Tool { name: String, input: Value },
    Delay(Duration),
    Phase(Phase),
    Usage(Tokens),
    Rationale(String, Rationale),
    Error(String),
}

impl Step {
    /// Whether it makes a turn of its own; the others belong to the turn of the next step that does.
    fn speaks(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Tool { .. })
    }

    /// Whether it says something about what came before, when nothing follows.
    fn looks_back(&self) -> bool {
        matches!(self, Self::Usage(_) | Self::Rationale(..))
    }
}

/// A script, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    turns: Vec<Vec<Step>>,
}

impl Script {
    /// Reads a script file.
    ///
    /// # Errors
    /// When it cannot be read, or a line of it makes no sense; the message names the file and the line.
    pub fn read(path: &Path) -> Result<Self, EngineError> {
        let failed = |error: &dyn std::fmt::Display| {
            EngineError::Failed(format!(
                "cannot read the script {}: {error}; give --engine script:FILE a JSON Lines file of turns",
                path.display()
            ))
        };
        let mut bytes = Vec::new();
        let file = crate::state::open_file(path).map_err(|error| failed(&error))?;
        file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
        if bytes.len() as u64 > LONGEST {
            return Err(failed(&format!("it is longer than {} MB", LONGEST / 1_000_000)));
        }
        let text = String::from_utf8(bytes).map_err(|_| failed(&"it is not UTF-8"))?;
        Self::parse(&text).map_err(|(line, why)| EngineError::Failed(format!("{}:{line}: {why}", path.display())))
    }

    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut turns = Vec::new();
        let mut waiting = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let fail = |why: String| (at + 1, why);
            let line = line.trim_start_matches('\u{FEFF}').trim();
            if line.is_empty() {
                continue;
            }
            let value: Value = serde_json::from_str(line).map_err(|error| fail(format!("not JSON: {error}")))?;
            let Value::Object(object) = value else {
                return Err(fail(format!("a line holds one object with one of: {ACCEPTED}")));
            };
            if object.contains_key("turn") {
                waiting.extend(turn(object).map_err(fail)?);
                turns.push(std::mem::take(&mut waiting));
            } else {
                let step = step(object).map_err(fail)?;
                let speaks = step.speaks();
                waiting.push(step);
                if speaks {
                    turns.push(std::mem::take(&mut waiting));
                }
            }
        }
        match turns.last_mut() {
            Some(last) if waiting.iter().all(Step::looks_back) => last.append(&mut waiting),
            _ if waiting.is_empty() => {}
            _ => turns.push(waiting),
        }
        Ok(Self { turns })
    }
}

fn turn(mut object: Map<String, Value>) -> Result<Vec<Step>, String> {
    let Some(Value::Array(parts)) = object.remove("turn") else {
        return Err("turn is a list of objects".to_owned());
    };
    no_more(&object)?;
    parts
        .into_iter()
        .map(|part| match part {
            Value::Object(part) if part.contains_key("turn") => Err("a turn cannot hold a turn".to_owned()),
            Value::Object(part) => step(part),
            _ => Err("turn is a list of objects".to_owned()),
        })
        .collect()
}

fn step(mut object: Map<String, Value>) -> Result<Step, String> {
    let step = if let Some(text) = object.remove("text") {
        Step::Text(string(text, "text")?)
    } else if let Some(name) = object.remove("tool") {
        Step::Tool { name: string(name, "tool")?, input: object.remove("input").unwrap_or(Value::Null) }
    } else if let Some(delay) = object.remove("delay_ms") {
        let delay = delay.as_u64().ok_or("delay_ms is a whole number of milliseconds")?;
        Step::Delay(Duration::from_millis(delay))
    } else if let Some(phase) = object.remove("phase") {
        Step::Phase(known(phase, "phase is one of: orient, gather, consolidate, prune")?)
    } else if let Some(usage) = object.remove("usage") {
        let usage: Usage = known(usage, "usage has input, output, cache_read and cache_created, each a number")?;
        Step::Usage(usage.into())
    } else if let Some(error) = object.remove("error") {
        Step::Error(string(error, "error")?)
    } else if let Some(rationale) = object.remove("rationale") {
        let said: Said = known(rationale, "rationale has file, reason and sources [{session, line, quote}]")?;
        let sources = said
            .sources
            .into_iter()
            .map(|cited| Source { session: cited.session, line: cited.line, quote: cited.quote, ..Source::default() })
            .collect();
        Step::Rationale(said.file, Rationale { reason: said.reason, sources })
    } else {
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        return Err(format!("unknown {}; accepted: {ACCEPTED}", keys.join(", ")));
    };
    no_more(&object)?;
    Ok(step)
}

fn no_more(object: &Map<String, Value>) -> Result<(), String> {
    match object.keys().next() {
        None => Ok(()),
        Some(key) => Err(format!("unknown or superfluous key {key:?}; one object holds one of: {ACCEPTED}")),
    }
}

fn string(value: Value, key: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(format!("{key} is a string")),
    }
}

fn known<T: serde::de::DeserializeOwned>(value: Value, accepted: &str) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("{accepted} ({error})"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Usage {
    #[serde(default)]
    input: u64,
    #[serde(default)]
    output: u64,
    #[serde(default)]
    cache_read: u64,
    #[serde(default)]
    cache_created: u64,
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_created: usage.cache_created,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    file: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    sources: Vec<Cited>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cited {
    session: Option<String>,
    line: Option<u64>,
    quote: Option<String>,
}

impl Script {
    /// What its first turn says, with the turn's delays and errors. What it uses goes to `events`.
    ///
    /// # Errors
    /// The error that the turn plays.
    pub async fn first_words(&self, events: &EventSender) -> Result<String, EngineError> {
        let mut player = Player { turns: self.turns.iter().peekable(), calls: 0 };
        Ok(player.turn(&[], events).await?.text)
    }
}

/// A script being played.
struct Player<'a> {
    turns: std::iter::Peekable<std::slice::Iter<'a, Vec<Step>>>,
    calls: usize,
}

impl Provider for Player<'_> {
    fn turn<'a>(&'a mut self, _history: &'a [Message], events: &'a EventSender) -> TurnFuture<'a> {
        Box::pin(async move {
            let mut turn = Turn::default();
            for step in self.turns.next().into_iter().flatten() {
                match step {
                    Step::Text(text) if turn.text.is_empty() => turn.text.clone_from(text),
                    Step::Text(text) => {
                        turn.text.push('\n');
                        turn.text.push_str(text);
                    }
                    Step::Tool { name, input } => {
                        self.calls += 1;
                        let id = format!("call-{}", self.calls);
                        turn.calls.push(ToolCall::new(&id, name, input.clone()));
                    }
                    Step::Delay(time) => tokio::time::sleep(*time).await,
                    Step::Phase(phase) => events.send(EngineEvent::Phase(*phase)),
                    Step::Usage(tokens) => {
                        turn.usage += *tokens;
                        events.send(EngineEvent::Usage(*tokens));
                    }
                    Step::Rationale(file, rationale) => turn.rationales.push((file.clone(), rationale.clone())),
                    Step::Error(error) => return Err(EngineError::Failed(error.clone())),
                }
            }
            turn.last = self.turns.peek().is_none();
            Ok(turn)
        })
    }
}

impl Engine for Script {
    fn run<'a>(&'a self, _job: &'a Job, context: &'a RunContext) -> EngineFuture<'a> {
        Box::pin(async move {
            let mut player = Player { turns: self.turns.iter().peekable(), calls: 0 };
            converse(&mut player, String::new(), context, &Manners::default(), &mut Tokens::default()).await
        })
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
