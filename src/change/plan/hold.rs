//! The guards for what nobody looked at, over all changes of a set at once.

use std::path::Path;

use super::{Item, Request};
use crate::change::guard::removal::Removal;
use crate::change::guard::sentences::Sentences;
use crate::change::guard::{Subject, held, loss, placeholder, provenance, removal, size, validity};
use crate::change::write::Root;
use crate::change::{Consent, DoorError, Op};

pub(super) fn apply(
    request: &Request<'_>,
    items: &mut [Item],
    root: Option<&Root>,
    store: &Path,
) -> Result<(), DoorError> {
    for item in items.iter_mut() {
        let subject = subject(item);
        let mut reasons = Vec::new();
        reasons.extend(validity::check(&subject));
        reasons.extend(size::check(&subject));
        if request.is_strict() {
            reasons.extend(placeholder::check(&subject));
            if request.set.origin != crate::change::Origin::Pull {
                reasons.extend(provenance::check(&subject));
            }
        }
        item.reasons.extend(reasons);
    }
    if let (true, Some(root)) = (request.is_strict(), root) {
        hold_losses(items, root, store)?;
    }
    if request.consent == Consent::Ask {
        for item in items.iter_mut().filter(|item| !item.is_held()) {
            item.reasons.push(held("ask", "the configuration asks you about every change of this kind"));
        }
    }
    Ok(())
}

fn subject(item: &Item) -> Subject<'_> {
    Subject {
        file: &item.change.file,
        before: item.before.as_ref().map(|before| before.bytes.as_slice()),
        after: item.change.content.as_deref(),
        rationale: &item.change.rationale,
    }
}

/// Holds files that lose most of what they say, then removals that are too many.
fn hold_losses(items: &mut [Item], root: &Root, store: &Path) -> Result<(), DoorError> {
    if items.iter().all(|item| item.change.op == Op::Create) {
        return Ok(());
    }
    let failed = |source| DoorError::Io { what: "cannot read", path: store.to_owned(), source };
    let files = root.topic_files().map_err(failed)?;
    let mut untouched = Sentences::default();
    for file in &files {
        if items.iter().any(|item| &item.change.file == file) {
            continue;
        }
        // A file that cannot be read vouches for nothing.
        if let Ok(Some(state)) = root.locate(file).and_then(|place| place.read()) {
            untouched.add(&state.bytes);
        }
    }
    let afterwards = |items: &[Item], untouched: &mut Sentences| {
        for item in items {
            let bytes = if item.is_held() {
                item.before.as_ref().map(|before| before.bytes.as_slice()).filter(|_| item.change.op != Op::Remove)
            } else {
                item.change.content.as_deref()
            };
            if let Some(bytes) = bytes {
                untouched.add(bytes);
            }
        }
    };
    let mut after = untouched.clone();
    afterwards(items, &mut after);
    let losing: Vec<(usize, _)> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_held() && item.change.op == Op::Replace)
        .filter_map(|(at, item)| Some((at, loss::check(&subject(item), &after)?)))
        .collect();
    for (at, reason) in losing {
        items.get_mut(at).into_iter().for_each(|item| item.reasons.push(reason.clone()));
    }

    let mut after = untouched;
    afterwards(items, &mut after);
    let removals: Vec<Removal<'_>> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_held() && item.change.op == Op::Remove)
        .filter_map(|(at, item)| {
            Some(Removal { at, bytes: item.before.as_ref().map(|before| before.bytes.as_slice())? })
        })
        .collect();
    for (at, reason) in removal::check(&removals, files.len(), &after) {
        items.get_mut(at).into_iter().for_each(|item| item.reasons.push(reason.clone()));
    }
    Ok(())
}
