//! The review of held changes: verdicts by file and by hunk, an edit of the proposal, and one landing of what was accepted.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, step};
use crate::change::unsaved::Unsaved;
use crate::change::{DoorError, Op, Review};
use crate::memory::{INDEX_FILE, Topic};
use crate::text::count;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect, TurnQuestion};
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::detail::DetailKey;
use crate::tui::layer::edit::{Editor, is_too_large};
use crate::tui::layer::review::{Asking, ReviewScreen, Verdict};
use crate::tui::layer::turn::Turn;
use crate::tui::layout::{halves, inside, large};
use crate::tui::page;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens the review of an entry of a store's inbox.
pub(super) fn open(state: &mut State, store: &Path, entry: &str) -> Vec<Effect> {
    state.layers.push(Layer::Review(Box::new(ReviewScreen::of(store, entry))));
    vec![Effect::ReadReview { store: store.to_owned(), entry: entry.to_owned() }]
}

fn top(state: &mut State) -> Option<&mut ReviewScreen> {
    match state.layers.last_mut() {
        Some(Layer::Review(screen)) => Some(screen),
        _ => None,
    }
}

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (list, detail) = halves(inside(large(state.area)));
    let Some(screen) = top(state) else { return Flow::Pass };
    if screen.asking.take().is_some() && command == Command::Close {
        return Flow::Done(Vec::new());
    }
    let height = usize::from(detail.height);
    if matches!(command, Command::HalfPageDown | Command::HalfPageUp) {
        screen.detail.scroll_by(step(command, 0, height).unwrap_or_default(), height);
        return Flow::Done(Vec::new());
    }
    if let Some(rows) = step(command, screen.changes().len(), usize::from(list.height)) {
        move_by(screen, rows, usize::from(list.height));
        return Flow::Done(Vec::new());
    }
    match command {
        Command::AcceptFile => judge(screen, Verdict::Accepted),
        Command::RejectFile => judge(screen, Verdict::Rejected),
        Command::AcceptAll => accept_all(screen),
        Command::NextHunk => to_hunk(screen, 1, height),
        Command::PreviousHunk => to_hunk(screen, -1, height),
        Command::ToggleHunk => {
            screen.toggle_hunk();
            to_hunk(screen, 0, height);
        }
        Command::Sources => {
            screen.source = if screen.source.is_some() { None } else { Some(0) };
        }
        Command::EditProposal => {
            edit(state, None);
        }
        Command::Land => return Flow::Done(land(state)),
        Command::Close | Command::Quit if !screen.landing && !screen.versions().is_empty() => {
            screen.asking = Some(Asking::Close);
        }
        Command::Close if !screen.verdicts.is_empty() && !screen.landing => leave(state),
        _ => return Flow::Pass,
    }
    Flow::Done(Vec::new())
}

/// Takes a key: the answer to whether typed text is dropped.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    let Some(screen) = top(state).filter(|screen| screen.asking.is_some()) else { return Flow::Pass };
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    match key.code {
        KeyCode::Char('d') => match screen.asking.take() {
            Some(Asking::Close) => leave(state),
            Some(Asking::Judge(verdict)) => judged(screen, verdict),
            None => {}
        },
        KeyCode::Esc | KeyCode::Char('n' | 'q') => screen.asking = None,
        _ => super::stray::no_answer(state, key, "d: drop it, Esc: keep it"),
    }
    Flow::Done(Vec::new())
}

/// Closes the review; its verdicts are dropped.
fn leave(state: &mut State) {
    let Some(screen) = top(state) else { return };
    let text = count(screen.verdicts.len(), "verdict", "verdicts");
    let was_decided = screen.was_decided;
    state.layers.pop();
    let waits = if was_decided { "what is left still waits" } else { "nothing landed, everything still waits" };
    state.tell(Meaning::Warn, format!("{text} dropped: {waits}"));
}

/// Moves among the files, or among the sources while those have the keys.
fn move_by(screen: &mut ReviewScreen, rows: isize, height: usize) {
    let (files, sources) = (screen.changes().len(), screen.sources().len());
    match &mut screen.source {
        Some(source) => *source = source.saturating_add_signed(rows).min(sources.saturating_sub(1)),
        None => {
            screen.files.move_by(rows, files, height);
            screen.hunk = 0;
        }
    }
}

