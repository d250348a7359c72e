//! `memory_health`: the findings of `check`, most urgent first.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::world::World;
use crate::health::{self, Grounds};

/// What a model can use of a long list.
const MOST: usize = 50;

pub(super) fn run(world: &World, _: &Arguments) -> Result<Value, String> {
    let (choice, snapshot) = world.look()?;
    let grounds = Grounds::of(&choice, &world.environment, &world.state);
    let mut findings = health::check(&snapshot, &grounds);
    findings.sort_by_key(|finding| finding.severity);
    let shown: Vec<Value> = findings
        .iter()
        .take(MOST)
        .map(|finding| {
            json!({
                "code": finding.code,
                "severity": finding.severity,
                "file": finding.file,
                "line": finding.line,
                "message": finding.message,
            })
        })
        .collect();
    Ok(json!({ "memories": snapshot.memories.len(), "findings": findings.len(), "shown": shown }))
}
