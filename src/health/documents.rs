//! What CLAUDE.md, CLAUDE.local.md, AGENTS.md and rules files say, and which memories say it again.
//!
//! Every session loads these files ([`crate::project::documents`]), so such a memory costs a line of the index for nothing.
//! Not its job: moving anything.

use std::fs;
use std::path::Path;

use super::{Finding, Grounds};
use crate::memory::likeness::Shape;
use crate::memory::{ContentHash, Memory, ProblemCode, Topic, text_lines};
use crate::project::documents::documents as loaded;

/// A file larger than this is not read.
const MOST_BYTES: u64 = 1_000_000;

/// So many words have to be the same at least: short sentences are alike by chance.
const FEWEST: usize = 3;

/// From so many words on one may be missing.
const MANY: usize = 6;

/// From this share of the words on, what holds them says the same; of few words all are needed, since one of them may be
/// the very value that differs.
const NEARLY_ALL: f64 = 0.8;

/// Words whose forms no stemmer brings together.
const FORMS: &[(&str, &str)] = &[
    ("kept", "keep"),
    ("written", "write"),
    ("wrote", "write"),
    ("built", "build"),
    ("ran", "run"),
    ("made", "make"),
    ("sent", "send"),
    ("held", "hold"),
    ("done", "do"),
    ("given", "give"),
    ("taken", "take"),
    ("chosen", "choose"),
    ("thrown", "throw"),
    ("stood", "stand"),
];

/// One statement of a document.
struct Said {
    document: usize,
    line: usize,
    text: String,
    shape: Shape,
}

/// The documents of a project, by their statements.
pub(super) struct Documents {
    names: Vec<String>,
    said: Vec<Said>,
}

impl Documents {
    /// Reads the documents that sessions of a project load.
    pub(super) fn of(grounds: &Grounds) -> Self {
        let mut documents = Self { names: Vec::new(), said: Vec::new() };
        for document in loaded(grounds.checkout.as_deref(), grounds.claude_dir.as_deref()) {
            documents.read(&document.path, document.name);
        }
        documents
    }

    fn read(&mut self, path: &Path, name: String) {
        let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES);
        let Some(bytes) = is_small.then(|| crate::state::read_file(path).ok()).flatten() else { return };
        let document = self.names.len();
        self.names.push(name);
        let text = String::from_utf8_lossy(&bytes);
        for (line, text) in blocks(&text) {
            for sentence in sentences(&text) {
                let shape = shape(sentence);
                self.said.push(Said { document, line, text: sentence.trim().to_owned(), shape });
            }
        }
    }

    /// A mark of all that they say: another one where anything differs.
    pub(super) fn mark(&self) -> ContentHash {
        let mut text = self.names.join("\n");
        for said in &self.said {
            text.push_str(&format!("\n{} {} {}", said.document, said.line, said.text));
        }
        ContentHash::of(text.as_bytes())
    }

    /// The finding that a memory's rule is said by a document: each of its sentences by one statement, or by one and the
    /// next of it.
    pub(super) fn finding(&self, memory: &Memory, topic: &Topic) -> Option<Finding> {
        if self.said.is_empty() {
            return None;
        }
        let body = topic.body();
        let rule: Vec<(usize, String)> = blocks(&body)
            .into_iter()
            .take_while(|(_, text)| !is_reason(text))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let statements: Vec<Shape> = rule.iter().flat_map(|(_, text)| sentences(text)).map(shape).collect();
        let telling: Vec<&Shape> = statements.iter().filter(|statement| statement.content.len() >= FEWEST).collect();
        // A sentence too short to be compared could add something: with several of them nobody can say.
        if telling.is_empty() || statements.len() - telling.len() > 1 {
            return None;
        }
        let said: Vec<&Said> = telling.iter().map(|statement| self.saying(statement)).collect::<Option<_>>()?;
        let first = said.first()?;
        let place = format!("{}:{}", self.names.get(first.document)?, first.line);
        let line = rule.first().map(|(line, _)| line + topic.body_line() - 1);
        let message = format!("{place} says the same, and every session loads it");
        let mut finding = Finding::new(ProblemCode::InClaudeMd, &memory.file, line, message);
        finding.evidence = Some(format!("{place}: {}", first.text));
        finding.quote = rule.first().map(|(_, text)| text.clone());
        Some(finding)
    }

    fn saying(&self, statement: &Shape) -> Option<&Said> {
        self.said.iter().enumerate().find_map(|(at, said)| {
            if is_said_by(statement, &said.shape) {
                return Some(said);
            }
            // A rule and its explanation may stand in two sentences.
            let next = self.said.get(at + 1).filter(|next| next.document == said.document && next.line == said.line)?;
            // Only what one of them says in part can be said by both.
            let is_near = statement.content.intersection(&said.shape.content).next().is_some();
            let both = || shape(&format!("{}. {}", said.text, next.text));
            (is_near && is_said_by(statement, &both())).then_some(said)
        })
    }
}

/// Whether `other` says all that a statement says, in words that may differ a little.
fn is_said_by(statement: &Shape, other: &Shape) -> bool {
    let words = statement.content.len();
    let needed = if words < MANY { 1.0 } else { NEARLY_ALL };
    words >= FEWEST && statement.contained_in(other) >= needed && statement.is_covered_by(other)
}

/// The measure of a sentence, its irregular verbs brought to one form.
fn shape(sentence: &str) -> Shape {
    let mut plain = String::with_capacity(sentence.len());
    for piece in sentence.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        let form = FORMS.iter().find(|(form, _)| form.eq_ignore_ascii_case(word)).map_or(word, |(_, plain)| plain);
        plain.push_str(form);
        plain.push_str(piece.get(word.len()..).unwrap_or_default());
    }
    Shape::of(&plain)
}

/// Whether a block is the reason or the use of a rule, not the rule.
fn is_reason(block: &str) -> bool {
    let block = block.trim_start_matches(['*', '_', '-', ' ']).to_lowercase();
    ["why", "how to apply", "reason", "warum", "pourquoi", "por qué", "原因", "为什么", "理由"]
        .iter()
        .any(|word| block.starts_with(word))
}

/// Paragraphs and list items outside code fences, each with its first line, wrapped lines joined. Headings are none.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    let mut last = 0;
    for (number, line) in text_lines(text) {
        let trimmed = line.trim();
        let item = trimmed.trim_start_matches(['-', '*', '+', '>']).trim_start();
        let is_item = item.len() < trimmed.len() && !trimmed.starts_with("**");
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed == "---" {
            is_open = false;
            continue;
        }
        let goes_on = is_open && !is_item && !trimmed.starts_with("**") && last + 1 == number;
        match found.last_mut() {
            Some((_, block)) if goes_on => {
                block.push(' ');
                block.push_str(trimmed);
            }
            _ => found.push((number, if is_item { item } else { trimmed }.to_owned())),
        }
        is_open = true;
        last = number;
    }
    found
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['。', '！', '？'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split("; "))
        .filter(|part| part.chars().any(char::is_alphanumeric))
}
