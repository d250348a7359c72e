//! `memory_read`: one memory in full, framed as a dated note.

use serde_json::{Value, json};

use super::World;
use super::tools::{Arguments, text};
use crate::secret::redacted;

pub(super) fn run(world: &World, arguments: &Arguments) -> Result<Value, String> {
    let file = text(arguments, "file")?;
    let (choice, snapshot) = world.look()?;
    // Only what the scan found: a name that leads elsewhere is no memory.
    let memory = snapshot
        .memories
        .iter()
        .find(|memory| memory.file == file || memory.file.strip_suffix(".md") == Some(file))
        .ok_or_else(|| format!("there is no memory {file:?}; memory_search gives the names"))?;
    let topic = choice.store.topic(&memory.file).map_err(|error| error.to_string())?;
    let problems: Vec<&str> = memory.problems.iter().map(|problem| problem.message.as_str()).collect();
    Ok(json!({
        "file": memory.file,
        "name": memory.name,
        "description": redacted(&memory.description),
        "type": memory.kind.map(crate::memory::Kind::word),
        "age_days": memory.age_days,
        "freshness": memory.freshness,
        "body": redacted(&topic.body()),
        "problems": problems,
    }))
}
