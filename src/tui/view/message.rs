//! A text that is too long for the status line.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, pane};
use crate::tui::layer::Message;
use crate::tui::layout::centred;
use crate::tui::page::wrap;
use crate::tui::state::State;

/// Where it is, and its lines.
pub(in crate::tui) fn layout(layer: &Message, area: Rect) -> (Rect, Vec<String>) {
    let wide = area.width.saturating_sub(4).clamp(1, 80);
    let lines = wrap(&layer.text, usize::from(wide.saturating_sub(2)));
    let high =
        u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height.saturating_sub(2).max(3));
    (centred(area, wide, high), lines)
}

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Message, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let (place, lines) = layout(layer, area);
    let inner = pane::dialog(place, &layer.title, state, footer::keys(state, place.width), frame);
    for (line, row) in lines.into_iter().skip(layer.scroll).zip(inner.rows()) {
        frame.render_widget(Line::raw(line), row);
    }
}
