//! The sources a model gives for what it writes, held against what the person really said.
//!
//! With each writing call a model gives a reason and sources. A quote that stands in a human turn of a session under review
//! is evidence: it goes with the change, and its session and day into a new memory. One that stands nowhere is taken out,
//! and the model is told. Not its job: what a change without evidence may do (the guards of [`crate::change`]).

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::ToolCall;
use super::tools::{Outcome, Toolbox};
use crate::change::{Rationale, Source};
use crate::clock::local_day;
use crate::engine::{Job, JobKind, SessionSource};
use crate::memory::frontmatter::Field;
use crate::memory::{Kind, Topic};
use crate::session::human::standing_turns;
use crate::text::folded_words;

/// A quote shorter than this, as letters, vouches for nothing: everybody says "yes".
const SHORTEST_QUOTE: usize = 4;
/// Longest quote in a body; the whole one goes with the change.
const QUOTE_IN_BODY: usize = 300;
/// So many sources of one call are looked at.
const MOST_SOURCES: usize = 20;

/// A turn of the person.
#[derive(Debug)]
struct Said {
    line: u64,
    at: Option<DateTime<Utc>>,
    folded: String,
}

/// What the person said in the sessions of a job; each is read when it is first named.
#[derive(Debug)]
pub(super) struct Evidence {
    kind: JobKind,
    sessions: Vec<SessionSource>,
    said: Mutex<HashMap<String, Arc<Vec<Said>>>>,
}

/// What a call's sources are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Weighed {
    rationale: Rationale,
    /// What the model is told besides.
    pub(super) remarks: Vec<String>,
}

impl Weighed {
    /// Adds its reason and sources to those of a file.
    pub(super) fn add_to(self, rationale: &mut Rationale) {
        if rationale.reason.is_empty() {
            rationale.reason = self.rationale.reason;
        } else if !rationale.reason.contains(&self.rationale.reason) {
            rationale.reason = format!("{}; {}", rationale.reason, self.rationale.reason);
        }
        for source in self.rationale.sources {
            if !rationale.sources.contains(&source) {
                rationale.sources.push(source);
            }
        }
    }
}

/// A quote with the turn it is from.
struct Proof {
    source: Source,
    at: Option<DateTime<Utc>>,
}

impl Evidence {
    /// What can be proved from the sessions of a job.
    pub(super) fn of(job: &Job) -> Self {
        Self { kind: job.kind, sessions: job.sessions.clone(), said: Mutex::default() }
    }

    /// The same with all of it read by now, so that what is added to a transcript while a model works proves nothing.
    pub(super) fn read_now(self) -> Self {
        self.sessions.iter().for_each(|source| drop(self.said_in(source)));
        self
    }

    /// Weighs the sources of a call that wrote, and writes into the file what they prove.
    pub(super) fn weigh(&self, call: &ToolCall, tools: &Toolbox, outcome: &Outcome) -> Weighed {
        let reason = call.input.get("reason").and_then(Value::as_str).unwrap_or_default();
        let mut weighed = Weighed::default();
        weighed.rationale.reason = reason.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(400).collect();
        let mut proofs = Vec::new();
        for given in given(&call.input).into_iter().take(MOST_SOURCES) {
            match self.prove(&given) {
                Some(proof) => proofs.push(proof),
                None => {
                    // Of a file of the store the run itself looks for the words.
                    let is_file = given.session.as_deref().is_some_and(|name| name.ends_with(".md"));
                    if given.quote.is_some() && !is_file {
                        weighed.remarks.push(
                            "A quote you gave is in no turn of the developer in the sessions under review; it was taken out. \
                             Copy their words letter for letter, or give none."
                                .to_owned(),
                        );
                    }
                    let quote = given.quote.clone().filter(|_| is_file);
                    weighed.rationale.sources.push(Source { quote, ..given });
                }
            }
        }
        if call.name != "Delete" && self.stamp(tools, outcome, &proofs) {
            weighed.remarks.push("Session, date and source were entered in the file for you.".to_owned());
        }
        if proofs.is_empty() && call.name == "Write" && outcome.is_new && is_personal(tools, outcome) {
            weighed.remarks.push(
                "It is of type user or feedback and comes without words of the developer's: it will be held back. Give the \
                 quote in sources, or delete it."
                    .to_owned(),
            );
        }
        weighed.remarks.dedup();
        weighed.rationale.sources.extend(proofs.into_iter().map(|proof| proof.source));
        weighed
    }

