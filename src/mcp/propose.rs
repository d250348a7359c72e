//! `memory_propose`: a new memory, or other text for one, into the inbox; a person decides.

use serde_json::{Value, json};

use super::World;
use super::tools::{Arguments, text};
use crate::change::{Consent, HoldReason, InboxEntry, Mtime, Origin, verbs};
use crate::memory::{Draft, Kind, Topic};
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
    let target = arguments.get("file").and_then(Value::as_str);
    let inbox = world.door().inbox(&choice.store).map_err(|error| error.to_string())?;
    if let Some((entry, file, reasons)) = waiting(&inbox, target, &draft) {
        let said = format!(
            "it waits already, since {}: `dreamtop inbox`, and on the screen under `i`",
            entry.at.format("%Y-%m-%d %H:%M UTC")
        );
        return Ok(json!({ "inbox": entry.id, "held": [held(file, reasons)], "said": said }));
    }
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
    let held: Vec<Value> = landing.held.iter().map(|one| held(&one.file, &one.reasons)).collect();
    let said = match &landing.inbox {
        Some(_) => "it waits for the person, in `dreamtop inbox` and on the screen under `i`",
        None => "it was not kept",
    };
    Ok(json!({ "inbox": landing.inbox, "held": held, "said": said }))
}

fn held(file: &str, reasons: &[HoldReason]) -> Value {
    let why: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    json!({ "file": file, "why": why })
}

/// A proposal of the same for the same place that waits. Its date is its own, and so may its name and reason be.
fn waiting<'a>(
    inbox: &'a [InboxEntry],
    target: Option<&str>,
    draft: &Draft,
) -> Option<(&'a InboxEntry, &'a str, &'a [HoldReason])> {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let body = words(&draft.body);
    let proposed = inbox.iter().filter(|entry| entry.origin == Origin::Proposal);
    let mut changes = proposed.flat_map(|entry| entry.changes.iter().map(move |change| (entry, change)));
    let (entry, change) = changes.find(|(_, change)| {
        let is_there = match target {
            Some(file) => change.file == file && change.base.is_some(),
            None => change.base.is_none(),
        };
        let content = change.content.clone().filter(|_| is_there).map(Topic::read);
        content.is_some_and(|topic| {
            words(&topic.body()) == body && topic.frontmatter.kind(&change.file) == Some(draft.kind)
        })
    })?;
    Some((entry, &change.file, &change.reasons))
}
