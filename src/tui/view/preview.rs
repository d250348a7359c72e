//! The preview pane.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{empty, pane, sheet};
use crate::tui::state::{Pane, State};

/// Draws the preview.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    if area.is_empty() {
        return;
    }
    let focused = state.focus == Pane::Preview;
    let title = state.target().map_or("Preview", |memory| memory.file.as_str());
    let title = pane::title(&crate::text::visible(title), area, focused, state.theme);
    let inner = pane::frame(area, title, focused, state.theme, frame);
    if state.target().is_some() {
        sheet::draw(&state.preview, state, inner, frame);
    } else {
        empty::preview(state, inner, frame);
    }
}
