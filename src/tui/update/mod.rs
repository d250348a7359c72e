//! What follows from an event: changes of the state, and effects. Pure: no disk, no clock, no terminal.
//!
//! One file per layer and pane. A key goes to the layer on top if that layer takes text; what it does not take becomes a
//! [`Command`] by the key map, and the command goes to the layer on top, then to what holds everywhere.

mod choose;
mod chord;
mod confirm;
mod dashboard;
mod deeds;
pub(super) mod edit;
mod filter;
mod find;
mod health;
mod help;
mod history;
mod inbox;
pub(super) mod index;
mod keys;
mod leave;
mod lens;
mod lint;
mod list_filter;
mod message;
mod mouse;
mod new;
mod palette;
mod pause;
mod perform;
mod projects;
mod promote;
mod reading;
mod refusal;
mod rename;
mod review;
pub(super) mod run;
mod runs;
mod settings;
mod sheets;
mod store;
mod stray;
mod take;
mod team;
mod triage;
mod turn;
pub(super) mod unsaved;
mod views;
mod why;
mod workers;

pub(super) use palette::matching;
pub use perform::perform;

use super::command::Command;
use super::effect::Effect;
use super::event::AppEvent;
use super::layer::Layer;
use super::state::{Pane, State};

/// What answers whether changes that are not saved are kept.
const UNSAVED_ANSWERS: &str = "s: save, d: drop, Esc: go on";

/// What a layer made of a key or a command.
#[derive(Debug)]
pub(super) enum Flow {
    /// It took it.
    Done(Vec<Effect>),
    /// It is not for this layer.
    Pass,
}

/// What to do first.
#[must_use]
pub fn start() -> Vec<Effect> {
    vec![
        Effect::Recover,
        Effect::Rescan,
        Effect::ReadBranch,
        Effect::RefreshRuns,
        Effect::RefreshGates,
        Effect::ReadHistory,
        Effect::ReadInbox,
        Effect::ReadViews,
        Effect::ReadUnsaved,
    ]
}

/// Takes in an event.
pub fn update(state: &mut State, event: AppEvent) -> Vec<Effect> {
    let mut effects = take::take(state, event);
    effects.extend(unsaved::settle(state));
    effects.extend(settle(state));
    effects.extend(sheets::ask(state));
    dashboard::note_verdict(state, &effects);
    effects
}

/// Brings the layer on top in line with what the event changed under it.
fn settle(state: &mut State) -> Option<Effect> {
    match state.layers.last() {
        Some(Layer::Run(_)) => run::settle(state),
        Some(Layer::History(_)) => history::settle(state),
        Some(Layer::Inbox(_)) => {
            inbox::settle(state);
            None
        }
        Some(Layer::Health(_)) => {
            health::settle(state);
            None
        }
        Some(Layer::Review(_)) => {
            review::settle(state);
            None
        }
        Some(Layer::Triage(_) | Layer::Choose(_)) => {
            triage::settle(state);
            None
        }
        Some(Layer::Runs(_)) => runs::settle(state),
        Some(Layer::Projects(_)) => {
            projects::settle(state);
            None
        }
        Some(Layer::Turn(_)) => turn::settle(state),
        Some(Layer::Find(_)) => find::settle(state),
        Some(Layer::Edit(_) | Layer::New(_)) => lint::settle(state),
        Some(Layer::Rename(_)) => rename::settle(state),
        Some(Layer::Index(_)) => {
            index::settle(state);
            None
        }
        _ => None,
    }
}

/// How far a moving command moves in a list of `length` rows, `height` of them visible.
pub(super) fn step(command: Command, length: usize, height: usize) -> Option<isize> {
    let half = isize::try_from((height / 2).max(1)).unwrap_or(isize::MAX);
    let all = isize::try_from(length).unwrap_or(isize::MAX);
    match command {
        Command::Down => Some(1),
        Command::Up => Some(-1),
        Command::HalfPageDown => Some(half),
        Command::HalfPageUp => Some(-half),
        Command::Bottom => Some(all),
        Command::Top => Some(-all),
        _ => None,
    }
}

/// Puts the focus on a pane.
pub(super) fn focus(state: &mut State, pane: Pane) {
    state.focus = pane;
    dashboard::settle(state);
}

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod conflict_tests;
#[cfg(test)]
mod dialogs_tests;
#[cfg(test)]
mod find_tests;
#[cfg(test)]
mod inbox_tests;
#[cfg(test)]
mod review_tests;
#[cfg(test)]
mod runs_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod triage_tests;
#[cfg(test)]
mod why_tests;
