//! Taking a landing back: files that are as it left them get their old bytes, mode and time; others are named.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::beyond;
use super::commit::{self, Action, CommitError, Header, Step};
use super::confirmed;
use super::file::FileState;
use super::foreign::{self, Saving};
use super::guard::held;
use super::history::{self, Recorded};
use super::index_replay::replay;
use super::journal::PlannedFile;
use super::objects::Objects;
use super::plan;
use super::workshop::Workshop;
use super::write::Root;
use super::{DoorError, Held, HoldReason, IndexChange, Landed, Landing, Op, Origin, Rationale, land, let_go, recover};
use crate::memory::{ContentHash, INDEX_FILE, Store};
use crate::text;

/// What one or more landings together did to a file.
#[derive(Clone, Debug)]
struct Span {
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    mtime_before: Option<DateTime<Utc>>,
    mode_before: Option<u32>,
    link: Option<String>,
    /// Why the content before is not kept.
    not_kept: Option<String>,
    /// Something else changed the file between two of the landings.
    is_broken: bool,
}

pub(super) fn undo(
    workshop: &Workshop,
    store: &Store,
    id_or_run: &str,
    now: DateTime<Utc>,
) -> Result<Landing, DoorError> {
    if !workshop.exists() {
        return Err(unknown(id_or_run));
    }
    let _lock = workshop.lock()?;
    recover::under_lock(workshop, store.root())?;
    if let Err(error) = foreign::note(workshop, store, now, Saving::Apart) {
        tracing::warn!("changes by other programs are not recorded: {error}");
    }
    for _ in 0..land::TRIES {
        let meant = meant(history::recorded(workshop)?, id_or_run)?;
        match take_back(workshop, store, &meant, now) {
            Ok(landing) => return Ok(landing),
            Err(CommitError::Moved) => {}
            Err(CommitError::Door(error)) => return Err(error),
        }
    }
    Err(DoorError::CannotUndo("another program keeps changing the same files; try again when it is done".to_owned()))
}

fn unknown(id: &str) -> DoorError {
    DoorError::Unknown { what: "history entry", id: text::visible(id).into_owned(), command: "history" }
}

/// The entries meant, oldest first: the one of that id, else those of that run which are still in force.
fn meant(recorded: Vec<Recorded>, id_or_run: &str) -> Result<Vec<Recorded>, DoorError> {
    let is_meant = |one: &&Recorded| one.entry.id == id_or_run;
    let mut entries: Vec<Recorded> = recorded.iter().filter(is_meant).cloned().collect();
    if entries.is_empty() {
        entries = recorded.into_iter().filter(|one| one.entry.run.as_deref() == Some(id_or_run)).collect();
        // Undoing a run twice must not undo the undo.
        entries.retain(|one| one.entry.origin != Origin::Undo);
    }
    let Some(newest) = entries.last() else { return Err(unknown(id_or_run)) };
    if let Some(by) = newest.entry.undone_by.clone().filter(|_| entries.iter().all(|one| one.entry.undone_by.is_some()))
    {
        let title = text::visible(&newest.entry.title).into_owned();
        return Err(DoorError::CannotUndo(format!("\"{title}\" was taken back already, by {by}")));
    }
    entries.retain(|one| one.entry.undone_by.is_none());
    if entries.iter().all(|one| one.files.is_empty()) {
        return Err(DoorError::CannotUndo("it changed no file, so there is nothing to take back".to_owned()));
    }
    Ok(entries)
}

fn spans(entries: &[Recorded]) -> BTreeMap<String, Span> {
    let mut spans: BTreeMap<String, Span> = BTreeMap::new();
    for PlannedFile { file, link, .. } in entries.iter().flat_map(|entry| &entry.files) {
        let next = Span {
            before: file.before,
            after: file.after,
            mtime_before: file.mtime_before,
            mode_before: file.mode_before,
            link: link.clone(),
            not_kept: file.not_kept.clone(),
            is_broken: false,
        };
        spans
            .entry(file.file.clone())
            .and_modify(|span| {
                span.is_broken |= span.after != file.before;
                span.after = file.after;
            })
            .or_insert(next);
    }
    spans
}

