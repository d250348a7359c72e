//! `memory_propose`: a new memory, or other text for one, into the inbox; a person decides.

use serde_json::{Value, json};

use super::World;
use super::tools::{Arguments, text};
use crate::change::{Consent, Mtime, Origin, verbs};
use crate::memory::{Draft, Kind};
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
    let mut set = match arguments.get("file").and_then(Value::as_str) {
        None => verbs::create(&snapshot, &draft),
        Some(file) => {
            let known = snapshot.memories.iter().any(|memory| memory.file == file);
            if !known {
                return Err(format!(
                    "there is no memory {file:?} to take the place of; leave `file` out for a new one"
                ));
            }
            let base = choice.store.topic(file).map_err(|error| error.to_string())?;
            verbs::save(&snapshot, file, &base.bytes, &draft.to_bytes(), verbs::SaveKind::Renew, world.clock.now())
        }
    };
    set.origin = Origin::Proposal;
    let reason = text(arguments, "reason")?;
    for change in &mut set.changes {
        change.rationale.reason = reason.to_owned();
        change.mtime = Mtime::Now;
    }
    let landing = world.door().land(&choice.store, &set, Consent::Ask).map_err(|error| error.to_string())?;
    let held: Vec<Value> = landing
        .held
        .iter()
        .map(|held| {
            let why: Vec<&str> = held.reasons.iter().map(|reason| reason.message.as_str()).collect();
            json!({ "file": held.file, "why": why })
        })
        .collect();
    let said = match &landing.inbox {
        Some(_) => "it waits for the person, in `dreamtop inbox` and on the screen under `i`",
        None => "it was not kept",
    };
    Ok(json!({ "inbox": landing.inbox, "held": held, "said": said }))
}
