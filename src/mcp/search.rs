//! `memory_search`: what a request calls back, ranked as everywhere.

use serde_json::{Value, json};

use super::arguments::{Arguments, text};
use super::world::World;
use crate::memory::StoreError;
use crate::recall::frame::quoted;
use crate::recall::{Question, rank};

pub(super) fn run(world: &World, arguments: &Arguments) -> Result<Value, String> {
    let query = text(arguments, "query")?;
    let choice = world.choose()?;
    let question = Question::new(query, std::slice::from_ref(&choice.store));
    let examined = match question.examine(&choice.store, &world.options(&choice)) {
        Ok(examined) => vec![examined],
        Err(StoreError::Missing(_)) => Vec::new(),
        Err(error) => return Err(error.to_string()),
    };
    let hits = rank(&question, &examined).picked;
    let memories = hits.iter().map(|hit| {
        let memory = &hit.memory;
        json!({
            "file": memory.file,
            "description": quoted(&memory.description),
            "type": memory.kind.map(crate::memory::Kind::word),
            "age_days": memory.age_days,
            "note": hit.note(),
            "why": hit.why,
        })
    });
    Ok(json!({ "memories": memories.collect::<Vec<_>>() }))
}
