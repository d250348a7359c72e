//! The index's part of a plan: which lines of its edit come and go, given what lands and what waits.

use std::collections::BTreeSet;
use std::path::Path;

use super::item::{Item, Request};
use super::prose;
use crate::change::commit::{Action, Step};
use crate::change::compare::following;
use crate::change::file::FileState;
use crate::change::guard::index_text::{self, Around};
use crate::change::guard::{containment, held, loss, raw, secrets};
use crate::change::inbox::WaitingIndex;
use crate::change::index_replay::{lines_changed, replay};
use crate::change::write::Root;
use crate::change::{Consent, DoorError, Held, HoldReason, IndexChange, Landed, Op, Rationale};
use crate::memory::{INDEX_FILE, Index};
use crate::secret;

/// The index's part.
#[derive(Debug, Default)]
pub(super) struct IndexPlan {
    pub(super) step: Option<(Step, Landed)>,
    pub(super) held: Option<Held>,
    pub(super) waiting: Option<WaitingIndex>,
    pub(super) newly_cut: Vec<String>,
}

pub(super) fn plan(
    request: &Request<'_>,
    items: &[Item],
    kept: &BTreeSet<&str>,
    store: &Path,
    root: Option<&Root>,
) -> Result<IndexPlan, DoorError> {
    let asked = request.set.index.as_ref().filter(|index| index.base != index.content);
    let takes_away = request.from_inbox && items.iter().any(|item| item.change.op == Op::Remove && !item.is_held());
    if asked.is_none() && !takes_away {
        return Ok(IndexPlan::default());
    }
    let before = match root {
        Some(root) => read(root, store)?,
        None => None,
    };
    let current = before.as_ref().map(|state| state.bytes.as_slice()).unwrap_or_default();
    let asked = match asked {
        Some(asked) if request.from_inbox => asked.clone(),
        // The lines about what was rejected before stay with it, and do not wait either. What is kept already has its own.
        Some(asked) => {
            let is_wanted = |files: &[String]| {
                !is_unwanted(request, files) && !files.iter().any(|file| kept.contains(file.as_str()))
            };
            IndexChange { content: replay(asked, &asked.base, &is_wanted), ..asked.clone() }
        }
        None => IndexChange { base: current.to_vec(), content: current.to_vec() },
    };
    // Of what a person takes out of the inbox, a line that the edit does not know goes too.
    let without_gone = |index: Vec<u8>| if takes_away { without_gone(index, items) } else { index };
    if asked.base == asked.content && without_gone(current.to_vec()) == current {
        return Ok(IndexPlan::default());
    }
    let (change, mut reasons) = without_secrets(request, &asked, current)?;
    let change = following_names(change, items);
    if let Some(reason) = unwritable(before.as_ref()) {
        if request.by_person() {
            return Err(DoorError::Refused { file: INDEX_FILE.to_owned(), reason });
        }
        reasons.push(reason);
    }
    let waits: BTreeSet<&str> = items
        .iter()
        .filter(|item| item.is_held())
        .flat_map(|item| [item.asked.file.as_str(), item.change.file.as_str()])
        .collect();
    if request.is_strict() {
        // The line of a file that waits stays with it, so it is not lost.
        let after = |file: &str| !waits.contains(file) && content_of(file, items, root).is_some();
        reasons.extend(raw::check_index(&change));
        reasons.extend(loss::check_index(&change, &after, &mentioned(items)));
    }
    if request.consent == Consent::Ask {
        reasons.push(request.why_asked());
    }
    let is_held = reasons.iter().any(|reason| reason.guard != secrets::GUARD);
    let wants = |targets: &[String]| {
        // A file that lands under a numbered name was asked for by its own.
        let asked: Vec<String> = targets.iter().map(|target| asked_name(target, items)).collect();
        request.index_files.is_none_or(|files| asked.iter().any(|target| files.contains(target)))
            && !is_unwanted(request, &asked)
            && !targets.iter().any(|target| waits.contains(target.as_str()))
    };
    let about_waiting = lines_changed(&change)
        .iter()
        .any(|(_, _, targets)| targets.iter().any(|target| waits.contains(target.as_str())));
    let mut plan = IndexPlan::default();
    let following = || {
        let landing = items.iter().filter(|item| !item.is_held()).map(|item| &item.change);
        IndexChange { base: current.to_vec(), content: following(current.to_vec(), landing) }
    };
    let is_entered = request.is_strict() && request.consent != Consent::Ask && unwritable(before.as_ref()).is_none();
    let is_judged = request.is_of_model() && !is_held;
    let mut lands = match is_held {
        true if !is_entered => None,
        // The files that land all the same, and those that go, are entered and taken out: the rest of the edit waits.
        true => Some(following()),
        false if is_judged => {
            let (judged, wrong) = judged(&change, items, root, &waits);
            reasons.extend(wrong);
            Some(judged)
        }
        false => Some(change.clone()),
    };
    // A person who accepts the whole edit gets it as they saw it; unseen, what is written by hand stays.
    let as_landing = |change: &IndexChange| {
        if request.is_strict() { prose::kept(change.clone(), !request.is_of_model()) } else { change.clone() }
    };
    let replayed = |change: &IndexChange| without_gone(replay(&as_landing(change), current, &wants));
    let mut after = lands.as_ref().map_or_else(|| current.to_vec(), &replayed);
    if is_judged {
        let unasked: BTreeSet<String> = newly_cut(current, &following().content).into_iter().collect();
        let cut: Vec<String> = newly_cut(current, &after).into_iter().filter(|file| !unasked.contains(file)).collect();
        if let Some(file) = cut.first() {
            let entries = crate::text::count(cut.len(), "entry", "entries");
            let message = format!("{entries} would fall past what sessions load of it: {}", crate::text::visible(file));
            reasons.push(held("index", message));
            lands = Some(following());
            after = replayed(&following());
        }
    }
    let is_part_held = is_judged && reasons.iter().any(|reason| reason.guard != secrets::GUARD);
    if !reasons.is_empty() {
        plan.held = Some(Held::new(Op::Replace, INDEX_FILE.to_owned(), reasons.clone()));
    }
    if is_held || is_part_held || about_waiting {
        // Of an edit that lands in part, what is left waits.
        let landed = lands.as_ref().filter(|_| is_part_held);
        let base = landed.map_or_else(|| change.base.clone(), |lands| replay(&as_landing(lands), &change.base, &wants));
        let reasons = if is_held || is_part_held { reasons } else { Vec::new() };
        plan.waiting = Some(WaitingIndex { change: IndexChange { base, content: change.content }, reasons });
    }
    if lands.is_none() || after == current {
        return Ok(plan);
    }
    let rationale = Rationale { reason: secret::redacted(&request.set.title), sources: Vec::new() };
    plan.newly_cut = newly_cut(current, &after);
    let merged = current != asked.base;
    let step = Step {
        file: INDEX_FILE.to_owned(),
        action: Action::Put {
            bytes: after,
            mode: before.as_ref().map_or(0o600, |before| before.mode),
            mtime: request.now,
        },
        before,
        rationale: rationale.clone(),
    };
    let landed = Landed { file: INDEX_FILE.to_owned(), op: step.op(), rationale, merged };
    plan.step = Some((step, landed));
    Ok(plan)
}

