//! What follows in triage from the door's answers, and from changes on the disk under an open card.

use super::candidates;
use crate::change::verbs::SaveKind;
use crate::change::verdicts::Seen;
use crate::change::{DoorError, Landing};
use crate::text::visible;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Judgement};
use crate::tui::event::{Outcome, Proposal};
use crate::tui::layer::Layer;
use crate::tui::layer::edit::{Editor, Originals, is_too_large};
use crate::tui::layer::triage::{Back, Pending, Verdict, What};
use crate::tui::state::{ListState, Sheet, State};
use crate::tui::theme::Meaning;

/// Hears what became of a deed; whether it was triage's own and the person was told on the card.
pub(in crate::tui::update) fn done(state: &mut State, deed: &Deed, result: &Result<Outcome, DoorError>) -> bool {
    let Some(triage) = state.triage_mut() else { return false };
    let is_own = matches!(
        (&triage.pending, deed),
        (Some(Pending::Verdict { .. }), Deed::Judge { .. } | Deed::Snooze(_))
            | (Some(Pending::Back(_)), Deed::Undo { .. } | Deed::Snooze(_))
    );
    if !is_own {
        return false;
    }
    match (triage.pending.take(), result) {
        (Some(Pending::Verdict { what, took, cards }), Ok(outcome)) => {
            let back = match outcome {
                Outcome::Snoozed(before) => Back::Snooze(before.clone()),
                Outcome::Landed { landing, .. } => landing.history.clone().map_or(Back::Nothing, Back::Entry),
                Outcome::Dropped(_) | Outcome::Waiting(_) => Back::Nothing,
            };
            triage.queue.retain(|file| !cards.contains(file));
            let file = cards.first().cloned().unwrap_or_default();
            let mut text = told(what, &file);
            if let Judgement::Merge(union) = judgement(deed) {
                text = format!("Merged {} into {}", visible(&union.partner), visible(&union.keep));
            }
            triage.judged.push(Verdict { file, what, took, back, cards });
            let tone = warn_of(outcome, &mut text);
            next(state, text, tone);
        }
        (Some(Pending::Back(at)), Ok(outcome)) => match outcome {
            Outcome::Landed { landing, .. } if !landing.held.is_empty() => {
                let files: Vec<_> = landing.held.iter().map(|held| visible(&held.file).into_owned()).collect();
                let text = format!("Not wholly taken back, changed since: {}", files.join(", "));
                triage.note = Some((text, Meaning::Warn));
            }
            _ => returned(state, at),
        },
        (_, Err(error)) => failed(state, error),
        (None, Ok(_)) => {}
    }
    true
}

/// What a deed makes of a memory; anything but a merge needs no more words.
fn judgement(deed: &Deed) -> &Judgement {
    match deed {
        Deed::Judge { judgement, .. } => judgement,
        _ => &Judgement::StillTrue,
    }
}

/// What else a landing did, said behind what was wanted.
fn warn_of(outcome: &Outcome, text: &mut String) -> Meaning {
    let Outcome::Landed { landing, .. } = outcome else { return Meaning::Ok };
    if !landing.held.is_empty() {
        let files: Vec<_> = landing.held.iter().map(|held| visible(&held.file).into_owned()).collect();
        text.push_str(&format!(" · left alone: {}", files.join(", ")));
    }
    if !landing.newly_cut.is_empty() {
        text.push_str(&format!(" · now past the index limit: {}", landing.newly_cut.join(", ")));
    }
    if landing.held.is_empty() && landing.newly_cut.is_empty() { Meaning::Ok } else { Meaning::Warn }
}

fn told(what: What, file: &str) -> String {
    let file = visible(file);
    match what {
        What::Confirmed => format!("Still true, dated today: {file}"),
        What::Edited => format!("Saved {file}"),
        What::Merged => format!("Merged {file}"),
        What::Deleted => format!("Moved {file} to the trash"),
        What::Snoozed(until) => format!("{file} waits until {}", crate::clock::local_day(until)),
        What::Retyped(kind) => format!("{file} is of type {} now", kind.word()),
        What::Skipped => format!("Skipped {file}"),
    }
}

