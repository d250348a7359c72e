//! How the list of unsaved drafts looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{filter_line, footer, pane};
use crate::text::{count, fit, visible};
use crate::tui::layer::unsaved::UnsavedList;
use crate::tui::layout::{centred, inside};
use crate::tui::page::moment;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

fn place(state: &State, area: Rect) -> Rect {
    let high = u16::try_from(state.drafts.waiting.len()).unwrap_or(u16::MAX).saturating_add(3);
    centred(area, 76, high.min(area.height.saturating_sub(2)).max(4))
}

/// So many of them can be seen at once.
#[must_use]
pub(in crate::tui) fn rows(state: &State) -> usize {
    usize::from(inside(place(state, state.area)).height.saturating_sub(1))
}

/// Draws it.
pub(super) fn draw(layer: &UnsavedList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let title = count(state.drafts.waiting.len(), "unsaved draft", "unsaved drafts");
    let place = place(state, area);
    let (drafts, keys) = (crate::tui::layer::unsaved::rows(layer, state), |room| footer::keys(state, room));
    let counts = (drafts.len(), state.drafts.waiting.len());
    let inner = filter_line::dialog(place, &title, &layer.filter, counts, state, &keys, frame);
    let says = "Not saved when dreamtop ended; opening merges it with what is there now.";
    let mut lines = inner.rows();
    if let Some(row) = lines.next() {
        let text = fit(says, usize::from(row.width)).into_owned();
        frame.render_widget(Line::styled(text, state.theme.style(Meaning::Dim)), row);
    }
    if drafts.is_empty() {
        if let Some(row) = lines.next() {
            pane::text(filter_line::NONE, Meaning::Dim, row, state.theme, frame);
        }
        return;
    }
    let window = layer.list.window(drafts.len(), rows(state));
    for (at, row) in window.zip(lines) {
        let Some(rescued) = drafts.get(at) else { break };
        let size = count(rescued.text.body.lines().count(), "line", "lines");
        let text = format!(" {}  {} · {size}", moment(rescued.at), visible(&rescued.text.title()));
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&text, row.width, true, state.theme), row);
        } else {
            frame.render_widget(Line::raw(fit(&text, usize::from(row.width)).into_owned()), row);
        }
    }
}
