//! The guards for what nobody looked at, over all changes of a set at once.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::index;
use super::item::{Item, Request};
use crate::change::compare::following;
use crate::change::guard::removal::Removal;
use crate::change::guard::sentences::Sentences;
use crate::change::guard::{
    Subject, apart, bulk, evidence, fields, held, hidden, instruction, loss, placeholder, provenance, raw, removal,
    size, twice, validity, values,
};
use crate::change::write::Root;
use crate::change::{Account, Consent, DoorError, HoldReason, Loss, Op, Origin, Source};
use crate::memory::{Field, Kind, frontmatter};

pub(super) fn apply(
    request: &Request<'_>,
    items: &mut [Item],
    root: Option<&Root>,
    store: &Path,
) -> Result<Vec<Loss>, DoorError> {
    for item in items.iter_mut() {
        let subject = subject(item);
        let mut reasons = Vec::new();
        reasons.extend(validity::check(&subject));
        reasons.extend(size::check(&subject));
        if request.is_strict() {
            reasons.extend(placeholder::check(&subject));
            // What the team has is somebody's own: no run left it there, and no session vouches for it.
            if request.set.origin != Origin::Pull {
                reasons.extend(raw::check(&subject));
                reasons.extend(apart::check(&subject));
                reasons.extend(provenance::check(&subject));
            }
        }
        item.reasons.extend(reasons);
    }
    if request.is_of_model() {
        hold_unproven(items, root, store)?;
        hold_unseen(items, request.now);
        hold_twice(items, root);
        hold_bulk(items, root, store)?;
    }
    let mut losses = Vec::new();
    if let (true, Some(root)) = (request.is_strict() && request.set.origin.owes_account(), root) {
        losses = hold_losses(request, items, root, store)?;
    }
    if request.is_strict() {
        hold_orders(items, root);
    }
    if request.consent == Consent::Ask {
        for item in items.iter_mut().filter(|item| !item.is_held()) {
            item.reasons.push(request.why_asked());
        }
    }
    losses.retain(|loss| items.iter().any(|item| item.change.file == loss.file && !item.is_held()));
    Ok(losses)
}

fn subject(item: &Item) -> Subject<'_> {
    Subject {
        file: &item.change.file,
        before: item.before.as_ref().map(|before| before.bytes.as_slice()),
        after: item.change.content.as_deref(),
        rationale: &item.change.rationale,
    }
}

/// Holds what a model adds without evidence.
fn hold_unproven(items: &mut [Item], root: Option<&Root>, store: &Path) -> Result<(), DoorError> {
    let mut known = evidence::Known::default();
    let index = root.map(|root| index::read(root, store)).transpose()?.flatten();
    index.iter().for_each(|index| known.add_index(&index.bytes));
    for item in items.iter() {
        item.before.iter().for_each(|before| known.add(&item.change.file, &before.bytes, true));
    }
    if let Some((root, files)) = root.and_then(|root| Some((root, root.topic_files().ok()?))) {
        for file in files.iter().filter(|file| !items.iter().any(|item| item.change.file == **file)) {
            if let Ok(Some(state)) = root.locate(file).and_then(|place| place.read()) {
                known.add(file, &state.bytes, false);
            }
        }
    }
    hold_each(items, |item| evidence::check(&subject(item), &known));
    Ok(())
}

/// Holds what a model writes where a person does not look: in the frontmatter, and hidden in a text.
fn hold_unseen(items: &mut [Item], now: DateTime<Utc>) {
    let known: fields::Keys =
        items.iter().filter_map(|item| item.before.as_ref()).flat_map(|before| fields::keys(&before.bytes)).collect();
    hold_each(items, |item| {
        let subject = subject(item);
        fields::check(&subject, item.change.op, &known, now).or_else(|| hidden::check(&subject))
    });
}

/// Holds new memories of a model that say what another one does.
fn hold_twice(items: &mut [Item], root: Option<&Root>) {
    if items.iter().all(|item| item.is_held() || item.change.op != Op::Create) {
        return;
    }
    let files = root.and_then(|root| Some((root, root.topic_files().ok()?)));
    let stays = |file: &&String| !items.iter().any(|item| item.change.file == **file && item.change.op == Op::Remove);
    let store: Vec<twice::Memory> = files
        .iter()
        .flat_map(|(root, files)| files.iter().filter(stays).map(move |file| (root, file)))
        .filter_map(|(root, file)| {
            let state = root.locate(file).and_then(|place| place.read()).ok()??;
            Some(twice::Memory::of(file, &state.bytes))
        })
        .collect();
    let mut beside: Vec<(twice::Memory, Vec<Source>)> = Vec::new();
    for item in items.iter_mut().filter(|item| !item.is_held() && item.change.op == Op::Create) {
        let Some(content) = &item.change.content else { continue };
        let (new, sources) = (twice::Memory::of(&item.change.file, content), item.change.rationale.sources.clone());
        match twice::check(&new, &sources, &beside, &store) {
            Some(reason) => item.reasons.push(reason),
            None => beside.push((new, sources)),
        }
    }
}