/// The next card, with what is said of the one before; after the last one the summary.
pub(super) fn next(state: &mut State, mut note: String, tone: Meaning) {
    let key = state.keymap.shown(Command::Undo);
    note.push_str(&format!(" · {key} takes it back"));
    let now = state.now;
    let Some(triage) = state.triage_mut() else { return };
    triage.note = Some((note, tone));
    triage.shown = None;
    triage.awaits = false;
    triage.sheet = Sheet::default();
    triage.count = None;
    triage.since = now;
    if triage.queue.is_empty() && triage.summary.is_none() {
        triage.summary = Some(ListState { selected: triage.judged.len().saturating_sub(1), ..ListState::default() });
    }
}

/// A verdict was taken back: its card returns.
pub(super) fn returned(state: &mut State, at: usize) {
    let now = state.now;
    let Some(triage) = state.triage_mut() else { return };
    if at >= triage.judged.len() {
        return;
    }
    let verdict = triage.judged.remove(at);
    triage.queue.retain(|file| *file != verdict.file && !verdict.cards.contains(file));
    for file in verdict.cards.iter().rev().filter(|file| **file != verdict.file) {
        triage.queue.push_front(file.clone());
    }
    triage.queue.push_front(verdict.file.clone());
    triage.note = Some((format!("Taken back: {} was {}", visible(&verdict.file), verdict.what.word()), Meaning::Ok));
    triage.shown = None;
    triage.awaits = verdict.back != Back::Nothing;
    triage.sheet = Sheet::default();
    triage.since = now;
    let last = triage.judged.len().saturating_sub(1);
    if let Some(list) = &mut triage.summary {
        list.selected = list.selected.min(last);
    }
}

/// A verdict did not go through: the card stays, and says so.
fn failed(state: &mut State, error: &DoorError) {
    let text = match error {
        DoorError::Conflict { theirs: Some(_), file, .. } => {
            format!("Nothing was written: {} changed on disk; look at it again", visible(file))
        }
        DoorError::Conflict { theirs: None, file, .. } => {
            format!("Nothing was written: {} is gone from the disk", visible(file))
        }
        _ => format!("Nothing was written: {error}"),
    };
    if let Some(triage) = state.triage_mut() {
        triage.note = Some((text, Meaning::Warn));
    }
}

/// An edit of the card was saved. The card stays for its verdict, unless the claim was confirmed with it.
pub(in crate::tui::update) fn edited(state: &mut State, file: &str, kind: SaveKind, landing: &Landing) {
    let now = state.now;
    let Some(triage) = state.triage_mut() else { return };
    if triage.card() != Some(file) {
        return;
    }
    let is_final = kind == SaveKind::Renew;
    let back = landing.history.clone().map_or(Back::Nothing, Back::Entry);
    let cards = if is_final { vec![file.to_owned()] } else { Vec::new() };
    let took = (now - triage.since).max(chrono::TimeDelta::zero());
    triage.judged.push(Verdict { file: file.to_owned(), what: What::Edited, took, back, cards });
    if is_final {
        triage.queue.pop_front();
        next(state, format!("Saved {}, dated today", visible(file)), Meaning::Ok);
        return;
    }
    triage.awaits = true;
    triage.since = now;
    let (yes, skip) = (state.keymap.shown(Command::StillTrue), state.keymap.shown(Command::Skip));
    let text = format!("Saved {}, as old as before · {yes} if it is true now, {skip} goes on", visible(file));
    if let Some(triage) = state.triage_mut() {
        triage.note = Some((text, Meaning::Ok));
    }
}

/// Opens the editor on what the card and its partner would become.
pub(in crate::tui::update) fn union_read(state: &mut State, file: &str, result: Result<Box<Proposal>, String>) {
    let is_open = state.layers.iter().any(|layer| matches!(layer, Layer::Edit(_)));
    let Some(triage) = state.triage_mut() else { return };
    if triage.card() != Some(file) || is_open {
        return;
    }
    let text = match result {
        Err(error) => error,
        Ok(proposal) if is_too_large(&proposal.united) => {
            "the two are too large to be merged here; edit one and delete the other".to_owned()
        }
        Ok(proposal) => {
            let Proposal { keep, partner, united, left_out } = *proposal;
            let (keep, gone) = ((keep.0, keep.1.bytes), partner.1.bytes);
            let originals = Originals { keep: keep.1, partner: partner.0, gone, left_out, scroll: 0 };
            state.layers.push(Layer::Edit(Box::new(Editor::of_union(&keep.0, united, originals))));
            return;
        }
    };
    triage.note = Some((text, Meaning::Warn));
}

