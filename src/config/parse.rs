//! From YAML to [`Config`], telling exactly what is not understood and where.
//!
//! The YAML reader says what a document means but not on which line a key stands, so the line is looked up in the text
//! by the key's path.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

use super::catalog::{CURSORS, THEMES};
use super::{Apply, Budget, Config, Money, ShellPolicy};

/// Every key, by the section it stands in.
const KEYS: [&str; 13] = [
    "engine",
    "claude_command",
    "models",
    "bash",
    "dream",
    "extract",
    "recall",
    "team",
    "shelf_life",
    "theme",
    "mouse",
    "cursor",
    "keys",
];
const DREAM: [&str; 6] = ["enabled", "min_hours", "min_sessions", "on_network", "apply", "budget"];
const EXTRACT: [&str; 4] = ["every_turns", "programs", "apply", "budget"];
const RECALL: [&str; 4] = ["enabled", "model", "milliseconds", "model_seconds"];
const BUDGET: [&str; 6] = ["seconds", "tokens", "runs_a_day", "tokens_a_day", "usd", "usd_a_day"];
const SHELF_LIFE: [&str; 4] = ["user", "feedback", "project", "reference"];
/// The words for an engine.
pub(super) const ENGINES: &str =
    "embedded, anthropic, openai, claude (these three also with the model, anthropic:MODEL), script:FILE";

/// What an amount of money looks like.
pub(super) const AMOUNT: &str = "an amount in USD, like 2 or 0.25";

/// How the complaint about a text begins that is no YAML.
const NOT_YAML: &str = "not YAML";

/// What is wrong and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Understands a configuration.
pub(super) fn config(text: &str) -> Result<Config, Problem> {
    let text = text.trim_start_matches('\u{FEFF}');
    let document: Value = serde_yaml::from_str(text).map_err(|error| Problem {
        line: error.location().map_or(1, |location| location.line()),
        message: format!("{NOT_YAML}: {error}"),
    })?;
    let mut config = Config::default();
    let Some(root) = Section::root(text, &document)? else { return Ok(config) };
    root.lines(&mut config.lines);
    root.known(&KEYS)?;
    root.engine(&mut config.engine)?;
    super::parse_models::command(
        &root,
        "claude_command",
        "`~/.local/bin/claude`, or [nice, claude]",
        &mut config.claude_command,
    )?;
    root.choice("bash", &["sandboxed", "anywhere", "off"], |word| {
        config.bash = match word {
            "anywhere" => ShellPolicy::Anywhere,
            "off" => ShellPolicy::Off,
            _ => ShellPolicy::Sandboxed,
        };
    })?;
    if let Some(models) = root.section("models")? {
        super::parse_models::models(&models, &mut config.models)?;
    }
    root.choice("theme", &THEMES, |theme| config.theme = theme.to_owned())?;
    root.switch("mouse", &mut config.mouse)?;
    root.choice("cursor", &CURSORS, |cursor| config.cursor = cursor.to_owned())?;
    if let Some(dream) = root.section("dream")? {
        dream.known(&DREAM)?;
        dream.switch("enabled", &mut config.dream.enabled)?;
        dream.number("min_hours", 0, &mut config.dream.min_hours)?;
        dream.number("min_sessions", 0, &mut config.dream.min_sessions)?;
        dream.switch("on_network", &mut config.dream.on_network)?;
        dream.apply(&mut config.dream.apply)?;
        dream.budget(&mut config.dream.budget)?;
    }
    if let Some(extract) = root.section("extract")? {
        extract.known(&EXTRACT)?;
        extract.number("every_turns", 1, &mut config.extract.every_turns)?;
        extract.switch("programs", &mut config.extract.programs)?;
        extract.apply(&mut config.extract.apply)?;
        extract.budget(&mut config.extract.budget)?;
    }
    if let Some(recall) = root.section("recall")? {
        recall.known(&RECALL)?;
        recall.switch("enabled", &mut config.recall.enabled)?;
        recall.switch("model", &mut config.recall.model)?;
        recall.number("milliseconds", 1, &mut config.recall.milliseconds)?;
        recall.number("model_seconds", 1, &mut config.recall.model_seconds)?;
    }
    if let Some(team) = root.section("team")? {
        super::parse_team::team(&team, &mut config.team)?;
    }
    if let Some(shelf) = root.section("shelf_life")? {
        shelf.known(&SHELF_LIFE)?;
        shelf.number("user", 1, &mut config.shelf_life.user)?;
        shelf.number("feedback", 1, &mut config.shelf_life.feedback)?;
        shelf.number("project", 1, &mut config.shelf_life.project)?;
        shelf.number("reference", 1, &mut config.shelf_life.reference)?;
    }
    if let Some(keys) = root.section("keys")? {
        for (command, key) in keys.map {
            let (Some(command), Some(key)) = (scalar(command), scalar(key)) else {
                let at = scalar(command).unwrap_or_default();
                return Err(keys.bad(&at, key, "a key, like `x` or `shift-down`"));
            };
            config.keys.insert(command, key);
        }
    }
    Ok(config)
}

