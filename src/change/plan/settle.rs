//! One change against the file as it is now: the name, the way to it, the base, secrets.

use std::io;
use std::path::Path;

use super::item::{Item, Request};
use crate::change::beyond;
use crate::change::file::FileState;
use crate::change::guard::{containment, fields, held, secrets};
use crate::change::merge::{Merge, three_way};
use crate::change::write::{Place, Root};
use crate::change::{Change, DoorError, HoldReason, Op};
use crate::memory::names::{folded, numbered};
use crate::secret;

/// The change as it can land beside those `settled` before it, with what holds it; `None` when the disk is as wanted
/// already.
pub(super) fn settle(
    request: &Request<'_>,
    change: &Change,
    settled: &[Item],
    store: &Path,
    root: Option<&Root>,
) -> Result<Option<Item>, DoorError> {
    let mended = request.is_of_model().then(|| fields::mended(change, request.now));
    let change = mended.as_ref().unwrap_or(change);
    // Nothing is left of a change that was all session and claim time.
    if mended.is_some() && change.op == Op::Replace && change.base == change.content {
        return Ok(None);
    }
    let mut item =
        Item { change: change.clone(), asked: change.clone(), before: None, merged: false, reasons: Vec::new() };
    let refusal = match change.op {
        _ if beyond::is_beyond(&change.file) => beyond::refusal(request.set, request.by_person(), change),
        Op::Create => containment::refusal(&change.file),
        Op::Replace | Op::Remove => containment::refusal_of_existing(&change.file),
    };
    if let Some(reason) = refusal {
        hold(request, &mut item, reason)?;
    } else if let Some(root) = root {
        let is_done = match change.op {
            Op::Create => meet_create(request, &mut item, settled, store, root)?,
            Op::Replace | Op::Remove => meet_change(request, &mut item, store, root)?,
        };
        if is_done {
            return Ok(None);
        }
    } else if change.op == Op::Remove {
        return Ok(None);
    } else if change.op == Op::Replace {
        conflict(request, &mut item, None, None)?;
    }
    check_secrets(request, &mut item)?;
    Ok(Some(item))
}

/// Holds an item, or refuses all of them when a person asked for it.
fn hold(request: &Request<'_>, item: &mut Item, reason: HoldReason) -> Result<(), DoorError> {
    if request.refuses() {
        let file = secret::redacted_name(&item.asked.file);
        return Err(DoorError::Refused { file: crate::text::visible(&file).into_owned(), reason });
    }
    item.reasons.push(reason);
    Ok(())
}

fn conflict(
    request: &Request<'_>,
    item: &mut Item,
    theirs: Option<Vec<u8>>,
    merged: Option<String>,
) -> Result<(), DoorError> {
    if request.refuses() {
        return Err(DoorError::Conflict { file: item.asked.file.clone(), theirs, merged });
    }
    let message = match theirs {
        Some(_) => "it was changed on disk meanwhile, in the same lines",
        None => "it was removed on disk meanwhile",
    };
    item.reasons.push(held("conflict", message));
    Ok(())
}

fn failed(what: &'static str, store: &Path, file: &str) -> impl FnOnce(io::Error) -> DoorError + use<> {
    let path = store.join(file);
    move |source| DoorError::Io { what, path, source }
}

/// Where the file lies and what it holds; `None` when the way to it is refused.
fn look(
    request: &Request<'_>,
    item: &mut Item,
    file: &str,
    store: &Path,
    root: &Root,
) -> Result<Option<(Place, Option<FileState>)>, DoorError> {
    // A link or directory swapped in between the look and the open is met as `NotADirectory` or another error.
    let refusal =
        |error: &io::Error| matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotADirectory);
    let looked = root.locate(file).and_then(|place| place.read_settled().map(|state| (place, state)));
    match looked {
        Ok(found) => Ok(Some(found)),
        Err(error) if refusal(&error) => {
            hold(request, item, held("containment", error.to_string()))?;
            Ok(None)
        }
        Err(error) => Err(failed("cannot read", store, file)(error)),
    }
}

