//! Versions that could not be merged: the one that is not in the file waits for a person.
//!
//! It is made on what is in the file, so that it can be accepted; when both sides went on since, it is made on that anew. Not
//! its job: which of two waits (see [`super::pull`]), and versions of the server's that guards hold (see [`super::overtaken`]).

use std::collections::{BTreeMap, BTreeSet};

use super::decide::Step;
use super::file_of;
use super::overtaken::{CONFLICT, is_conflict};
use super::sync::{Client, Work};
use crate::change::{
    Change, ChangeSet, DoorError, HoldReason, InboxEntry, Mtime, Op, Origin, Rationale, both_lines, favouring,
};
use crate::memory::frontmatter;
use crate::memory::names::of_the_team;

/// Whose version waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// What was written here. It is nowhere else, so that it waits until a person decides.
    Ours,
    /// The team's, which the server's history has.
    Theirs,
}

impl Whose {
    const fn word(self) -> &'static str {
        match self {
            Self::Ours => "your",
            Self::Theirs => "the team's",
        }
    }

    /// Of a change that waits, by the reason it was given.
    fn of(rationale: &Rationale) -> Self {
        if rationale.reason.starts_with(Self::Theirs.word()) { Self::Theirs } else { Self::Ours }
    }
}

/// One version that waits, or is to wait.
pub(super) struct Version {
    pub(super) whose: Whose,
    /// What both sides had come from.
    pub(super) common: Vec<u8>,
    /// What is in the file; `None`: the entry is gone, and accepted it comes again.
    pub(super) over: Option<Vec<u8>>,
    /// What the file becomes when it is accepted.
    pub(super) text: Vec<u8>,
}

/// Puts a version before a person. Returns the entry of the inbox, and whether it is new; `None`: it holds a credential.
pub(super) fn put_before(
    client: &Client<'_>,
    key: &str,
    version: &Version,
) -> Result<Option<(String, bool)>, DoorError> {
    let (whose, file) = (version.whose.word(), file_of(key));
    let (op, message) = match version.over {
        Some(_) => (Op::Replace, "both sides had changed the same lines"),
        None => {
            (Op::Create, "both sides had changed the same lines, and the team deleted it since: it comes as a new file")
        }
    };
    let mut set = ChangeSet::new(Origin::Pull, format!("{whose} version of {file}"));
    let reason = format!("{whose} version, where both sides had changed the same lines");
    set.changes.push(Change {
        file,
        op,
        base: version.over.clone(),
        content: Some(version.text.clone()),
        rationale: Rationale { reason, sources: Vec::new() },
        mtime: Mtime::Now,
    });
    let reason = HoldReason { guard: CONFLICT.to_owned(), message: message.to_owned() };
    client.door.put_before(client.store, &set, &reason, &version.common)
}

/// A version as it waits.
struct Known {
    inbox: String,
    version: Version,
}

/// Makes anew what waits on a text that neither side has any more: on what both have now, or as a new file where the entry is
/// gone. What the team wrote waits no more once it wrote something else, and of what was written here at most two wait: the
/// one that the server's has just replaced, and the earlier ones together.
pub(super) fn renew(work: &mut Work<'_>) -> Result<(), DoorError> {
    for (key, waiting) in waiting(work.client.door.inbox(work.client.store)?) {
        let here = work.local.texts.get(&key).cloned();
        let sum = work.local.sum(&key);
        let step = work.record.step(&key, sum.as_ref(), work.record.server.get(&key));
        // What one side has alone is still to meet the other.
        let is_settled = matches!(step, Step::Nothing | Step::Forget) && work.local.refusal(&key).is_none();
        if !is_settled {
            continue;
        }
        let just_replaced = work.record.disputed.get(&key).map(|disputed| disputed.inbox.clone());
        let (ours, theirs): (Vec<Known>, Vec<Known>) =
            waiting.into_iter().partition(|known| known.version.whose == Whose::Ours);
        let is_new = |known: &Known| Some(&known.inbox) == just_replaced.as_ref() && known.version.over == here;
        let ours: Vec<Known> = ours.into_iter().filter(|known| !is_new(known)).collect();
        replace(&work.client, &key, here.as_ref(), ours)?;
        // The newest; the server's history has the others.
        let is_over = |known: &Known| known.version.over != here && (here.is_none() || work.came.contains(&key));
        let mut theirs = theirs.into_iter();
        let newest = theirs.next();
        let (over, left): (Vec<Known>, Vec<Known>) = newest.into_iter().partition(is_over);
        for known in over.iter().chain(&theirs.collect::<Vec<_>>()) {
            withdraw(&work.client, &key, &known.inbox)?;
            work.report.notice(format!("the team's version of {key} that waited in the inbox waits no more"));
        }
        replace(&work.client, &key, here.as_ref(), left)?;
    }
    Ok(())
}