/// Another verdict than a version of one's own drops that, which is asked about first.
fn judge(screen: &mut ReviewScreen, verdict: Verdict) {
    if matches!(screen.verdict(), Some(Verdict::Edited { .. })) {
        screen.asking = Some(Asking::Judge(verdict));
    } else {
        judged(screen, verdict);
    }
}

/// A verdict on a file is the last word on it: the next undecided one comes under the cursor.
fn judged(screen: &mut ReviewScreen, verdict: Verdict) {
    screen.judge(verdict);
    screen.source = None;
    if screen.verdict().is_none() {
        return;
    }
    let undecided = |at: &usize| screen.changes().get(*at).is_some_and(|one| !screen.verdicts.contains_key(&one.file));
    if let Some(next) = (screen.files.selected + 1..screen.changes().len()).find(undecided) {
        screen.files.selected = next;
        screen.hunk = 0;
    }
}

fn accept_all(screen: &mut ReviewScreen) {
    let files: Vec<String> = screen.changes().iter().map(|change| change.file.clone()).collect();
    for file in files {
        // What was edited or rejected was looked at; hunks that were left were, too.
        screen.verdicts.entry(file).or_insert(Verdict::Accepted);
    }
}

/// To a neighbouring hunk, which comes into view.
fn to_hunk(screen: &mut ReviewScreen, by: isize, height: usize) {
    screen.source = None;
    let last = screen.hunk_count().saturating_sub(1);
    screen.hunk = screen.hunk.saturating_add_signed(by).min(last);
    let Some(row) = screen.hunk_rows.get(screen.hunk).copied() else { return };
    // As little as needed, with two lines around.
    let (from, lines) = (row.saturating_sub(2), screen.file().and_then(|file| file.hunks.get(screen.hunk)));
    let to = row + lines.map_or(1, |hunk| hunk.base.len() + hunk.proposed.len() + 3);
    screen.detail.scroll = screen.detail.scroll.max(to.saturating_sub(height)).min(from);
}

/// Opens the proposed text in the editor; what is saved there is the person's version of it. A proposal that cannot be merged
/// with what is on the disk by now opens with both in it, based on the disk; so does the one of two versions of a team's entry
/// that is not in the file.
/// `draft`: what an earlier screen left of it. Whether it opened.
fn edit(state: &mut State, draft: Option<&Unsaved>) -> bool {
    let Some(screen) = top(state) else { return false };
    let Some(change) = screen.change() else { return false };
    let theirs = screen.file().and_then(|file| file.theirs.clone()).filter(|_| change.op == Op::Replace);
    let beside = change.common.clone().filter(|_| theirs.is_none());
    let theirs = theirs.or_else(|| change.base.clone().filter(|_| beside.is_some()));
    let (own, seen) = match (screen.verdict(), draft) {
        (Some(Verdict::Edited { text, base }), None) => (Some(text.clone()), base.clone()),
        (Some(Verdict::Edited { text, .. }), Some(draft)) => (Some(text.clone()), seen_by(draft)),
        (_, Some(draft)) => (None, seen_by(draft)),
        _ => (None, None),
    };
    // A version of theirs that was made with what is there now in view has it in already.
    let is_settled = (own.is_some() || draft.is_some()) && seen == theirs;
    let text = own.or_else(|| change.content.clone()).unwrap_or_default();
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    let file = change.file.clone();
    let why = match change.op {
        Op::Remove => "a removal has no text to edit; accept or reject it",
        _ if file == INDEX_FILE => "the index is edited line by line; take or leave its hunks",
        _ if !is_text(&text) || theirs.as_deref().is_some_and(|bytes| !is_text(bytes)) => {
            "the text is not UTF-8: editing it here would damage it"
        }
        _ if is_too_large(&Topic::read(text.clone())) => "the text is too large to edit here",
        Op::Create | Op::Replace => {
            let mut written = Editor::open(&file, Topic::read(text));
            if let Some(draft) = draft {
                super::unsaved::fill(&mut written.form, draft);
            }
            let editor = match theirs.filter(|_| !is_settled) {
                Some(theirs) => {
                    let base = seen.or(beside).or_else(|| change.base.clone()).unwrap_or_default();
                    let mut ours = Editor::open(&file, Topic::read(base));
                    ours.form = written.form;
                    ours.merged_in_review(Topic::read(theirs.clone())).of_review(Some(theirs))
                }
                None => written.of_review(seen),
            };
            state.layers.push(Layer::Edit(Box::new(editor)));
            return true;
        }
    };
    state.tell(Meaning::Warn, format!("Not possible here: {why}"));
    false
}

