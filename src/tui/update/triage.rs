//! Triage: one memory after the other, one key a verdict, each of which can be taken back.
//!
//! A verdict is about the memory as it is shown, and the next card comes when the door has answered: no key judges what
//! nobody saw. Not its job: what follows from the door's answers and from changes on the disk (see [`answers`]).

mod answers;

pub(super) use answers::{done, edited, merge_failed, settle, union_read};

use std::collections::VecDeque;

use chrono::TimeDelta;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, step};
use crate::change::Origin;
use crate::change::verbs::SaveKind;
use crate::change::verdicts::{Seen, Union};
use crate::health::need::order;
use crate::memory::Kind;
use crate::text::{count, visible};
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::layer::Layer;
use crate::tui::layer::choose::{Asked, Choose, MOST_DAYS};
use crate::tui::layer::triage::{Back, Pending, Triage, Verdict, What};
use crate::tui::state::{ListState, State};
use crate::tui::theme::Meaning;
use crate::tui::update::sheets;
use crate::tui::view::triage::{card_area, summary_height};

/// Opens triage: over the marked and visible memories, else with a filter over exactly the visible ones, else over all that
/// need a person.
pub(super) fn open(state: &mut State, is_marked: bool) -> Vec<Effect> {
    let scope = match (is_marked, state.memories.filter.is_empty()) {
        (true, _) => Some("marked"),
        (false, false) => Some("filtered"),
        (false, true) => None,
    };
    let queue: VecDeque<String> = candidates(state, scope).into();
    let snoozed = snoozed(state);
    if queue.is_empty() {
        let waiting = if snoozed > 0 { format!("; {snoozed} snoozed") } else { String::new() };
        state.tell(Meaning::Ok, format!("Nothing here needs you: no evidence against it, nothing old{waiting}"));
        return Vec::new();
    }
    let unread = || {
        ("Evidence is still being read: the cards after this one may come in another order".to_owned(), Meaning::Warn)
    };
    let note = (!state.knows_findings).then(unread);
    let note = note.or_else(|| left_out(snoozed, scope));
    let triage = Triage {
        queue,
        scope,
        since: state.now,
        begun: state.now,
        note,
        knows_findings: state.knows_findings,
        ..Triage::default()
    };
    // What was said of an earlier deed has its place no more.
    state.notice = None;
    state.layers.push(Layer::Triage(Box::new(triage)));
    Vec::new()
}

/// What is said of those that wait and are left out.
fn left_out(snoozed: usize, scope: Option<&'static str>) -> Option<(String, Meaning)> {
    (snoozed > 0 && scope != Some("marked"))
        .then(|| (format!("{} left out: snoozed", count(snoozed, "memory", "memories")), Meaning::Dim))
}

/// The visible memories that triage is over, most in need first, then the oldest claim.
fn candidates(state: &State, scope: Option<&'static str>) -> Vec<String> {
    let Some(snapshot) = state.snapshot() else { return Vec::new() };
    let rows = state.memories.rows.iter().filter_map(|row| Some((row.need, snapshot.memories.get(row.at)?)));
    let mut chosen: Vec<_> = rows
        .filter(|(need, memory)| match scope {
            Some("marked") => state.memories.marked.contains(&memory.file),
            Some(_) => memory.snoozed_until.is_none(),
            None => *need > 0 && memory.snoozed_until.is_none(),
        })
        .collect();
    chosen.sort_by_key(|(need, memory)| order(*need, memory.age_days, &memory.file));
    chosen.into_iter().map(|(_, memory)| memory.file.clone()).collect()
}

/// How many visible memories are left out because they wait.
fn snoozed(state: &State) -> usize {
    let Some(snapshot) = state.snapshot() else { return 0 };
    let visible = state.memories.rows.iter().filter_map(|row| snapshot.memories.get(row.at));
    visible.filter(|memory| memory.snoozed_until.is_some()).count()
}

/// Who wants an edit that is saved now.
pub(super) fn origin(state: &State) -> Origin {
    if state.triage().is_some() { Origin::Triage } else { Origin::Edit }
}

