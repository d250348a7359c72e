//! What a model is told about the tools: names, words and the form of their input, always the same and in one order.

use serde_json::{Value, json};

use crate::engine::agent::Reach;

/// One tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) struct Definition {
    pub(in crate::engine) name: &'static str,
    pub(in crate::engine) description: &'static str,
    /// A JSON schema.
    pub(in crate::engine) schema: Value,
}

/// Every tool of a run, by name; `Bash` where it can be used.
pub(in crate::engine) fn definitions(reach: &Reach) -> Vec<Definition> {
    let text = |says: &str| json!({ "type": "string", "description": says });
    let number = |says: &str| json!({ "type": "integer", "description": says });
    let file = || text("A memory, relative to the memory directory: topic.md");
    let why = || text("One sentence: why this change");
    let make = |name, description, properties: Value, required: &[&str]| Definition {
        name,
        description,
        schema: json!({ "type": "object", "properties": properties, "required": required }),
    };
    let bash = make(
        "Bash",
        "Runs commands that only read (ls, cat, head, tail, wc, stat, grep, find, sort, uniq, cut, tr, jq, date), joined by | && || ;",
        json!({ "command": text("One line; the working directory is the memory directory") }),
        &["command"],
    );
    let others = vec![
        make(
            "Delete",
            "Takes a memory out of the store. It goes to the trash.",
            json!({ "file_path": file(), "reason": why(), "sources": sources() }),
            &["file_path", "reason"],
        ),
        make(
            "Edit",
            "Replaces a text that stands exactly once in a memory by another.",
            json!({
                "file_path": file(),
                "old_string": text("The text as it is"),
                "new_string": text("The text as it is to be"),
                "replace_all": { "type": "boolean" },
                "reason": why(),
                "sources": sources(),
            }),
            &["file_path", "old_string", "new_string", "reason"],
        ),
        make(
            "Glob",
            "Lists files by the form of their path.",
            json!({ "pattern": text("Like **/*.md"), "path": text("Where to look; the memory directory if left out") }),
            &["pattern"],
        ),
        make(
            "Grep",
            "Searches files for a regular expression.",
            json!({
                "pattern": text("The regular expression"),
                "path": text("A file or directory; the memory directory if left out"),
                "glob": text("Only files of this form"),
                "output_mode": { "type": "string", "enum": ["content", "count", "files_with_matches"] },
                "-i": { "type": "boolean", "description": "Capitals do not matter" },
                "head_limit": number("At most so many results"),
            }),
            &["pattern"],
        ),
        make(
            "Read",
            "Shows lines of a file with their numbers.",
            json!({
                "file_path": text("The file; relative paths start at the memory directory"),
                "offset": number("The first line, from 1"),
                "limit": number("How many lines"),
            }),
            &["file_path"],
        ),
        make(
            "Write",
            "Makes a memory, or gives it this content as a whole.",
            json!({ "file_path": file(), "content": text("All of the file"), "reason": why(), "sources": sources() }),
            &["file_path", "content", "reason"],
        ),
    ];
    [bash].into_iter().filter(|_| has_bash(reach)).chain(others).collect()
}

#[cfg(unix)]
fn has_bash(reach: &Reach) -> bool {
    crate::engine::agent::shell::unavailable(reach).is_none()
}

#[cfg(not(unix))]
fn has_bash(_reach: &Reach) -> bool {
    false
}

/// Where a claim comes from.
fn sources() -> Value {
    json!({
        "type": "array",
        "description": "Where it was said",
        "items": {
            "type": "object",
            "properties": {
                "session": { "type": "string", "description": "The session, as listed" },
                "line": { "type": "integer", "description": "The line the turn is marked with" },
                "quote": { "type": "string", "description": "The person's own words, copied exactly" },
            },
            "required": ["session", "quote"],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ShellPolicy;

    #[test]
    fn the_tools_are_told_in_one_order_and_the_same_every_time() {
        let told = |policy| definitions(&Reach { policy, ..Reach::default() });
        let names: Vec<_> = told(ShellPolicy::Off).iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["Delete", "Edit", "Glob", "Grep", "Read", "Write"]);
        assert_eq!(told(ShellPolicy::Sandboxed), told(ShellPolicy::Sandboxed));
        assert_eq!(told(ShellPolicy::Anywhere).iter().any(|tool| tool.name == "Bash"), cfg!(unix));
    }
}