/// So many wrong lines are named.
const MOST_PROBLEMS: usize = 20;

/// Everything that is wrong with a text of which one thing is known, each with its line: a wrong key is taken out, with what
/// stands below it, and the rest looked at again. A text that is no YAML has one problem.
pub(super) fn all_problems(text: &str, first: Problem) -> Vec<(usize, String)> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut problems = vec![first];
    while let Some(known) = problems.last().filter(|_| problems.len() < MOST_PROBLEMS) {
        if !take_out(&mut lines, known.line) {
            break;
        }
        match config(&lines.join("\n")) {
            // What is left is no YAML only because something was taken out.
            Err(next) if !next.message.starts_with(NOT_YAML) => problems.push(next),
            _ => break,
        }
    }
    problems.into_iter().map(|problem| (problem.line, problem.message)).collect()
}

/// Blanks a line, from 1, and what stands below it; false when there is nothing to blank.
fn take_out(lines: &mut [&str], number: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(at) = number.checked_sub(1).filter(|at| lines.get(*at).is_some_and(|line| !line.trim().is_empty())) else {
        return false;
    };
    let depth = lines.get(at).map_or(0, |line| indent(line));
    let below = lines.iter().skip(at + 1).take_while(|line| line.trim().is_empty() || indent(line) > depth).count();
    lines.iter_mut().skip(at).take(below + 1).for_each(|line| *line = "");
    true
}

/// A mapping with the way to it.
pub(super) struct Section<'a> {
    text: &'a str,
    pub(super) path: Vec<String>,
    pub(super) map: &'a Mapping,
}

impl<'a> Section<'a> {
    fn root(text: &'a str, document: &'a Value) -> Result<Option<Self>, Problem> {
        match document {
            Value::Null => Ok(None),
            Value::Mapping(map) => Ok(Some(Self { text, path: Vec::new(), map })),
            _ => Err(Problem { line: 1, message: format!("expected `key: value` lines; known: {}", KEYS.join(", ")) }),
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
    fn lines(&self, into: &mut BTreeMap<String, usize>) {
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

    fn engine(&self, into: &mut String) -> Result<(), Problem> {
        let Some(value) = self.value("engine") else { return Ok(()) };
        match value.as_str() {
            Some(engine) if is_engine(engine) => engine.clone_into(into),
            _ => return Err(self.bad("engine", value, ENGINES)),
        }
        Ok(())
    }

    fn apply(&self, into: &mut Apply) -> Result<(), Problem> {
        self.choice("apply", &["auto", "ask"], |word| *into = if word == "ask" { Apply::Ask } else { Apply::Auto })
    }

    fn budget(&self, into: &mut Budget) -> Result<(), Problem> {
        if let Some(budget) = self.section("budget")? {
            budget.known(&BUDGET)?;
            budget.number("seconds", 1, &mut into.seconds)?;
            budget.number("tokens", 1, &mut into.tokens)?;
            budget.number("runs_a_day", 0, &mut into.runs_a_day)?;
            budget.number("tokens_a_day", 0, &mut into.tokens_a_day)?;
            budget.money("usd", &mut into.usd)?;
            budget.money("usd_a_day", &mut into.usd_a_day)?;
        }
        Ok(())
    }

    fn money(&self, key: &str, into: &mut Option<Money>) -> Result<(), Problem> {
        let Some(value) = self.value(key) else { return Ok(()) };
        // Text that looks like a number, `007`, is no amount.
        let amount =
            scalar(value).filter(|_| value.is_number()).and_then(|written| super::parse_models::millionths(&written));
        *into = Some(Money(amount.ok_or_else(|| self.bad(key, value, AMOUNT))?));
        Ok(())
    }

    pub(super) fn bad(&self, key: &str, value: &Value, accepted: &str) -> Problem {
        let name = self.path.iter().map(String::as_str).chain([key]).collect::<Vec<_>>().join(".");
        let shown = scalar(value).map_or_else(|| kind_of(value).to_owned(), |value| format!("{value:?}"));
        Problem { line: self.line(key), message: format!("{name} is {shown}; accepted: {accepted}") }
    }

    /// The line a key of this section stands on.
    pub(super) fn line(&self, key: &str) -> usize {
        let way: Vec<&str> = self.path.iter().map(String::as_str).chain([key]).collect();
        line_of(self.text, &way)
    }
}

/// Whether a word names an engine.
fn is_engine(word: &str) -> bool {
    let (name, of) = word.split_once(':').map_or((word, None), |(name, of)| (name, Some(of)));
    match name {
        "embedded" => of.is_none(),
        "anthropic" | "openai" | "claude" => of.is_none_or(|model| !model.trim().is_empty()),
        "script" => of.is_some_and(|file| !file.is_empty()),
        _ => false,
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
