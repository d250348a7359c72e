//! Whether the server's version of an entry may come here: its name, its text, and what a person decided of it before.
//!
//! Not its job: guards of what lands (`crate::change`), and how it meets what is here (see [`super::meet`]).

use std::collections::BTreeMap;

use super::file_of;
use super::local::{is_blank, is_unseen};
use super::obstacle::{Names, credential_in, credential_in_name, twins};
use super::overtaken::{holds, is_conflict};
use super::record::Decision;
use super::status::rejected;
use super::sync::{Keep, Work};
use super::view::View;
use crate::change::Landing;
use crate::team::key;
use crate::team::sum::Sum;
use crate::team::wire::ENTRY_BYTES;

/// The names of the server's that cannot be files here, and why.
pub(super) fn astray(work: &Work<'_>, view: &View) -> BTreeMap<String, String> {
    let mut astray = BTreeMap::new();
    let mut fitting = Vec::new();
    for name in view.sums.keys() {
        if let Err(refused) = key::check(name) {
            astray.insert(name.clone(), format!("its name cannot be a file's everywhere: {refused}"));
            continue;
        }
        if is_unseen(name) {
            astray.insert(name.clone(), "it is in a folder where no memories are looked for".to_owned());
            continue;
        }
        if let Some(words) = credential_in_name(name) {
            astray.insert(name.clone(), words.to_owned());
            continue;
        }
        fitting.push(name);
    }
    for names in Names::of(fitting.into_iter()).groups() {
        let chosen = names.iter().find(|name| work.local.texts.contains_key(**name)).or(names.first()).copied();
        for name in names {
            let delete = format!("from the team with `dreamtop team delete {name}`");
            let there = chosen.filter(|chosen| chosen != name);
            let there = there.map(|twin| twins(twin, &format!("take one of them {delete}")));
            let here = || {
                work.local
                    .twin(name)
                    .map(|twin| twins(twin, &format!("name yours as this one, or take this one {delete}")))
            };
            astray.extend(there.or_else(here).map(|words| ((*name).to_owned(), words)));
        }
    }
    astray
}

/// The server's text of an entry that has something to say here.
pub(super) enum Admitted {
    /// It comes here, or meets what is here.
    Open(Vec<u8>),
    /// A person saw it and decided for what is here.
    Ours(Vec<u8>),
    /// A person accepted it as it was proposed: what is here stands for it, and nobody else hears of that.
    AsProposed(Vec<u8>),
    /// A person does not want it, in words.
    Rejected(String),
}

/// Where a version of the server's waits that guards held, and what it becomes when it is accepted as it is.
pub(super) fn proposed(work: &Work<'_>, landing: &Landing, key: &str) -> Option<(String, Option<Sum>)> {
    let mut entries = work.client.door.inbox(work.client.store).ok()?;
    entries.retain(|entry| holds(entry, key));
    // What waited already waits where it did.
    entries.sort_by_key(|entry| Some(&entry.id) != landing.inbox.as_ref());
    let entry = entries.into_iter().next()?;
    let change = entry.changes.into_iter().find(|change| change.file == file_of(key) && !is_conflict(change))?;
    Some((entry.id, change.content.map(|content| Sum::of(&content))))
}

/// The server's text of an entry, or why it does not come here.
pub(super) fn admitted(
    work: &mut Work<'_>,
    view: &View,
    key: &str,
    there: &Sum,
    astray: &BTreeMap<String, String>,
) -> Result<Admitted, String> {
    if let Some(reason) = astray.get(key) {
        return Err(reason.clone());
    }
    let text = view.text(key, work.client.place).ok_or("the server sent no text of it")?;
    if text.len() > ENTRY_BYTES {
        return Err(format!("it has {}, more than an entry may", crate::text::bytes(text.len() as u64)));
    }
    if is_blank(&text) {
        return Err("the server's version is empty; it was not written".to_owned());
    }
    if let Some(words) = credential_in(&text, " of the server's version") {
        return Err(format!("{words}; it was not written"));
    }
    let held = work.record.held.get(key).filter(|held| held.there == *there && work.wish.keep != Keep::Server);
    let Some(held) = held else { return Ok(Admitted::Open(text)) };
    let here = work.local.sum(key);
    if work.wish.keep == Keep::Local && here.is_some() {
        return Ok(Admitted::Ours(text));
    }
    // It was put before a person already; who rejected it is not asked again for the same text.
    let entries = work.client.door.inbox(work.client.store).unwrap_or_default();
    if entries.iter().any(|entry| entry.id == held.inbox && holds(entry, key)) {
        return Err(format!("the server's version waits in the inbox ({})", held.inbox));
    }
    Ok(match work.record.decision(key, here.as_ref(), there) {
        None => Admitted::Open(text),
        Some(Decision::AsProposed) => Admitted::AsProposed(text),
        Some(Decision::Ours) => Admitted::Ours(text),
        Some(Decision::Rejected) => Admitted::Rejected(rejected(key, here.is_some())),
    })
}
