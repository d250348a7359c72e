//! What `.claude.json` says that sessions start, and what it lets them do: MCP servers, hooks, a program that gives the key,
//! tools that need no question, trust; for all projects and for each.
//!
//! The file holds much else, which Claude Code writes all the time; only these are compared, and set back in the file as it
//! is by then. What is kept of them holds no credential. Not its job: other files (see [`super::home_files`]).

use std::io;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::strayed::without_secrets;
use crate::persons_file::{PersonsFile, WriteError};
use crate::secret::REDACTED;
use crate::state::{read_file, write_atomic};
use crate::text::visible;

/// What makes a session start a program, or says what its programs are told.
const STARTS: [&str; 4] = ["mcpServers", "hooks", "apiKeyHelper", "env"];
/// What a person answered in a session, and what it may do since.
const ALLOWS: [&str; 8] = [
    "allowedTools",
    "hasTrustDialogAccepted",
    "hasClaudeMdExternalIncludesApproved",
    "enabledMcpjsonServers",
    "disabledMcpjsonServers",
    "enableAllProjectMcpServers",
    "disabledMcpServers",
    "bypassPermissionsModeAccepted",
];
/// What may hold credentials, wherever it stands.
const CLOSED: [&str; 2] = ["env", "headers"];
const PROJECTS: &str = "projects";
/// Who writes meanwhile is given way to so often.
const TRIES: usize = 5;

fn keys() -> impl Iterator<Item = &'static str> {
    STARTS.into_iter().chain(ALLOWS)
}

/// What a file says of them.
#[derive(Debug)]
pub(super) struct Registered {
    path: PathBuf,
    /// Where it really lies; `None`: there was none.
    real: Option<PathBuf>,
    /// What the kept versions are called.
    kept_as: &'static str,
    /// Of all projects, and by project. `None`: it could not be read.
    before: Option<Said>,
}

