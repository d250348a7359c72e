//! Whether a command can be done now: one question each, asked by footer, palette and the key itself.
//!
//! Not its job: what to tell a person when it cannot (see `update/refusal.rs`).

use std::path::Path;

use crate::team::client::status::Standing;
use crate::tui::event::StoreTrouble;
use crate::tui::layer::Layer;
use crate::tui::layer::turn::{Speaker, Stretch};
use crate::tui::state::{Pane, State, StoreView};

pub(super) fn always(_: &State) -> bool {
    true
}

/// Whether there is something to open; what is only read has nothing.
pub(super) fn opens(state: &State) -> bool {
    match state.layers.last() {
        None => state.target().is_some() || state.focus == Pane::Pill && has_store(state),
        Some(Layer::Reading(_) | Layer::Help(_) | Layer::Message(_) | Layer::Run(_) | Layer::Why(_)) => false,
        Some(Layer::History(_)) => !state.history.is_empty(),
        Some(Layer::Triage(triage)) => triage.summary.is_some() && !triage.queue.is_empty(),
        Some(Layer::Inbox(_)) => has_inbox_row(state),
        Some(Layer::Runs(_)) => state.run_in_view().is_some(),
        Some(Layer::Health(_)) => !state.findings.is_empty(),
        Some(Layer::Projects(_)) => !state.projects.is_empty(),
        Some(Layer::Team(team)) => team.selected().is_some_and(|file| file.waits.is_some()),
        Some(_) => true,
    }
}

/// Whether there is a server to exchange with, and nothing going on with it.
pub(super) fn can_sync(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Team(team)) if team.is_set_up() && !team.is_working)
}

/// Whether the selected entry can be hidden, or is.
pub(super) fn can_hide(state: &State) -> bool {
    let Some(Layer::Team(team)) = state.layers.last() else { return false };
    can_sync(state) && team.selected().is_some_and(|file| file.standing.is_some_and(Standing::is_on_the_server))
}

pub(super) fn closable(state: &State) -> bool {
    let memories = &state.memories;
    !state.layers.is_empty() || !memories.filter.is_empty() || !memories.marked.is_empty() || state.ending.is_some()
}

pub(super) fn has_store(state: &State) -> bool {
    state.snapshot().is_some()
}

/// Whether a draft of an earlier screen waits.
pub(super) fn has_unsaved(state: &State) -> bool {
    !state.drafts.waiting.is_empty()
}

/// Whether there is a list to filter.
pub(super) fn can_filter(state: &State) -> bool {
    match state.layers.last() {
        None => has_store(state),
        Some(Layer::Turn(turn)) => turn.read().is_some(),
        Some(layer) => layer.filter().is_some(),
    }
}

/// Whether there is a list to put in another order.
pub(super) fn can_sort(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Projects(_)) => !state.projects.is_empty(),
        _ => has_store(state),
    }
}

/// Whether there are tool calls to unfold.
pub(super) fn has_calls(state: &State) -> bool {
    let stretch = session(state);
    stretch.is_some_and(|stretch| stretch.turns.iter().any(|turn| !turn.calls.is_empty()))
}

/// Whether somebody speaks in what is looked at: a memory is only a text.
pub(super) fn has_turns(state: &State) -> bool {
    session(state).is_some_and(|stretch| stretch.turns.iter().any(|turn| turn.speaker != Speaker::File))
}

fn session(state: &State) -> Option<&Stretch> {
    match state.layers.last() {
        Some(Layer::Turn(turn)) => turn.read(),
        _ => None,
    }
}

/// Whether something is looked for in the session.
pub(super) fn has_search(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Turn(turn)) if turn.looked_for().is_some())
}

/// Whether the memory comes from more turns than the one that is shown.
pub(super) fn has_sources_more(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Turn(turn)) if turn.sources.len() > 1)
}

/// Whether it is known which session the memory comes from.
pub(super) fn has_source(state: &State) -> bool {
    state.target().is_some_and(|memory| memory.origin_session.is_some()) || !state.sources().is_empty()
}

/// Whether there is a store, or a first memory would make it.
pub(super) fn may_have_store(state: &State) -> bool {
    has_store(state) || matches!(state.store, StoreView::Trouble(StoreTrouble::Missing(_)))
}

