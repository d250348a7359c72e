//! `inbox accept --edit`: what waits in a person's own words, with both versions before them where two cannot be merged.
//!
//! Not its job: which file is meant (see [`super::inbox`]), and the editor (see [`super::edit`]).

use super::by_editor::{in_editor, keep};
use super::context::Context;
use super::output::Failure;
use super::{exit, landing};
use crate::change::{Accepted, Decision, Take, is_mark, marked, named_in_review};
use crate::memory::Store;

/// Opens one file of an entry and lands what it was made of. Without a change, or with marks left in it, nothing lands.
pub(super) fn accept(context: &Context, store: &Store, id: &str, file: &str) -> Result<u8, Failure> {
    let door = context.door();
    let review = door.review(store, id).map_err(landing::failure)?;
    let found = review.entry.changes.iter().zip(&review.files).find(|(change, _)| change.file == file);
    let (change, looked) =
        found.ok_or_else(|| Failure::not_found(format!("{file:?} does not wait in {id}; see `dreamtop inbox`")))?;
    let proposed = change.content.clone().ok_or_else(|| {
        Failure::usage(format!("{file} is to go, and a removal has no text to edit; accept or reject it"))
    })?;
    // What is in the file, and what both come from.
    let (seen, common) = match (&looked.theirs, &change.common) {
        (Some(theirs), _) => (Some(theirs), change.base.as_ref()),
        (None, Some(common)) => (change.base.as_ref(), Some(common)),
        (None, None) => (None, None),
    };
    let both = seen.and_then(|seen| marked(common.map_or(&[][..], Vec::as_slice), &proposed, seen));
    let text = both.map_or(proposed, |both| named_in_review(&both).into_bytes());
    let Some(text) = in_editor(context, file, &text)? else { return Ok(exit::PERSON) };
    if String::from_utf8_lossy(&text).lines().any(is_mark) {
        keep(context, file, &text)?;
        return Err(Failure::person(format!("{file} still has the marks around both versions, so nothing landed")));
    }
    let take = Take::Text { text: text.clone(), base: seen.cloned() };
    let decision = Decision { accepted: vec![Accepted { file: file.to_owned(), take }], ..Decision::default() };
    match door.decide(store, id, &decision) {
        Ok(landed) if landed.held.is_empty() => landing::conclude(context, &landed),
        Ok(landed) => {
            keep(context, file, &text)?;
            landing::conclude(context, &landed)
        }
        Err(error) => {
            keep(context, file, &text)?;
            Err(landing::failure(error))
        }
    }
}
