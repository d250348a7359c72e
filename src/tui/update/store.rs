//! News of the store: scans, findings, history, inbox; and another store altogether.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{dashboard, unsaved};
use crate::change::{HistoryEntry, InboxEntry};
use crate::clock::local_day;
use crate::health::{Finding, RecallUse};
use crate::memory::Snapshot;
use crate::project::Choice;
use crate::text::visible;
use crate::tui::effect::Effect;
use crate::tui::event::StoreTrouble;
use crate::tui::state::{ListState, Memories, Sheet, State, StoreView};
use crate::tui::theme::Meaning;

/// Tells what a crash had left half-done.
pub(super) fn recovered(state: &mut State, result: Result<Vec<String>, String>) -> Vec<Effect> {
    match result {
        Ok(done) if done.is_empty() => {}
        Ok(done) => state.tell(Meaning::Warn, done.join(" · ")),
        Err(error) => state.tell(Meaning::Bad, error),
    }
    Vec::new()
}

/// Takes a scan. The cursor stays on its file, windows stay where they are; a scan that found nothing new asks for nothing.
pub(super) fn scanned(state: &mut State, store: &Path, result: Result<Arc<Snapshot>, StoreTrouble>) -> Vec<Effect> {
    if store != state.store_root() {
        return Vec::new();
    }
    let snapshot = match result {
        Ok(snapshot) => snapshot,
        Err(trouble) => {
            state.store = StoreView::Trouble(trouble);
            state.findings.clear();
            state.knows_findings = false;
            state.memories = Memories { sort: state.memories.sort, ..Memories::default() };
            return Vec::new();
        }
    };
    let is_same = state.snapshot().is_some_and(|known| says_the_same(known, &snapshot));
    state.store = StoreView::Loaded(snapshot);
    dashboard::gather(state);
    dashboard::settle(state);
    if is_same { Vec::new() } else { vec![check(state)] }
}

/// After so many seconds evidence may have changed: what it is held against, the checkout and the sessions, is not watched.
const EVIDENCE_HOLDS: i64 = 30;

/// Asks for the findings.
pub(super) fn check(state: &mut State) -> Effect {
    state.checked_at = Some(state.now);
    Effect::Check
}

/// The person is here, and the evidence is from a while ago: it is looked for again. A clock that was set back counts as a
/// while.
pub(super) fn check_if_due(state: &mut State) -> Option<Effect> {
    let is_due = state.checked_at.is_some_and(|at| (state.now - at).num_seconds().abs() >= EVIDENCE_HOLDS);
    (is_due && state.snapshot().is_some()).then(|| check(state))
}

/// Asks for the ages of another day: they are whole days of the day the store was read on.
pub(super) fn day_passed(state: &mut State) -> Vec<Effect> {
    let today = local_day(state.now);
    let is_other = state.snapshot().is_some_and(|snapshot| local_day(snapshot.scanned_at) != today);
    if !is_other || state.ages_asked_for == Some(today) {
        return Vec::new();
    }
    state.ages_asked_for = Some(today);
    vec![Effect::Rescan]
}

/// Whether two scans of one day hold the same.
fn says_the_same(one: &Snapshot, other: &Snapshot) -> bool {
    local_day(one.scanned_at) == local_day(other.scanned_at)
        && one.index.bytes == other.index.bytes
        && one.has_index == other.has_index
        && one.memories.len() == other.memories.len()
        && one
            .memories
            .iter()
            .zip(&other.memories)
            .all(|(a, b)| a.file == b.file && a.hash == b.hash && a.claim.at == b.claim.at)
}

/// Takes the findings of the store.
pub(super) fn checked(state: &mut State, store: &Path, findings: Vec<Finding>, used: RecallUse) -> Vec<Effect> {
    if store != state.store_root() {
        return Vec::new();
    }
    // The first findings come right after the first rows: a cursor nobody moved yet stays on what needs a look most.
    if !std::mem::replace(&mut state.knows_findings, true) && state.memories.list.selected == 0 {
        state.memories.file = None;
    }
    if state.findings != findings || state.used != used {
        (state.findings, state.used) = (findings, used);
        dashboard::gather(state);
    }
    Vec::new()
}

/// Takes the history, and what was rejected.
pub(super) fn history_read(
    state: &mut State,
    store: &Path,
    result: Result<Vec<HistoryEntry>, String>,
    dropped: Vec<(String, DateTime<Utc>)>,
) -> Vec<Effect> {
    if store != state.store_root() {
        return Vec::new();
    }
    state.dropped = dropped;
    match result {
        Ok(entries) => {
            (state.history, state.history_trouble) = (entries, None);
            // What was said of an empty history is not true any more.
            if !state.history.is_empty() {
                state.notice.take_if(|notice| notice.text == super::deeds::NOTHING_LANDED);
            }
        }
        Err(error) => {
            state.history_trouble = Some(error.clone());
            state.tell(Meaning::Bad, error);
        }
    }
    Vec::new()
}

/// Takes the inbox.
pub(super) fn inbox_read(state: &mut State, store: &Path, result: Result<Vec<InboxEntry>, String>) -> Vec<Effect> {
    match result {
        _ if store != state.store_root() => {}
        Ok(entries) => {
            state.inbox = entries;
            forget_decided(state);
        }
        Err(error) => state.tell(Meaning::Bad, error),
    }
    Vec::new()
}

/// What the pill says of changes that wait is over once they were decided on.
fn forget_decided(state: &mut State) {
    let Some(run) = state.ending.as_ref().and_then(|ending| state.run(&ending.run)) else { return };
    if run.inbox.is_some() && !state.waits_for_review(run) {
        state.ending = None;
    }
}

/// Shows another project: everything that belonged to the one before is forgotten. A text that is written meanwhile belongs
/// to the one before, so that stays until the text is saved or dropped.
pub(super) fn opened(state: &mut State, choice: Choice) -> Vec<Effect> {
    if let Some(text) = unsaved::current(state) {
        let (other, title) = (visible(&choice.title).into_owned(), visible(&text.title()).into_owned());
        state.tell(Meaning::Warn, format!("{other} is not opened: save or drop what you wrote in {title} first"));
        return vec![Effect::Rescan];
    }
    let kept = unsaved::forget(state);
    state.layers.retain(|layer| !unsaved::is_form(layer));
    let notices = choice.notices.join(" · ");
    state.choice = choice;
    state.branch = None;
    state.store = StoreView::Loading;
    state.findings.clear();
    state.used = RecallUse::default();
    state.knows_findings = false;
    state.checked_at = None;
    state.gates = crate::run::GateReport::default();
    state.inbox.clear();
    state.history.clear();
    state.snoozed = None;
    state.dropped.clear();
    state.index = ListState::default();
    state.memories = Memories { sort: state.memories.sort, ..Memories::default() };
    state.preview = Sheet::default();
    state.ending = None;
    state.drafts.waiting.clear();
    state.drafts.reopening = None;
    if !notices.is_empty() {
        state.tell(Meaning::Warn, notices);
    }
    kept.into_iter().chain(super::start()).collect()
}
