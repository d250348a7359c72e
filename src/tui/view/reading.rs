//! A memory in full.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{footer, pane, sheet};
use crate::tui::layer::Reading;
use crate::tui::layout;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Reading, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let title = state.target().map_or("", |memory| memory.file.as_str());
    let inner = pane::dialog(area, title, state, footer::keys(state, area.width), frame);
    sheet::draw(&layer.sheet, state, inner, frame);
}
