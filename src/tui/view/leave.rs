//! How the question before leaving looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, pane};
use crate::text::{fit, visible};
use crate::tui::layer::leave::Leave;
use crate::tui::layout::centred;
use crate::tui::state::State;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Leave, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let mut lines: Vec<String> = layer
        .runs
        .iter()
        .map(|id| match state.run(id) {
            Some(run) => format!("{} · {}", visible(&run.project), visible(id)),
            None => visible(id).into_owned(),
        })
        .collect();
    lines.push("It is a process of its own and needs no screen.".to_owned());
    let high = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let place = centred(area, area.width.min(64), high);
    let keys = footer::of(&[("k/Enter", "keep it running"), ("x", "kill it"), ("Esc", "stay")], state);
    let title = "A run that you started is going on";
    let inner = pane::dialog(place, title, state, keys, frame);
    for (line, row) in lines.iter().zip(inner.rows()) {
        frame.render_widget(Line::raw(fit(line, usize::from(inner.width)).into_owned()), row);
    }
}