/// The edit of a model without lines that may not land, and why those wait.
fn judged(
    change: &IndexChange,
    items: &[Item],
    root: Option<&Root>,
    waits: &BTreeSet<&str>,
) -> (IndexChange, Vec<HoldReason>) {
    let texts = mentioned(items);
    index_text::judged(
        change,
        &Around {
            file: &|file| content_of(file, items, root),
            before: &|file| {
                let landing = items.iter().find(|item| item.change.file == file && !item.is_held());
                landing.and_then(|item| Some(item.before.as_ref()?.bytes.clone()))
            },
            waits: &|file| waits.contains(file),
            is_mentioned: &|file| texts.iter().any(|text| memchr::memmem::find(text, file.as_bytes()).is_some()),
        },
    )
}

/// An index without entries of the files that go.
fn without_gone(index: Vec<u8>, items: &[Item]) -> Vec<u8> {
    let gone = items.iter().filter(|item| item.change.op == Op::Remove && !item.is_held());
    gone.fold(index, |index, item| Index::read(index).without(&item.change.file))
}

/// Whether a line about these files is not wanted.
fn is_unwanted(request: &Request<'_>, targets: &[String]) -> bool {
    request.index_without.is_some_and(|files| targets.iter().any(|target| files.contains(target)))
}

/// The index as it is; `None`: there is none.
pub(in crate::change) fn read(root: &Root, store: &Path) -> Result<Option<FileState>, DoorError> {
    root.locate(INDEX_FILE).and_then(|place| place.read_settled()).map_err(|source| DoorError::Io {
        what: "cannot read",
        path: store.join(INDEX_FILE),
        source,
    })
}