    /// The turn a quote is from: in the session that is named, else in any of the job.
    fn prove(&self, given: &Source) -> Option<Proof> {
        let quote = given.quote.as_deref()?;
        let folded = folded_words(quote);
        if folded.chars().filter(|character| *character != ' ').count() < SHORTEST_QUOTE {
            return None;
        }
        let is_named = |source: &SessionSource| {
            given.session.as_deref().is_some_and(|named| named.len() >= 6 && source.id.starts_with(named))
        };
        let named = self.sessions.iter().filter(|source| is_named(source));
        let others = self.sessions.iter().filter(|source| !is_named(source));
        named.chain(others).find_map(|source| {
            let said = self.said_in(source);
            let holds = |said: &&Said| said.folded.contains(&folded);
            let nearest = |said: &&Said| given.line.map_or(0, |line| said.line.abs_diff(line));
            let found = said.iter().filter(holds).min_by_key(nearest)?;
            let source = Source {
                session: Some(source.id.clone()),
                line: Some(found.line),
                quote: Some(quote.trim().to_owned()),
            };
            Some(Proof { source, at: found.at })
        })
    }

    fn said_in(&self, source: &SessionSource) -> Arc<Vec<Said>> {
        let known = |said: &HashMap<String, Arc<Vec<Said>>>| said.get(&source.id).cloned();
        if let Some(said) = self.said.lock().ok().and_then(|said| known(&said)) {
            return said;
        }
        let turns = standing_turns(&source.path, (0, 0), source.speakers, &|| false);
        let turns = turns.map(|found| found.turns).unwrap_or_default();
        let said =
            turns.into_iter().map(|turn| Said { line: turn.line, at: turn.at, folded: folded_words(&turn.text) });
        let said = Arc::new(said.collect::<Vec<_>>());
        if let Ok(mut all) = self.said.lock() {
            all.insert(source.id.clone(), Arc::clone(&said));
        }
        said
    }

    /// Enters into a file what its proofs say: the session and the claim's time, and in a new file the words. False when
    /// there was nothing to enter, or the file is not one that can be written into.
    fn stamp(&self, tools: &Toolbox, outcome: &Outcome, proofs: &[Proof]) -> bool {
        let Some(proof) = proofs.iter().max_by_key(|proof| proof.at) else { return false };
        let Some(path) = outcome.file.as_deref().and_then(|file| tools.path_of(file)) else { return false };
        let Ok(bytes) = fs::read(&path) else { return false };
        let topic = Topic::read(bytes);
        if !topic.frontmatter.problems.is_empty() || topic.frontmatter.name.is_none() {
            return false;
        }
        let mut stamped = topic.clone();
        let mut enter = |field, value: &str| {
            if let Ok(with) = stamped.with(field, value) {
                stamped = with;
            }
        };
        // In a new file both are the run's to say, whatever the model wrote.
        if outcome.is_new || topic.frontmatter.origin_session.is_none() {
            enter(Field::OriginSession, proof.source.session.as_deref().unwrap_or_default());
        }
        let known = topic.frontmatter.modified.as_deref().and_then(|at| DateTime::parse_from_rfc3339(at).ok());
        if let Some(at) = proof.at.filter(|at| outcome.is_new || known.is_none_or(|known| known < *at)) {
            enter(Field::Modified, &at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
        }
        let body = stamped.body();
        if outcome.is_new && self.kind == JobKind::Extract && !body.contains("\nSource: ") {
            let lines: Vec<String> = proofs.iter().map(source_line).collect();
            stamped = stamped.with_body(&format!("{}\n\n{}\n", body.trim_end(), lines.join("\n")));
        }
        stamped.bytes != topic.bytes && tools.put_quietly(&path, &stamped.bytes)
    }
}

/// Where a fact was said, as it stands at the end of a body.
fn source_line(proof: &Proof) -> String {
    let Source { session, line, quote } = &proof.source;
    let words = quote.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'");
    let quote: String = words.chars().take(QUOTE_IN_BODY).collect();
    let day = proof.at.map(|at| format!("{}: ", local_day(at))).unwrap_or_default();
    format!(
        "Source: session {}, line {}, {day}\"{quote}\"",
        session.as_deref().unwrap_or("?"),
        line.unwrap_or_default()
    )
}

fn is_personal(tools: &Toolbox, outcome: &Outcome) -> bool {
    let Some(file) = outcome.file.as_deref() else { return false };
    let bytes = tools.path_of(file).and_then(|path| fs::read(path).ok()).unwrap_or_default();
    matches!(crate::memory::frontmatter::read(&bytes).kind(file), Some(Kind::User | Kind::Feedback))
}

/// The sources as the model wrote them: a list, or one, or in some other form, which gives none.
fn given(input: &Value) -> Vec<Source> {
    let one = |value: &Value| {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        let line = value.get("line").and_then(|line| line.as_u64().or_else(|| line.as_str()?.trim().parse().ok()));
        let source =
            Source { session: text("session").map(str::to_owned), line, quote: text("quote").map(str::to_owned) };
        (source != Source::default()).then_some(source)
    };
    match input.get("sources") {
        Some(Value::Array(all)) => all.iter().filter_map(one).collect(),
        Some(alone) => one(alone).into_iter().collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
