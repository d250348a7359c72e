//! How each entry stands, from what lies here and what is known of the server. Nothing is asked.
//!
//! Not its job: how that looks.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::Serialize;

use super::decide::Step;
use super::file_of;
use super::local::Local;
use super::obstacle::{Names, obstacle};
use super::record::{Decision, Record};
use crate::change::{InboxEntry, Origin};
use crate::health::review_due;
use crate::memory::names::of_the_team;
use crate::team::sum::Sum;

/// How an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Both sides have the same.
    Same,
    /// It was changed here and not sent.
    ToSend,
    /// The server has another version.
    ToReceive,
    /// It was removed here; the next pull brings it back.
    ToRestore,
    /// The server has it no longer.
    Gone,
    /// Both sides changed it.
    Conflict,
    /// A version of it waits in the inbox.
    Waiting,
    /// It cannot be sent as it is.
    Blocked,
    /// The server's version of it was rejected here.
    Rejected,
    /// It is kept away from here.
    Hidden,
}

impl Standing {
    /// Whether the server has such an entry, as far as is known, and nothing of ours is unsent.
    #[must_use]
    pub const fn is_on_the_server(self) -> bool {
        matches!(self, Self::Same | Self::ToReceive | Self::ToRestore | Self::Rejected | Self::Hidden)
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Same => "sent",
            Self::ToSend => "to send",
            Self::ToReceive => "to receive",
            Self::ToRestore => "removed here, comes back",
            Self::Gone => "gone on the server",
            Self::Conflict => "changed on both sides",
            Self::Waiting => "waits in the inbox",
            Self::Blocked => "blocked",
            Self::Rejected => "rejected here",
            Self::Hidden => "hidden",
        }
    }
}

/// Why what is written under a hidden name goes nowhere.
pub(super) const WRITTEN_WHERE_HIDDEN: &str = "the entry of this name is hidden here, so what is written there is not sent; `dreamtop team unhide` brings both together";

/// What is said of a version of the server's that a person rejected; `is_here`: there is one here.
pub(super) fn rejected(key: &str, is_here: bool) -> String {
    let ours = if is_here { ", or send yours with `--keep local`" } else { "" };
    format!(
        "you rejected the server's version; keep it away with `dreamtop team hide {key}`, take it after all with `dreamtop team pull --keep server`{ours}"
    )
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The entry.
    pub file: String,
    /// How it stands.
    pub standing: Standing,
    /// Why, where that is not said by the word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is said of one at which somebody was to look again by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<String>,
    /// Its size here, in bytes; 0: it is not here.
    pub bytes: u64,
}

/// Every entry, by name. `inbox`: what waits in the project's store; `today`: the person's day.
#[must_use]
pub fn rows(local: &Local, record: &Record, inbox: &[InboxEntry], today: NaiveDate) -> Vec<Row> {
    let refused = local.refused.iter().map(|refused| refused.file.as_str());
    let pulls = inbox.iter().filter(|entry| entry.origin == Origin::Pull);
    let waiting = pulls.flat_map(|entry| entry.changes.iter().filter_map(|change| of_the_team(&change.file)));
    let keys: BTreeSet<&str> = local
        .texts
        .keys()
        .chain(record.server.keys())
        .chain(record.base.keys())
        .map(String::as_str)
        .chain(refused)
        .chain(waiting)
        .collect();
    let names = Names::of(record.server.keys());
    let rows = keys.into_iter().filter_map(|key| row(key, local, record, &names, inbox));
    let review = |row: &Row| review_due(local.texts.get(&row.file)?, today);
    rows.map(|row| Row { review: review(&row), ..row }).collect()
}

/// What waits of a pull for an entry, in the inbox of the project's store.
pub fn waiting<'a>(inbox: &'a [InboxEntry], key: &str) -> impl Iterator<Item = &'a InboxEntry> {
    let file = file_of(key);
    inbox
        .iter()
        .filter(move |entry| entry.origin == Origin::Pull && entry.changes.iter().any(|change| change.file == file))
}

fn row(key: &str, local: &Local, record: &Record, names: &Names<'_>, inbox: &[InboxEntry]) -> Option<Row> {
    let (here, there) = (local.sum(key), record.server.get(key));
    let bytes = local.texts.get(key).map_or(0, |text| text.len() as u64);
    let say =
        |standing, reason: Option<String>| Some(Row { file: key.to_owned(), standing, reason, review: None, bytes });
    let waits: Vec<&InboxEntry> = waiting(inbox, key).collect();
    let step = record.step(key, here.as_ref(), there);
    if step == Step::Hidden {
        return say(Standing::Hidden, here.map(|_| WRITTEN_WHERE_HIDDEN.to_owned()));
    }
    if let Some(reason) = local.refusal(key) {
        return say(Standing::Blocked, Some(reason.to_owned()));
    }
    if !waits.is_empty() {
        let shows: Vec<String> = waits.iter().map(|entry| format!("`dreamtop inbox show {}`", entry.id)).collect();
        return say(Standing::Waiting, Some(shows.join(", ")));
    }
    match there.and_then(|there| record.decision(key, here.as_ref(), there)) {
        Some(Decision::AsProposed) => return say(Standing::Same, None),
        Some(Decision::Ours) => return say(Standing::ToSend, None),
        Some(Decision::Rejected) => return say(Standing::Rejected, Some(rejected(key, here.is_some()))),
        None => {}
    }
    if let (Some(aside), false) = (record.aside(key, here.as_ref(), there), step == Step::Nothing) {
        return say(Standing::Blocked, Some(aside.reason.clone()));
    }
    match step {
        Step::Nothing | Step::Agree => here.and_then(|_| say(Standing::Same, None)),
        Step::Forget => None,
        Step::Receive => say(Standing::ToReceive, None),
        Step::Restore => say(Standing::ToRestore, None),
        Step::Trash => say(Standing::Gone, None),
        Step::Both => say(Standing::Conflict, None),
        Step::Hidden => say(Standing::Hidden, None),
        Step::Send => {
            let text = local.texts.get(key).map(Vec::as_slice).unwrap_or_default();
            match obstacle(record, local, names, key, text) {
                Some(reason) => say(Standing::Blocked, Some(reason)),
                None => say(Standing::ToSend, None),
            }
        }
    }
}

/// Whether something here is to be sent that nothing stands in the way of, not even a question that an `undo` brought back.
pub(super) fn has_to_send(local: &Local, record: &Record, inbox: &[InboxEntry]) -> bool {
    let names = Names::of(record.server.keys());
    local.texts.iter().any(|(key, text)| {
        let here = Some(Sum::of(text));
        record.step(key, here.as_ref(), record.server.get(key)) == Step::Send
            && !(record.is_undone(key, here.as_ref()) && waiting(inbox, key).next().is_some())
            && obstacle(record, local, &names, key, text).is_none()
    })
}
