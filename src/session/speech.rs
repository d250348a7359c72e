//! Whether a line is a person speaking, and what was said.
//!
//! Lines of type `user` hold much that no person typed: tool results, command echoes, notifications, summaries. What
//! passes here may become a memory in the person's name, so in doubt it is not the person.

use super::{Block, Line, Role};

/// Tags the client puts before or beside a prompt: a block of its own that starts with one is left out.
const CONTEXT: [&str; 4] = ["system-reminder", "ide_opened_file", "ide_selection", "session-start-hook"];

/// Tags that make the whole line something else than speech.
const NOT_SPEECH: [&str; 11] = [
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "tick",
    "goal",
    "observed_from_primary_session",
    "teammate-message",
];

/// Beginnings that make a line something else than speech.
const BOILERPLATE: [&str; 3] =
    ["Caveat:", "[Request interrupted by user", "This session is being continued from a previous conversation"];

/// Whose prompts count as a person's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speakers {
    /// Those of persons at a terminal or in an editor.
    #[default]
    Persons,
    /// Those of programs too (`claude -p`, the SDKs): a person may stand behind them.
    ProgramsToo,
}

impl Speakers {
    /// As `extract.programs` says.
    #[must_use]
    pub const fn with_programs(programs: bool) -> Self {
        if programs { Self::ProgramsToo } else { Self::Persons }
    }

    /// Whether a session with this `entrypoint` is left out because a program talks in it.
    #[must_use]
    pub fn leave_out(self, entrypoint: Option<&str>) -> bool {
        self == Self::Persons && is_headless(entrypoint)
    }
}

/// Whether an `entrypoint` says that a program, not a person, talked.
#[must_use]
pub fn is_headless(entrypoint: Option<&str>) -> bool {
    entrypoint.is_some_and(|entrypoint| entrypoint.starts_with("sdk-"))
}

/// The text of a line if one of the speakers typed it, else `None`; the lists above name what is not a person speaking.
///
/// Reminders injected into a real turn are taken out; `/command arguments` gives the arguments. Words given with the refusal
/// of a tool call are the person's too.
#[must_use]
pub fn human_text(line: &Line, speakers: Speakers) -> Option<String> {
    let from_elsewhere = line.is_meta
        || line.is_sidechain
        || speakers.leave_out(line.entrypoint.as_deref())
        || line.origin.as_deref().is_some_and(|origin| origin != "human")
        || line.model.as_deref() == Some("<synthetic>");
    if line.role != Role::User || from_elsewhere {
        return None;
    }
    if let Some(said) = refusal(line) {
        return Some(said.to_owned());
    }
    if line.is_generated {
        return None;
    }
    let mut said: Vec<String> = Vec::new();
    for block in &line.content {
        match block {
            Block::ToolResult { .. } => return None,
            Block::Text(text) if !starts_with_tag(text, &CONTEXT) => said.push(without_reminders(text)),
            _ => {}
        }
    }
    let said = said.join("\n");
    let said = said.trim();
    if starts_with_tag(said, &["command-name", "command-message"]) {
        return command_arguments(said);
    }
    (is_speech(said) && !said.is_empty()).then(|| said.to_owned())
}

/// Whether a prompt can be a person's: it does not begin as what the client puts in their place.
#[must_use]
pub fn is_speech(text: &str) -> bool {
    let text = text.trim_start();
    !starts_with_tag(text, &NOT_SPEECH) && !BOILERPLATE.iter().any(|start| text.starts_with(start))
}

/// What a line says as the refusal of a tool call.
#[must_use]
pub(super) fn refusal(line: &Line) -> Option<&str> {
    line.content.iter().find_map(|block| match block {
        Block::Refusal(said) => Some(said.as_str()).filter(|said| !said.is_empty()),
        _ => None,
    })
}

/// Whether a text starts with the opening tag of one of the names.
fn starts_with_tag(text: &str, names: &[&str]) -> bool {
    let Some(inside) = text.trim_start().strip_prefix('<') else { return false };
    names.iter().any(|name| {
        inside.strip_prefix(name).is_some_and(|rest| rest.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()))
    })
}

/// The text without injected reminders: everything from the first opening to the *last* closing tag, because what a
/// reminder quotes may hold a closing tag of its own and must not pass for the person's words.
fn without_reminders(text: &str) -> String {
    let parts = text.split_once("<system-reminder>").and_then(|(before, rest)| {
        let (_, after) = rest.rsplit_once("</system-reminder>")?;
        Some(format!("{}\n{}", before.trim_end(), after.trim_start()))
    });
    parts.unwrap_or_else(|| text.to_owned())
}

/// What was typed after a `/command`.
fn command_arguments(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("<command-args>")?;
    let (arguments, _) = rest.rsplit_once("</command-args>")?;
    let arguments = arguments.trim();
    (!arguments.is_empty()).then(|| arguments.to_owned())
}