/// Holds new memories of a model that are too many, or for which the index has no room that is loaded.
fn hold_bulk(items: &mut [Item], root: Option<&Root>, store: &Path) -> Result<(), DoorError> {
    let is_new = |item: &&mut Item| !item.is_held() && item.change.op == Op::Create;
    let new = items.iter_mut().filter(is_new).count();
    let before = root.map(|root| index::read(root, store)).transpose()?.flatten();
    let before = before.map(|state| state.bytes).unwrap_or_default();
    let landing = items.iter().filter(|item| !item.is_held()).map(|item| &item.change);
    let unloaded = index::newly_cut(&before, &following(before.clone(), landing)).len();
    let reasons = bulk::check(new, unloaded);
    let mut fresh: Vec<&mut Item> = items.iter_mut().filter(is_new).collect();
    for (at, reason) in reasons {
        fresh.get_mut(at).into_iter().for_each(|item| item.reasons.push(reason.clone()));
    }
    Ok(())
}

/// Holds new orders to whoever reads the store. A new memory that gives one is not filed as the person's word, also not
/// when it is accepted.
fn hold_orders(items: &mut [Item], root: Option<&Root>) {
    // Read only when there is an order to judge.
    let known = LazyCell::new(|| {
        let files = root.and_then(|root| Some((root, root.topic_files().ok()?)));
        let mut orders: HashSet<String> = HashSet::new();
        for (root, file) in files.iter().flat_map(|(root, files)| files.iter().map(move |file| (root, file))) {
            if let Ok(Some(state)) = root.locate(file).and_then(|place| place.read()) {
                orders.extend(instruction::words(&state.bytes));
            }
        }
        orders
    });
    for item in items.iter_mut() {
        let Some(reason) = instruction::check(&subject(item), &|words| known.contains(words)) else { continue };
        item.reasons.push(reason);
        if item.asked.op == Op::Create
            && let Some(content) = &item.asked.content
            && let Some(Kind::User | Kind::Feedback) = frontmatter::read(content).kind(&item.asked.file)
            && let Ok(filed) = frontmatter::set(content, Field::Type, Kind::Reference.word())
        {
            item.asked.content = Some(filed.clone());
            item.change.content = Some(filed);
        }
    }
}

/// Holds files that lose most of what they say, removals that are too many, and losses that nothing explains; returns the
/// report on what goes.
fn hold_losses(request: &Request<'_>, items: &mut [Item], root: &Root, store: &Path) -> Result<Vec<Loss>, DoorError> {
    if items.iter().all(|item| item.change.op == Op::Create) {
        return Ok(Vec::new());
    }
    let failed = |source| DoorError::Io { what: "cannot read", path: store.to_owned(), source };
    let files = root.topic_files().map_err(failed)?;
    let untouched = untouched(items, &files, root);
    let after = afterwards(items, &untouched);
    hold_each(items, |item| {
        let subject = subject(item);
        loss::check(&subject, &after).or_else(|| values::check(&subject, &after))
    });

    let after = afterwards(items, &untouched);
    let removals: Vec<Removal<'_>> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_held() && item.change.op == Op::Remove)
        .filter_map(|(at, item)| {
            let rationale = &item.change.rationale;
            Some(Removal { at, bytes: item.before.as_ref().map(|before| before.bytes.as_slice())?, rationale })
        })
        .collect();
    for (at, reason) in removal::check(&removals, files.len(), &after) {
        items.get_mut(at).into_iter().for_each(|item| item.reasons.push(reason.clone()));
    }

    // A file that waits takes what it would have kept of others with it: until nothing more waits.
    loop {
        let after = afterwards(items, &untouched);
        let account = |item: &Item| loss::account(&subject(item), &after, request.now, request.is_of_model());
        if !hold_each(items, |item| loss::unexplained(&account(item))) {
            return Ok(items.iter().filter(|item| !item.is_held()).flat_map(account).collect());
        }
    }
}

