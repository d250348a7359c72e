//! How this layer looks.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::tui::layer::inbox::InboxList;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &InboxList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let _ = (layer, state, area, frame);
}
