//! A section of the configuration: its keys and values, and on which line each stands.
//!
//! The YAML reader says what a document means but not on which line a key stands, so the line is looked up in the text
//! by the key's path. Not its job: which keys there are (see [`super::parse`]).

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

/// What is wrong and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) message: String,
}

/// A mapping with the way to it.
pub(super) struct Section<'a> {
    text: &'a str,
    pub(super) path: Vec<String>,
    pub(super) map: &'a Mapping,
}

impl<'a> Section<'a> {
    pub(super) fn root(text: &'a str, document: &'a Value, known: &[&str]) -> Result<Option<Self>, Problem> {
        match document {
            Value::Null => Ok(None),
            Value::Mapping(map) => Ok(Some(Self { text, path: Vec::new(), map })),
            _ => Err(Problem { line: 1, message: format!("expected `key: value` lines; known: {}", known.join(", ")) }),
        }
    }

    /// The section under a key; nothing when it is missing or empty.
    pub(super) fn section(&self, key: &str) -> Result<Option<Section<'a>>, Problem> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Mapping(map)) => {
                let mut path = self.path.clone();
                path.push(key.to_owned());
                Ok(Some(Section { text: self.text, path, map }))
            }
            Some(other) => Err(self.bad(key, other, "a section of its own: indented `key: value` lines")),
        }
    }

    /// Where each value of this section and of those in it stands, by its full name.
    pub(super) fn lines(&self, into: &mut BTreeMap<String, usize>) {
        for (key, value) in self.map {
            let Some(key) = scalar(key) else { continue };
            let path: Vec<String> = self.path.iter().cloned().chain([key.clone()]).collect();
            match value {
                Value::Null => {}
                Value::Mapping(map) => Section { text: self.text, path, map }.lines(into),
                _ => {
                    into.insert(path.join("."), self.line(&key));
                }
            }
        }
    }

    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Fails at the first key that is not among the known ones.
    pub(super) fn known(&self, known: &[&str]) -> Result<(), Problem> {
        for key in self.map.keys() {
            let key = scalar(key).unwrap_or_else(|| "?".to_owned());
            if known.contains(&key.as_str()) {
                continue;
            }
            let place = if self.path.is_empty() { String::new() } else { format!(" in {}", self.path.join(".")) };
            let hint = nearest(&key, known).map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
            let message = format!("unknown key {key:?}{place}{hint}; known: {}", known.join(", "));
            return Err(Problem { line: self.line(&key), message });
        }
        Ok(())
    }

    pub(super) fn switch(&self, key: &str, into: &mut bool) -> Result<(), Problem> {
        match self.value(key) {
            None => {}
            Some(Value::Bool(value)) => *into = *value,
            Some(other) => return Err(self.bad(key, other, "true or false")),
        }
        Ok(())
    }

    pub(super) fn number<N: TryFrom<u64>>(&self, key: &str, least: u64, into: &mut N) -> Result<(), Problem> {
        let Some(value) = self.value(key) else { return Ok(()) };
        let number = value.as_u64().filter(|number| *number >= least).and_then(|number| N::try_from(number).ok());
        *into = number.ok_or_else(|| self.bad(key, value, &format!("a whole number, {least} or more")))?;
        Ok(())
    }

    pub(super) fn choice(
        &self,
        key: &str,
        accepted: &[&'static str],
        mut set: impl FnMut(&'static str),
    ) -> Result<(), Problem> {
        let Some(value) = self.value(key) else { return Ok(()) };
        match accepted.iter().find(|word| value.as_str() == Some(word)) {
            Some(word) => set(word),
            None => return Err(self.bad(key, value, &accepted.join(", "))),
        }
        Ok(())
    }

    pub(super) fn bad(&self, key: &str, value: &Value, accepted: &str) -> Problem {
        let shown = scalar(value).map_or_else(|| kind_of(value).to_owned(), |value| format!("{value:?}"));
        self.wrong(key, &shown, accepted)
    }

    /// A key that is not as it has to be, in words about it.
    pub(super) fn wrong(&self, key: &str, what: &str, accepted: &str) -> Problem {
        let name = self.path.iter().map(String::as_str).chain([key]).collect::<Vec<_>>().join(".");
        Problem { line: self.line(key), message: format!("{name} is {what}; accepted: {accepted}") }
    }

    /// The line a key of this section stands on.
    pub(super) fn line(&self, key: &str) -> usize {
        let way: Vec<&str> = self.path.iter().map(String::as_str).chain([key]).collect();
        line_of(self.text, &way)
    }
}

/// A string, number or switch as text.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a section",
        _ => "nothing",
    }
}

/// The line on which the last key of a way stands; that of the deepest one found when it is written in another form.
fn line_of(text: &str, way: &[&str]) -> usize {
    let mut found = 1;
    let mut wanted = way.iter().peekable();
    // Keys of a section stand all at the same depth: that of the first one, deeper than the section's own.
    let mut depth: Option<usize> = None;
    let mut outer: Option<usize> = None;
    for (number, line) in text.lines().enumerate() {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        if content.is_empty() || content.starts_with('#') || content.starts_with("---") {
            continue;
        }
        let Some(key) = wanted.peek() else { break };
        if outer.is_some_and(|outer| indent <= outer) {
            break;
        }
        if indent == *depth.get_or_insert(indent) && starts_with_key(content, key) {
            found = number + 1;
            outer = Some(indent);
            depth = None;
            wanted.next();
        }
    }
    found
}

/// Whether a line starts with `key:`, quoted or not.
fn starts_with_key(content: &str, key: &str) -> bool {
    let bare = content.strip_prefix(['"', '\'']).unwrap_or(content);
    bare.strip_prefix(key).is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
}

/// The known word that a mistyped one is closest to, if any is close.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    let limit = (word.chars().count() / 3).max(1);
    known
        .iter()
        .map(|candidate| (distance(&word, candidate), *candidate))
        .filter(|(far, _)| *far <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added or left out to come from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(&other) {
            let next = (diagonal + usize::from(a != *b)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = next;
            left = next;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
