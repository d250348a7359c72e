//! `new`: writes a new memory.

use std::io::Read;

use super::args::New;
use super::context::{Context, store_failure};
use super::output::Failure;
use super::{by_editor, exit, landing};
use crate::change::{Consent, verbs};
use crate::memory::{Draft, Kind, Snapshot, StoreError, Topic, template};
use crate::project::Choice;

/// Creates.
pub(super) fn run(context: &Context, arguments: &New) -> Result<u8, Failure> {
    let kind = parse_kind(&arguments.kind)?;
    let is_blank = |character: char| character.is_whitespace() || crate::text::is_unsafe(character);
    if arguments.name.chars().all(is_blank) {
        return Err(Failure::usage("a memory needs a name that can be seen; give a short one: `dreamtop new NAME`"));
    }
    let choice = context.choose()?;
    context.door().admit(&choice.store).map_err(landing::failure)?;
    context.recover(&choice);
    let snapshot = match choice.store.scan(&context.scan_options(&choice.store)) {
        // The first memory makes the store.
        Err(StoreError::Missing(_)) => Snapshot::empty(choice.store.clone(), context.clock.now()),
        scanned => scanned.map_err(store_failure)?,
    };
    let body = match arguments.body.as_deref() {
        Some("-") => {
            let mut text = Vec::new();
            std::io::stdin().read_to_end(&mut text)?;
            String::from_utf8(text).map_err(|error| {
                Failure::usage(format!("--body -: standard input is not UTF-8 ({error}); nothing was written"))
            })?
        }
        Some(body) => body.to_owned(),
        None => arguments.description.clone(),
    };
    let draft = Draft {
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        kind,
        body,
        origin_session: None,
        modified: context.clock.now(),
    };
    if arguments.edit {
        return in_editor(context, &choice, &snapshot, draft);
    }
    let landed = context
        .door()
        .land(&choice.store, &verbs::create(&snapshot, &draft), Consent::Person)
        .map_err(landing::failure)?;
    landing::conclude(context, &landed)
}

/// The memory as it is written in the person's editor, on a skeleton of its type. Left as it was, nothing is written.
fn in_editor(context: &Context, choice: &Choice, snapshot: &Snapshot, draft: Draft) -> Result<u8, Failure> {
    let skeleton = Draft { body: template::with_hints(draft.kind), ..draft.clone() }.to_bytes();
    let file = draft.file_name(&|_| false);
    let Some(written) = by_editor::in_editor(context, &file, &skeleton)? else {
        context.output.notice("nothing was written");
        return Ok(exit::FINDINGS);
    };
    let topic = Topic::read(written.clone());
    let body = template::filled(&topic.body());
    let front = &topic.frontmatter;
    let draft = Draft {
        name: front.name.clone().unwrap_or(draft.name),
        description: front.description.clone().unwrap_or_default(),
        kind: front.type_word.as_deref().and_then(Kind::from_word).unwrap_or(draft.kind),
        ..draft
    };
    // What the person wrote in the block stays as they wrote it.
    let body = if body.is_empty() { format!("{}\n", draft.description) } else { body };
    let mut set = verbs::create(snapshot, &draft);
    if let Some(change) = set.changes.first_mut() {
        change.content = Some(topic.with_body(&body).bytes);
    }
    match context.door().land(&choice.store, &set, Consent::Person) {
        Ok(landed) => landing::conclude(context, &landed),
        Err(error) => {
            by_editor::keep(context, &file, &written)?;
            Err(landing::failure(error))
        }
    }
}

/// The type a word names, or a failure that names the four.
pub(super) fn parse_kind(word: &str) -> Result<Kind, Failure> {
    Kind::from_word(word)
        .ok_or_else(|| Failure::usage(format!("--type {word}: there are user, feedback, project and reference")))
}
