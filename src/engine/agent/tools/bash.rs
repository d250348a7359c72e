//! Bash: a line of commands that only read. Not its job: what may run and how ([`crate::engine::agent`]'s shell).

use serde::Deserialize;

use super::{Refusal, Toolbox};

#[derive(Deserialize)]
pub(super) struct Input {
    command: String,
}

#[cfg(unix)]
pub(super) fn bash(tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    use crate::engine::agent::shell::{self, Ran};
    match shell::run(&input.command, &tools.root, &tools.reach, &tools.cancel) {
        Ran::Denied(why) => Err(Refusal::Denied(why)),
        Ran::Failed(why) => Err(Refusal::Failed(why)),
        // Words that only come back are no look at anything: they do not count as work.
        Ran::Done { text, looked: false, .. } => Err(Refusal::Idle(text)),
        Ran::Done { text, success: true, .. } if text.is_empty() => Ok("(it printed nothing)".to_owned()),
        Ran::Done { text, success: true, .. } => Ok(text),
        Ran::Done { text, success: false, .. } => Ok(format!("{text}\n(the last command did not succeed)")),
    }
}

#[cfg(not(unix))]
pub(super) fn bash(_tools: &Toolbox, input: &Input) -> Result<String, Refusal> {
    let _ = &input.command;
    Err(Refusal::Denied("Bash cannot be used on this system; use Read, Grep and Glob".to_owned()))
}
