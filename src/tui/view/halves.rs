//! The right half of a layer in two halves, and the line between them.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::tui::layer::detail::Detail;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws the rows from the one they are scrolled to, and how much is left.
pub(super) fn detail(detail: &Detail, area: Rect, state: &State, frame: &mut Frame<'_>) {
    let height = usize::from(area.height);
    let latest = detail.lines.len().saturating_sub(height);
    let from = detail.scroll.min(latest);
    for (line, row) in detail.lines.iter().skip(from).zip(area.rows()) {
        frame.render_widget(line, row);
    }
    let left = latest - from;
    if left > 0 && area.height > 1 {
        let text = format!(" ↓ {left} ");
        let width = u16::try_from(crate::text::width(&text)).unwrap_or(u16::MAX).min(area.width);
        let place = Rect { x: area.right() - width, y: area.bottom() - 1, width, height: 1 };
        frame.render_widget(Line::styled(text, state.theme.style(Meaning::Dim)), place);
    }
}

/// Draws the line between two halves, beside or under each other.
pub(super) fn line_between(list: Rect, detail: Rect, state: &State, frame: &mut Frame<'_>) {
    let style = state.theme.style(Meaning::Border);
    if detail.x > list.x {
        for row in list.rows() {
            let place = Rect { x: list.right(), width: 1, ..row };
            frame.render_widget(Line::styled("│", style), place.intersection(frame.area()));
        }
    } else if detail.y > list.bottom() {
        let place = Rect { y: list.bottom(), height: 1, ..list };
        frame.render_widget(Line::styled("─".repeat(usize::from(list.width)), style), place);
    }
}
