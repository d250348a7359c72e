//! A question.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, pane};
use crate::text::{fit, visible, width};
use crate::tui::layer::confirm::Confirm;
use crate::tui::layout::centred;
use crate::tui::page::wrap;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Confirm, state: &State, area: Rect, frame: &mut Frame<'_>) {
    // A question that the frame would cut is asked in full inside it.
    let columns = usize::from(area.width.saturating_sub(2)).max(1);
    let is_cut = width(&visible(&layer.title)) + 4 > usize::from(area.width);
    let asked = if is_cut { wrap(&layer.title, columns) } else { Vec::new() };
    // As many as there is room for, and the others counted: what is not seen must not be agreed to unawares.
    let room = usize::from(area.height.saturating_sub(2)).saturating_sub(asked.len()).max(1);
    let listed = if layer.lines.len() > room { room - 1 } else { layer.lines.len() };
    let rest = layer.lines.len() - listed;
    let longest = layer.lines.iter().take(listed).map(|line| width(&visible(line))).max().unwrap_or(0);
    let wide = u16::try_from(longest.max(width(&layer.title)) + 6).unwrap_or(u16::MAX).clamp(34, 90);
    let high = u16::try_from(asked.len() + listed + usize::from(rest > 0)).unwrap_or(u16::MAX).saturating_add(2);
    let place = centred(area, wide, high);
    let keys = footer::of(&[("y", layer.yes), ("n", "leave it")], state);
    let inner = pane::dialog(place, &layer.title, state, keys, frame);
    let more = (rest > 0).then(|| format!("… and {rest} more"));
    let lines = layer.lines.iter().take(listed).map(|line| visible(line).into_owned()).chain(more);
    for (line, row) in asked.into_iter().chain(lines).zip(inner.rows()) {
        frame.render_widget(Line::raw(fit(&line, usize::from(inner.width)).into_owned()), row);
    }
}
