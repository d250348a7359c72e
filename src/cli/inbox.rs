//! `inbox`: changes that wait for a person: list, show, accept, reject.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::args::{Inbox, InboxAccept, InboxPick, InboxVerb};
use super::context::Context;
use super::output::{Failure, Meaning, Page};
use super::{exit, landing};
use crate::change::{
    Accepted, Account, Decision, DoorError, FileReview, HeldChange, InboxEntry, Review, Source, Take, hunks,
};
use crate::memory::{INDEX_FILE, Store};
use crate::run::journal::RunBook;
use crate::text::{self, visible};

/// Lists or decides.
pub(super) fn run(context: &Context, arguments: &Inbox) -> Result<u8, Failure> {
    match &arguments.verb {
        None => list(context),
        Some(InboxVerb::Show(pick)) => show(context, pick),
        Some(InboxVerb::Accept(pick)) => accept(context, pick),
        Some(InboxVerb::Reject(pick)) => reject(context, pick),
    }
}

fn list(context: &Context) -> Result<u8, Failure> {
    let choice = context.choose()?;
    let entries = context.door().inbox(&choice.store).map_err(landing::failure)?;
    let object = json!({ "held": entries.iter().map(entry_json).collect::<Vec<_>>() });
    context.output.answer(&object, |page| {
        if entries.is_empty() {
            return page.line("nothing waits for you");
        }
        for entry in &entries {
            heading(page, entry)?;
            for change in &entry.changes {
                page.line(format!("  {:<7} {}", change.op.word(), visible(&change.file)))?;
                for reason in &change.reasons {
                    let line = format!("      {}: {}", visible(&reason.guard), visible(&reason.message));
                    page.line(page.paint(&line, Meaning::Warn))?;
                }
                print_diff(page, change)?;
            }
        }
        page.line(
            "look closer with `dreamtop inbox show ID`; accept with `dreamtop inbox accept ID [FILE…]`, drop with",
        )?;
        page.line("`dreamtop inbox reject ID [FILE…]`")
    })?;
    Ok(if entries.is_empty() { exit::DONE } else { exit::PERSON })
}

fn heading(page: &mut Page<'_>, entry: &InboxEntry) -> std::io::Result<()> {
    let run = entry.run.as_ref().map(|run| format!(" · run {}", visible(run))).unwrap_or_default();
    let id = page.paint(&entry.id, Meaning::Strong);
    let waiting = text::count(entry.waiting(), "change waits", "changes wait");
    page.line(format!("{id}  {}{run}  {}  {waiting}", entry.origin.word(), visible(&entry.title)))
}

/// The diff, its hunks apart by `@@` lines.
fn print_diff(page: &mut Page<'_>, change: &HeldChange) -> std::io::Result<()> {
    for line in diff(change).lines() {
        let meaning = match line.as_bytes().first() {
            Some(b'+') => Meaning::Good,
            Some(b'-') => Meaning::Bad,
            _ => Meaning::Dim,
        };
        page.line(format!("      {}", page.paint(&visible(line), meaning)))?;
    }
    Ok(())
}

fn entry_json(entry: &InboxEntry) -> Value {
    let changes: Vec<_> = entry.changes.iter().map(change_json).collect();
    json!({ "id": entry.id, "at": entry.at, "origin": entry.origin, "run": entry.run, "title": entry.title, "changes": changes })
}

fn change_json(change: &HeldChange) -> Value {
    json!({
        "op": change.op,
        "file": change.file,
        "reason": change.rationale.reason,
        "sources": change.rationale.sources,
        "reasons": change.reasons,
        "diff": diff(change),
    })
}

fn lossy(bytes: Option<&Vec<u8>>) -> String {
    String::from_utf8_lossy(bytes.map(Vec::as_slice).unwrap_or_default()).into_owned()
}

fn diff(change: &HeldChange) -> String {
    let (before, after) = (lossy(change.base.as_ref()), lossy(change.content.as_ref()));
    crate::difference::unified(&before, &after, 2)
}

/// The lines of one hunk: number, what goes, what comes.
fn hunk_lines(change: &HeldChange) -> Vec<(Vec<String>, Vec<String>)> {
    let (before, after) = (lossy(change.base.as_ref()), lossy(change.content.as_ref()));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let owned = |lines: Option<&[&str]>| lines.unwrap_or_default().iter().map(|line| (*line).to_owned()).collect();
    hunks::of(change).into_iter().map(|hunk| (owned(old.get(hunk.base)), owned(new.get(hunk.proposed)))).collect()
}

