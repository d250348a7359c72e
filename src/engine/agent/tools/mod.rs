//! The tools of the agent loop, with the argument names models know. One tool, one file.
//!
//! Each takes its input as the model wrote it; what does not fit is answered to the model in words, never a panic.

mod bash;
mod definition;
mod delete;
mod edit;
mod glob;
mod grep;
mod read;
mod write;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::ToolCall;
use super::{Reach, permission};

pub(in crate::engine) use definition::{Definition, definitions};

/// No answer to the model is longer than this.
pub(super) const MAX_ANSWER: usize = 30_000;

/// A file larger than this is not edited.
const MAX_EDIT: u64 = 4 * 1024 * 1024;

const AVAILABLE: &str = "Read, Grep, Glob, Bash, Edit, Write and Delete";

/// What became of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// What the call is about, for the log.
    pub(super) target: String,
    /// Whether permission was given.
    pub(super) allowed: bool,
    /// Whether the tool was run at all: allowed, and its input made sense.
    pub(super) ran: bool,
    /// The file a writing tool was to change, inside the working copy where it is.
    pub(super) file: Option<String>,
    /// Whether that file was not there before.
    pub(super) is_new: bool,
    /// The answer to the model.
    pub(super) text: String,
    /// Whether it is an error.
    pub(super) is_error: bool,
}

/// Why a call gave no result.
enum Refusal {
    /// Permission was not given.
    Denied(String),
    /// The input makes no sense.
    Malformed(String),
    /// The tool ran and failed.
    Failed(String),
    /// It ran, and looked at nothing.
    Idle(String),
}

/// The tools over one working copy.
#[derive(Clone, Debug)]
pub(super) struct Toolbox {
    root: PathBuf,
    reach: Reach,
    cancel: CancellationToken,
}

impl Toolbox {
    pub(super) fn new(working_copy: &Path, reach: Reach, cancel: CancellationToken) -> std::io::Result<Self> {
        let root = working_copy
            .canonicalize()
            .map_err(|error| crate::state::with_path(error, "cannot open the working copy", working_copy))?;
        Ok(Self { root, reach, cancel })
    }

    /// Does a call, whatever it asks for.
    pub(super) fn perform(&self, call: &ToolCall) -> Outcome {
        let target = target(call);
        let writes = matches!(call.name.as_str(), "Edit" | "Write" | "Delete");
        let file = writes.then(|| self.inside(&target));
        let is_new = file.as_deref().is_some_and(|file| !self.root.join(file).exists());
        let result = match call.name.as_str() {
            "Read" => input(call).and_then(|input| read::read(self, &input)),
            "Grep" => input(call).and_then(|input| grep::grep(self, &input)),
            "Glob" => input(call).and_then(|input| glob::glob(self, &input)),
            "Bash" => input(call).and_then(|input| bash::bash(self, &input)),
            "Edit" => input(call).and_then(|input| edit::edit(self, &input)),
            "Write" => input(call).and_then(|input| write::write(self, &input)),
            "Delete" => input(call).and_then(|input| delete::delete(self, &input)),
            other => Err(Refusal::Denied(format!("there is no permission for {other} here; use {AVAILABLE}"))),
        };
        let base = Outcome { target, allowed: true, file, is_new, ..Outcome::default() };
        match result {
            Ok(text) => Outcome { ran: true, text: bounded(text), ..base },
            Err(Refusal::Failed(text)) => Outcome { ran: true, text: bounded(text), is_error: true, ..base },
            Err(Refusal::Idle(text)) => Outcome { text: bounded(text), ..base },
            Err(Refusal::Malformed(text)) => Outcome { text: bounded(text), is_error: true, ..base },
            Err(Refusal::Denied(text)) => Outcome { allowed: false, text: bounded(text), is_error: true, ..base },
        }
    }

    /// The path inside the working copy when it is there, else as written.
    fn inside(&self, target: &str) -> String {
        Path::new(target).strip_prefix(&self.root).ok().and_then(Path::to_str).unwrap_or(target).to_owned()
    }

    fn readable(&self, path: Option<&str>) -> Result<PathBuf, Refusal> {
        let Some(path) = path else { return Ok(self.root.clone()) };
        permission::readable(&self.root, &self.reach, path).map_err(Refusal::Denied)
    }

    /// Where a file that a call wrote lies.
    pub(super) fn path_of(&self, file: &str) -> Option<PathBuf> {
        permission::writable(&self.root, file).ok()
    }

    /// Gives a file that a call wrote other bytes; false when that fails.
    pub(super) fn put_quietly(&self, path: &Path, bytes: &[u8]) -> bool {
        self.put(path, bytes).is_ok()
    }

    fn writable(&self, path: &str) -> Result<PathBuf, Refusal> {
        permission::writable(&self.root, path).map_err(Refusal::Denied)
    }

    /// Replaces a file as a whole, so that no reader ever sees half of it; its mode stays.
    fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
        let failed = |error: std::io::Error| Refusal::Failed(format!("cannot write {}: {error}", self.shown(path)));
        let parent = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent).map_err(failed)?;
        let mut temp =
            tempfile::Builder::new().prefix(".dreamtop-").suffix(".tmp").tempfile_in(parent).map_err(failed)?;
        temp.write_all(bytes).map_err(failed)?;
        if let Ok(found) = fs::metadata(path) {
            temp.as_file().set_permissions(found.permissions()).map_err(failed)?;
        }
        temp.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// The text of a file that is to be edited.
    fn text_of(&self, path: &Path) -> Result<String, Refusal> {
        let shown = self.shown(path);
        let failed = |error: std::io::Error| Refusal::Failed(format!("cannot read {shown}: {error}"));
        let found = fs::metadata(path).map_err(failed)?;
        if found.len() > MAX_EDIT {
            return Err(Refusal::Failed(format!("{shown} is too large to edit ({} bytes)", found.len())));
        }
        String::from_utf8(fs::read(path).map_err(failed)?)
            .map_err(|_| Refusal::Failed(format!("{shown} is not UTF-8 text; it is left as it is")))
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

fn input<T: DeserializeOwned>(call: &ToolCall) -> Result<T, Refusal> {
    serde_json::from_value(call.input.clone())
        .map_err(|error| Refusal::Malformed(format!("the input of {} makes no sense: {error}", call.name)))
}

/// A path or pattern, whichever the call has.
fn target(call: &ToolCall) -> String {
    ["file_path", "pattern", "path", "command"]
        .iter()
        .find_map(|key| call.input.get(key)?.as_str())
        .unwrap_or_default()
        .chars()
        .take(500)
        .collect()
}

/// The text cut to what an answer may hold, and said so.
fn bounded(text: String) -> String {
    match text.char_indices().nth(MAX_ANSWER) {
        None => text,
        Some((at, _)) => {
            let mut cut = text;
            cut.truncate(at);
            cut.push_str("\n… cut here; ask for less at a time");
            cut
        }
    }
}

/// The first `characters` of a text.
fn cut(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

#[cfg(test)]
mod tests;
