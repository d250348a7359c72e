//! Drawing, from `&State` alone. One widget a file; nothing here changes anything.

pub(super) mod diff;
mod edit;
mod history;
mod inbox;
pub(super) mod markdown;
mod new;
mod run;
mod runs;
pub(super) mod wrap;

use ratatui::Frame;

use super::layer::Layer;
use super::state::State;

/// Draws everything.
pub fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    for layer in &state.layers {
        match layer {
            Layer::Run(layer) => run::draw(layer, state, area, frame),
            Layer::Runs(layer) => runs::draw(layer, state, area, frame),
            Layer::Edit(layer) => edit::draw(layer, state, area, frame),
            Layer::New(layer) => new::draw(layer, state, area, frame),
            Layer::Inbox(layer) => inbox::draw(layer, state, area, frame),
            Layer::History(layer) => history::draw(layer, state, area, frame),
            _ => {}
        }
    }
}