fn seen_by(draft: &Unsaved) -> Option<Vec<u8>> {
    draft.base.clone().map(String::into_bytes)
}

/// Opens the editor on the draft of a version that an earlier screen left; whether its file still waits.
pub(super) fn reopen(state: &mut State, draft: &Unsaved) -> bool {
    let Some(screen) = top(state) else { return false };
    let Some(at) = screen.changes().iter().position(|change| change.file == draft.file) else { return false };
    (screen.files.selected, screen.hunk, screen.source) = (at, 0, None);
    edit(state, Some(draft))
}

/// Takes the text of the editor, which is closed, as the verdict on its file. `base`: what was seen on the disk.
pub(super) fn edited(state: &mut State, file: &str, text: Vec<u8>, base: Option<Vec<u8>>) {
    for layer in &mut state.layers {
        let Layer::Review(screen) = layer else { continue };
        let proposed = screen.changes().iter().find(|change| change.file == file);
        let is_as_proposed = base.is_none() && proposed.is_some_and(|change| change.content.as_ref() == Some(&text));
        let verdict = if is_as_proposed { Verdict::Accepted } else { Verdict::Edited { text, base } };
        screen.verdicts.insert(file.to_owned(), verdict);
        let key = state.keymap.shown(Command::Land);
        state.tell(Meaning::Ok, format!("{file} is accepted in your version; {key} lands it"));
        return;
    }
}

/// Lands what is accepted; asks first when something is dropped. On a source: opens its turn.
fn land(state: &mut State) -> Vec<Effect> {
    let Some(screen) = top(state) else { return Vec::new() };
    if let Some(at) = screen.source {
        return open_source(state, at);
    }
    let decision = screen.decision();
    let (accepted, rejected) = (decision.accepted.len(), decision.rejected.len());
    if accepted + rejected == 0 {
        let (one, all) = (state.keymap.shown(Command::AcceptFile), state.keymap.shown(Command::AcceptAll));
        state.tell(Meaning::Text, format!("Nothing is accepted yet: {one} accepts the file, {all} all of them"));
        return Vec::new();
    }
    let stuck = screen.stuck();
    let lands = accepted - stuck.len();
    let mut lines: Vec<String> = decision.rejected.iter().map(|file| format!("drop {file}")).collect();
    lines
        .extend(stuck.iter().map(|file| format!("{file} goes on waiting: it cannot be merged with what is there now")));
    let effect =
        Effect::Do(Box::new(Deed::Decide { store: screen.store.clone(), entry: screen.entry.clone(), decision }));
    if rejected == 0 {
        screen.landing = true;
        return vec![effect];
    }
    let title = match lands {
        0 => format!("Drop {}?", count(rejected, "held change", "held changes")),
        _ => format!("Land {}, drop {rejected}?", count(lands, "change", "changes")),
    };
    let yes = if lands == 0 { "drop" } else { "land and drop" };
    state.layers.push(Layer::Confirm(Confirm { title, lines, yes, effects: vec![effect] }));
    Vec::new()
}

fn open_source(state: &mut State, at: usize) -> Vec<Effect> {
    let Some(screen) = top(state) else { return Vec::new() };
    let Some(source) = screen.sources().get(at).cloned() else { return Vec::new() };
    let Some(session) = source.session else {
        state.tell(Meaning::Text, "This source does not say which session it is from");
        return Vec::new();
    };
    let (store, line, quote) = (screen.store.clone(), source.line, source.quote);
    let question = TurnQuestion { store, session, line, quote, ..TurnQuestion::default() };
    state.layers.push(Layer::Turn(Box::new(Turn::of(&question))));
    vec![Effect::ReadTurn(question)]
}