/// Of what a person accepted, some cannot land: a file whose sentences it was to take in stays as it is as well, so that
/// nothing goes that they did not see go. So does one whose words were to stand in a file that is gone by now.
pub(super) fn keep_together(
    request: &Request<'_>,
    items: &mut [Item],
    root: Option<&Root>,
    store: &Path,
) -> Result<(), DoorError> {
    let takes_away = |item: &Item| request.from_inbox && item.change.op == Op::Remove;
    let Some(root) = root.filter(|_| items.iter().any(|item| item.is_held() || takes_away(item))) else {
        return Ok(());
    };
    let failed = |source| DoorError::Io { what: "cannot read", path: store.to_owned(), source };
    let files = root.topic_files().map_err(failed)?;
    let untouched = untouched(items, &files, root);
    loop {
        let after = afterwards(items, &untouched);
        let stays = |file: &str| match items.iter().find(|item| item.change.file == file) {
            Some(item) if item.is_held() => item.before.is_some(),
            Some(item) => item.change.content.is_some(),
            None => files.iter().any(|there| there == file),
        };
        let reasons: Vec<Option<HoldReason>> = items
            .iter()
            .map(|item| {
                let before = item.before.as_ref().filter(|_| takes_away(item) && !item.is_held())?;
                removal::check_accepted(&before.bytes, &item.change.rationale.reason, &after, &stays)
            })
            .collect();
        if !hold_with(items, reasons) {
            break;
        }
    }
    if !items.iter().any(Item::is_held) {
        return Ok(());
    }
    let mut as_accepted = untouched.clone();
    for item in items.iter() {
        item.change.content.iter().for_each(|content| as_accepted.add(&item.change.file, content));
    }
    loop {
        let after = afterwards(items, &untouched);
        let reason = |item: &Item| {
            let seen = loss::account(&subject(item), &as_accepted, request.now, false);
            let now = loss::account(&subject(item), &after, request.now, false);
            let was = |lost: &Loss| seen.iter().find(|seen| seen.sentence == lost.sentence).map(|seen| seen.account);
            let is_worse = |lost: &&Loss| was(lost).is_some_and(|was| certainty(lost.account) < certainty(was));
            let unseen = now.iter().filter(is_worse).count();
            let sentences = crate::text::count(unseen, "sentence", "sentences");
            (unseen > 0)
                .then(|| held("loss", format!("{sentences} of it would be lost: what was to keep them waits too")))
        };
        if !hold_each(items, reason) {
            return Ok(());
        }
    }
}

/// How sure it is that nothing is lost with a sentence of this account.
const fn certainty(account: Account) -> u8 {
    match account {
        Account::Kept => 3,
        Account::Merged => 2,
        Account::Superseded | Account::Expired => 1,
        Account::Unexplained => 0,
    }
}

/// What those of the files say that no item changes.
fn untouched(items: &[Item], files: &[String], root: &Root) -> Sentences {
    let mut untouched = Sentences::default();
    for file in files.iter().filter(|file| !items.iter().any(|item| item.change.file == **file)) {
        // A file that cannot be read vouches for nothing.
        if let Ok(Some(state)) = root.locate(file).and_then(|place| place.read()) {
            untouched.add(file, &state.bytes);
        }
    }
    untouched
}

/// Adds the reason for each item that is not held yet; whether there was any.
fn hold_each(items: &mut [Item], reason: impl Fn(&Item) -> Option<HoldReason>) -> bool {
    let reasons: Vec<Option<HoldReason>> =
        items.iter().map(|item| if item.is_held() { None } else { reason(item) }).collect();
    hold_with(items, reasons)
}

/// Adds to each item its reason, where it has one; whether there was any.
fn hold_with(items: &mut [Item], reasons: Vec<Option<HoldReason>>) -> bool {
    let mut is_any = false;
    for (item, reason) in items.iter_mut().zip(reasons) {
        is_any |= reason.is_some();
        item.reasons.extend(reason);
    }
    is_any
}

/// What the store says once everything that is not held has landed.
fn afterwards(items: &[Item], untouched: &Sentences) -> Sentences {
    let mut after = untouched.clone();
    for item in items {
        let bytes = if item.is_held() {
            item.before.as_ref().map(|before| before.bytes.as_slice())
        } else {
            item.change.content.as_deref()
        };
        if let Some(bytes) = bytes {
            after.add(&item.change.file, bytes);
        }
    }
    after
}
