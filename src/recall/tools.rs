//! Tools in use: whoever works with a tool does not need the notes on how to use it.
//!
//! Warnings about the tool stay where they are: that it is in use makes them more to the point.

use super::fold::lower;
use super::query::parts;
use super::rank::Scored;
use crate::memory::Kind;

/// What is left of the score of a usage note.
const LEFT: f64 = 0.3;

/// What is left of the evidence: alone it is picked only when everything speaks for it.
const LEFT_EVIDENCE: f64 = 0.5;

/// Words that make a note a warning.
const WARNINGS: &[&str] = &[
    "never",
    "not",
    "don't",
    "avoid",
    "careful",
    "bug",
    "broken",
    "pitfall",
    "gotcha",
    "warning",
    "known",
    "fails",
    "wrong",
    "nie",
    "nicht",
    "vorsicht",
    "jamais",
    "attention",
    "nunca",
    "cuidado",
    "никогда",
    "осторожно",
];

/// Words of tool names that name no tool.
const GENERIC: &[&str] =
    &["mcp", "tool", "tools", "server", "get", "list", "create", "update", "search", "read", "write", "edit"];

/// Lowers a usage note of one of the tools.
pub(super) fn lower_if_usage(scored: &mut Scored<'_>, tools: &[String]) {
    let memory = scored.memory;
    let head: Vec<String> = [&memory.name, &memory.description, &memory.file]
        .into_iter()
        .flat_map(|text| parts(text))
        .map(|part| lower(&part))
        .collect();
    let is_usage = memory.kind == Some(Kind::Reference)
        || head.iter().any(|word| matches!(word.as_str(), "usage" | "syntax" | "flags" | "cheatsheet" | "commands"));
    if !is_usage || head.iter().any(|word| WARNINGS.contains(&word.as_str())) {
        return;
    }
    let used = tools.iter().find(|tool| {
        parts(tool).iter().map(|part| lower(part)).any(|part| !GENERIC.contains(&part.as_str()) && head.contains(&part))
    });
    if let Some(tool) = used {
        scored.score *= LEFT;
        scored.evidence *= LEFT_EVIDENCE;
        scored.lowered = Some(format!("lowered: {tool} is in use"));
    }
}