/// Entries that fit before and fall past a limit after.
pub(in crate::change) fn newly_cut(before: &[u8], after: &[u8]) -> Vec<String> {
    let was_cut = Index::read(before.to_vec()).measure.cut;
    let mut cut = Index::read(after.to_vec()).measure.cut;
    cut.retain(|file| !was_cut.contains(file));
    cut
}

/// The edit without lines that would bring a secret in; a person's edit with such a line is refused.
fn without_secrets(
    request: &Request<'_>,
    asked: &IndexChange,
    current: &[u8],
) -> Result<(IndexChange, Vec<HoldReason>), DoorError> {
    let mut known = asked.base.clone();
    known.push(b'\n');
    known.extend_from_slice(current);
    let hits = secret::added(Some(&known), &asked.content);
    let Some(hit) = hits.first() else { return Ok((asked.clone(), Vec::new())) };
    let reason = secrets::reason(hit);
    if request.by_person() {
        return Err(DoorError::Refused { file: INDEX_FILE.to_owned(), reason });
    }
    let lines: BTreeSet<usize> = hits.iter().map(|hit| hit.line).collect();
    let content: Vec<u8> = asked
        .content
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(at, _)| !lines.contains(&(at + 1)))
        .flat_map(|(_, line)| line.iter().copied())
        .collect();
    // A secret over several lines is not taken apart: the whole edit is dropped.
    let content = if secret::added(Some(&known), &content).is_empty() { content } else { asked.base.clone() };
    Ok((IndexChange { base: asked.base.clone(), content }, vec![reason]))
}

/// New files that got another name because theirs was taken: the index follows.
fn following_names(mut change: IndexChange, items: &[Item]) -> IndexChange {
    for item in items.iter().filter(|item| item.change.file != item.asked.file) {
        change.content = Index::read(change.content).renamed(&item.asked.file, &item.change.file);
    }
    change
}

/// The name by which a file that lands was asked for.
fn asked_name(file: &str, items: &[Item]) -> String {
    items.iter().find(|item| item.change.file == file).map_or(file, |item| &item.asked.file).to_owned()
}

/// Why the index must not be replaced: two files that were one would go different ways from then on.
pub(in crate::change) fn unwritable(before: Option<&FileState>) -> Option<HoldReason> {
    before.is_some_and(|state| state.hard_links > 1).then(|| {
        held(
            "containment",
            "the index has another name (a hard link), which replacing it would cut off; copy it over itself first",
        )
    })
}

/// What a file will hold after the landing; `None`: it will not be there.
fn content_of(file: &str, items: &[Item], root: Option<&Root>) -> Option<Vec<u8>> {
    match items.iter().find(|item| item.change.file == file) {
        Some(item) if item.is_held() => item.before.as_ref().map(|before| before.bytes.clone()),
        Some(item) => item.change.content.clone(),
        None if containment::refusal_of_existing(file).is_some() => None,
        None => root?.locate(file).and_then(|place| place.read()).ok()?.map(|state| state.bytes),
    }
}

/// The text of everything that lands, in which a link may have gone.
fn mentioned(items: &[Item]) -> Vec<&[u8]> {
    items.iter().filter(|item| !item.is_held()).filter_map(|item| item.change.content.as_deref()).collect()
}