/// Takes what waits. An entry that is gone was decided on: its review closes.
pub(super) fn read(state: &mut State, store: &Path, entry: &str, result: Result<Arc<Review>, DoorError>) {
    let is_it =
        |layer: &Layer| matches!(layer, Layer::Review(screen) if screen.store == store && screen.entry == entry);
    let Some(at) = state.layers.iter().position(is_it) else { return };
    if matches!(result, Err(DoorError::Unknown { .. })) {
        let was_read = matches!(state.layers.get(at), Some(Layer::Review(screen)) if screen.review.is_some());
        state.layers.remove(at);
        if !was_read {
            state.tell(Meaning::Text, "Nothing of this waits any more: it was decided on already");
        }
        return;
    }
    let Some(Layer::Review(screen)) = state.layers.get_mut(at) else { return };
    // The file under the cursor, else the ones behind it, else those before it, the nearest first.
    let (before, behind) = screen.changes().split_at(screen.files.selected.min(screen.changes().len()));
    let nearest: Vec<String> = behind.iter().chain(before.iter().rev()).map(|change| change.file.clone()).collect();
    screen.review = Some(result.map_err(|error| error.to_string()));
    let waiting: BTreeSet<String> = screen.changes().iter().map(|change| change.file.clone()).collect();
    screen.verdicts.retain(|file, _| waiting.contains(file));
    // What was decided on is gone from the list: the cursor stays with the file that it was on, not with its number.
    let wanted = screen.wanted.take();
    let place = |file: &String| screen.changes().iter().position(|change| change.file == *file);
    if let Some(at) = wanted.iter().chain(&nearest).find_map(place) {
        screen.files.selected = at;
    }
    (screen.hunk, screen.source, screen.detail.key) = (0, None, DetailKey::default());
}

/// Hears what became of its decision. What landed or was dropped waits no longer; verdicts on the rest were for it, and those
/// on what could not land (`still_waits`; `None`: nothing was done) stand.
pub(super) fn decided(
    state: &mut State,
    store: &Path,
    entry: &str,
    still_waits: Option<&BTreeSet<String>>,
) -> Vec<Effect> {
    for layer in &mut state.layers {
        if let Layer::Review(screen) = layer
            && screen.store == store
            && screen.entry == entry
        {
            screen.landing = false;
            if let Some(waiting) = still_waits {
                screen.verdicts.retain(|file, _| waiting.contains(file));
                screen.was_decided = true;
            }
            return vec![Effect::ReadReview { store: store.to_owned(), entry: entry.to_owned() }];
        }
    }
    Vec::new()
}

/// After each event: the cursor stays in the list, and the page about the file under it is laid out.
pub(super) fn settle(state: &mut State) {
    let (list, detail) = halves(inside(large(state.area)));
    let theme = state.theme;
    let Some(screen) = top(state) else { return };
    screen.files.settle(screen.changes().len(), usize::from(list.height));
    screen.hunk = screen.hunk.min(screen.hunk_count().saturating_sub(1));
    screen.source = screen.source.filter(|_| !screen.sources().is_empty());
    let Some(change) = screen.change() else { return screen.detail.lines.clear() };
    let version = match screen.verdict() {
        // The length of a text is not its content, but another text comes only with another verdict in between.
        Some(Verdict::Edited { text, .. }) => format!("edited {}", crate::memory::ContentHash::of(text)),
        verdict => format!("{verdict:?}"),
    };
    let version = format!("{version} {} {:?}", screen.hunk, screen.source);
    let key = DetailKey { what: change.file.clone(), version, width: usize::from(detail.width) };
    if screen.detail.key == key {
        return;
    }
    let laid_out = page::review(screen, key.width, theme);
    (screen.hunk_rows, screen.source_rows) = (laid_out.hunk_rows, laid_out.source_rows);
    screen.detail.show(key, |_| laid_out.lines);
    if let Some(row) = screen.source.and_then(|source| screen.source_rows.get(source)) {
        // The source under the cursor comes into view with its quote.
        let height = usize::from(detail.height);
        if *row < screen.detail.scroll || *row + 3 > screen.detail.scroll + height {
            screen.detail.scroll = (row + 3).saturating_sub(height);
        }
    }
}