fn take_back(
    workshop: &Workshop,
    store: &Store,
    entries: &[Recorded],
    now: DateTime<Utc>,
) -> Result<Landing, CommitError> {
    let objects = Objects::at(workshop.objects());
    let root = land::open(store).map_err(CommitError::Door)?;
    let title = entries.last().map(|one| one.entry.title.clone()).unwrap_or_default();
    let mut spans = spans(entries);
    let index = spans.remove(INDEX_FILE);
    let mut landing = Landing::default();
    let mut steps = Vec::new();
    for (file, span) in &spans {
        match restored(file, span, root.as_ref(), &objects, now, &title) {
            Ok(step) => steps.extend(step),
            Err(reason) => landing.held.push(Held::new(op_back(span), file.clone(), vec![reason])),
        }
    }
    if let Some(span) = &index {
        match index_restored(span, &landing.held, root.as_ref(), &objects, store, now, &title) {
            Ok(step) => {
                if let Some((before, Action::Put { bytes, .. })) =
                    step.as_ref().map(|step| (step.before.as_ref(), &step.action))
                {
                    let before = before.map(|state| state.bytes.as_slice()).unwrap_or_default();
                    landing.newly_cut = plan::newly_cut(before, bytes);
                }
                steps.extend(step);
            }
            // Without its lines nothing is taken back: index and files must agree.
            Err(reason) if reason.guard == "containment" => {
                return Err(CommitError::Door(DoorError::Refused { file: INDEX_FILE.to_owned(), reason }));
            }
            Err(reason) => {
                landing.held.push(Held::new(Op::Replace, INDEX_FILE.to_owned(), vec![reason]));
            }
        }
    }
    if steps.is_empty() {
        return Err(CommitError::Door(DoorError::CannotUndo(nothing_to_do(&title, &landing.held))));
    }
    let is_whole = landing.held.is_empty();
    let header = Header {
        at: now,
        origin: Origin::Undo,
        run: None,
        title: format!("undo {title}"),
        by_person: true,
        undoes: entries.iter().map(|one| one.entry.id.clone()).collect(),
        // An entry of which something still stands can be undone again, for the rest.
        is_in_part: !is_whole,
    };
    landing.history = Some(commit::run(workshop, store.root(), header, &steps)?);
    remove_made(store, entries);
    confirmed::taken_back(workshop, entries.iter().map(|one| one.entry.id.as_str()));
    let_go::record::followed(workshop);
    landing.landed = steps
        .iter()
        .map(|step| Landed { file: step.file.clone(), op: step.op(), rationale: step.rationale.clone(), merged: false })
        .collect();
    Ok(landing)
}

/// Takes away the directories that were made for what is taken back; one that holds something else stays.
fn remove_made(store: &Store, entries: &[Recorded]) {
    let made: BTreeSet<&String> =
        entries.iter().flat_map(|entry| &entry.files).flat_map(|planned| &planned.made).collect();
    let Ok(root) = Root::open(store.root()) else { return };
    // The innermost first.
    for way in made.into_iter().rev() {
        root.remove_empty_directory(way);
    }
}

fn nothing_to_do(title: &str, held: &[Held]) -> String {
    let title = text::visible(title);
    if held.is_empty() {
        return format!("every file is as it was before \"{title}\" already");
    }
    let said = |one: &Held| {
        let reasons: Vec<&str> = one.reasons.iter().map(|reason| reason.message.as_str()).collect();
        format!("{}: {}", text::visible(&one.file), reasons.join(", "))
    };
    let files: Vec<String> = held.iter().map(said).collect();
    format!("nothing of \"{title}\" can be taken back ({}); `dreamtop history` lists what is kept", files.join("; "))
}

fn op_back(span: &Span) -> Op {
    match (span.before, span.after) {
        (None, _) => Op::Remove,
        (Some(_), None) => Op::Create,
        (Some(_), Some(_)) => Op::Replace,
    }
}

/// The step that brings one file back; `None`: it is as before already.
fn restored(
    file: &str,
    span: &Span,
    root: Option<&Root>,
    objects: &Objects,
    now: DateTime<Utc>,
    title: &str,
) -> Result<Option<Step>, HoldReason> {
    let changed = || held("conflict", "it was changed since; it was left as it is");
    let current = match root {
        None => None,
        Some(root) => root
            .locate(file)
            .and_then(|place| place.read_settled())
            .map_err(|error| held("containment", format!("it cannot be read now: {error}")))?,
    };
    let hash = current.as_ref().map(FileState::hash);
    if hash == span.before && hash != span.after {
        return Ok(None);
    }
    if hash != span.after || span.is_broken {
        let taken_out =
            current.as_ref().filter(|_| !span.is_broken).and_then(|now| without(file, span, &now.bytes, objects));
        let (Some(bytes), Some(state)) = (taken_out, current) else { return Err(changed()) };
        let rationale = Rationale { reason: format!("undo {title}; what others wrote stays"), sources: Vec::new() };
        let action = Action::Put { bytes, mode: state.mode, mtime: now };
        return Ok(Some(Step { file: file.to_owned(), before: Some(state), action, rationale }));
    }
    let action = match span.before {
        None if current.is_none() => return Ok(None),
        None => Action::Take,
        Some(hash) => put_back(file, hash, span, root, objects, now)?,
    };
    if matches!(&action, Action::Put { .. }) && current.as_ref().is_some_and(|state| state.hard_links > 1) {
        return Err(held("containment", "the file has another name (a hard link), which replacing it would cut off"));
    }
    let rationale = Rationale { reason: format!("undo {title}"), sources: Vec::new() };
    Ok(Some(Step { file: file.to_owned(), before: current, action, rationale }))
}