/// Takes a key before the key map sees it: a digit is part of a number of days.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(Layer::Triage(triage)) = state.layers.last_mut() else { return Flow::Pass };
    let digit = match key.code {
        KeyCode::Char(digit) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
            digit.to_digit(10)
        }
        _ => None,
    };
    match digit.and_then(|digit| u16::try_from(digit).ok()) {
        Some(digit) if triage.card().is_some() && (digit > 0 || triage.count.is_some()) => {
            triage.count =
                Some(triage.count.unwrap_or_default().saturating_mul(10).saturating_add(digit).min(MOST_DAYS));
            Flow::Done(Vec::new())
        }
        _ => Flow::Pass,
    }
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Triage(triage)) = state.layers.last() else { return Flow::Pass };
    if triage.summary.is_some() {
        return in_summary(state, command);
    }
    if let Some(flow) = scrolled(state, command) {
        return flow;
    }
    let Some(triage) = state.triage_mut() else { return Flow::Pass };
    let days = if matches!(command, Command::Snooze) { triage.count.take() } else { None };
    triage.count = None;
    let is_verdict = matches!(
        command,
        Command::StillTrue
            | Command::Delete
            | Command::Snooze
            | Command::Retype
            | Command::Merge
            | Command::Skip
            | Command::Undo
            | Command::Edit
            | Command::EditExternally
    );
    // The door has not answered the last one yet: what would be judged now is not what is seen then.
    if is_verdict && triage.pending.is_some() {
        return Flow::Done(Vec::new());
    }
    let effects = match command {
        Command::StillTrue => judge(state, What::Confirmed, Judgement::StillTrue),
        Command::Delete => judge(state, What::Deleted, Judgement::Delete),
        Command::Snooze => match days {
            Some(days) => snooze(state, days),
            None => ask(state, Asked::Snooze),
        },
        Command::Retype => ask(state, Asked::Retype),
        Command::Merge => propose(state),
        Command::Skip => skip(state),
        Command::Undo => {
            let last = triage.judged.len().saturating_sub(1);
            take_back(state, last)
        }
        Command::Close => {
            leave(state);
            Vec::new()
        }
        _ => return Flow::Pass,
    };
    Flow::Done(effects)
}

/// The card scrolls.
fn scrolled(state: &mut State, command: Command) -> Option<Flow> {
    let area = card_area(state);
    let height = usize::from(area.height);
    let triage = state.triage()?;
    let length = sheets::length(state, &triage.sheet, area.width);
    let by = step(command, length, height)?;
    state.triage_mut()?.sheet.scroll_by(by, length, height);
    Some(Flow::Done(Vec::new()))
}

/// The summary: its verdicts can be taken back one by one, and what is left gone on with.
fn in_summary(state: &mut State, command: Command) -> Flow {
    let height = summary_height(state);
    let now = state.now;
    let Some(triage) = state.triage_mut() else { return Flow::Pass };
    let length = triage.judged.len();
    let Some(list) = &mut triage.summary else { return Flow::Pass };
    if let Some(rows) = step(command, length, height) {
        list.move_by(rows, length, height);
        return Flow::Done(Vec::new());
    }
    let selected = list.selected;
    match command {
        Command::Undo if triage.pending.is_some() => Flow::Done(Vec::new()),
        Command::Undo => Flow::Done(take_back(state, selected)),
        Command::Open => {
            triage.summary = None;
            triage.since = now;
            Flow::Done(Vec::new())
        }
        _ => Flow::Pass,
    }
}

/// To the summary; when nothing was judged there is none.
fn leave(state: &mut State) {
    let Some(triage) = state.triage_mut() else { return };
    if triage.judged.is_empty() && triage.pending.is_none() {
        state.layers.pop();
        return;
    }
    triage.summary = Some(ListState { selected: triage.judged.len().saturating_sub(1), ..ListState::default() });
    triage.note = None;
}

/// Asks the door for a verdict on the card.
fn judge(state: &mut State, what: What, judgement: Judgement) -> Vec<Effect> {
    let Some(seen) = pend(state, what, None) else { return Vec::new() };
    vec![Effect::Do(Box::new(Deed::Judge { seen: vec![seen], judgement }))]
}

