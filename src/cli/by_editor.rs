//! A text in the person's editor, for the verbs that take one. Not its job: landing it.

use std::io::IsTerminal;

use super::context::Context;
use super::output::Failure;
use crate::editor::{self, Edited, WorkingFile};
use crate::secret;

/// Keeps what was written in the editor and is nowhere else, but never a secret, and says where.
pub(super) fn keep(context: &Context, file: &str, content: &[u8]) -> Result<(), Failure> {
    let text = String::from_utf8_lossy(content);
    let clean = secret::redacted(&text);
    let (bytes, without) =
        if clean == text { (content, "") } else { (clean.as_bytes(), ", without what looks like a secret,") };
    let kept = WorkingFile::new(context.state.root(), file, bytes)?.keep();
    context.output.notice(&format!("your version{without} is in {}", kept.display()));
    Ok(())
}

/// The content as the person's editor left it; `None` when there is nothing to save.
pub(super) fn in_editor(context: &Context, file: &str, base: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let command = editor::choose(&context.environment).map_err(Failure::usage)?;
    if let Some(notice) = &command.notice {
        context.output.notice(notice);
    }
    if command.is_last_resort && !std::io::stdin().is_terminal() {
        let what = "nobody is at a terminal to use vi: set EDITOR to a program that needs none";
        return Err(Failure::usage(format!("{what}, or change a field with --name, --description or --type")));
    }
    let copy = WorkingFile::new(context.state.root(), file, base)?;
    let status = std::process::Command::new(&command.program).args(&command.arguments).arg(copy.path()).status();
    let failure = match status {
        Ok(status) if status.success() => None,
        Ok(status) => Some(status.to_string()),
        Err(error) => Some(format!("{}: {error}", command.program.display())),
    };
    let edited = copy.take(failure)?;
    match (edited.message(file), edited) {
        (_, Edited::Changed(bytes)) => Ok(Some(bytes)),
        (Some(message), Edited::Unchanged) => {
            context.output.notice(&message);
            Ok(None)
        }
        (message, _) => Err(Failure::failed(message.unwrap_or_default())),
    }
}
