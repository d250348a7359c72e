//! A question.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, pane};
use crate::text::{fit, visible, width};
use crate::tui::layer::confirm::Confirm;
use crate::tui::layout::centred;
use crate::tui::state::State;

/// The lines listed before the rest is only counted.
const LISTED: usize = 12;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Confirm, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let listed = layer.lines.len().min(LISTED);
    let rest = layer.lines.len() - listed;
    let longest = layer.lines.iter().take(listed).map(|line| width(&visible(line))).max().unwrap_or(0);
    let wide = u16::try_from(longest.max(width(&layer.title)) + 6).unwrap_or(u16::MAX).clamp(34, 90);
    let high = u16::try_from(listed + usize::from(rest > 0)).unwrap_or(u16::MAX).saturating_add(2);
    let place = centred(area, wide, high);
    let keys = footer::of(&[("y", layer.yes), ("n", "leave it")], state);
    let inner = pane::dialog(place, &layer.title, state, keys, frame);
    let more = (rest > 0).then(|| format!("… and {rest} more"));
    let lines = layer.lines.iter().take(listed).map(|line| visible(line).into_owned()).chain(more);
    for (line, row) in lines.zip(inner.rows()) {
        frame.render_widget(Line::raw(fit(&line, usize::from(inner.width)).into_owned()), row);
    }
}