/// Notes that a verdict on the card is under way; the memory as it is shown. `partner`: another card that goes with it.
fn pend(state: &mut State, what: What, partner: Option<&str>) -> Option<Seen> {
    let now = state.now;
    let triage = state.triage_mut()?;
    let seen = triage.shown.clone().filter(|seen| Some(seen.file.as_str()) == triage.card())?;
    let waits = partner.filter(|partner| triage.queue.iter().any(|file| file == partner));
    let cards = std::iter::once(seen.file.clone()).chain(waits.map(str::to_owned)).collect();
    let took = (now - triage.since).max(TimeDelta::zero());
    triage.pending = Some(Pending::Verdict { what, took, cards });
    triage.note = None;
    Some(seen)
}

/// Asks how long, or which type.
fn ask(state: &mut State, asked: Asked) -> Vec<Effect> {
    if let Some(seen) = state.triage().and_then(|triage| triage.shown.clone()) {
        state.layers.push(Layer::Choose(Choose { asked, seen: vec![seen], hidden: Vec::new(), days: None }));
    }
    Vec::new()
}

/// Lets the memory on the card wait.
pub(super) fn snooze(state: &mut State, days: u16) -> Vec<Effect> {
    let until = state.now + TimeDelta::days(i64::from(days));
    let Some(seen) = pend(state, What::Snoozed(until), None) else { return Vec::new() };
    vec![Effect::Do(Box::new(Deed::Snooze(vec![(seen, Some(until))])))]
}

/// Gives the memory on the card another type.
pub(super) fn retype(state: &mut State, kind: Kind) -> Vec<Effect> {
    judge(state, What::Retyped(kind), Judgement::Retype(kind))
}

/// On to the next card without a verdict.
fn skip(state: &mut State) -> Vec<Effect> {
    let Some(triage) = state.triage_mut() else { return Vec::new() };
    let Some(file) = triage.queue.pop_front() else { return Vec::new() };
    let note = format!("Skipped {}", visible(&file));
    let cards = vec![file.clone()];
    triage.judged.push(Verdict { file, what: What::Skipped, took: TimeDelta::zero(), back: Back::Nothing, cards });
    answers::next(state, note, Meaning::Dim);
    Vec::new()
}

/// Asks for the text that the card and its partner would become.
fn propose(state: &mut State) -> Vec<Effect> {
    let Some(file) = state.target().map(|memory| memory.file.clone()) else { return Vec::new() };
    let Some(partner) = state.partner_of(&file).map(|partner| partner.file.clone()) else { return Vec::new() };
    vec![Effect::ReadUnion { file, partner }]
}

/// Asks the door for the merge that is in the editor.
pub(super) fn merge(state: &mut State, content: Vec<u8>, kind: SaveKind) -> Vec<Effect> {
    let Some(Layer::Edit(editor)) = state.layers.last_mut() else { return Vec::new() };
    let Some(originals) = editor.union.clone() else { return Vec::new() };
    editor.saving = true;
    let keep = editor.file.clone();
    let other = state
        .triage()
        .and_then(|triage| triage.card())
        .map(|card| if card == keep { originals.partner.clone() } else { keep.clone() });
    // Outside triage, where a draft of a merge is taken up again, there is no card.
    if state.triage().is_some() && pend(state, What::Merged, other.as_deref()).is_none() {
        if let Some(Layer::Edit(editor)) = state.layers.last_mut() {
            editor.saving = false;
        }
        return Vec::new();
    }
    let (keep_base, partner, partner_base) = (originals.keep, originals.partner, originals.gone);
    let union = Union { keep, keep_base, partner, partner_base, content, kind };
    vec![Effect::Do(Box::new(Deed::Judge { seen: Vec::new(), judgement: Judgement::Merge(Box::new(union)) }))]
}

/// Takes a verdict back.
fn take_back(state: &mut State, at: usize) -> Vec<Effect> {
    let store = state.store_root().to_owned();
    let Some(triage) = state.triage_mut() else { return Vec::new() };
    let Some(verdict) = triage.judged.get(at) else { return Vec::new() };
    let deed = match &verdict.back {
        Back::Nothing => {
            answers::returned(state, at);
            return Vec::new();
        }
        Back::Entry(entry) => Deed::Undo { store, entry: entry.clone() },
        Back::Snooze(before) => Deed::Snooze(before.clone()),
    };
    triage.pending = Some(Pending::Back(at));
    vec![Effect::Do(Box::new(deed))]
}
