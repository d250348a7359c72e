//! Drawing, from `&State` alone. One widget a file; nothing here changes anything.
//!
//! Layers are drawn back to front over the dashboard. Any size draws, 0×0 too: ratatui clips, and what does not fit is cut
//! between characters. Not its job: where things are (see [`super::layout`]).

pub(super) mod choose;
mod confirm;
pub(super) mod diff;
pub(super) mod edit;
mod empty;
mod filter_line;
pub(super) mod find;
mod footer;
mod form;
mod halves;
mod health;
pub(super) mod help;
mod history;
mod inbox;
mod index;
mod index_screen;
mod leave;
mod lens;
pub(super) mod markdown;
mod marks;
mod memories;
pub(super) mod message;
mod new;
mod palette;
mod pane;
mod preview;
pub(super) mod projects;
mod promote;
mod reading;
mod rename;
mod review;
mod run;
mod runs;
mod settings;
mod sheet;
mod status;
mod team;
mod title;
pub(super) mod triage;
pub(super) mod turn;
mod union;
pub(super) mod unsaved;
mod views;
mod which_key;
pub(super) mod why;
pub(super) mod wrap;

use ratatui::Frame;
use ratatui::layout::Position;
use ratatui::text::Line;

use super::layer::Layer;
use super::layout::{Scale, areas};
use super::state::State;
use super::theme::Meaning;

/// Where the terminal's cursor belongs while nothing is typed, where the frame alone does not show it.
#[must_use]
pub fn caret(state: &State) -> Option<Position> {
    match state.layers.last() {
        Some(Layer::Turn(layer)) => turn::caret(layer, state.area),
        _ => None,
    }
}

/// Draws everything.
pub fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    let areas = areas(state);
    if areas.scale == Scale::Line {
        let line = Line::styled("dreamtop: too small, make the window larger", state.theme.style(Meaning::Dim));
        frame.render_widget(line, area);
        return;
    }
    title::draw(state, areas.title, frame);
    index::draw(state, areas.index, frame);
    memories::draw(state, areas.memories, frame);
    preview::draw(state, areas.preview, frame);
    status::draw(state, areas.status, frame);
    for layer in &state.layers {
        match layer {
            Layer::Filter(_) => {}
            Layer::Reading(layer) => reading::draw(layer, state, area, frame),
            Layer::Confirm(layer) => confirm::draw(layer, state, area, frame),
            Layer::Help(layer) => help::draw(layer, state, area, frame),
            Layer::Palette(layer) => palette::draw(layer, state, area, frame),
            Layer::Projects(layer) => projects::draw(layer, state, area, frame),
            Layer::Health(layer) => health::draw(layer, state, area, frame),
            Layer::Message(layer) => message::draw(layer, state, area, frame),
            Layer::Run(layer) => run::draw(layer, state, area, frame),
            Layer::Runs(layer) => runs::draw(layer, state, area, frame),
            Layer::Edit(layer) => edit::draw(layer, state, area, frame),
            Layer::New(layer) => new::draw(layer, state, area, frame),
            Layer::Inbox(layer) => inbox::draw(layer, state, area, frame),
            Layer::History(layer) => history::draw(layer, state, area, frame),
            Layer::Review(layer) => review::draw(layer, state, area, frame),
            Layer::Turn(layer) => turn::draw(layer, state, area, frame),
            Layer::Why(layer) => why::draw(layer, state, frame),
            Layer::Leave(layer) => leave::draw(layer, state, area, frame),
            Layer::Triage(layer) => triage::draw(layer, state, area, frame),
            Layer::Index(layer) => index_screen::draw(layer, state, area, frame),
            Layer::Promote(layer) => promote::draw(layer, state, area, frame),
            Layer::Rename(layer) => rename::draw(layer, state, area, frame),
            Layer::Choose(layer) => choose::draw(layer, state, area, frame),
            Layer::Lens(layer) => lens::draw(layer, state, area, frame),
            Layer::Settings(layer) => settings::draw(layer, state, area, frame),
            Layer::Team(layer) => team::draw(layer, state, area, frame),
            Layer::Find(layer) => find::draw(layer, state, area, frame),
            Layer::Views(layer) => views::draw(layer, state, area, frame),
            Layer::Unsaved(layer) => unsaved::draw(layer, state, area, frame),
            Layer::Stray(layer) => filter_line::stray(&layer.line, state, area, frame),
        }
    }
    status::draw_long(state, areas.status, frame);
    which_key::draw(state, area, frame);
    pane::put_cursor(frame);
}
