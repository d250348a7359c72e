//! `extract`: one extraction from one transcript, in this process.

use super::args::Extract;
use super::context::Context;
use super::dream::conclude;
use super::output::Failure;
use crate::run::trigger;
use crate::run::worker::{self, Task};

/// Extracts.
pub(super) fn run(context: &Context, arguments: &Extract) -> Result<u8, Failure> {
    let transcript = context.environment.absolute(&arguments.transcript);
    let starter = &arguments.starter;
    // What nobody typed has its outcome on record, also where there is no transcript: Claude Code writes it late.
    if !trigger::is_automatic(&starter.trigger) && !transcript.is_file() {
        let what = match std::fs::metadata(&transcript) {
            Ok(found) if found.is_dir() => "that is a directory; name one of the transcripts (.jsonl) in it",
            Ok(_) => "that is no plain file, so no transcript",
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                "it cannot be looked at (permission denied)"
            }
            Err(_) => "there is no such file",
        };
        return Err(Failure::usage(format!(
            "--transcript {}: {what}; transcripts lie under ~/.claude/projects/<project>/",
            transcript.display()
        )));
    }
    let task = Task::Extract { transcript, again: arguments.again };
    // Nobody reads what a hook's command prints.
    let is_unattended = starter.run.is_some() || trigger::is_automatic(&starter.trigger);
    let mut order = context.order(task, arguments.dry_run, starter, is_unattended)?;
    order.awaits.clone_from(&arguments.awaits);
    if arguments.show_prompt {
        return super::show_prompt::run(context, &order);
    }
    let view = worker::run(&order, &context.state, &context.clock, &context.environment)?;
    conclude(context, &view)
}
