//! Which documents every session of a project loads besides its memory: CLAUDE.md and its kin, and files of rules.
//!
//! One list, for whoever holds memories against them and for whoever has to know whether there are any. Not its job:
//! reading them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::memory::names::is_markdown;

/// What a directory gives to the sessions held in it and below it.
const NAMES: [&str; 3] = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
/// No more files are named.
const MOST: usize = 200;
/// Directories of rules are followed so deep.
const DEEPEST: usize = 4;

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it is.
    pub path: PathBuf,
    /// How it is called from the project: `.claude/rules/style.md`, `../CLAUDE.md`, `~/.claude/CLAUDE.md`.
    pub name: String,
}

/// Those of a project, of the directories above it, nearest first, and of Claude Code's own directory.
#[must_use]
pub fn documents(project: Option<&Path>, claude_dir: Option<&Path>) -> Vec<Document> {
    let mut found = Vec::new();
    if let Some(project) = project {
        for name in NAMES.into_iter().chain(["AGENTS.md"]) {
            add(&mut found, project.join(name), name.to_owned());
        }
        add_rules(&mut found, &project.join(".claude/rules"), ".claude/rules", 0);
    }
    // Before those above: the person's home may be one of them.
    let mut own = Vec::new();
    if let Some(claude) = claude_dir {
        add(&mut own, claude.join("CLAUDE.md"), "~/.claude/CLAUDE.md".to_owned());
        add_rules(&mut own, &claude.join("rules"), "~/.claude/rules", 0);
    }
    let mut way = String::new();
    for above in project.into_iter().flat_map(|project| project.ancestors().skip(1)) {
        way.push_str("../");
        // The root of the file system gives nothing.
        if above.parent().is_none() {
            break;
        }
        for name in NAMES {
            let path = above.join(name);
            if !own.iter().any(|document| document.path == path) {
                add(&mut found, path, format!("{way}{name}"));
            }
        }
    }
    found.extend(own);
    found.truncate(MOST);
    found
}

fn add(found: &mut Vec<Document>, path: PathBuf, name: String) {
    if found.len() < MOST && path.is_file() {
        found.push(Document { path, name });
    }
}

fn add_rules(found: &mut Vec<Document>, dir: &Path, name: &str, depth: usize) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let inner = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() && depth < DEEPEST {
            add_rules(found, &path, &inner, depth + 1);
        } else if is_markdown(&inner) {
            add(found, path, inner);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn all_that_a_session_loads_is_named_once_and_nearest_first() {
        let dir = tempfile::tempdir().unwrap();
        let (claude, project) = (dir.path().join("home/.claude"), dir.path().join("home/src/acme"));
        for name in [
            "home/src/acme/CLAUDE.md",
            "home/src/acme/.claude/CLAUDE.md",
            "home/src/acme/.claude/rules/deep/style.md",
            "home/src/acme/.claude/rules/notes.txt",
            "home/src/CLAUDE.local.md",
            "home/.claude/CLAUDE.md",
            "home/.claude/rules/tone.md",
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x\n").unwrap();
        }
        let names = |project: Option<&Path>, claude: Option<&Path>| {
            documents(project, claude).into_iter().map(|document| document.name).collect::<Vec<_>>()
        };
        assert_eq!(
            names(Some(&project), Some(&claude)),
            [
                "CLAUDE.md",
                ".claude/CLAUDE.md",
                ".claude/rules/deep/style.md",
                "../CLAUDE.local.md",
                "~/.claude/CLAUDE.md",
                "~/.claude/rules/tone.md"
            ]
        );
        assert_eq!(names(None, Some(&claude)), ["~/.claude/CLAUDE.md", "~/.claude/rules/tone.md"]);
        assert!(names(None, None).is_empty());
    }
}
