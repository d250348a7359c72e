//! `memory_read`: one memory in full, with its date; nothing in it speaks in another voice.

use serde_json::{Value, json};

use super::arguments::{Arguments, text};
use super::world::World;
use crate::memory::names::is_markdown;
use crate::recall::frame::quoted;

pub(super) fn run(world: &World, arguments: &Arguments) -> Result<Value, String> {
    let file = text(arguments, "file")?;
    let (choice, snapshot) = world.look()?;
    // Only what the scan found: a name that leads elsewhere is no memory.
    let memory = snapshot
        .memories
        .iter()
        .find(|memory| memory.file == file || memory.file.strip_suffix(".md") == Some(file))
        .ok_or_else(|| format!("there is no memory {file:?}; memory_search gives the names"))?;
    let path = choice.store.path(&memory.file);
    let leads_to_memory = std::fs::canonicalize(&path).is_ok_and(|real| real.to_str().is_some_and(is_markdown));
    if !leads_to_memory {
        return Err(format!("{file:?} is a link to something that is no Markdown file"));
    }
    let topic = choice.store.topic(&memory.file).map_err(|error| error.to_string())?;
    let problems: Vec<&str> = memory.problems.iter().map(|problem| problem.message.as_str()).collect();
    Ok(json!({
        "file": memory.file,
        "name": quoted(&memory.name),
        "description": quoted(&memory.description),
        "type": memory.kind.map(crate::memory::Kind::word),
        "age_days": memory.age_days,
        "freshness": memory.freshness,
        "body": quoted(&topic.body()),
        "problems": problems,
    }))
}