/// By project (`None`: all of them) and key.
pub(super) type Said = Vec<((Option<String>, &'static str), Value)>;

impl Registered {
    /// Looks at it.
    pub(super) fn look(path: &Path, kept_as: &'static str) -> Self {
        Self { path: path.to_owned(), real: path.canonicalize().ok(), kept_as, before: said(path) }
    }

    /// What it says now, if that is another thing.
    pub(super) fn changed(&self) -> Option<Said> {
        // One that is just being written can be read the next time.
        let after = (0..TRIES).find_map(|_| said(&self.path)).unwrap_or_default();
        (meant(self.before.as_ref()?) != meant(&after)).then_some(after)
    }

    /// Whether a session may change it by itself: a person answered what it asked.
    pub(super) fn is_answered(&self, after: &Said) -> bool {
        let before = self.before.as_deref().unwrap_or_default();
        STARTS.into_iter().all(|key| of(before, key) == of(after, key))
    }

    /// Sets back what changed, if it still is what was found; or, when it may have been a session, keeps what was there
    /// before. In a sentence.
    pub(super) fn give_back(&self, after: &Said, is_sure: bool, kept: &Path) -> String {
        let before = self.before.clone().unwrap_or_default();
        let name = visible(&self.path.to_string_lossy()).into_owned();
        let keys: Vec<&str> = keys().filter(|key| of(&before, key) != of(after, key)).collect();
        let what = format!("{} in {name}", keys.join(" and "));
        let (lies, file) = (visible(&kept.to_string_lossy()).into_owned(), self.kept_as);
        let is_kept = keep(&before, &kept.join("before").join(self.kept_as))
            .and_then(|()| keep(after, &kept.join("after").join(self.kept_as)));
        if !is_sure {
            let why = "left as it is, because a session went on that may have done it";
            return format!("{what} ({why}; what was there before lies in {lies}/before/{file})");
        }
        match is_kept.and_then(|()| self.set_back(&before, after)) {
            Ok(()) => format!("{what} (given back as it was; what claude wrote lies in {lies}/after/{file})"),
            Err(why) => format!(
                "{what} (cannot be given back: {}; what was there before lies in {lies}/before/{file})",
                visible(&why.to_string())
            ),
        }
    }

    fn set_back(&self, before: &Said, after: &Said) -> io::Result<()> {
        for _ in 0..TRIES {
            let is_elsewhere = self
                .real
                .as_ref()
                .map_or_else(|| self.path.is_symlink(), |real| self.path.canonicalize().ok().as_ref() != Some(real));
            if is_elsewhere {
                return Err(io::Error::other("its name leads to another file now"));
            }
            let file = PersonsFile::read(&self.path)?;
            if said(&self.path).as_ref() != Some(after) {
                return Err(io::Error::other("it was changed again since"));
            }
            let edited =
                edited(&file.text(), before, after).ok_or_else(|| io::Error::other("it is no JSON object any more"))?;
            match file.replace(edited.as_bytes()) {
                Ok(_) => return Ok(()),
                Err(WriteError::Changed(_)) => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Err(io::Error::other("another program writes it all the time"))
    }
}

/// What a file says; nothing when it is not there. `None`: it cannot be read.
fn said(path: &Path) -> Option<Said> {
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Vec::new()),
        Err(_) => return None,
    };
    let Value::Object(all) = serde_json::from_slice(&bytes).ok()? else { return None };
    let mut said: Said = values(&all).map(|(key, value)| ((None, key), value.clone())).collect();
    for (project, entry) in all.get(PROJECTS).and_then(Value::as_object).into_iter().flatten() {
        let entry = entry.as_object().into_iter().flat_map(values);
        said.extend(entry.map(|(key, value)| ((Some(project.clone()), key), value.clone())));
    }
    Some(said)
}

/// The values that matter.
fn values(object: &Map<String, Value>) -> impl Iterator<Item = (&'static str, &Value)> {
    keys().filter_map(move |key| Some((key, object.get(key)?)))
}

/// Whether a value says something: Claude Code writes empty ones for every project.
fn says(value: &Value) -> bool {
    match value {
        Value::Object(object) => !object.is_empty(),
        Value::Array(array) => !array.is_empty(),
        Value::String(text) => !text.is_empty(),
        other => !matches!(other, Value::Null | Value::Bool(false)),
    }
}

/// What says something.
fn meant(said: &Said) -> Vec<&((Option<String>, &'static str), Value)> {
    said.iter().filter(|(_, value)| says(value)).collect()
}

/// What is said under one key.
fn of<'s>(said: &'s [((Option<String>, &'static str), Value)], key: &str) -> Vec<(&'s Option<String>, &'s Value)> {
    said.iter()
        .filter(|((_, of), value)| *of == key && says(value))
        .map(|((project, _), value)| (project, value))
        .collect()
}

/// The text with what was said before in the place of what is said after; every other byte stays.
fn edited(text: &str, before: &Said, after: &Said) -> Option<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    let all = root.object_value()?;
    let places = before.iter().chain(after).map(|(place, _)| place);
    for place in places {
        let value = |said: &Said| said.iter().find(|(of, _)| of == place).map(|(_, value)| value.clone());
        let (was, is) = (value(before), value(after));
        if was.as_ref().filter(|value| says(value)) == is.as_ref().filter(|value| says(value)) {
            continue;
        }
        let (project, key) = place;
        let object = match project {
            None => all.clone(),
            // A project that is gone takes what it said along.
            Some(project) => match all.object_value(PROJECTS).and_then(|projects| projects.object_value(project)) {
                Some(object) => object,
                None => continue,
            },
        };
        set(&object, key, was.as_ref());
    }
    Some(root.to_string())
}

fn set(object: &CstObject, key: &str, value: Option<&Value>) {
    match (object.get(key), value) {
        (Some(property), Some(value)) => property.set_value(input(value)),
        (Some(property), None) => property.remove(),
        (None, Some(value)) => drop(object.append(key, input(value))),
        (None, None) => {}
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(is_so) => CstInputValue::Bool(*is_so),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn keep(said: &Said, place: &Path) -> io::Result<()> {
    let all: Vec<Value> = meant(said)
        .into_iter()
        .map(|((project, key), value)| {
            let mut value = value.clone();
            close(&mut value, CLOSED.contains(key));
            serde_json::json!({ "project": project, "key": key, "value": value })
        })
        .collect();
    write_atomic(place, &without_secrets(&serde_json::to_vec_pretty(&all)?))
}

/// Takes out what may be a credential, whatever it looks like: every text below a key that holds some.
fn close(value: &mut Value, is_closed: bool) {
    match value {
        Value::String(text) if is_closed => REDACTED.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, is_closed)),
        Value::Object(entries) => entries.iter_mut().for_each(|(key, value)| {
            let is_closed = is_closed || CLOSED.contains(&key.as_str());
            close(value, is_closed);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_what_starts_programs_is_set_back_and_every_other_byte_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".claude.json");
        let before = "{\n  \"userID\": \"a\",\n  \"mcpServers\": { \"q\": { \"command\": \"say \\\"x\\\"\" } },\n  \"projects\": {\n    \"/w\": { \"mcpServers\": {}, \"n\": 1 }\n  }\n}\n";
        std::fs::write(&path, before).unwrap();
        let registered = Registered::look(&path, "registered.json");
        let other = before.replace("\"userID\": \"a\"", "\"userID\": \"b\"").replace("\"n\": 1", "\"n\": 2");
        std::fs::write(&path, &other).unwrap();
        assert!(registered.changed().is_none(), "Claude Code writes the rest all the time");
        let evil = "{ \"evil\": { \"command\": \"id\" } }";
        let changed = other
            .replace("\"mcpServers\": {}", &format!("\"mcpServers\": {evil}, \"hooks\": {evil}"))
            .replace("say \\\"x\\\"", "id");
        std::fs::write(&path, &changed).unwrap();
        let after = registered.changed().unwrap();
        let sentence = registered.give_back(&after, true, &dir.path().join("kept"));
        assert!(sentence.contains("mcpServers and hooks") && sentence.contains("given back"), "{sentence}");
        let now: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let wanted: Value = serde_json::from_str(&other).unwrap();
        assert_eq!(now, wanted);
        assert!(std::fs::read_to_string(dir.path().join("kept/after/registered.json")).unwrap().contains("evil"));
    }

    #[cfg(unix)]
    #[test]
    fn another_file_that_its_name_leads_to_by_now_is_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join(".claude.json"), dir.path().join("package.json"));
        let theirs = "{ \"name\": \"app\", \"hooks\": { \"x\": 1 } }";
        std::fs::write(&path, "{ \"mcpServers\": { \"q\": {} } }").unwrap();
        std::fs::write(&other, theirs).unwrap();
        let registered = Registered::look(&path, "registered.json");
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        let after = registered.changed().unwrap();
        let sentence = registered.give_back(&after, true, &dir.path().join("kept"));
        assert!(sentence.contains("leads to another file now"), "{sentence}");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), theirs);
    }
}