/// The entry that is meant, and the store it waits in: `runs` and `dream` name what is held by its run, also in another
/// project's store.
fn meant(context: &Context, id: &str) -> Result<(Store, String), Failure> {
    let choice = context.choose()?;
    let named = |store: &Store, is_it: &dyn Fn(&InboxEntry) -> bool| -> Result<Option<String>, Failure> {
        let entries = context.door().inbox(store).map_err(landing::failure)?;
        Ok(entries.into_iter().find(is_it).map(|entry| entry.id))
    };
    if let Some(entry) = named(&choice.store, &|entry| entry.run.as_deref() == Some(id))? {
        return Ok((choice.store, entry));
    }
    let mut book = RunBook::new(context.state.clone());
    book.refresh()?;
    if let Some(run) = book.run(id).filter(|run| !run.store.is_empty()) {
        let store = Store::at(&run.store);
        // What it wanted may wait since an earlier run, in the entry of that one.
        let is_its = |entry: &InboxEntry| entry.run.as_deref() == Some(id) || run.inbox.as_ref() == Some(&entry.id);
        return match named(&store, &is_its)? {
            Some(entry) => Ok((store, entry)),
            None if run.inbox.is_some() => Err(decided(id)),
            None => Err(Failure::not_found(format!("nothing of {id} waits: {}", run.reason))),
        };
    }
    Ok((choice.store, id.to_owned()))
}

fn show(context: &Context, pick: &InboxPick) -> Result<u8, Failure> {
    let (store, id) = meant(context, &pick.id)?;
    let review = context.door().review(&store, &id);
    let review = review.map_err(|error| gone(context, &store, &id, &pick.id, error))?;
    if let Some(unknown) = pick.files.iter().find(|file| !review.entry.changes.iter().any(|held| held.file == **file)) {
        return Err(Failure::not_found(format!("{unknown:?} does not wait in {}; see `dreamtop inbox`", pick.id)));
    }
    let shown: Vec<(&HeldChange, &FileReview)> = review
        .entry
        .changes
        .iter()
        .zip(&review.files)
        .filter(|(change, _)| pick.files.is_empty() || pick.files.contains(&change.file))
        .collect();
    context.output.answer(&review_json(&review, &shown), |page| {
        heading(page, &review.entry)?;
        for (change, file) in &shown {
            page.line("")?;
            print_file(page, change, file)?;
        }
        Ok(())
    })?;
    Ok(exit::PERSON)
}

fn review_json(review: &Review, shown: &[(&HeldChange, &FileReview)]) -> Value {
    let changes: Vec<Value> = shown
        .iter()
        .map(|(change, file)| {
            let hunks: Vec<Value> = hunk_lines(change)
                .into_iter()
                .zip(1..)
                .map(|((removed, added), number)| json!({ "hunk": number, "removed": removed, "added": added }))
                .collect();
            let mut object = change_json(change);
            if let Some(fields) = object.as_object_mut() {
                fields.insert("hunks".to_owned(), json!(hunks));
                fields.insert("index".to_owned(), json!(file.index));
                fields.insert("losses".to_owned(), json!(file.losses));
                fields.insert("with".to_owned(), json!(file.with));
                fields.insert("disk".to_owned(), json!(file.disk));
            }
            object
        })
        .collect();
    let entry = &review.entry;
    json!({ "id": entry.id, "at": entry.at, "origin": entry.origin, "run": entry.run, "title": entry.title, "changes": changes })
}

fn print_file(page: &mut Page<'_>, change: &HeldChange, file: &FileReview) -> std::io::Result<()> {
    page.line(page.paint(&format!("{} {}", change.op.word(), visible(&change.file)), Meaning::Strong))?;
    for reason in &change.reasons {
        let line = format!("  waits: {}: {}", visible(&reason.guard), visible(&reason.message));
        page.line(page.paint(&line, Meaning::Warn))?;
    }
    if !change.rationale.reason.is_empty() {
        page.line(format!("  why: {}", visible(&change.rationale.reason)))?;
    }
    for Source { session, line, quote, .. } in &change.rationale.sources {
        let session = session.as_deref().unwrap_or("a session");
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        let quote = quote.as_ref().map(|quote| format!(": “{}”", visible(quote))).unwrap_or_default();
        page.line(page.paint(&format!("  from {}{line}{quote}", visible(session)), Meaning::Dim))?;
    }
    let disk = file.disk.sentence(change.op);
    if !disk.is_empty() {
        page.line(page.paint(&format!("  ⚠ {disk}"), Meaning::Warn))?;
    }
    for ((removed, added), number) in hunk_lines(change).into_iter().zip(1..) {
        page.line(page.paint(&format!("  hunk {number}"), Meaning::Dim))?;
        for (sign, lines, meaning) in [('-', removed, Meaning::Bad), ('+', added, Meaning::Good)] {
            for line in lines {
                let line = line.strip_suffix('\n').unwrap_or(&line);
                page.line(page.paint(&format!("    {sign}{}", visible(line)), meaning))?;
            }
        }
    }
    if !file.index.is_empty() {
        page.line(page.paint("  with it, in MEMORY.md", Meaning::Dim))?;
        for (sign, lines, meaning) in
            [('-', &file.index.removed, Meaning::Bad), ('+', &file.index.added, Meaning::Good)]
        {
            for line in lines {
                page.line(format!("    {sign}{}", page.paint(line, meaning)))?;
            }
        }
    }
    for other in &file.with {
        page.line(page.paint(
            &format!("  lands together with {}: one says what the other takes away", visible(other)),
            Meaning::Dim,
        ))?;
    }
    for loss in &file.losses {
        let into = loss.into.as_ref().map(|into| format!(" ({})", visible(into))).unwrap_or_default();
        let meaning = if loss.account == Account::Unexplained { Meaning::Warn } else { Meaning::Dim };
        let line = format!("  goes, {}{into}: “{}”", loss.account.word(), visible(&loss.sentence));
        page.line(page.paint(&line, meaning))?;
    }
    Ok(())
}

