//! What of a change set lands on the store as it is now, and what waits: everything is decided before a byte is written.
//!
//! Not its job: writing (see [`super::commit`]).

mod hold;
mod index;
mod item;
mod prose;
mod settle;

use std::collections::BTreeSet;
use std::path::Path;

pub(super) use index::{newly_cut, read as read_index, unwritable as unwritable_index};
use item::Item;
pub(super) use item::Request;

use super::beyond;
use super::commit::{Action, Step};
use super::guard::{containment, secrets};
use super::inbox::Waiting;
use super::wish::Wish;
use super::write::Root;
use super::{Change, ChangeSet, DoorError, Held, HoldReason, Landed, Loss, Mtime, Op, Origin};
use crate::memory::INDEX_FILE;
use crate::secret;

/// What will be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The files to change, in order, the index last.
    pub(super) steps: Vec<Step>,
    pub(super) landed: Vec<Landed>,
    pub(super) held: Vec<Held>,
    /// What goes to the inbox.
    pub(super) waiting: Option<Waiting>,
    pub(super) newly_cut: Vec<String>,
    pub(super) losses: Vec<Loss>,
}

/// Decides what becomes of a change set.
///
/// # Errors
/// When it makes no sense, or a person's change is refused or conflicts.
pub(super) fn make(request: Request<'_>, store: &Path, root: Option<&Root>) -> Result<Plan, DoorError> {
    check_shape(request.set)?;
    let mut items: Vec<Item> = Vec::new();
    let kept = kept_already(&request, root);
    for change in request.set.changes.iter().filter(|change| !kept.contains(change.file.as_str())) {
        let settled = settle::settle(&request, change, &items, store, root)?;
        items.extend(settled);
    }
    let losses = if !request.by_person() {
        hold::apply(&request, &mut items, root, store)?
    } else {
        hold::keep_together(&request, &mut items, root, store)?;
        Vec::new()
    };
    let index = index::plan(&request, &items, &kept, store, root)?;

    let mut plan = Plan { newly_cut: index.newly_cut, losses, ..Plan::default() };
    let mut waiting = Waiting { index: index.waiting, ..Waiting::default() };
    for item in items {
        if item.is_held() {
            let file = secret::redacted_name(&item.asked.file);
            plan.held.push(Held::new(item.asked.op, file, item.reasons.clone()));
            // What lies outside the store does not wait for a yes that was not asked about it.
            if !item.is_secret() && !beyond::is_beyond(&item.asked.file) {
                waiting.changes.push((
                    Change { rationale: secrets::clean(item.asked.rationale.clone()), ..item.asked },
                    item.reasons,
                ));
            }
            continue;
        }
        let rationale = secrets::clean(item.change.rationale.clone());
        plan.landed.push(Landed {
            file: item.change.file.clone(),
            op: item.change.op,
            rationale: rationale.clone(),
            merged: item.merged,
        });
        plan.steps.push(Step {
            action: action(&request, &item),
            file: item.change.file,
            before: item.before,
            rationale,
        });
    }
    plan.held.extend(index.held);
    if let Some((step, landed)) = index.step {
        plan.steps.push(step);
        plan.landed.push(landed);
    }
    plan.waiting = (waiting.is_worth_keeping() && !request.from_inbox).then_some(waiting);
    Ok(plan)
}

/// The new memories of a run that the store has by now: another run filed the same words while this one was at work. What a
/// model repeats waits instead, for a person to see.
fn kept_already<'a>(request: &Request<'a>, root: Option<&Root>) -> BTreeSet<&'a str> {
    let is_of_run = matches!(request.set.origin, Origin::Extract | Origin::Dream);
    let looks = is_of_run && request.is_strict() && !request.is_of_model();
    let created = || request.set.changes.iter().filter(|change| change.op == Op::Create);
    let Some(root) = root.filter(|_| looks && created().next().is_some()) else { return BTreeSet::new() };
    let files = root.topic_files().unwrap_or_default();
    // A file that the same set takes away or changes keeps nothing.
    let goes = |file: &str| request.set.changes.iter().any(|change| change.file == file && change.op != Op::Create);
    let wish = |file: &String| {
        let state = root.locate(file).and_then(|place| place.read()).ok()??;
        Wish::of(file, None, state.bytes)
    };
    let known: Vec<Wish> = files.iter().filter(|file| !goes(file)).filter_map(wish).collect();
    let is_kept = |change: &&Change| {
        let wish = change.content.clone().and_then(|content| Wish::of(&change.file, None, content));
        wish.is_some_and(|wish| known.contains(&wish))
    };
    // A name that is refused is said so, whatever the file holds; the very file may still lack its line in the index.
    let is_there = |change: &&Change| {
        let state = root.locate(&change.file).and_then(|place| place.read()).ok().flatten();
        state.is_some_and(|state| Some(&state.bytes) == change.content.as_ref())
    };
    let may_be = |change: &&Change| containment::refusal(&change.file).is_none() && !is_there(change);
    created().filter(may_be).filter(is_kept).map(|change| change.file.as_str()).collect()
}

fn action(request: &Request<'_>, item: &Item) -> Action {
    let Some(bytes) = item.change.content.clone() else { return Action::Take };
    let mtime = match item.change.mtime {
        Mtime::Now => request.now,
        Mtime::Keep => item.before.as_ref().map_or(request.now, |before| {
            before.mtime.checked_add_signed(chrono::TimeDelta::seconds(1)).unwrap_or(before.mtime)
        }),
        Mtime::At(at) => at,
    };
    let new = if beyond::is_beyond(&item.change.file) { beyond::MODE } else { 0o600 };
    Action::Put { bytes, mtime, mode: item.before.as_ref().map_or(new, |before| before.mode) }
}

/// Refuses change sets that contradict themselves.
fn check_shape(set: &ChangeSet) -> Result<(), DoorError> {
    let refuse = |file: &str, message: &str| {
        Err(DoorError::Refused {
            file: crate::text::visible(file).into_owned(),
            reason: HoldReason { guard: "validity".to_owned(), message: message.to_owned() },
        })
    };
    let mut seen = BTreeSet::new();
    for change in &set.changes {
        if change.file == INDEX_FILE {
            return refuse(&change.file, "the index is changed line by line, not as one of the memories");
        }
        if !seen.insert(&change.file) {
            return refuse(&change.file, "the change set changes this file twice; make it one change");
        }
        let fits = match change.op {
            Op::Create => change.base.is_none() && change.content.is_some(),
            Op::Replace => change.base.is_some() && change.content.is_some(),
            Op::Remove => change.base.is_some() && change.content.is_none(),
        };
        if !fits {
            let message = match change.op {
                Op::Create => "a new file needs content and has no base",
                Op::Replace => "a changed file needs the bytes it was based on, and content",
                Op::Remove => "a removed file needs the bytes it was based on, and no content",
            };
            return refuse(&change.file, message);
        }
    }
    Ok(())
}
