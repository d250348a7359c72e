//! Which of the four phases a model's dream is in: it says so at the start of a line, else its deeds tell.

use super::ToolCall;
use crate::engine::Phase;
use crate::memory::INDEX_FILE;

/// Where a dream is. It only goes forwards.
#[derive(Debug, Default)]
pub(super) struct Phases {
    now: Option<Phase>,
}

impl Phases {
    /// What a text says: a line like `Phase: gather`, with or without marks.
    pub(super) fn heard(&mut self, text: &str) -> Vec<Phase> {
        let mut said = text.lines().filter_map(|line| {
            let line = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let rest = line.strip_prefix("phase")?;
            let words: Vec<&str> = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            // A sentence about a phase is no heading.
            (words.len() <= 3).then(|| Phase::ALL.into_iter().find(|phase| words.contains(&phase.word()))).flatten()
        });
        said.next_back().map(|phase| self.enter(phase)).unwrap_or_default()
    }

    /// What a call shows: whoever writes consolidates, whoever writes the index prunes.
    pub(super) fn did(&mut self, call: &ToolCall) -> Vec<Phase> {
        if !matches!(call.name.as_str(), "Edit" | "Write" | "Delete") {
            return Vec::new();
        }
        let is_index = call.input.get("file_path").and_then(serde_json::Value::as_str) == Some(INDEX_FILE);
        self.enter(if is_index { Phase::Prune } else { Phase::Consolidate })
    }

    /// The phases that begin by entering one: none that is over, and none is skipped.
    pub(super) fn enter(&mut self, phase: Phase) -> Vec<Phase> {
        let begun: Vec<Phase> =
            Phase::ALL.into_iter().filter(|known| self.now.is_none_or(|now| *known > now) && *known <= phase).collect();
        self.now = self.now.max(Some(phase));
        begun
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn phases_are_heard_seen_and_never_go_back() {
        let mut phases = Phases::default();
        assert_eq!(phases.enter(Phase::Orient), [Phase::Orient]);
        assert_eq!(phases.heard("I will gather later, in the phase after this one."), []);
        assert_eq!(phases.heard("Good.\n**Phase 2: Gather**\nNow."), [Phase::Gather]);
        let call = |name: &str, file: &str| ToolCall::new("1", name, json!({ "file_path": file }));
        assert_eq!(phases.did(&call("Read", "MEMORY.md")), []);
        assert_eq!(phases.did(&call("Edit", "MEMORY.md")), [Phase::Consolidate, Phase::Prune]);
        assert_eq!(phases.did(&call("Write", "a.md")), []);
        assert_eq!(phases.heard("phase: orient"), []);
    }
}