/// Whether a memory is there to judge: with a filter one that it shows.
pub(super) fn can_triage(state: &State) -> bool {
    has_store(state) && (state.memories.filter.is_empty() || !state.memories.rows.is_empty())
}

pub(super) fn has_target(state: &State) -> bool {
    state.target().is_some()
}

/// Whether there is a memory to edit, or the index has the focus.
pub(super) fn can_edit(state: &State) -> bool {
    has_target(state) || state.layers.is_empty() && state.focus == Pane::Index && has_store(state)
}

/// Whether another memory says nearly the same as the one that is judged, or the opposite.
pub(super) fn has_partner(state: &State) -> bool {
    state.target().is_some_and(|memory| state.partner_of(&memory.file).is_some())
}

pub(super) fn has_run(state: &State) -> bool {
    state.launching.is_some() || state.shown_run().is_some()
}

pub(super) fn in_list(state: &State) -> bool {
    state.layers.is_empty() && state.focus == Pane::Memories && has_target(state)
}

/// Whether a dream could be started: on the store that is shown, or on the one of the run that is looked at.
pub(super) fn can_dream(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Run(_) | Layer::Runs(_)) => state
            .run_in_view()
            .is_some_and(|run| !run.store.is_empty() && state.live_run_in(Path::new(&run.store)).is_none()),
        _ => may_have_store(state) && state.live_run().is_none(),
    }
}

pub(super) fn can_undo(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Run(_) | Layer::Runs(_)) => state.run_in_view().is_some_and(|run| state.can_take_back(run)),
        Some(Layer::History(list)) => crate::tui::layer::history::rows(&state.history, &list.filter)
            .get(list.list.selected)
            .is_some_and(|row| row.entry.undone_by.is_none()),
        Some(Layer::Settings(_)) => !state.setting_steps.is_empty(),
        Some(Layer::Triage(triage)) => !triage.judged.is_empty(),
        Some(Layer::Index(screen)) => !screen.before.is_empty(),
        Some(Layer::Review(review)) => has_store(state) && review.store == state.store_root(),
        _ => has_store(state),
    }
}

pub(super) fn has_fixable(state: &State) -> bool {
    state.findings.iter().any(|finding| finding.fixable)
}

pub(super) fn has_inbox_row(state: &State) -> bool {
    state.inbox.iter().any(|entry| !entry.changes.is_empty())
}

pub(super) fn can_save(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Edit(editor)) => editor.conflict.is_none() && !editor.saving,
        Some(Layer::New(new)) => !new.saving,
        Some(Layer::Promote(screen)) => !screen.saving,
        _ => true,
    }
}

/// Whether what is saved is a claim that could be confirmed.
pub(super) fn can_renew(state: &State) -> bool {
    can_save(state) && !matches!(state.layers.last(), Some(Layer::Promote(_)))
}

pub(super) fn has_held(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Inbox(_)) => has_inbox_row(state),
        _ => state.run_in_view().is_some_and(|run| state.waits_for_review(run)),
    }
}

pub(super) fn run_is_live(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Run(_) | Layer::Runs(_)) => state.run_in_view().is_some_and(|run| run.is_live()),
        _ => state.live_run().is_some(),
    }
}

/// Whether a held change is under the cursor that can still be decided on.
pub(super) fn has_file(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Review(review)) if review.change().is_some() && !review.landing)
}

/// Whether its text can be taken apart: a file that is replaced.
pub(super) fn has_hunks(state: &State) -> bool {
    has_file(state) && matches!(state.layers.last(), Some(Layer::Review(review)) if review.hunk_count() > 0)
}

pub(super) fn has_sources(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Review(review)) if !review.sources().is_empty())
}

/// Whether there is something to land, or a source to open.
pub(super) fn can_land(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Review(review)) if !review.landing && review.change().is_some())
}

pub(super) fn can_explain(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Projects(_)) => !state.projects.is_empty(),
        _ => true,
    }
}

pub(super) fn has_origin(state: &State) -> bool {
    state.target().is_some_and(|memory| state.owed(&memory.file).latest().is_some())
}

/// Whether the index was changed and is not being saved.
pub(super) fn index_is_dirty(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Index(screen)) if screen.is_dirty() && !screen.saving)
}

/// Whether something is wrong with the text that is being written.
pub(super) fn has_lint(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Edit(editor)) if !editor.lint.findings.is_empty() && editor.conflict.is_none())
}
