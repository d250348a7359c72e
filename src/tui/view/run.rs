//! How this layer looks.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::tui::layer::run::RunDialog;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &RunDialog, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let _ = (layer, state, area, frame);
}
