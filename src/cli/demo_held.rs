//! What waits in the demo's inbox: changes that an invented dream wanted and the guards held, so that there is something to
//! review.
//!
//! They go through the door like any other; the sessions they name are the sample's. Not its job: the sample's files (see
//! [`super::sample`]).

use super::context::Context;
use super::landing;
use super::output::Failure;
use crate::change::{Change, ChangeSet, Consent, IndexChange, Landing, Mtime, Op, Origin, Rationale, Source};
use crate::memory::index::NewEntry;
use crate::memory::{INDEX_FILE, Index, Store};

const RETRY: &str = "feedback_retry_backoff.md";
const RUNBOOK: &str = "reference_payments_runbook.md";
const SQUASH: &str = "user_squashes_before_pushing.md";

/// The session in which a log was pasted.
const LOG: (&str, u64) = ("3f2a9c1e-7b40-4d5a-9e61-0c8f2d417ab3", 46);
/// The session in which something was said and, nineteen lines later, taken back.
const TAKEN_BACK: (&str, u64) = ("5ae8d173-c4f2-4069-97be-21d0f38b6ca4", 9);

const SQUASH_TEXT: &str = "---\nname: \"squashes before pushing\"\ndescription: \"The user squashes everything into one commit before a push\"\nmetadata:\n  node_type: memory\n  type: user\n---\n\nThe user squashes everything into one commit before a push.\n";

/// Puts the changes into the inbox. None of them lands.
pub(super) fn put(context: &Context, store: &Store) -> Result<Landing, Failure> {
    let index = store.bytes(INDEX_FILE)?;
    let set = ChangeSet {
        changes: vec![retry(store)?, squash(), runbook(store)?],
        index: Some(IndexChange { content: following(&index), base: index }),
        ..ChangeSet::new(Origin::Dream, "dream over 2 sessions")
    };
    context.door().land(store, &set, Consent::None).map_err(landing::failure)
}

/// A fact from a pasted log comes in, and a sentence of the person's goes without a reason: two hunks.
fn retry(store: &Store) -> Result<Change, Failure> {
    let base = store.bytes(RETRY)?;
    let text = String::from_utf8_lossy(&base);
    let content = text
        .replace(
            "copy its shape instead of inventing another loop.",
            "copy its shape. A charge is tried five times at most.",
        )
        .replace(" No\n`sleep(2)` with a constant, not even in a script.", "");
    Ok(Change {
        file: RETRY.to_owned(),
        op: Op::Replace,
        content: Some(content.into_bytes()),
        base: Some(base),
        rationale: why("the number of tries stands in the log of a run, and the text gets shorter", LOG),
        mtime: Mtime::Keep,
    })
}

/// What the person took back later, filed as their way of working, without their words.
fn squash() -> Change {
    Change {
        file: SQUASH.to_owned(),
        op: Op::Create,
        base: None,
        content: Some(SQUASH_TEXT.as_bytes().to_vec()),
        rationale: why("the user asked for it once, so it seems to be how they work", TAKEN_BACK),
        mtime: Mtime::Now,
    }
}

/// A memory that nothing else replaces.
fn runbook(store: &Store) -> Result<Change, Failure> {
    Ok(Change {
        file: RUNBOOK.to_owned(),
        op: Op::Remove,
        base: Some(store.bytes(RUNBOOK)?),
        content: None,
        rationale: why("no session of this week used it", LOG),
        mtime: Mtime::Now,
    })
}

fn why(reason: &str, (session, line): (&str, u64)) -> Rationale {
    let source = Source { session: Some(session.to_owned()), line: Some(line), ..Source::default() };
    Rationale { reason: reason.to_owned(), sources: vec![source] }
}

/// The index as the dream left it: a line for the new memory, none for the removed one.
fn following(index: &[u8]) -> Vec<u8> {
    let entry = NewEntry {
        file: SQUASH.to_owned(),
        title: "Squashes before pushing".to_owned(),
        hook: "everything into one commit".to_owned(),
    };
    Index::read(Index::read(index.to_vec()).without(RUNBOOK)).with_entry(&entry)
}