/// The versions that wait of each entry, newest first. What cannot be read stays as it is.
fn waiting(entries: Vec<InboxEntry>) -> BTreeMap<String, Vec<Known>> {
    let mut waiting: BTreeMap<String, Vec<Known>> = BTreeMap::new();
    for entry in entries.into_iter().filter(|entry| entry.origin == Origin::Pull) {
        for change in entry.changes.into_iter().filter(is_conflict) {
            let (Some(key), Some(text)) = (of_the_team(&change.file), change.content) else { continue };
            let version = Version {
                whose: Whose::of(&change.rationale),
                common: change.common.unwrap_or_default(),
                over: change.base,
                text,
            };
            waiting.entry(key.to_owned()).or_default().push(Known { inbox: entry.id.clone(), version });
        }
    }
    waiting
}

/// Puts versions before a person anew, as one, made on what is `here`. Nothing is done where that is so already.
fn replace(client: &Client<'_>, key: &str, here: Option<&Vec<u8>>, known: Vec<Known>) -> Result<(), DoorError> {
    let is_so = known.len() < 2 && known.iter().all(|known| known.version.over.as_ref() == here);
    let mut inboxes: BTreeSet<String> = known.iter().map(|known| known.inbox.clone()).collect();
    let versions = known.into_iter().map(|known| on(here, known.version));
    let together = versions.reduce(|newer, older| {
        let base = here.unwrap_or(&newer.common);
        Version { text: together(base, &newer.text, &older.text), ..newer }
    });
    let Some(version) = together.filter(|_| !is_so) else { return Ok(()) };
    if Some(&version.text) != here {
        // It waits before the others go: no crash in between loses it.
        let Some((id, _)) = put_before(client, key, &version)? else { return Ok(()) };
        inboxes.remove(&id);
    }
    inboxes.iter().try_for_each(|inbox| withdraw(client, key, inbox))
}

fn withdraw(client: &Client<'_>, key: &str, inbox: &str) -> Result<(), DoorError> {
    client.door.withdraw(client.store, inbox, &[file_of(key)].into())
}

/// A version made on what is `here`: where the two meet, it counts.
fn on(here: Option<&Vec<u8>>, version: Version) -> Version {
    let text = match here {
        Some(here) if version.over.as_ref() != Some(here) => {
            favouring(version.over.as_ref().unwrap_or(&version.common), &version.text, here)
        }
        _ => version.text,
    };
    Version { over: here.cloned(), text, ..version }
}

/// Two versions in one: where they meet, the lines of both, but of the front matter those of the newer.
fn together(base: &[u8], newer: &[u8], older: &[u8]) -> Vec<u8> {
    let split = |text: &[u8]| {
        let (front, body) = text.split_at(frontmatter::read(text).body.min(text.len()));
        (front.to_vec(), body.to_vec())
    };
    let ((base_front, base_body), (front, body), (older_front, older_body)) = (split(base), split(newer), split(older));
    [favouring(&base_front, &front, &older_front), both_lines(&base_body, &body, &older_body)].concat()
}