fn accept(context: &Context, pick: &InboxAccept) -> Result<u8, Failure> {
    let (store, id) = meant(context, &pick.id)?;
    context.finish(&store);
    let door = context.door();
    if pick.edit {
        return super::inbox_edit::accept(context, &store, &id, &one_file(context, &store, pick, &id)?);
    }
    let landed = if pick.hunks.is_empty() {
        door.accept(&store, &id, &pick.files)
    } else {
        let file = one_file(context, &store, pick, &id)?;
        let take = Take::Hunks(pick.hunks.iter().copied().collect::<BTreeSet<usize>>());
        door.decide(&store, &id, &Decision { accepted: vec![Accepted { file, take }], ..Decision::default() })
    };
    let landing = landed.map_err(|error| gone(context, &store, &id, &pick.id, error))?;
    if landing.landed.is_empty() && landing.held.is_empty() && pick.files.iter().any(|file| file == INDEX_FILE) {
        context.output.notice(OF_FILES);
    }
    landing::conclude(context, &landing)
}

/// What is said of the lines of the index that are about a file.
const OF_FILES: &str = "a line of the index that is about a file lands, waits and goes with that file";

/// An entry that another decision took away meanwhile was decided on, which is no mistake of whoever names it.
fn gone(context: &Context, store: &Store, id: &str, named: &str, error: DoorError) -> Failure {
    let is_settled = || context.door().settled(store).contains_key(id);
    if matches!(error, DoorError::Unknown { what: "inbox entry", .. }) && is_settled() {
        return decided(named);
    }
    landing::failure(error)
}

fn decided(named: &str) -> Failure {
    Failure::not_found(format!("nothing of {} waits any more: what it held was decided on", visible(named)))
}

/// The one file that is edited, or that hunks are numbered in.
fn one_file(context: &Context, store: &Store, pick: &InboxAccept, id: &str) -> Result<String, Failure> {
    Ok(match pick.files.as_slice() {
        [file] => file.clone(),
        [] => {
            let entries = context.door().inbox(store).map_err(landing::failure)?;
            let changes = entries.into_iter().find(|entry| entry.id == id).map(|entry| entry.changes);
            match changes.unwrap_or_default().as_slice() {
                [only] => only.file.clone(),
                [] => {
                    return Err(Failure::not_found(format!(
                        "there is no inbox entry {:?}; see `dreamtop inbox`",
                        pick.id
                    )));
                }
                more => {
                    let files = text::count(more.len(), "file", "files");
                    return Err(Failure::usage(format!("{} has {files}: name the one that is meant", pick.id)));
                }
            }
        }
        _ => return Err(Failure::usage("--hunk and --edit are about one file: name one".to_owned())),
    })
}

fn reject(context: &Context, pick: &InboxPick) -> Result<u8, Failure> {
    let (store, id) = meant(context, &pick.id)?;
    let dropped = context.door().reject(&store, &id, &pick.files);
    let dropped = dropped.map_err(|error| gone(context, &store, &id, &pick.id, error))?;
    let is_index_alone = pick.files.len() == 1 && pick.files.iter().all(|file| file == INDEX_FILE);
    context.output.answer(&json!({ "rejected": dropped }), |page| {
        if is_index_alone {
            return page.line(format!("rejected what {INDEX_FILE} was to get besides; {OF_FILES}"));
        }
        let is_named = |file: &String| pick.files.is_empty() || pick.files.contains(file);
        dropped.iter().try_for_each(|file| {
            let along = if is_named(file) {
                ""
            } else {
                " (the other half of what was rejected: one says what the other takes away)"
            };
            page.line(format!("rejected {}{along}", visible(file)))
        })
    })?;
    context.output.notice(&format!("take it back with `dreamtop undo {id}`"));
    Ok(exit::DONE)
}
