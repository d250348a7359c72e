//! Glob: files by the form of their path, newest first; and the walk that Grep shares.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use regex::Regex;
use serde::Deserialize;

use super::{Refusal, Toolbox};

/// A walk ends after this many files.
const MAX_FILES: usize = 50_000;
const MAX_SHOWN: usize = 200;

#[derive(Deserialize)]
pub(super) struct Input {
    pattern: String,
    path: Option<String>,
}

pub(super) fn glob(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let (head, pattern) = parted(&input.pattern);
    let beneath = match (input.path.as_deref(), head) {
        (Some(path), Some(head)) => Some(Path::new(path).join(head).to_string_lossy().into_owned()),
        (None, Some(head)) => Some(head.to_owned()),
        (path, None) => path.map(str::to_owned),
    };
    let base = tools.readable(beneath.as_deref())?;
    let form = form(pattern)?;
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    walk(tools, &base, &mut |path, time| {
        if matches(&form, &base, path) {
            found.push((time, path.to_owned()));
        }
        true
    })?;
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    if found.is_empty() {
        return Ok("no file matches".to_owned());
    }
    let more = found.len().saturating_sub(MAX_SHOWN);
    let mut text: String = found.iter().take(MAX_SHOWN).map(|(_, path)| format!("{}\n", tools.shown(path))).collect();
    if more > 0 {
        text.push_str(&format!("… and {more} more\n"));
    }
    Ok(text)
}

/// A pattern that begins elsewhere, absolute or with `..`, as the directory that it names and the form of the paths there.
fn parted(pattern: &str) -> (Option<&str>, &str) {
    if !pattern.starts_with('/') && !pattern.split('/').any(|part| part == "..") {
        return (None, pattern);
    }
    let first_mark = pattern.find(['*', '?', '{', '[']).unwrap_or(pattern.len());
    let literal = pattern.get(..first_mark).unwrap_or(pattern);
    match literal.rfind('/') {
        Some(0) => (Some("/"), pattern.get(1..).unwrap_or_default()),
        Some(at) => (pattern.get(..at), pattern.get(at + 1..).unwrap_or_default()),
        None => (None, pattern),
    }
}

/// The regular expression of a pattern: `*` and `?` within a name, `**` across directories, `{a,b}`, `[abc]`.
pub(super) fn form(pattern: &str) -> Result<Regex, Refusal> {
    let mut expression = String::from("^");
    let mut characters = pattern.trim_start_matches("./").chars().peekable();
    let mut in_braces = 0_u32;
    while let Some(character) = characters.next() {
        match character {
            '*' if characters.peek() == Some(&'*') => {
                characters.next();
                if characters.peek() == Some(&'/') {
                    characters.next();
                    expression.push_str("(?:.*/)?");
                } else {
                    expression.push_str(".*");
                }
            }
            '*' => expression.push_str("[^/]*"),
            '?' => expression.push_str("[^/]"),
            '{' => {
                in_braces += 1;
                expression.push_str("(?:");
            }
            '}' if in_braces > 0 => {
                in_braces -= 1;
                expression.push(')');
            }
            ',' if in_braces > 0 => expression.push('|'),
            '[' => {
                expression.push('[');
                if characters.peek() == Some(&'!') {
                    characters.next();
                    expression.push('^');
                }
            }
            ']' => expression.push(']'),
            '-' => expression.push('-'),
            other => expression.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    expression.push('$');
    Regex::new(&expression).map_err(|_| Refusal::Malformed(format!("{pattern:?} is no pattern; write it like **/*.md")))
}

/// Whether a path has the form: seen from the base, or by its name alone when the form has no directory.
pub(super) fn matches(form: &Regex, base: &Path, path: &Path) -> bool {
    let from_base = path.strip_prefix(base).unwrap_or(path);
    form.is_match(&from_base.to_string_lossy()) || form.is_match(&path.to_string_lossy())
}

/// Shows every plain file at or below a path with its time, without following links, until told to stop.
pub(super) fn walk(
    tools: &Toolbox,
    base: &Path,
    visit: &mut dyn FnMut(&Path, SystemTime) -> bool,
) -> Result<(), Refusal> {
    let failed = |error: std::io::Error| Refusal::Failed(format!("cannot read {}: {error}", base.display()));
    let time = |found: &fs::Metadata| found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let found = fs::metadata(base).map_err(failed)?;
    if found.is_file() {
        visit(base, time(&found));
        return Ok(());
    }
    let mut waiting = vec![base.to_owned()];
    let mut seen = 0;
    while let Some(directory) = waiting.pop() {
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if directory == base => return Err(failed(error)),
            Err(_) => continue,
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            seen += 1;
            if seen > MAX_FILES || tools.cancel.is_cancelled() {
                return Ok(());
            }
            if tools.reach.is_closed(&path) {
                continue;
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => waiting.push(path),
                Ok(found) if found.is_file() && !visit(&path, time(&found)) => return Ok(()),
                _ => {}
            }
        }
    }
    Ok(())
}
