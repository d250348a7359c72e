//! After the command: what it wrote, read off the disk, with the reasons and sources that it declares at its end.
//!
//! What no memory may be is put back as it was and said; what is to be deleted is deleted here, because the command has no
//! tool for it. Not its job: what a change without evidence may do (the guards of [`crate::change`]).

use std::path::Path;

use serde_json::{Value, json};

use crate::engine::agent::earlier::Earlier;
use crate::engine::agent::evidence::Evidence;
use crate::engine::agent::tools::{Outcome, Toolbox};
use crate::engine::agent::{ToolCall, permission};
use crate::engine::{EngineError, EngineEvent, RunContext, Verdict};
use crate::memory::INDEX_FILE;

/// What the command says about a file it changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Declared {
    file: String,
    is_deleted: bool,
    /// In the form of a writing tool's input: reason and sources.
    input: Value,
}

/// The declaration in an answer, and the answer without it.
pub(super) fn declaration(text: &str) -> Option<(Vec<Declared>, String)> {
    let start = text.rfind("```json").or_else(|| text.rfind("```\n{"))?;
    let (before, rest) = text.split_at_checked(start)?;
    let body = rest.get(rest.find('\n')?..)?;
    let (block, after) = body.split_once("\n```")?;
    let value: Value = serde_json::from_str(block.trim()).ok()?;
    let declared = value
        .get("changes")?
        .as_array()?
        .iter()
        .filter_map(|entry| {
            let file = ["file", "file_path"].iter().find_map(|key| entry.get(key)?.as_str())?;
            let is_deleted = entry.get("delete").and_then(Value::as_bool) == Some(true);
            let input = json!({ "file_path": file, "reason": entry.get("reason"), "sources": entry.get("sources") });
            Some(Declared { file: file.to_owned(), is_deleted, input })
        })
        .collect();
    Some((declared, format!("{}{}", before.trim_end(), after.trim_end())))
}

/// Puts back what may not change, deletes what is declared to go, and weighs the sources of the rest.
///
/// # Errors
/// When the working copy cannot be read or written.
pub(super) fn settle(
    before: &Earlier,
    declared: &[Declared],
    context: &RunContext,
    evidence: &Evidence,
) -> Result<Verdict, EngineError> {
    let mut verdict = Verdict::default();
    let toolbox = Toolbox::new(&context.working_copy, context.reach.clone(), context.cancel.clone())?;
    let changed = before.changed()?;
    for name in &changed {
        if let Err(why) = permission::writable(before.root(), name) {
            before.put_back(name)?;
            verdict.left_out.push(why);
        }
    }
    for declared in declared {
        let file = inside(before.root(), &declared.file);
        let mut input = declared.input.clone();
        if let Some(path) = input.get_mut("file_path") {
            *path = Value::from(file.clone());
        }
        let name = if declared.is_deleted { "Delete" } else { "Write" };
        let call = ToolCall::new("declared", name, input);
        let outcome = if declared.is_deleted && before.root().join(&file).exists() {
            let outcome = toolbox.perform(&call);
            context.events.send(EngineEvent::Tool {
                name: "Delete".to_owned(),
                target: file.clone(),
                allowed: outcome.allowed,
            });
            outcome
        } else {
            Outcome { file: Some(file.clone()), is_new: !before.has(&file), allowed: true, ..Outcome::default() }
        };
        if outcome.is_error {
            verdict.left_out.push(format!("{file}: {}", outcome.text));
            continue;
        }
        verdict.worked |= outcome.ran;
        if (declared.is_deleted || changed.contains(&file)) && file != INDEX_FILE {
            let weighed = evidence.weigh(&call, &toolbox, &outcome);
            for remark in &weighed.remarks {
                context.events.send(EngineEvent::Notice(format!("{file}: {remark}")));
            }
            weighed.add_to(verdict.rationales.entry(file).or_default());
        }
    }
    Ok(verdict)
}

/// A name as it stands in the working copy.
fn inside(root: &Path, file: &str) -> String {
    let inside = Path::new(file).strip_prefix(root).ok().and_then(Path::to_str);
    inside.unwrap_or(file).trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_declaration_is_found_at_the_end_of_an_answer_and_taken_out_of_it() {
        let text = "Stored one.\n\n```json\n{\"changes\": [{\"file\": \"a.md\", \"reason\": \"x\"}, {\"file\": \"b.md\", \"delete\": true}, 3]}\n```\n";
        let (declared, rest) = declaration(text).unwrap();
        assert_eq!(rest, "Stored one.");
        assert_eq!(
            declared.iter().map(|one| (one.file.as_str(), one.is_deleted)).collect::<Vec<_>>(),
            [("a.md", false), ("b.md", true)]
        );
        for other in ["", "```json\n{}\n```", "```json\n{\"changes\": 3}\n```", "```json\nnope", "a ```json b"] {
            assert_eq!(declaration(other), None, "{other}");
        }
    }
}
