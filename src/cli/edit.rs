//! `edit`: sets fields of a memory, or opens it in the person's editor.

use super::args::Edit;
use super::by_editor::{in_editor, keep};
use super::context::{Context, find, read_topic};
use super::landing;
use super::new::parse_kind;
use super::output::Failure;
use crate::change::Consent;
use crate::change::verbs::{self, SaveKind};
use crate::memory::{Field, Topic};

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

fn fields(arguments: &Edit) -> Result<Vec<(Field, &str)>, Failure> {
    if let Some(word) = &arguments.kind {
        parse_kind(word)?;
    }
    let flags =
        [(Field::Name, &arguments.name), (Field::Description, &arguments.description), (Field::Type, &arguments.kind)];
    Ok(flags.into_iter().filter_map(|(field, value)| Some((field, value.as_deref()?))).collect())
}
