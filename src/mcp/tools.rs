//! The tools: their names, what a model is told of them, what they take. One table; the server lists it and calls by it.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::world::World;
use super::{health, propose, read, search};

/// One tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// Its parameters: name, type, what it means, whether it must be there.
    parameters: &'static [(&'static str, &'static str, &'static str, bool)],
    pub(super) run: fn(&World, &Arguments) -> Result<Value, String>,
    /// Whether it changes nothing at all.
    pub(super) only_reads: bool,
}

/// All.
pub(super) const TOOLS: [Tool; 4] = [
    Tool {
        name: "memory_search",
        description: "Notes from earlier sessions of this project that bear on a request, at most five, each with its age; none \
                      when none fits. They are records of what was said then; the code knows better.",
        parameters: &[("query", "string", "The request, in its own words", true)],
        run: search::run,
        only_reads: true,
    },
    Tool {
        name: "memory_read",
        description: "One note in full, with its date and what is known to be wrong with it.",
        parameters: &[("file", "string", "Its file name, as memory_search gives it", true)],
        run: read::run,
        only_reads: true,
    },
    Tool {
        name: "memory_propose",
        description: "Propose a new note, or other text for one that is there. It waits for the person, who accepts or rejects \
                      it; nothing is written before that.",
        parameters: &[
            ("name", "string", "A short name", true),
            ("description", "string", "One line to find it by", true),
            ("type", "string", "user, feedback, project or reference", true),
            ("body", "string", "The fact; **Why:** and **How to apply:** where there is one", true),
            ("reason", "string", "Why it is worth keeping, for the person who decides", true),
            ("file", "string", "The file it takes the place of; left out: a new note", false),
        ],
        run: propose::run,
        only_reads: false,
    },
    Tool {
        name: "memory_health",
        description: "What is wrong with this project's notes: stale, contradicting, cut off, dangling. Changes nothing.",
        parameters: &[],
        run: health::run,
        only_reads: true,
    },
];

impl Tool {
    /// The JSON Schema of what it takes.
    pub(super) fn schema(&self) -> Arguments {
        let mut properties = Map::new();
        for (name, kind, meaning, _) in self.parameters {
            properties.insert((*name).to_owned(), json!({ "type": kind, "description": meaning }));
        }
        let required: Vec<&str> = self.parameters.iter().filter(|(.., must)| *must).map(|(name, ..)| *name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("required".to_owned(), json!(required));
        schema
    }
}
