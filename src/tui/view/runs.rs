//! How this layer looks.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::tui::layer::runs::RunsList;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &RunsList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let _ = (layer, state, area, frame);
}
