//! `memory_propose`: a new memory, or other text for one, into the inbox; a person decides.

use serde_json::{Value, json};

use super::arguments::{Arguments, text};
use super::world::World;
use crate::change::{Consent, HoldReason, Mtime, Origin, verbs};
use crate::memory::frontmatter::EditError;
use crate::memory::{Draft, Field, Kind, Topic, names};
use crate::secret;

/// What a fact and the words about it may have, in bytes.
const MOST: [(&str, usize); 4] = [("name", 200), ("description", 500), ("body", 64 * 1024), ("reason", 2_000)];

pub(super) fn run(world: &World, arguments: &Arguments) -> Result<Value, String> {
    let word = text(arguments, "type")?;
    let kind =
        Kind::from_word(word).ok_or_else(|| format!("{word:?} is no type: user, feedback, project, reference"))?;
    for (name, most) in MOST {
        let said = text(arguments, name)?;
        if said.len() > most {
            return Err(format!("{name} has {} bytes; a note is one fact, at most {most}", said.len()));
        }
        if !secret::added(None, said.as_bytes()).is_empty() {
            return Err(format!("{name} holds what looks like a credential; nothing was kept"));
        }
    }
    let body = text(arguments, "body")?;
    let (choice, snapshot) = world.look()?;
    let draft = Draft {
        name: text(arguments, "name")?.to_owned(),
        description: text(arguments, "description")?.to_owned(),
        kind,
        body: body.to_owned(),
        origin_session: None,
        modified: world.clock.now(),
    };
    let target = match arguments.get("file") {
        None | Some(Value::Null) => None,
        Some(_) => Some(text(arguments, "file")?),
    };
    let mut set = match target {
        None => verbs::create(&snapshot, &draft),
        Some(file) => {
            let known = snapshot.memories.iter().any(|memory| memory.file == file);
            if !known {
                return Err(format!(
                    "there is no memory {file:?} to take the place of; leave `file` out for a new one"
                ));
            }
            let base = choice.store.topic(file).map_err(|error| error.to_string())?;
            let wanted = in_place_of(&base, file, &draft)
                .map_err(|error| format!("{file} cannot be given another text: {error}; nothing was kept"))?;
            if wanted == base.bytes {
                return Ok(kept(file, "it is there word for word"));
            }
            verbs::save(&snapshot, file, &base.bytes, &wanted, verbs::SaveKind::Renew, world.clock.now())
        }
    };
    set.origin = Origin::Proposal;
    let reason = text(arguments, "reason")?;
    for change in &mut set.changes {
        change.rationale.reason = reason.to_owned();
        change.mtime = Mtime::Now;
    }
    if let Some(file) = world.door().kept_already(&snapshot, &set) {
        return Ok(kept(&file, "another name or description for it is proposed with `file`"));
    }
    let waits = world.door().waits_already(&choice.store, &set).map_err(|error| error.to_string())?;
    if let Some((entry, file)) = waits {
        let said = format!(
            "it waits already, since {}: `dreamtop inbox`, and on the screen under `i`",
            entry.at.format("%Y-%m-%d %H:%M UTC")
        );
        let reasons = entry.changes.iter().find(|change| change.file == file).map(|change| change.reasons.as_slice());
        return Ok(json!({ "inbox": entry.id, "held": [held(&file, reasons.unwrap_or_default())], "said": said }));
    }
    let landing = world.door().land(&choice.store, &set, Consent::Ask).map_err(|error| error.to_string())?;
    let held: Vec<Value> = landing.held.iter().map(|one| held(&one.file, &one.reasons)).collect();
    let said = match &landing.inbox {
        Some(_) => "it waits for the person, in `dreamtop inbox` and on the screen under `i`",
        None => "it was not kept",
    };
    Ok(json!({ "inbox": landing.inbox, "held": held, "said": said }))
}

/// A memory with what is proposed for it: its block stays as it is but for the fields that say otherwise.
fn in_place_of(topic: &Topic, file: &str, draft: &Draft) -> Result<Vec<u8>, EditError> {
    let mut topic = topic.clone();
    let said = [
        (Field::Name, names::slug(&draft.name), topic.frontmatter.name.as_deref().map(names::slug)),
        (Field::Description, draft.description.clone(), topic.frontmatter.description.clone()),
        (Field::Type, draft.kind.word().to_owned(), topic.frontmatter.kind(file).map(|kind| kind.word().to_owned())),
    ];
    for (field, wanted, now) in said {
        if now.as_ref() != Some(&wanted) {
            topic = topic.with(field, &wanted)?;
        }
    }
    Ok(topic.with_body(draft.body.trim_matches(['\n', '\r']).trim_end()).bytes)
}

/// The answer to what the store has: nothing waits.
fn kept(file: &str, more: &str) -> Value {
    json!({ "inbox": null, "held": [], "said": format!("it is kept already, as {file}: {more}; nothing waits") })
}

fn held(file: &str, reasons: &[HoldReason]) -> Value {
    let why: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    json!({ "file": file, "why": why })
}