/// A merge did not go through: the text stays in the editor, which shows what the disk holds now. Whether the person was
/// told.
pub(in crate::tui::update) fn merge_failed(state: &mut State, result: &Result<Outcome, DoorError>) -> bool {
    if let Some(triage) = state.triage_mut() {
        triage.pending = None;
    }
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return false };
    let file_kept = editor.file.clone();
    let (Err(DoorError::Conflict { file, theirs, .. }), Some(originals)) = (result, editor.union.as_mut()) else {
        return false;
    };
    let text = match theirs {
        Some(theirs) => {
            let place = if *file == file_kept { &mut originals.keep } else { &mut originals.gone };
            place.clone_from(theirs);
            format!(
                "Nothing was written: {} changed on disk and is shown as it is now; save again to land your text",
                visible(file)
            )
        }
        None => format!("Nothing was written: {} is gone from the disk; copy what you need and leave", visible(file)),
    };
    state.tell(Meaning::Warn, text);
    true
}

/// After each event: the order follows the evidence once it is known, and the card what is on the disk.
pub(in crate::tui::update) fn settle(state: &mut State) {
    follow_findings(state);
    loop {
        let Some(snapshot) = state.snapshot().cloned() else { return };
        let now = state.now;
        let Some(triage) = state.triage_mut() else { return };
        // Our own write may be seen before the door's answer.
        if triage.pending.is_some() {
            return;
        }
        let Some(card) = triage.card().map(str::to_owned) else { break };
        match snapshot.memory(&card) {
            Some(memory) => {
                let seen = Seen::from(memory);
                if let Some(shown) = triage.shown.replace(seen.clone()).filter(|shown| *shown != seen) {
                    let is_foreign = !std::mem::take(&mut triage.awaits) && shown.file == seen.file;
                    if is_foreign {
                        let text =
                            format!("{} changed on disk while you looked: this is what it says now", visible(&card));
                        triage.note = Some((text, Meaning::Warn));
                        triage.count = None;
                        triage.since = now;
                        triage.sheet.scroll = 0;
                        // A question about the text before is none about this one.
                        forget_question(state, &seen.file);
                    }
                }
                return;
            }
            // What was taken back is not in the last scan yet.
            None if triage.awaits => return,
            None => {
                triage.queue.pop_front();
                triage.shown = None;
                triage.since = now;
                triage.note = Some((format!("{} is gone from the disk: not by triage", visible(&card)), Meaning::Warn));
            }
        }
    }
    let Some(triage) = state.triage_mut() else { return };
    if triage.queue.is_empty() && triage.summary.is_none() {
        triage.summary = Some(ListState { selected: triage.judged.len().saturating_sub(1), ..ListState::default() });
    }
}

fn forget_question(state: &mut State, file: &str) {
    if matches!(state.layers.last(), Some(Layer::Choose(choose)) if choose.seen.iter().any(|seen| seen.file == file)) {
        state.layers.pop();
    }
}

/// Evidence came after triage was opened: the rest is put in its order. The card stays, so that no key meets another one.
fn follow_findings(state: &mut State) {
    let is_news = state.triage().is_some_and(|triage| !triage.knows_findings) && state.knows_findings;
    if !is_news {
        return;
    }
    let scope = state.triage().and_then(|triage| triage.scope);
    let all = candidates(state, scope);
    let snoozed = super::snoozed(state);
    let Some(triage) = state.triage_mut() else { return };
    triage.knows_findings = true;
    if triage.judged.is_empty() {
        triage.note = super::left_out(snoozed, scope);
    }
    let card = triage.queue.front().cloned();
    let is_open = |file: &String| {
        Some(file) != card.as_ref() && !triage.judged.iter().any(|verdict| verdict.cards.contains(file))
    };
    let rest: Vec<String> = all.into_iter().filter(is_open).collect();
    triage.queue = card.into_iter().chain(rest).collect();
}