/// A file outside the store that others wrote in since, without the text that was added to it; `None`: that text does not
/// stand there as it was added, or more than once.
fn without(file: &str, span: &Span, now: &[u8], objects: &Objects) -> Option<Vec<u8>> {
    if !beyond::is_beyond(file) {
        return None;
    }
    let before = span.before.map_or(Some(Vec::new()), |hash| objects.read(hash).ok())?;
    let after = objects.read(span.after?).ok()?;
    let added = after.strip_prefix(before.as_slice()).filter(|added| !added.trim_ascii().is_empty())?;
    let mut places = memchr::memmem::find_iter(now, added);
    let (at, None) = (places.next()?, places.next()) else { return None };
    let (kept, rest) = (now.get(..at)?, now.get(at + added.len()..)?);
    // The text may have ended a line that had no end.
    let gap: &[u8] = if rest.is_empty() || kept.is_empty() || kept.ends_with(b"\n") { b"" } else { b"\n" };
    Some([kept, gap, rest].concat())
}

/// The old bytes, or the old symbolic link when it still leads to them.
fn put_back(
    file: &str,
    hash: ContentHash,
    span: &Span,
    root: Option<&Root>,
    objects: &Objects,
    now: DateTime<Utc>,
) -> Result<Action, HoldReason> {
    if let (Some(target), Some(root)) = (&span.link, root)
        && root.leads_to(file, target).is_some_and(|bytes| ContentHash::of(&bytes) == hash)
    {
        return Ok(Action::Link { target: target.clone(), leads_to: hash });
    }
    let bytes = objects.read(hash).map_err(|_| {
        let why = span.not_kept.as_deref().unwrap_or("its old content is no longer kept");
        held("conflict", format!("{why}; it was left as it is"))
    })?;
    let mtime = span.mtime_before.unwrap_or(now);
    Ok(Action::Put { bytes, mode: span.mode_before.unwrap_or(0o600), mtime })
}

/// The step that takes the index lines back: exactly when it is as it was left, else line by line.
fn index_restored(
    span: &Span,
    held_files: &[Held],
    root: Option<&Root>,
    objects: &Objects,
    store: &Store,
    now: DateTime<Utc>,
    title: &str,
) -> Result<Option<Step>, HoldReason> {
    if held_files.is_empty()
        && let Ok(step) = restored(INDEX_FILE, span, root, objects, now, title)
    {
        return Ok(step);
    }
    let unreadable = |message: String| held("conflict", message);
    let current = match root {
        None => None,
        Some(root) => {
            plan::read_index(root, store.root()).map_err(|error| unreadable(format!("it cannot be read: {error}")))?
        }
    };
    if let Some(reason) = plan::unwritable_index(current.as_ref()) {
        return Err(reason);
    }
    let read = |hash: Option<ContentHash>| match hash {
        None => Ok(Vec::new()),
        Some(hash) => objects.read(hash).map_err(|_| unreadable("its old content is no longer kept".to_owned())),
    };
    let change = IndexChange { base: read(span.after)?, content: read(span.before)? };
    let now_there = current.as_ref().map(|state| state.bytes.clone()).unwrap_or_default();
    let wants = |targets: &[String]| !held_files.iter().any(|one| targets.contains(&one.file));
    let after = replay(&change, &now_there, &wants);
    if after == now_there {
        return Ok(None);
    }
    let mode = current.as_ref().map_or(0o600, |state| state.mode);
    let rationale = Rationale { reason: format!("undo {title}"), sources: Vec::new() };
    let action = Action::Put { bytes: after, mode, mtime: now };
    Ok(Some(Step { file: INDEX_FILE.to_owned(), before: current, action, rationale }))
}
