//! `edit`: sets fields of a memory, or opens it in the person's editor.

use std::io::IsTerminal;

use super::args::Edit;
use super::context::{Context, find, read_topic};
use super::landing;
use super::new::parse_kind;
use super::output::Failure;
use crate::change::Consent;
use crate::change::verbs::{self, SaveKind};
use crate::editor::{self, Edited, WorkingFile};
use crate::memory::{Field, Topic};
use crate::secret;

/// Edits. With a field flag only the lines of that field change; without one the editor opens on a private copy.
pub(super) fn run(context: &Context, arguments: &Edit) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    context.door().admit(&choice.store).map_err(landing::failure)?;
    let file = find(&snapshot, &arguments.file)?.file.clone();
    let path = choice.store.path(&file);
    let base = read_topic(&snapshot, &file)?.bytes;
    let from_flags = arguments.renew || !fields(arguments)?.is_empty();
    let content = match fields(arguments)? {
        fields if !fields.is_empty() || arguments.renew => {
            let mut topic = Topic::read(base.clone());
            for (field, value) in fields {
                topic = topic
                    .with(field, value)
                    .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
            }
            topic.bytes
        }
        _ => match in_editor(context, &file, &base)? {
            Some(bytes) => bytes,
            None => return Ok(super::exit::DONE),
        },
    };
    let kind = if arguments.renew { SaveKind::Renew } else { SaveKind::KeepAge };
    let set = verbs::save(&snapshot, &file, &base, &content, kind, context.clock.now());
    match context.door().land(&choice.store, &set, Consent::Person) {
        Ok(landed) => landing::conclude(context, &landed),
        // What a flag said is on the command line still; a copy would only keep what was refused, a secret too.
        Err(error) if from_flags => Err(landing::failure(error)),
        Err(error) => {
            keep(context, &file, &content)?;
            Err(landing::failure(error))
        }
    }
}

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

fn fields(arguments: &Edit) -> Result<Vec<(Field, &str)>, Failure> {
    if let Some(word) = &arguments.kind {
        parse_kind(word)?;
    }
    let flags =
        [(Field::Name, &arguments.name), (Field::Description, &arguments.description), (Field::Type, &arguments.kind)];
    Ok(flags.into_iter().filter_map(|(field, value)| Some((field, value.as_deref()?))).collect())
}