/// A replacement or removal meets the file as it is. `true`: nothing is left to do.
fn meet_change(request: &Request<'_>, item: &mut Item, store: &Path, root: &Root) -> Result<bool, DoorError> {
    let file = item.change.file.clone();
    let Some((place, now)) = look(request, item, &file, store, root)? else { return Ok(false) };
    let Some(now) = now else {
        if item.change.op == Op::Remove {
            return Ok(true);
        }
        conflict(request, item, None, None)?;
        return Ok(false);
    };
    if let Some(reason) = unwritable(request, item.change.op, &place, &now) {
        hold(request, item, reason)?;
    }
    let (base, wanted) = (item.change.base.clone().unwrap_or_default(), item.change.content.clone());
    if now.bytes != base {
        match wanted {
            Some(wanted) if wanted == now.bytes => return Ok(true),
            Some(wanted) => match three_way(&base, &wanted, &now.bytes) {
                Merge::Clean(merged) if merged == now.bytes => return Ok(true),
                Merge::Clean(merged) => {
                    item.change.content = Some(merged);
                    item.merged = true;
                }
                Merge::Conflict(marked) => conflict(request, item, Some(now.bytes.clone()), marked)?,
            },
            None => conflict(request, item, Some(now.bytes.clone()), None)?,
        }
    }
    let is_same = item.change.content.as_ref() == Some(&now.bytes);
    item.before = Some(now);
    Ok(is_same && matches!(item.change.mtime, crate::change::Mtime::Keep) && !item.is_held())
}

/// Why an existing file must not be written through.
fn unwritable(request: &Request<'_>, op: Op, place: &Place, now: &FileState) -> Option<HoldReason> {
    if op == Op::Replace && now.hard_links > 1 {
        return Some(held(
            "containment",
            "the file has another name (a hard link), which replacing it would cut off; copy it over itself first",
        ));
    }
    let leads_out = place.link.as_ref().is_some_and(|link| link.outside);
    (leads_out && request.is_strict()).then(|| {
        held("containment", "it is a symbolic link to a file outside the store, which nothing automatic may change")
    })
}

/// A new file meets what has its name. `true`: it is there already, with the same content.
fn meet_create(
    request: &Request<'_>,
    item: &mut Item,
    settled: &[Item],
    store: &Path,
    root: &Root,
) -> Result<bool, DoorError> {
    let asked = item.asked.file.clone();
    let wanted = item.change.content.clone().unwrap_or_default();
    for number in 1..=999 {
        let file = numbered(&asked, number);
        let Some((place, now)) = look(request, item, &file, store, root)? else { return Ok(false) };
        if now.as_ref().is_some_and(|now| now.bytes == wanted) {
            return Ok(true);
        }
        let siblings = place.siblings().map_err(failed("cannot read", store, &file))?;
        let wanted_name = folded(place.name());
        let twin = siblings.into_iter().find(|name| name != place.name() && folded(name) == wanted_name);
        // Another new file of the same change set may have taken the name as well.
        let beside = settled.iter().filter(|other| other.change.op == Op::Create).map(|other| &other.change.file);
        let twin = twin.or_else(|| beside.into_iter().find(|other| folded(other) == folded(&file)).cloned());
        if now.is_none() && twin.is_none() {
            item.change.file = file;
            return Ok(false);
        }
        if request.set.origin.keeps_names() {
            return match (now, twin) {
                (Some(now), _) => conflict(request, item, Some(now.bytes), None).map(|()| false),
                (None, twin) => {
                    let twin = crate::text::visible(&twin.unwrap_or_default()).into_owned();
                    let message = format!("{twin} differs only in letter case or accents; choose another name");
                    hold(request, item, held("containment", message)).map(|()| false)
                }
            };
        }
    }
    hold(request, item, held("conflict", "a thousand files have this name with a number; choose another"))?;
    Ok(false)
}

fn check_secrets(request: &Request<'_>, item: &mut Item) -> Result<(), DoorError> {
    let Some(content) = &item.change.content else { return Ok(()) };
    if item.change.op == Op::Create
        && let Some(rule) = secret::in_name(&item.asked.file)
    {
        return hold(request, item, secrets::name_reason(rule));
    }
    let known = item.before.as_ref().map(|before| before.bytes.as_slice()).or(item.asked.base.as_deref());
    let asked = item.asked.content.as_deref().unwrap_or_default();
    let hits = secret::added(known, content);
    let hits = if hits.is_empty() { secret::added(known, asked) } else { hits };
    match hits.first() {
        Some(hit) => hold(request, item, secrets::reason(hit)),
        None => Ok(()),
    }
}
