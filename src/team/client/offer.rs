//! A memory of one's own offered to the team: a reviewed act, with somebody who answers for it and a day to look again.
//!
//! It lands in `memory/team/` like any edit; the next push sends it. Not its job: asking the person.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::file_of;
use super::local::Local;
use super::obstacle::credential_in;
use crate::change::{Change, ChangeSet, Mtime, Op, Origin, Rationale};
use crate::memory::index::NewEntry;
use crate::memory::{INDEX_FILE, Index, Kind, frontmatter};
use crate::team::key;

/// What is offered, and who answers for it.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    /// The memory's file in the store.
    pub file: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Who answers for it.
    pub owner: &'a str,
    /// When somebody has to look again whether it still holds.
    pub review_by: NaiveDate,
    /// The person's own traits are offered as well.
    pub is_forced: bool,
    /// The team's entries that are kept away from here.
    pub hidden: &'a BTreeSet<String>,
}

/// Why a memory is not offered.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotOffered(String);

/// The entry that a memory would become: its name, and all that would go out.
///
/// # Errors
/// When it is the team's already, about the person, has no name an entry can have, cannot be dated, or holds a
/// credential.
pub fn entry(offer: &Offer<'_>, local: &Local) -> Result<(String, Vec<u8>), NotOffered> {
    let refuse = |why: String| Err(NotOffered(why));
    let file = crate::text::visible(offer.file).into_owned();
    if crate::memory::names::set_apart(offer.file).is_some() {
        return refuse(format!("{file} is none of your own memories; only those are offered"));
    }
    if frontmatter::read(offer.bytes).kind(offer.file) == Some(Kind::User) && !offer.is_forced {
        return refuse(format!("{file} is about you; if the team is to have it all the same, say --force"));
    }
    if offer.owner.trim().is_empty() || offer.owner.chars().any(char::is_control) {
        return refuse("an owner is a name on one line".to_owned());
    }
    key::check(offer.file).map_err(|refused| NotOffered(format!("{file} cannot be an entry's name: {refused}")))?;
    let taken = local.texts.contains_key(offer.file) || local.refusal(offer.file).is_some();
    if let Some(taken) = taken.then_some(offer.file).or_else(|| local.twin(offer.file)) {
        let taken = file_of(taken);
        return refuse(format!(
            "{} is there already; edit that one, or rename yours first",
            crate::text::visible(&taken)
        ));
    }
    if let Some(hidden) = offer.hidden.iter().find(|key| key::folded(key) == key::folded(offer.file)) {
        let hidden = crate::text::visible(hidden);
        return refuse(format!(
            "the team has {hidden}, which is hidden here: `dreamtop team unhide {hidden}` and edit that one, or rename yours first"
        ));
    }
    let noted = frontmatter::note(offer.bytes, "owner", offer.owner.trim())
        .and_then(|bytes| frontmatter::note(&bytes, "review_by", &offer.review_by.to_string()));
    let content = match noted {
        Ok(content) => content,
        Err(error) => return refuse(format!("{file}: {error}")),
    };
    match credential_in(&content, &format!(" of {file}")) {
        Some(words) => refuse(format!("{words}; take it out before it goes to a team")),
        None => Ok((offer.file.to_owned(), content)),
    }
}

/// The change set that puts an entry into `memory/team/`, with a line in the team's index.
#[must_use]
pub fn change(key: &str, content: &[u8], local: &Local) -> ChangeSet {
    let mut set = ChangeSet::new(Origin::Edit, format!("offer {key} to the team"));
    let rationale = |reason: &str| Rationale { reason: reason.to_owned(), sources: Vec::new() };
    set.changes.push(Change {
        file: file_of(key),
        op: Op::Create,
        base: None,
        content: Some(content.to_vec()),
        rationale: rationale("offered to the team by hand"),
        mtime: Mtime::Now,
    });
    set.changes.extend(line(key, content, local.texts.get(INDEX_FILE)));
    set
}

/// The change that gives an entry a line in the team's index, which is this; `None`: it has one.
pub(super) fn line(key: &str, content: &[u8], index: Option<&Vec<u8>>) -> Option<Change> {
    let front = frontmatter::read(content);
    let title = front.name.unwrap_or_else(|| key.trim_end_matches(".md").to_owned());
    let entry = NewEntry { file: key.to_owned(), title, hook: front.description.unwrap_or_default() };
    let after = Index::read(index.cloned().unwrap_or_default()).with_entry(&entry);
    (index != Some(&after)).then(|| Change {
        file: file_of(INDEX_FILE),
        op: if index.is_some() { Op::Replace } else { Op::Create },
        base: index.cloned(),
        content: Some(after),
        rationale: Rationale { reason: "its line in the team's index".to_owned(), sources: Vec::new() },
        mtime: Mtime::Now,
    })
}
